// A bar and its two halves, and where the vertices of the one are in the other.

import { box, type Origin, type TriangleMesh } from '../../src/index.js';

/** A box of 2 × 1 × 1 m about the origin, and two of 1 m side by side in its place; a half's edges have so many rectangles. */
export const whole = (cells = 4): TriangleMesh => box({ size: [2, 1, 1], divisions: [2 * cells, cells, cells] });
export function halves(cells = 4): TriangleMesh {
  const half = box({ size: 1, divisions: cells });
  const count = half.positions.length / 3;
  const shifted = (x: number) => half.positions.map((value, k) => (k % 3 === 0 ? value + x : value));
  return {
    positions: Float64Array.from([...shifted(-0.5), ...shifted(0.5)]),
    triangles: Uint32Array.from([...half.triangles, ...half.triangles.map((vertex) => vertex + count)]),
  };
}

const near = (mesh: TriangleMesh, point: readonly number[]): number[] => {
  const found: number[] = [];
  for (let i = 0; 3 * i < mesh.positions.length; i++) {
    if (point.every((x, c) => Math.abs(mesh.positions[3 * i + c] - x) < 1e-9)) found.push(i);
  }
  return found;
};

/** A vertex is the mean of those in its place before; one inside a cut lies in a triangle of corners of the cut's rim. */
export function originOf(before: TriangleMesh, after: TriangleMesh): Origin {
  const count = after.positions.length / 3;
  const corners = new Uint32Array(3 * count);
  const weights = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = after.positions.subarray(3 * i, 3 * i + 3);
    const there = near(before, [x, y, z]);
    if (there.length > 0) {
      corners.set([there[0], there[there.length - 1], there[0]], 3 * i);
      weights.set([0.5, 0.5, 0], 3 * i);
      continue;
    }
    const side = y + z < 0 ? -0.5 : 0.5;
    const [u, v] = [Math.abs(y - side), Math.abs(z - side)];
    const rim = [
      [0, side, side],
      [0, -side, side],
      [0, side, -side],
    ] as const;
    corners.set(
      rim.map((point) => near(before, point)[0]),
      3 * i,
    );
    weights.set([1 - u - v, u, v], 3 * i);
  }
  return { corners, weights };
}
