// The components of the documentation's page on React: mounted as they stand there, they make bodies that fall, pin and touch.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from '@react-three/test-renderer';
import { transformSync } from 'esbuild';
import * as react from 'react';
import { act, createElement as h } from 'react';
import * as jsx from 'react/jsx-runtime';
import { expect, it, vi } from 'vitest';
import * as soft from '../../src/react/index.js';
import { codeBlocks } from '../house/page-programs.js';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** What the page exports, made of the sources instead of the built package. */
function readComponents(): Record<string, () => react.ReactNode> {
  const page = readFileSync(fileURLToPath(new URL('../../docs/guide/react.md', import.meta.url)), 'utf8');
  const source = codeBlocks(page, 'tsx').join('\n');
  const { code } = transformSync(source, { loader: 'tsx', jsx: 'automatic', format: 'cjs' });
  const modules: Record<string, unknown> = { react, 'react/jsx-runtime': jsx, 'isochore/react': soft };
  const found = { exports: {} };
  new Function('require', 'module', code)((name: string) => modules[name], found);
  return found.exports;
}

function Probe({ found }: { found: (world: soft.SoftWorld) => void }) {
  const world = soft.useSoftWorld();
  react.useEffect(() => found(world), [found, world]);
  return null;
}

it('the page on React runs', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { Stage, Hanging } = readComponents();
  let world: soft.SoftWorld | undefined;
  const scene = h(
    soft.SoftPhysics,
    null,
    h(Hanging),
    h(Probe, {
      found: (made: soft.SoftWorld) => {
        world = made;
      },
    }),
  );
  const hanging = await create(scene);
  const stage = await create(h(Stage));
  await vi.waitFor(
    async () => {
      await act(async () => new Promise((resolve) => setTimeout(resolve, 5)));
      expect(world?.bodies.length).toBe(1);
      await hanging.advanceFrames(1, 1 / 60);
      await stage.advanceFrames(1, 1 / 60);
      expect(world?.time).toBeGreaterThan(0.2);
    },
    { timeout: 10_000, interval: 5 },
  );
  // Pinned at its top, it has not fallen.
  const heights = Array.from(world?.bodies[0].positions ?? []).filter((_, k) => k % 3 === 1);
  expect(Math.abs(Math.max(...heights) - 3.5)).toBeLessThan(1e-6);
  expect(log).toHaveBeenCalled();
  log.mockRestore();
  await hanging.unmount();
  await stage.unmount();
});
