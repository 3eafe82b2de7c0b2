// Paths: a cover of all vertices by mesh edges, no path longer than 512.

import { describe, expect, it } from 'vitest';
import { box, buildAdjacency, icosphere, type TriangleMesh, uvSphere } from '../../../src/index.js';
import { buildPaths, MAX_PATH_LENGTH } from '../../../src/solvers/surface/paths.js';
import { kernelMeshes, neighbourSets } from '../kernel-meshes.js';

const meshes: readonly (readonly [string, TriangleMesh])[] = [
  ...kernelMeshes,
  ['cube of 3458', box({ divisions: 24 })],
  ['icosphere of 2562', icosphere({ detail: 4 })],
  ['sphere of 3542', uvSphere({ segments: 60 })],
];

describe.each(meshes)('paths of the %s', (_, mesh) => {
  const count = mesh.positions.length / 3;
  const { order, starts } = buildPaths(buildAdjacency(mesh), mesh.positions);

  it('hold every vertex exactly once', () => {
    expect(order.length).toBe(count);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it('divide the order into pieces of 1 to 512 vertices', () => {
    expect(starts[0]).toBe(0);
    expect(starts.at(-1)).toBe(count);
    for (let p = 0; p + 1 < starts.length; p++) {
      expect(starts[p + 1] - starts[p]).toBeGreaterThan(0);
      expect(starts[p + 1] - starts[p]).toBeLessThanOrEqual(512);
    }
  });

  it('run along edges of the mesh', () => {
    const neighbours = neighbourSets(mesh);
    for (let p = 0; p + 1 < starts.length; p++) {
      for (let place = starts[p] + 1; place < starts[p + 1]; place++) {
        expect(neighbours[order[place - 1]].has(order[place])).toBe(true);
      }
    }
  });
});

it('are as long as allowed on a large regular mesh', () => {
  const mesh = box({ divisions: 24 });
  const { starts } = buildPaths(buildAdjacency(mesh), mesh.positions);
  const lengths = Array.from(starts.subarray(1), (end, p) => end - starts[p]);
  expect(Math.max(...lengths)).toBe(MAX_PATH_LENGTH);
});

it('are the same on every run', () => {
  const mesh = icosphere({ detail: 3 });
  const [a, b] = [0, 1].map(() => buildPaths(buildAdjacency(mesh), mesh.positions));
  expect(a).toEqual(b);
});
