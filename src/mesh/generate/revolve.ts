// A closed surface of revolution around the Y axis from rings that may have different numbers of vertices, so vertices
// are equally dense where the radius shrinks to nothing.

import { cosine, sine } from '../../math/trigonometry.js';
import type { TriangleMesh } from '../triangle-mesh.js';

export interface Ring {
  readonly radius: number;
  readonly y: number;
  /** Vertices on the ring; 1 for a pole (radius 0), otherwise at least 3. */
  readonly count: number;
}

/** Joins the rings from top to bottom; the first and the last one must be poles. */
export function revolve(rings: readonly Ring[]): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const starts: number[] = [];
  rings.forEach(({ radius, y, count }, level) => {
    starts.push(positions.length / 3);
    for (let i = 0; i < count; i++) {
      const angle = angleOf(level, i, count);
      positions.push(radius * sine(angle), y, radius * cosine(angle));
    }
  });
  for (let level = 0; level + 1 < rings.length; level++) {
    joinRings(triangles, level, starts[level], rings[level].count, starts[level + 1], rings[level + 1].count);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Every other ring is turned by half a step, which makes triangles between equal rings equilateral. */
function angleOf(level: number, i: number, count: number): number {
  return (2 * Math.PI * (i + (level % 2) / 2)) / count;
}

/** Walks around both rings at once and always takes the shorter of the two possible diagonals. */
function joinRings(
  triangles: number[],
  level: number,
  upperStart: number,
  upperCount: number,
  lowerStart: number,
  lowerCount: number,
): void {
  const upperSteps = upperCount === 1 ? 0 : upperCount;
  const lowerSteps = lowerCount === 1 ? 0 : lowerCount;
  let i = 0;
  let j = 0;
  while (i < upperSteps || j < lowerSteps) {
    const upperAhead = Math.abs(angleOf(level, i + 1, upperCount) - angleOf(level + 1, j, lowerCount));
    const lowerAhead = Math.abs(angleOf(level, i, upperCount) - angleOf(level + 1, j + 1, lowerCount));
    const a = upperStart + (i % upperCount);
    const b = lowerStart + (j % lowerCount);
    if (j === lowerSteps || (i < upperSteps && upperAhead < lowerAhead)) {
      i++;
      triangles.push(a, b, upperStart + (i % upperCount));
    } else {
      j++;
      triangles.push(a, b, lowerStart + (j % lowerCount));
    }
  }
}
