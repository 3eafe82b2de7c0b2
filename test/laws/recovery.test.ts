// Law: a body comes back to its shape from every degenerate state: mirrored, flattened, scattered, exactly a line, exactly
// a point. Nothing else acts on it, so at the end it is at rest in its rest shape up to rounding; the bounds of 1 % strain
// and 0.1 % volume after 150 steps only say that it is back.

import { describe, expect, it } from 'vitest';
import {
  type Body,
  box,
  creature,
  DEFORMATIONS,
  icosphere,
  lattice,
  octree,
  type Prepared,
  prepare,
  surface,
  tetrahedra,
  torus,
  uvSphere,
  type World,
} from '../../src/index.js';
import { advance, BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

/** Nothing happens to a body that is back: what it would do in further steps is rest. */
const STEPS = 150;

const shapes = [
  ['box', box({ divisions: 8 }), [2, 3, 4]],
  ['sphere', uvSphere({ segments: 20 }), [3]],
] as const;

describe.each(BOTH_BACKENDS.flatMap((backend) => shapes.map((shape) => [backend, ...shape] as const)))(
  'on %s, a %s',
  (backend, _, mesh, regionSizes) => {
    it.each(DEFORMATIONS.flatMap((state) => regionSizes.map((regionSize) => [state, regionSize] as const)))(
      'recovers from %s with region size %i',
      async (state, regionSize) => {
        const world = await worldOn(backend, { gravity: [0, 0, 0] });
        const solver = surface({ regionSize, stiffness: 0.9, damping: 0.3 });
        const body = world.add(prepare(mesh, solver), { position: [1, 2, 3], rotation: [0.1, 0.2, 0.3, 0.9] });
        const before = body.positions.slice();
        body.deform(state, 7);
        if (state !== 'none') expect(body.positions).not.toEqual(before);
        await advance(world, STEPS);
        expect(edgeStrainRms(body)).toBeLessThan(0.01);
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
        world.dispose();
      },
    );

    // The reference decides by the same code what is tangled.
    it.each(backend === 'wasm' ? DEFORMATIONS : [])(
      'recovers from %s with contact of its surface with itself',
      async (state) => {
        const world = await worldOn(backend, { gravity: [0, 0, 0] });
        const body = world.add(prepare(mesh, surface({ regionSize: 3, stiffness: 0.9, damping: 0.3 })), {
          selfContact: true,
        });
        body.deform(state, 7);
        await advance(world, STEPS);
        expect(edgeStrainRms(body)).toBeLessThan(0.01);
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
        world.dispose();
      },
    );
  },
);

const BROKEN = DEFORMATIONS.filter((state) => state !== 'none');

/** Where regions alone stay stuck: wide and narrow ones, soft and hardly damped bodies, rings and limbs. */
const BLIND = [
  ['ball with wide regions', icosphere({ detail: 2 }), { regionRadius: 0.3 }],
  ['ring', torus({ majorSegments: 24, minorSegments: 12 }), { regionSize: 3 }],
  ['soft ring', torus({ majorSegments: 24, minorSegments: 12 }), { regionSize: 2, stiffness: 0.3, damping: 0.1 }],
  ['creature', creature({ vertices: 800 }), { regionSize: 3 }],
  ['ball without volume', icosphere({ detail: 2 }), { regionSize: 3, volume: false }],
] as const;

describe.each(BOTH_BACKENDS)('on %s, where regions are blind', (backend) => {
  it.each(BLIND)('a %s recovers from everything, with its momentum', async (_, mesh, settings) => {
    const prepared = prepare(mesh, surface(settings));
    for (const state of BROKEN) {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const body = world.add(prepared, { velocity: [1, 2, 3] });
      body.deform(state, 3);
      body.setMotion([1, 2, 3]);
      await advance(world, 100);
      expect(edgeStrainRms(body)).toBeLessThan(0.02);
      if (body.settings.volume) expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-4);
      // Momentum: drawing moves no centre and restores Σ m v, to rounding of 100 steps in single precision (1e-4).
      body.momentum().forEach((p, axis) => {
        expect(Math.abs(p / body.mass - (axis + 1))).toBeLessThan(1e-4);
      });
      expect(body.recoveries).toBe(1);
      world.dispose();
    }
  });

  it('recovers between two plates, on the right side of them, and under pins', async () => {
    const mesh = icosphere({ detail: 2 });
    for (const state of BROKEN) {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
      world.addCollider({ shape: 'box', size: [4, 0.1, 4], position: [0, 1.35, 0] });
      const body = world.add(prepare(mesh, surface({ regionSize: 3 })), { position: [0, 0.65, 0] });
      const hung = world.add(prepare(mesh, surface({ regionSize: 3 })), { position: [6, 0, 0] });
      hung.pin(
        hung.select({
          box: [
            [-1, 0.8, -1],
            [1, 2, 1],
          ],
        }),
      );
      await advance(world, 60);
      const before = [body, hung].map(edgeStrainRms);
      for (const broken of [body, hung]) broken.deform(state, 5);
      await advance(world, 200);
      [body, hung].forEach((back, n) => {
        expect(edgeStrainRms(back)).toBeLessThan(before[n] + 0.02);
        expect(Math.abs(back.volume() / back.restVolume - 1)).toBeLessThan(1e-4);
      });
      // The plate is 0.1 m thick and lies on 1.3 m.
      expect(Math.max(...body.positions.filter((_, k) => k % 3 === 1))).toBeLessThan(1.3 + 1e-3);
      world.dispose();
    }
  });
});

// What solvers with an inside carry on of a shell that is at one point is rounding: blown up, it tore blocks to thousands of their sizes.
// A plastic one would take on the shape that it was scattered to.
describe.each(BOTH_BACKENDS)('on %s, with an inside', (backend) => {
  const block = box({ size: [1.6, 0.8, 1.6], divisions: [8, 4, 8] });
  it.each([
    ['lattice', prepare(block, lattice({ resolution: 5 })), 0.01],
    ['octree', prepare(block, octree({ cells: 4, levels: 1 })), 0.01],
    // The last swing may go beyond the yield of 2 %, and stays then: measured 3.9 %. It was 54 %.
    [
      'plastic octree',
      prepare(block, octree({ cells: 4, levels: 1, plasticity: { yield: 0.02, creep: 200, max: 2 } })),
      0.05,
    ],
    ['tetrahedra', prepare(icosphere({ detail: 1 }), tetrahedra({ cells: 3 })), 0.01],
  ] as const)('a body that turns recovers from everything: %s', async (_, prepared, strain) => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepared as Prepared, { position: [0.3, 0.4, -0.2], velocity: [1, 2, 3], spin: [1, 2, 0] });
    await advance(world, 10);
    const moving = world.snapshot();
    for (const state of BROKEN) {
      world.restore(moving);
      body.deform(state, 2);
      await advance(world, 150);
      expect(edgeStrainRms(body), state).toBeLessThan(strain);
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
    }
    world.dispose();
  });
});

describe('a crowd in a glass, on wasm', () => {
  it.each(BROKEN)('recovers from %s', async (state) => {
    const world = await worldOn('wasm');
    world.addCollider({ shape: 'glass', radius: 1.1, height: 4, wall: 0.1 });
    const ball = prepare(icosphere({ detail: 2, radius: 0.4 }), surface({ regionSize: 3 }));
    const balls = Array.from({ length: 9 }, (_, n) =>
      world.add(ball, { position: [0.5 * ((n % 3) - 1), 0.6 + 0.9 * Math.floor(n / 3), 0.45 * (n % 2)] }),
    );
    await advance(world, 200);
    const worst = Math.max(...balls.map(edgeStrainRms));
    balls.forEach((body, n) => {
      body.deform(state, n + 1);
    });
    await advance(world, 300);
    for (const body of balls) {
      // They pack anew: none is more strained than the worst was before.
      expect(edgeStrainRms(body)).toBeLessThan(worst + 0.02);
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-4);
      const [x, , z] = body.centreOfMass();
      expect(Math.hypot(x, z)).toBeLessThan(1);
    }
    world.dispose();
  });
});

describe.each(BOTH_BACKENDS)('on %s, ordinary motion', (backend) => {
  /** Of 0.5 m half height, pulled or pressed to a share of its height within a second, and held for half of one. */
  async function lead(body: Body, world: World, share: number): Promise<void> {
    const high = 0.45;
    const top = body.select({
      box: [
        [-9, high, -9],
        [9, 9, 9],
      ],
    });
    const bottom = body.select({
      box: [
        [-9, -9, -9],
        [9, -high, 9],
      ],
    });
    body.pin(bottom);
    body.pin(top, [
      { time: 0, position: [0, 0, 0] },
      { time: 1, position: [0, share - 1, 0] },
    ]);
    await advance(world, 300);
  }

  const bodyOn = async (name: TestedBackend, gravity: readonly [number, number, number]) => {
    const world = await worldOn(name, { gravity: [...gravity] });
    return { world, body: world.add(prepare(box({ divisions: 8 }), surface({ regionSize: 3 })), {}) };
  };

  it('counts as broken neither in drops at 20 m/s, nor pressed to 30 %, nor stretched to three times its height', async () => {
    const { world, body } = await bodyOn(backend, [0, -9.81, 0]);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.7 });
    body.setMotion([0, -20, 0], [1, 2, 0]);
    await advance(world, 200);
    expect(body.recoveries).toBe(0);
    world.dispose();
    for (const share of [0.3, 3]) {
      const led = await bodyOn(backend, [0, 0, 0]);
      await lead(led.body, led.world, share);
      expect(led.body.recoveries).toBe(0);
      led.world.dispose();
    }
  });
});
