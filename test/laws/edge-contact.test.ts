// Law: thin bodies that cross do not pass through each other, though no vertex of one comes near a triangle of the other: only
// their edges meet. Bars of 4 × 0.3 × 0.3 m with 0.8 m from vertex to vertex, and wedges whose sharp edges cross.
//
// That they do not is seen from outside: their triangles never cross, which `findSelfIntersections` counts over both meshes as
// one, and the one that was above stays above. No tolerance. With collision groups that keep contact off, the same bars fall
// through each other, which shows that there was something to hold.

import { describe, expect, it } from 'vitest';
import {
  type Body,
  type BodyOptions,
  box,
  prepare,
  type Quaternion,
  surface,
  type TriangleMesh,
  type World,
} from '../../src/index.js';
import { findSelfIntersections } from '../../src/mesh/self-intersections.js';
import { buildScene, checkScene } from '../../src/scenes/index.js';
import { twist } from '../../src/scenes/twist.js';
import { advance, BOTH_BACKENDS, backendOptions, type PerBackend, worldOn } from '../both-backends.js';

const HALF_LENGTH = 2;

/** A wedge along x, its sharp edge up, with few vertices along it. */
function wedge(segments: number): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let n = 0; n <= segments; n++) {
    const x = HALF_LENGTH * ((2 * n) / segments - 1);
    positions.push(x, 0.3, 0, x, -0.3, 0.15, x, -0.3, -0.15);
    if (n === segments) continue;
    for (let c = 0; c < 3; c++) {
      const [a, b] = [3 * n + c, 3 * n + ((c + 1) % 3)];
      triangles.push(a, b, b + 3, a, b + 3, a + 3);
    }
  }
  const last = 3 * segments;
  triangles.push(0, 2, 1, last, last + 1, last + 2);
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const SHAPES = {
  bars: prepare(box({ size: [2 * HALF_LENGTH, 0.3, 0.3], divisions: [5, 1, 1] }), surface({ regionSize: 2 })),
  wedges: prepare(wedge(5), surface({ regionSize: 2 })),
} as const;
const NAMES = Object.keys(SHAPES) as (keyof typeof SHAPES)[];

const HALF = Math.SQRT1_2;
/** A quarter turn about y, along z; and a turn after which a wedge's sharp edge is below. */
const ACROSS: Quaternion = [0, HALF, 0, HALF];
const ACROSS_BELOW: Quaternion = [HALF, 0, HALF, 0];

/** Crossing triangles of two bodies. */
function crossings(a: Body, b: Body): number {
  const offset = a.positions.length / 3;
  const positions = Float64Array.from([...a.positions, ...b.positions]);
  const triangles = [...a.mesh.triangles, ...Array.from(b.mesh.triangles, (vertex) => vertex + offset)];
  return findSelfIntersections(positions, triangles).count;
}

/** One lies along x, the other across it above, off the middle so that no vertices are in one plane. */
function addCrossed(world: World, name: keyof typeof SHAPES, gap: number, above: BodyOptions = {}): [Body, Body] {
  const height = name === 'bars' ? 0.3 : 0.6;
  const low = world.add(SHAPES[name]);
  const high = world.add(SHAPES[name], {
    position: [0.03, height + gap, 0.02],
    rotation: name === 'bars' ? ACROSS : ACROSS_BELOW,
    ...above,
  });
  return [low, high];
}

const ends = (body: Body): number[] => {
  const chosen: number[] = [];
  for (let i = 0; i < body.mesh.positions.length / 3; i++) {
    if (Math.abs(body.mesh.positions[3 * i]) > HALF_LENGTH - 1e-6) chosen.push(i);
  }
  return chosen;
};

describe.each(BOTH_BACKENDS)('on %s, one of two crossed', (backend) => {
  it.each(NAMES)('%s falls on the other, which is held at its ends, and stays above', async (name) => {
    const world = await worldOn(backend);
    const [low, high] = addCrossed(world, name, 0.2);
    low.pin(ends(low));
    let most = 0;
    for (let step = 0; step < 200; step++) {
      await advance(world);
      most = Math.max(most, crossings(low, high));
    }
    expect(most).toBe(0);
    expect(high.centreOfMass()[1]).toBeGreaterThan(0.2);
    world.dispose();
  });
});

/**
 * Change of the sum of momenta, relative to one of them: contact keeps it to rounding. In single precision velocities have a
 * resolution of 1e-5 sizes per second, with random signs over the particles.
 */
const MOMENTUM_TOLERANCE: PerBackend = { reference: 1e-9, wasm: 1e-5 };

describe.each(BOTH_BACKENDS)('on %s, two crossed', (backend) => {
  it.each(NAMES.flatMap((name) => [1, 10].map((speed) => [name, speed] as const)))(
    '%s that meet at %d m/s keep their momentum and do not pass through each other',
    async (name, speed) => {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const [low, high] = addCrossed(world, name, 0.1, { velocity: [0, -speed, 0] });
      const before = high.momentum()[1];
      for (let step = 0; step < 100; step++) {
        await advance(world);
        expect(crossings(low, high)).toBe(0);
      }
      for (let c = 0; c < 3; c++) {
        const sum = low.momentum()[c] + high.momentum()[c];
        expect(Math.abs(sum - (c === 1 ? before : 0)) / Math.abs(before)).toBeLessThan(MOMENTUM_TOLERANCE[backend]);
      }
      expect(low.momentum()[1]).toBeLessThan(0.3 * before);
      world.dispose();
    },
  );
});

it('without contact crossed bars pass through each other', async () => {
  const world = await worldOn('wasm');
  const [low, high] = addCrossed(world, 'bars', 0.2, { collidesWith: 2 });
  low.pin(ends(low));
  let most = 0;
  for (let step = 0; step < 200; step++) {
    await advance(world);
    most = Math.max(most, crossings(low, high));
  }
  expect(most).toBeGreaterThan(0);
  expect(high.centreOfMass()[1]).toBeLessThan(-1);
  world.dispose();
});

it('a bar twisted by a whole turn with self-contact never crosses itself', async () => {
  const scene = checkScene(twist());
  const bodies = scene.bodies.slice(0, 1).map((body) => ({ ...body, selfContact: true }));
  const pins = scene.pins.filter(({ body }) => body === bodies[0].name);
  const { world } = await buildScene({ ...scene, bodies, pins }, await backendOptions('wasm'));
  const [bar] = world.bodies;
  for (let step = 1; step <= scene.steps; step++) {
    await advance(world);
    if (step % 50 === 0) expect(findSelfIntersections(bar.positions, bar.mesh.triangles).count).toBe(0);
  }
  world.dispose();
});
