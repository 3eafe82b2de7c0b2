// The link: what it says is what opens, and what makes no sense in it does no harm.

import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type LinkState, readLink, writeLink } from '../../apps/playground/src/link.js';
import { applySettings, NO_SETTINGS } from '../../apps/playground/src/settings.js';
import { checkScene, findScene } from '../../src/scenes/index.js';

const FULL: LinkState = {
  scene: 'squeeze',
  file: undefined,
  settings: {
    world: { gravity: 1.62, friction: 0.25, timeStep: 0.0025, backend: 'reference', threads: 2 },
    bodies: {
      '*': { stiffness: 0.35, damping: 0.05, regionSize: 5, globalShare: 0.75 },
      none: { volume: true, innerShare: 0.5, innerLow: 0.02, innerHigh: 0.3 },
      'a.b & c': { volume: false },
    },
  },
  paint: {
    0: { stiffness: Float64Array.of(1, 1, 1, 0.1, 0.3162) },
    12: { friction: Float64Array.of(0), hold: Float64Array.of(1000, 0.5) },
  },
  view: 'strain',
  speed: 0.25,
  stop: 200,
};

describe('a link', () => {
  it('gives back everything that was put in', async () => {
    expect(await readLink(await writeLink(FULL))).toEqual(FULL);
  });

  it('carries a scene file', async () => {
    const scene = findScene('stairs')?.make();
    if (!scene) throw new Error('no stairs');
    const state = { ...FULL, scene: undefined, file: { name: 'my scene.json', scene } };
    const text = await writeLink(state);
    expect(text.length).toBeLessThan(2000);
    expect(await readLink(text)).toEqual({
      ...state,
      file: { name: 'my scene.json', scene: JSON.parse(JSON.stringify(scene)) },
    });
  });

  it('leaves out a scene that is too long for an address', async () => {
    // Random names do not compress.
    let seed = 1;
    const name = () => {
      seed = (seed * 48271) % 2147483647;
      return seed.toString(36);
    };
    const bodies = Array.from({ length: 4000 }, () => ({ name: name(), mesh: 'a.obj' }));
    const text = await writeLink({ ...FULL, file: { name: 'long.json', scene: { isochore: 1, bodies } } });
    expect(text).not.toContain('data=');
  });

  it('does not unpack a scene that is too long, in an address or unpacked', async () => {
    const scene = { isochore: 1, bodies: [], name: 'x' };
    const linkOf = (text: string) => `#file=a.json&data=${deflateRawSync(text, { level: 9 }).toString('base64url')}`;
    const padded = (length: number) => JSON.stringify({ ...scene, name: 'x'.repeat(length) });
    // Below and above a megabyte; then what 12 000 letters can hold, and far more than that.
    expect((await readLink(linkOf(padded(900_000)))).file?.name).toBe('a.json');
    expect((await readLink(linkOf(padded(1_100_000)))).file).toBeUndefined();
    expect((await readLink(linkOf(padded(9_000_000)))).file).toBeUndefined();
    const bomb = linkOf(padded(40_000_000));
    expect(bomb.length).toBeLessThan(60_000);
    let most = process.memoryUsage().arrayBuffers;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }, 1);
    const before = process.memoryUsage().arrayBuffers;
    expect((await readLink(bomb)).file).toBeUndefined();
    clearInterval(watch);
    expect(most - before).toBeLessThan(20_000_000);
    // Nor is one written that could not be read.
    const text = await writeLink({ ...FULL, file: { name: 'a.json', scene: JSON.parse(padded(2_000_000)) } });
    expect(text).not.toContain('data=');
  });

  it.each([
    ['', { world: {}, bodies: {} }],
    ['#', { world: {}, bodies: {} }],
    ['#stiffness=abc&damping=&regionSize=NaN&gravity=Infinity', { world: {}, bodies: {} }],
    [
      '#stiffness=7&regionSize=2.6&threads=-4',
      { world: { threads: 1 }, bodies: { '*': { stiffness: 1, regionSize: 3 } } },
    ],
    [
      '#target=9&law=linear&none.innerHigh=0.3',
      { world: {}, bodies: { '*': { target: 5 }, none: { innerHigh: 0.3 } } },
    ],
    // More than there can be: as many as there can be.
    ['#threads=99', { world: { threads: 16 }, bodies: {} }],
    ['#backend=opencl&volume=perhaps&__proto__.stiffness=1', { world: {}, bodies: {} }],
    ['#constructor=1&toString.damping=0.5', { world: {}, bodies: { toString: { damping: 0.5 } } }],
    ['#file=x.json&data=%%%', { world: {}, bodies: {} }],
  ])('survives %s', async (hash, settings) => {
    const link = await readLink(hash);
    expect(link.settings).toEqual(settings);
    expect(link.file).toBeUndefined();
    expect([link.view, link.speed]).toEqual(['shaded', 1]);
  });
});

describe('settings', () => {
  const scene = checkScene(findScene('squeeze')?.make());

  it('leave a scene alone where there are none', () => {
    expect(applySettings(scene, NO_SETTINGS)).toEqual(scene);
  });

  it('of one body come after those of all', () => {
    const changed = applySettings(scene, FULL.settings);
    expect(changed.gravity).toEqual([0, -1.62, 0]);
    expect(changed.colliders.map(({ friction }) => friction)).toEqual([0.25, 0.25]);
    const [first, , , none] = changed.bodies.map(({ solver }) => solver);
    expect(first).toMatchObject({ stiffness: 0.35, damping: 0.05, regionSize: 5, volume: { globalShare: 0.75 } });
    expect(none.volume).toEqual({ globalShare: 0.75, innerShare: 0.5, innerStiffness: [0.02, 0.3], target: 1 });
    // What comes out is a scene again.
    expect(checkScene(JSON.parse(JSON.stringify(changed)))).toEqual(JSON.parse(JSON.stringify(changed)));
  });
});
