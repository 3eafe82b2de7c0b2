// A mesh with every triangle cut into four: the same shape, with its own vertices first and six edges at every other one.

import type { TriangleMesh } from '../src/index.js';

export function refinedMesh({ positions, triangles }: TriangleMesh): TriangleMesh {
  const points = Array.from(positions);
  const middles = new Map<string, number>();
  const middleOf = (a: number, b: number): number => {
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const vertex = points.length / 3;
    for (let c = 0; c < 3; c++) points.push(0.5 * (positions[3 * a + c] + positions[3 * b + c]));
    middles.set(key, vertex);
    return vertex;
  };
  const parts: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const [ab, bc, ca] = [middleOf(a, b), middleOf(b, c), middleOf(c, a)];
    parts.push(...[a, ab, ca], ...[ab, b, bc], ...[ca, bc, c], ...[ab, bc, ca]);
  }
  return { positions: Float64Array.from(points), triangles: Uint32Array.from(parts) };
}
