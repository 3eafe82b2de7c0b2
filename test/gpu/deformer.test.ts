// The deformer's iteration on the GPU against the same in double precision on the host. Single precision rounds positions by 6e-8 half
// sizes, and the volumes of tetrahedra whose edges are a quarter by some 1e-6; after 40 iterations 2e-7 have come together, after 200 as much.

import { describe, expect, it } from 'vitest';
import { NeighbourColumns } from '../../src/backends/webgpu/neighbour-columns.js';
import { createDeformer, type DeformerCollider, type DeformerFrame } from '../../src/deformer/index.js';
import { createGpuDeformer } from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { seededRandom } from '../../src/math/random.js';
import { normalize, pointAt } from '../../src/math/vec3.js';
import { icosphere } from '../../src/mesh/index.js';
import { greatestApart, SMALL_DEPTH, smallSphere } from '../deformer/scenes.js';
import { gpuTests, testDevice } from './gpu-world.js';

const gpuIt = gpuTests(4);
const mesh = smallSphere();
const settings = { depth: SMALL_DEPTH, mode: 'iterate', reach: 0.2, iterations: 40, tolerance: 1e-12 } as const;

describe('columns', () => {
  it('give every invocation its list, side by side, with nothing between', () => {
    const random = seededRandom(3);
    const starts = Uint32Array.from({ length: 300 }, (_, n) => n);
    for (let v = 1; v < starts.length; v++) starts[v] = starts[v - 1] + Math.floor(12 * random() * random());
    const { order, begins, places } = new NeighbourColumns(starts);
    const valence = (v: number) => starts[v + 1] - starts[v];
    expect(begins[begins.length - 1]).toBe(starts[starts.length - 1]);
    expect(new Set(places).size).toBe(places.length);
    expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from(order, (_, n) => n));
    order.forEach((v, t) => {
      if (t > 0) expect(valence(v)).toBeLessThanOrEqual(valence(order[t - 1]));
      // The k-th entry of invocation t lies beside that of invocation t − 1.
      for (let k = 0; k < valence(v); k++) expect(places[starts[v] + k]).toBe(begins[k] + t);
    });
  });
});

async function compare(frame: DeformerFrame, given: Parameters<typeof createDeformer>[1] = settings) {
  const deformer = createDeformer(mesh, given);
  const gpu = await createGpuDeformer(deformer, { gpu: await testDevice() });
  const [found, wanted] = [await gpu.at(frame), deformer.at(frame)];
  const again = await gpu.at(frame);
  expect(again.positions).toEqual(found.positions);
  gpu.dispose();
  return { found, wanted, apart: greatestApart(found.positions, wanted.positions) };
}

describe('the iteration', () => {
  const shapes: DeformerCollider[] = [
    { shape: 'sphere', radius: 0.5, position: [0, 1.15, 0] },
    { shape: 'box', size: [1, 1, 1], position: [1.1, 0.1, 0.2], rotation: fromAxisAngle(normalize([1, 1, 0]), 0.4) },
    { shape: 'mesh', mesh: icosphere({ detail: 1, radius: 0.4 }), position: [-0.9, 0, 0], margin: 0.05 },
    { shape: 'plane', normal: [0, 1, 0], offset: -0.8, ignores: [0, 1, 2, 3] },
  ];

  gpuIt('ends where the same on the host ends, among colliders of all kinds', async () => {
    const { found, wanted, apart } = await compare({ colliders: shapes });
    expect(wanted.report.iterations).toBe(40);
    expect(found.report.iterations).toBe(40);
    const moved = greatestApart(wanted.positions, mesh.positions);
    expect(moved).toBeGreaterThan(0.2);
    expect(apart).toBeLessThan(1e-5);
    expect(Math.abs(found.report.volumeAfter / wanted.report.volumeAfter - 1)).toBeLessThan(1e-5);
    expect(found.report.flags).toEqual(wanted.report.flags);
  });

  gpuIt('follows an input that was turned and bent, far from the origin', async () => {
    const turn = fromAxisAngle(normalize([1, 2, -1]), 0.9);
    const input = new Float64Array(mesh.positions.length);
    for (let i = 0; i < input.length / 3; i++) {
      const [x, y, z] = pointAt(mesh.positions, i);
      const [u, v, w] = rotate(turn, [x + 0.2 * y * y, y, z]);
      input.set([u + 300, v, w - 200], 3 * i);
    }
    const colliders: DeformerCollider[] = [{ shape: 'sphere', radius: 0.5, position: [300, 1.15, -200] }];
    const { wanted, apart } = await compare({ colliders, input });
    expect(greatestApart(wanted.positions, input)).toBeGreaterThan(0.1);
    expect(apart).toBeLessThan(1e-5);
  });

  gpuIt('ends at the tolerance, after as many iterations, and makes no buffers for another frame', async () => {
    const { found, wanted } = await compare({ colliders: shapes.slice(0, 1) }, { ...settings, tolerance: 8e-3 });
    expect(wanted.report.iterations).toBeLessThan(40);
    expect(found.report.iterations).toBe(wanted.report.iterations);
    expect(Math.abs(found.report.lastChange - wanted.report.lastChange)).toBeLessThan(1e-5);
    const gpu = await createGpuDeformer(createDeformer(mesh, { ...settings, iterations: 3 }), {
      gpu: await testDevice(),
    });
    for (let n = 0; n < 3; n++) await gpu.at({ colliders: shapes });
    const { buffersMade } = gpu.counters;
    // Frames that are asked for at once come one after the other.
    await Promise.all([1, 2, 3].map((n) => gpu.at({ colliders: shapes.slice(0, n) })));
    expect(gpu.counters.buffersMade).toBe(buffersMade);
    gpu.dispose();
    expect(gpu.counters.bytesHeld).toBe(0);
    await expect(gpu.at({ colliders: [] })).rejects.toThrow('disposed of');
  });

  gpuIt('leaves what nothing touches to the bit, and the minimum to the host', async () => {
    const gpu = await createGpuDeformer(createDeformer(mesh, settings), { gpu: await testDevice() });
    expect((await gpu.at({ colliders: [] })).positions).toEqual(mesh.positions);
    await expect(gpu.at({ colliders: 3 as never })).rejects.toThrow('colliders: expected a list');
    gpu.dispose();
    const minimum = createDeformer(mesh, { depth: SMALL_DEPTH });
    await expect(createGpuDeformer(minimum)).rejects.toThrow("expected a deformer with mode 'iterate'");
  });
});
