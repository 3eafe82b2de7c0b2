// The README's examples are true: all of them, in the order in which they stand, are one program that compiles against the
// built package and runs; its first screen moves, and what is linked to is there.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { VOLUME_TOLERANCE } from '../both-backends.js';
import { codeBlocks, PROGRAM_OPTIONS, SURROUNDINGS } from './page-programs.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const folder = `${root}out/readme/`;

/** What is checked when it has run. */
const FINDINGS = `
  const steps1 = world.stepCount;
  for (let n = 0; n <= 144; n++) loop((1000 * n) / 144);
  const steps2 = world.stepCount;
  for (let n = 0; n <= 60; n++) loop(1000 + (1000 * n) / 60);
  const steps3 = world.stepCount;
  const colour = ball.material.color.getHex();
  const selected = feet.vertices.length;
  const drawn = ball.geometry.getAttribute('position').getX(0) - body.interpolated[0];
  world.dispose();
  console.log(JSON.stringify({ fast: steps2 - steps1, slow: steps3 - steps2, selected, drawn, colour, hit: hit !== null }));
`;

describe('README', () => {
  const blocks = codeBlocks(readme, 'ts');
  const program = [SURROUNDINGS, ...blocks, FINDINGS].join('\n');
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
  });

  it('shows an example of ten lines', () => {
    expect(blocks.length).toBeGreaterThan(3);
    expect(blocks[0].trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  });

  it('begins with a moving picture and a link to the playground, and is short', () => {
    const first = readme.split('\n').slice(0, 16).join('\n');
    const picture = readFileSync(root + /!\[[^\]]+\]\(([^)]+\.webp)\)/.exec(first)?.[1]);
    // An animated WebP: a second chunk `ANIM` after the first, and a frame for each picture.
    expect(picture.toString('latin1', 30, 34)).toBe('ANIM');
    expect(picture.toString('latin1').split('ANMF').length).toBeGreaterThan(40);
    expect(picture.length).toBeLessThan(1e6);
    expect(first).toMatch(/\]\(https:\/\/\S+\/playground\/\)/);
    expect(readme.split('\n').length).toBeLessThan(160);
  });

  it('shows code that type-checks against the package', () => {
    writeFileSync(`${folder}program.ts`, program);
    writeFileSync(
      `${folder}tsconfig.json`,
      JSON.stringify({ compilerOptions: PROGRAM_OPTIONS, files: ['program.ts'] }),
    );
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    expect(execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).toBe('');
  });

  it('is compiled against types without internals', () => {
    for (const [file, internal] of [
      ['world/body.d.ts', 'beginStep'],
      ['world/collider.d.ts', 'moveThrough'],
      ['world/pin.d.ts', 'writeTargets'],
      ['world/attachment.d.ts', 'endStep'],
    ]) {
      const types = readFileSync(`${root}dist/${file}`, 'utf8');
      expect(types).toContain('export declare class');
      expect(types).not.toContain(internal);
    }
  });

  it('shows one program that runs and does what it says', () => {
    writeFileSync(`${folder}program.mjs`, transformSync(program, { loader: 'ts' }).code);
    const output = execFileSync(process.execPath, [`${folder}program.mjs`], { encoding: 'utf8' });
    const error = Number(/volume error (\S+)/.exec(output)?.[1]);
    // Single precision, see both-backends.ts.
    expect(error).toBeLessThan(VOLUME_TOLERANCE.wasm);
    const found = JSON.parse(output.trim().split('\n').at(-1) as string);
    // A second is 200 steps at any rate of frames; the last may wait for the next frame.
    expect(found).toMatchObject({ fast: expect.any(Number), slow: expect.any(Number), hit: true });
    for (const steps of [found.fast, found.slow]) expect(Math.abs(steps - 200)).toBeLessThan(2);
    expect(found.selected).toBeGreaterThan(2);
    // Shown in single precision: one rounding of a coordinate of a few metres.
    expect(Math.abs(found.drawn)).toBeLessThan(1e-6);
    expect(found.colour).toBe(0xffffff);
  });

  it('links to files that are there, which the package says where to find', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)|src="([^"]+)"/g)].map(([, a, b]) => a ?? b);
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) expect(link.includes('://') || existsSync(root + link), link).toBe(true);
    // npm shows pictures and links of a README relative to the repository.
    expect(manifest.repository.url).toMatch(/^git\+https:\/\/\S+\.git$/);
    expect([manifest.homepage, manifest.bugs.url].every((address) => address.startsWith('https://'))).toBe(true);
  });
});
