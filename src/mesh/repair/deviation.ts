// How far two surfaces are apart, measured at points spread over both.

import { triangleArea } from '../measure.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import { WindingNumber } from './winding-number.js';

/** How far a mesh is from the one it was made of. */
export interface Deviation {
  /** Farthest that a point of the original stands out of the result [m]. */
  readonly outside: number;
  /** Farthest that a point of the result is from the original [m]: large where it spans a hole or a gap. */
  readonly apart: number;
  /** Mean distance of the result from the original [m]. */
  readonly mean: number;
  /** Share of the original's area that stands out by more than the length `lost` [0…1]. */
  readonly lostShare: number;
}

/** Points per surface, besides vertices. */
const SAMPLES = 8000;

/** Visits all vertices and points spread evenly over the area, with the area that each stands for. */
function samplePoints(
  { positions, triangles }: TriangleMesh,
  visit: (x: number, y: number, z: number, area: number) => void,
) {
  let total = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    total += triangleArea(positions, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]);
  }
  const step = total / SAMPLES;
  let passed = step / 2;
  let number = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    passed += triangleArea(positions, a, b, c);
    for (; passed >= step && step > 0; passed -= step) {
      // A low-discrepancy sequence in the unit square, folded into the triangle.
      number++;
      let u = (number * 0.7548776662466927) % 1;
      let v = (number * 0.5698402909980532) % 1;
      if (u + v > 1) [u, v] = [1 - u, 1 - v];
      const at = (k: number) =>
        positions[a + k] + u * (positions[b + k] - positions[a + k]) + v * (positions[c + k] - positions[a + k]);
      visit(at(0), at(1), at(2), step);
    }
  }
  for (let i = 0; i < positions.length; i += 3) visit(positions[i], positions[i + 1], positions[i + 2], 0);
}

/** `result` is closed. */
export function measureDeviation(original: TriangleMesh, result: TriangleMesh, lost: number): Deviation {
  const resultTree = buildTriangleTree(result.positions, result.triangles);
  const toResult = new NearestPoint(resultTree);
  const winding = new WindingNumber(resultTree);
  let [outside, total, lostArea] = [0, 0, 0];
  samplePoints(original, (x, y, z, area) => {
    total += area;
    toResult.find(x, y, z);
    if (toResult.distance <= outside && toResult.distance <= lost) return;
    if (winding.at(x, y, z) > 0.5) return;
    outside = Math.max(outside, toResult.distance);
    if (toResult.distance > lost) lostArea += area;
  });
  const toOriginal = new NearestPoint(buildTriangleTree(original.positions, original.triangles));
  let [apart, sum, weight] = [0, 0, 0];
  samplePoints(result, (x, y, z, area) => {
    toOriginal.find(x, y, z);
    apart = Math.max(apart, toOriginal.distance);
    sum += area * toOriginal.distance;
    weight += area;
  });
  return { outside, apart, mean: weight > 0 ? sum / weight : 0, lostShare: total > 0 ? lostArea / total : 0 };
}
