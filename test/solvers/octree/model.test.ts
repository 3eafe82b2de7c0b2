// The surface on the octree's nodes: bound to the matter under it, exact in rigid motion; and the model in a whole step, with
// contact, pins and volume, in the place of a lattice's.

import { describe, expect, it } from 'vitest';
import { createWorld, prepare } from '../../../src/index.js';
import { fromAxisAngle, rotate } from '../../../src/math/quaternion.js';
import { pointAt, type Vec3 } from '../../../src/math/vec3.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { OctreeModel } from '../../../src/solvers/octree/octree-model.js';
import { octree } from '../../../src/solvers/octree/octree-solver.js';
import { buildOctreeRest } from '../../../src/solvers/octree/rest.js';
import type { OctreeOptions } from '../../../src/solvers/octree/settings.js';
import { stateOf } from '../../../src/world/world-parts.js';
import { shapes, sharedMesh } from './octree-shapes.js';

const hand = await sharedMesh('closed/hand_7993.obj');
const all = [...shapes, ...(hand ? [['hand', hand] as const] : [])];

describe.each(all)('skin of the %s', (name, mesh) => {
  const rest = buildOctreeRest(mesh, octree().settings);

  it('has weights that sum to one, and a few per vertex', () => {
    const { offsets, weights } = rest.skin;
    let worst = 0;
    for (let i = 0; i < rest.count; i++) {
      let sum = 0;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) sum += weights[e];
      worst = Math.max(worst, Math.abs(sum - 1));
    }
    expect(worst).toBeLessThan(1e-14);
    expect(weights.length / rest.count).toBeLessThan(30);
  });

  it('lies on matter within a few voxels', () => {
    const { forest, vertexVoxels } = rest;
    const { origin, counts, voxelSize } = forest.grid;
    let worst = 0;
    for (let i = 0; i < rest.count; i++) {
      const q = vertexVoxels[i];
      const at = [q % counts[0], Math.trunc(q / counts[0]) % counts[1], Math.trunc(q / (counts[0] * counts[1]))];
      const off = at.map((n, k) => Math.abs((mesh.positions[3 * i + k] - origin[k]) / voxelSize - 0.5 - n));
      worst = Math.max(worst, ...off);
    }
    expect(worst).toBeLessThan(5);
  });

  it('follows rigid motion exactly', () => {
    const model = new OctreeModel(rest, octree().settings);
    const turn = fromAxisAngle([0, 0.6, -0.8], 1.7);
    const place = (p: Vec3): Vec3 => {
      const [x, y, z] = rotate(turn, p);
      return [x + 1, y + 2, z - 3];
    };
    const { dynamics } = model;
    for (let i = 0; i < dynamics.rest.masses.length; i++)
      dynamics.positions.set(place(pointAt(dynamics.positions, i)), 3 * i);
    // As a placed body: regions along a line have their twist from before.
    model.reset(turn);
    dynamics.writeFrames();
    const out = new Float64Array(3 * rest.count);
    model.surface.place(out);
    let worst = 0;
    for (let i = 0; i < rest.count; i++) {
      const expected = place(pointAt(mesh.positions, i));
      for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(out[3 * i + c] - expected[c]));
    }
    // The tips of the creature's tail and fingers are regions 1e7 times thinner than long (by moments), whose twist is
    // uncertain by as many roundings: 1.4e-11 of it.
    expect(worst).toBeLessThan(name === 'creature' ? 1e-10 : 1e-12);
  });
});

/** A body of an octree, and its model. */
async function addOctree(mesh: TriangleMesh, gravity: Vec3, options: OctreeOptions = {}, at: Vec3 = [0, 0, 0]) {
  const world = await createWorld({ gravity, backend: 'reference' });
  const body = world.add(prepare(mesh, octree(options)), { position: at });
  const model = stateOf(world, body).hostModel as OctreeModel;
  return { world, body, model };
}

const volumeError = (body: { volume(): number; restVolume: number }) => Math.abs(body.volume() / body.restVolume - 1);

describe.each([shapes[0], shapes[3]])('the %s in a world', (_, mesh) => {
  it('keeps momentum and volume in free flight', async () => {
    const { world, body } = await addOctree(mesh, [0, 0, 0]);
    for (let k = 0; k < body.velocities.length; k += 3) {
      body.velocities[k] = 2 * body.positions[k + 1] + 0.3;
      body.velocities[k + 1] = -2 * body.positions[k] + body.positions[k + 2] ** 2;
      body.velocities[k + 2] = body.positions[k];
    }
    body.changed();
    const momenta = () => {
      const [p, l] = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      for (let i = 0; i < body.masses.length; i++) {
        const [x, v, m] = [pointAt(body.positions, i), pointAt(body.velocities, i), body.masses[i]];
        for (let c = 0; c < 3; c++) {
          const [d, e] = [(c + 1) % 3, (c + 2) % 3];
          p[c] += m * v[c];
          l[c] += m * (x[d] * v[e] - x[e] * v[d]);
        }
      }
      return [...p, ...l];
    };
    const before = momenta();
    const size = Math.max(...before.map(Math.abs));
    for (let n = 0; n < 100; n++) world.step();
    const after = momenta();
    for (let c = 0; c < 6; c++) expect(Math.abs(after[c] - before[c]) / size).toBeLessThan(1e-9);
    expect(volumeError(body)).toBeLessThan(1e-9);
  });

  it('falls as gravity says, lands and comes to rest in its shape', async () => {
    const least = Math.min(...mesh.positions.filter((_, k) => k % 3 === 1));
    const { world, body, model } = await addOctree(mesh, [0, -9.81, 0], {}, [0, 0.03 - least, 0]);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const low = () => Math.min(...Array.from(body.positions).filter((_, k) => k % 3 === 1));
    // Two seconds: a duck rocks on its belly for one and a half.
    for (let n = 0; n < 400; n++) world.step();
    expect(low()).toBeGreaterThan(-0.01);
    expect(low()).toBeLessThan(0.01);
    expect(volumeError(body)).toBeLessThan(1e-5);
    const speed = Math.max(...body.velocities.map(Math.abs));
    expect(speed).toBeLessThan(0.1);
    let stray = 0;
    for (let k = 0; k < body.positions.length; k++)
      stray = Math.max(stray, Math.abs(body.positions[k] - model.carried[k]));
    // Where the floor dents it, the surface may bend within a cell; nodes do not. A tenth of a base cell was 0.033 of the ball.
    const longest = Math.max(...[0, 1, 2].map((c) => Math.max(...mesh.positions.filter((_, k) => k % 3 === c))));
    expect(stray).toBeLessThan((0.1 * 2 * longest) / 4);
  });
});

it('is led by pins', async () => {
  const { world, body } = await addOctree(shapes[0][1], [0, -9.81, 0]);
  const ends: number[] = [];
  for (let i = 0; i < body.masses.length; i++) if (body.positions[3 * i] < -0.49) ends.push(i);
  body.pin(ends);
  for (let n = 0; n < 200; n++) world.step();
  for (const i of ends) expect(Math.abs(body.positions[3 * i] + 0.5)).toBeLessThan(1e-9);
  const tip = Math.min(...body.positions.filter((_, k) => k % 3 === 1));
  expect(tip).toBeLessThan(-0.301);
  expect(tip).toBeGreaterThan(-1.5);
  expect(volumeError(body)).toBeLessThan(1e-9);
});

it('checks its settings', () => {
  expect(octree().settings.cells).toBe(4);
  expect(octree({ plasticity: true }).settings.plasticity).toEqual({ yield: 0.05, creep: 10, max: 1 });
  expect(() => octree({ cells: 0 })).toThrow('cells: expected an integer from 1 to 64, got 0');
  expect(() => octree({ levels: 7 })).toThrow('levels: expected an integer from 0 to 6, got 7');
  expect(() => octree({ cells: 32, levels: 4 })).toThrow('levels: expected cells·2^levels up to 128, got 512');
  expect(() => octree({ refine: 'thinn' as 'thin' })).toThrow('refine: did you mean thin?');
  expect(() => octree({ width: -1 })).toThrow('width: expected a number from 0 to 8, got -1');
  expect(() => octree({ plasticity: { yield: Number.NaN } })).toThrow(
    'plasticity.yield: expected a number from 0 to 10',
  );
  expect(() => octree({ plasticity: { creeep: 1 } as object })).toThrow('did you mean creep?');
  expect(() => octree({ cels: 3 } as object)).toThrow('did you mean cells?');
});

it('spreads paint from the vertices to the nodes inside', () => {
  const [, mesh] = shapes[0];
  const soft = Float64Array.from({ length: mesh.positions.length / 3 }, (_, i) =>
    mesh.positions[3 * i] > 0 ? 0.2 : 1,
  );
  const { regions } = buildOctreeRest(mesh, octree({ cells: 8, levels: 2 }).settings, { stiffness: soft });
  for (const { rest, stiffness } of regions.leaves) {
    if (Math.abs(rest[0]) < 0.2) continue;
    expect(Math.abs(stiffness - (rest[0] > 0 ? 0.2 : 1))).toBeLessThan(1e-9);
  }
  expect(() => buildOctreeRest(mesh, octree().settings, { width: [1] })).toThrow('paint.width: expected');
});
