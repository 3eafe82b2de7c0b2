// Facts about meshes worked out by plain counting, independent of the code under test.

import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';

/** Throws with the reason unless every edge has exactly two triangles, in opposite directions, and one fan per vertex. */
export function assertClosedManifold({ positions, triangles }: TriangleMesh): void {
  const vertices = positions.length / 3;
  const directed = new Set<number>();
  const following = new Map<number, number>();
  const corners = new Array<number>(vertices).fill(0);
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[i + k];
      const b = triangles[i + ((k + 1) % 3)];
      const c = triangles[i + ((k + 2) % 3)];
      if (!(a < vertices)) throw new Error(`vertex ${a} does not exist`);
      if (a === b) throw new Error(`triangle ${i / 3} repeats vertex ${a}`);
      if (directed.has(a * vertices + b)) throw new Error(`edge ${a}→${b} occurs twice`);
      directed.add(a * vertices + b);
      following.set(a * vertices + b, c);
      corners[a]++;
    }
  }
  for (const key of directed) {
    const [a, b] = [Math.floor(key / vertices), key % vertices];
    if (!directed.has(b * vertices + a)) throw new Error(`edge ${a}→${b} has no partner`);
  }
  const checked = new Set<number>();
  for (const key of directed) {
    const [a, start] = [Math.floor(key / vertices), key % vertices];
    if (checked.has(a)) continue;
    checked.add(a);
    let fan = 0;
    let b = start;
    do {
      b = following.get(a * vertices + b) as number;
      fan++;
    } while (b !== start && fan <= corners[a]);
    if (fan !== corners[a]) throw new Error(`vertex ${a} has several fans`);
  }
  if (checked.size !== vertices) throw new Error(`${vertices - checked.size} vertices are in no triangle`);
}

/** V − E + F of a closed mesh: 2 − 2·genus per component. */
export const eulerCharacteristic = ({ positions, triangles }: TriangleMesh): number =>
  positions.length / 3 - triangles.length / 6;

/** Number of pieces that do not share vertices. */
export function countComponents({ positions, triangles }: TriangleMesh): number {
  const parent = Array.from({ length: positions.length / 3 }, (_, v) => v);
  const rootOf = (v: number): number => {
    let root = v;
    while (parent[root] !== root) root = parent[root];
    while (parent[v] !== root) [v, parent[v]] = [parent[v], root];
    return root;
  };
  for (let i = 0; i < triangles.length; i += 3) {
    parent[rootOf(triangles[i])] = rootOf(triangles[i + 1]);
    parent[rootOf(triangles[i])] = rootOf(triangles[i + 2]);
  }
  return parent.filter((p, v) => p === v).length;
}

export function surfaceArea({ positions, triangles }: TriangleMesh): number {
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [u, v] = [1, 2].map((k) =>
      [0, 1, 2].map((x) => positions[3 * triangles[i + k] + x] - positions[3 * triangles[i] + x]),
    );
    area += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return area;
}

/** Smallest angle of every triangle [degrees], ascending. */
export function smallestAngles({ positions, triangles }: TriangleMesh): number[] {
  const length = (a: number, b: number) =>
    Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + k] - positions[3 * b + k]));
  const angles: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
    const [s, m, l] = [length(a, b), length(b, c), length(c, a)].sort((x, y) => x - y);
    angles.push((Math.acos((m * m + l * l - s * s) / (2 * m * l)) * 180) / Math.PI);
  }
  return angles.sort((x, y) => x - y);
}

/** Lengths of all edges [m], ascending. */
export function edgeLengths({ positions, triangles }: TriangleMesh): number[] {
  const lengths: number[] = [];
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    if (a < b) lengths.push(Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + k] - positions[3 * b + k])));
  }
  return lengths.sort((x, y) => x - y);
}
