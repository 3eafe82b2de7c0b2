// Pieces of a few nodes, which do not say how the surface around them is turned, thrown and set spinning: they tumble as rigid bodies do.

import { describe, expect, it } from 'vitest';
import { type Body, box, octree, prepare, type Vec3, type World } from '../../../src/index.js';
import { BOTH_BACKENDS, type PerBackend, VOLUME_TOLERANCE, worldOn } from '../../both-backends.js';

/** Single precision loses a bit of each vertex in each of 400 steps. */
const MOMENTUM_TOLERANCE: PerBackend = { reference: 1e-9, wasm: 2e-4 };

/** A rod of three nodes in the corner of a box. */
async function cutRod(backend: 'reference' | 'wasm'): Promise<{ world: World; rod: Body }> {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const body = world.add(prepare(box({ divisions: 4 }), octree({ cells: 3, levels: 1 })));
  for (const plane of [
    { point: [0.36, 0, 0], normal: [1, 0.1, 0] },
    { point: [0, 0.36, 0], normal: [0, 1, 0.1] },
  ] as { point: Vec3; normal: Vec3 }[]) {
    body.cut({ plane });
    world.step();
  }
  const pieces = body.separate();
  const [rod] = [...pieces].sort((a, b) => a.nodeCount - b.nodeCount);
  for (const piece of pieces) if (piece !== rod) world.remove(piece);
  return { world, rod };
}

/** Angular momentum about the centre of mass, and energy. */
function measure(rod: Body): { angular: number[]; energy: number } {
  const centre = rod.centreOfMass();
  const { massShares, order } = rod.prepared.particles;
  const angular = [0, 0, 0];
  let energy = 0;
  order.forEach((vertex, place) => {
    const m = massShares[place];
    const r = [0, 1, 2].map((c) => rod.positions[3 * vertex + c] - centre[c]);
    const v = [0, 1, 2].map((c) => rod.velocities[3 * vertex + c]);
    for (let c = 0; c < 3; c++) {
      const [d, e] = [(c + 1) % 3, (c + 2) % 3];
      angular[c] += m * (r[d] * v[e] - r[e] * v[d]);
      energy += 0.5 * m * v[c] * v[c];
    }
  });
  return { angular, energy };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('keeps its momenta and its volume, and gains no energy', async () => {
    const { world, rod } = await cutRod(backend);
    expect(rod.nodeCount).toBeLessThan(6);
    const centre = rod.centreOfMass();
    const spin = [10, 15, -5];
    for (let k = 0; k < rod.positions.length; k += 3) {
      const r = [0, 1, 2].map((c) => rod.positions[k + c] - centre[c]);
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        rod.velocities[k + c] = spin[d] * r[e] - spin[e] * r[d];
      }
    }
    rod.changed();
    const before = measure(rod);
    const size = Math.sqrt(before.angular.reduce((sum, x) => sum + x * x, 0));
    let [energy, volume] = [0, 0];
    for (let n = 0; n < 400; n++) {
      world.step();
      energy = Math.max(energy, measure(rod).energy);
      volume = Math.max(volume, Math.abs(rod.volume() / rod.restVolume - 1));
    }
    const after = measure(rod);
    after.angular.forEach((x, c) => {
      expect(Math.abs(x - before.angular[c]) / size).toBeLessThan(MOMENTUM_TOLERANCE[backend]);
    });
    expect(energy).toBeLessThan(1.001 * before.energy);
    // Taken a little behind the middle of each step, the turn loses some.
    expect(after.energy).toBeGreaterThan(0.95 * before.energy);
    // Of a rod as thin as two voxels single precision resolves less.
    expect(volume).toBeLessThan(10 * VOLUME_TOLERANCE[backend]);
  });

  it('has its volume and its momentum after a step that began with it crushed', async () => {
    const { world, rod } = await cutRod(backend);
    const centre = rod.centreOfMass();
    const velocity = [1, 2, 3];
    for (let k = 0; k < rod.positions.length; k++) {
      rod.velocities[k] = velocity[k % 3];
      if (k % 3 === 1) rod.positions[k] = centre[1] + 0.5 * (rod.positions[k] - centre[1]);
    }
    rod.changed();
    world.step();
    expect(Math.abs(rod.volume() / rod.restVolume - 1)).toBeLessThan(10 * VOLUME_TOLERANCE[backend]);
    const { massShares, order } = rod.prepared.particles;
    velocity.forEach((v, c) => {
      const momentum = order.reduce(
        (sum, vertex, place) => sum + massShares[place] * rod.velocities[3 * vertex + c],
        0,
      );
      expect(Math.abs(momentum - v)).toBeLessThan(MOMENTUM_TOLERANCE[backend]);
    });
  });

  it('keeps its volume in a press that leaves it no room', async () => {
    const { world, rod } = await cutRod(backend);
    const heights = Array.from(rod.positions).filter((_, k) => k % 3 === 1);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], position: [0, low, 0] });
    const above = world.addCollider({ shape: 'plane', normal: [0, -1, 0], position: [0, high, 0] });
    let worst = 0;
    for (let n = 1; n <= 40; n++) {
      above.moveTo([0, high - (0.6 * (high - low) * n) / 40, 0]);
      world.step();
      worst = Math.max(worst, Math.abs(rod.volume() / rod.restVolume - 1));
    }
    expect(worst).toBeLessThan(10 * VOLUME_TOLERANCE[backend]);
    expect([...rod.positions].every(Number.isFinite)).toBe(true);
  });
});
