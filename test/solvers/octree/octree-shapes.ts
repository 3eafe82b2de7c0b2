// Shapes for the octree's tests: a hand-like comb of fingers, slabs side by side, and real meshes where they are present.

import { box, creature, duck, icosphere, torus } from '../../../src/mesh/index.js';
import { readMesh } from '../../../src/mesh/io/read-mesh.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { readSharedMesh, sharedMeshesAvailable } from '../../shared-meshes.js';

export const shapes: readonly (readonly [string, TriangleMesh])[] = [
  ['box', box({ size: [1, 0.6, 0.4], divisions: 4 })],
  ['ball', icosphere({ detail: 3 })],
  ['ring', torus({ majorSegments: 32, minorSegments: 16 })],
  ['duck', duck({ vertices: 900 })],
  ['creature', creature({ vertices: 1500 })],
];

/** Two meshes as one. */
export function join(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const shift = a.positions.length / 3;
  return {
    positions: Float64Array.from([...a.positions, ...b.positions]),
    triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((vertex) => vertex + shift)]),
  };
}

export const moved = (mesh: TriangleMesh, by: readonly number[]): TriangleMesh => ({
  positions: mesh.positions.map((x, k) => x + by[k % 3]),
  triangles: mesh.triangles,
});

/** A mesh of ../shared/meshes scaled to longest side 1, or undefined where it is not there. */
export async function sharedMesh(name: string): Promise<TriangleMesh | undefined> {
  if (!sharedMeshesAvailable) return undefined;
  const { positions, triangles } = await readMesh(readSharedMesh(name), name);
  let longest = 0;
  for (let c = 0; c < 3; c++) {
    let [low, high] = [Infinity, -Infinity];
    for (let k = c; k < positions.length; k += 3) {
      low = Math.min(low, positions[k]);
      high = Math.max(high, positions[k]);
    }
    longest = Math.max(longest, high - low);
  }
  return { positions: positions.map((x) => x / longest), triangles };
}
