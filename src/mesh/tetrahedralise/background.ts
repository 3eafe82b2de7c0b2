// Tetrahedra between the middles and corners of an octree's leaves: body-centred cubic where leaves are alike, halves and
// quarters of that where they grow.
// Based on: F. Labelle, J. Shewchuk, Isosurface stuffing, 2007, §4.

import type { Octree } from './octree.js';

/** A lattice over the octree's cube; points are numbered, with whole coordinates in halves of the smallest cell. */
export interface Background {
  /** x, y, z per point. */
  readonly points: Int32Array;
  readonly tetrahedra: Uint32Array;
}

/** The tetrahedra of all leaves for which `wanted` says so of their level and middle. */
export function buildBackground(
  octree: Octree,
  wanted: (level: number, x: number, y: number, z: number) => boolean,
): Background {
  const points: number[] = [];
  const numbers = new Map<number, number>();
  const tetrahedra: number[] = [];
  const pointAt = (x: number, y: number, z: number): number => {
    const width = 2 ** 17;
    const key = (x * width + y) * width + z;
    let number = numbers.get(key);
    if (number === undefined) {
      number = points.length / 3;
      numbers.set(key, number);
      points.push(x, y, z);
    }
    return number;
  };
  const at = (p: readonly number[]): number => pointAt(p[0], p[1], p[2]);
  const { depth } = octree;
  for (const { level, i, j, k } of octree.leaves()) {
    const cell = [i, j, k];
    /** Half an edge of this leaf, in halves of the smallest cell. */
    const half = 1 << (depth - level);
    const middle = cell.map((n) => (2 * n + 1) * half);
    if (!wanted(level, middle[0], middle[1], middle[2])) continue;
    for (let face = 0; face < 6; face++) {
      const axis = face >> 1;
      const side = face & 1 ? 1 : -1;
      const beyond = cell.slice();
      beyond[axis] += side;
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const onFace = (du: number, dv: number): number[] => {
        const point = middle.slice();
        point[axis] += side * half;
        point[u] += du * half;
        point[v] += dv * half;
        return point;
      };
      const [ni, nj, nk] = beyond;
      if (!octree.exists(level, ni, nj, nk)) {
        // A larger neighbour, or the end of the cube, where all is outside.
        if (level === 0 || !octree.exists(level - 1, ni >> 1, nj >> 1, nk >> 1)) continue;
        // The corner of the square that is the middle of the neighbour's face, and the opposite one, which is its corner.
        const du = cell[u] & 1 ? -1 : 1;
        const dv = cell[v] & 1 ? -1 : 1;
        const [c, f, p] = [at(middle), at(onFace(du, dv)), at(onFace(-du, -dv))];
        tetrahedra.push(c, f, at(onFace(du, -dv)), p, c, f, p, at(onFace(-du, dv)));
        continue;
      }
      const isSplit = octree.isSplit(level, ni, nj, nk);
      // A pair of equal leaves is seen from both sides.
      if (!isSplit && side < 0) continue;
      const opposite = middle.slice();
      opposite[axis] += 2 * side * half;
      for (let edge = 0; edge < 4; edge++) {
        const out = edge & 1 ? 1 : -1;
        const across = edge >> 1;
        const ends = [-1, 0, 1].map((s) => (across === 0 ? onFace(out, s) : onFace(s, out)));
        const [p, q] = [at(ends[0]), at(ends[2])];
        if (isSplit) {
          const [c, f, m] = [at(middle), at(onFace(0, 0)), at(ends[1])];
          tetrahedra.push(c, f, p, m, c, f, m, q);
          continue;
        }
        const [c, d] = [at(middle), at(opposite)];
        const aside = [cell.slice(), beyond.slice()];
        for (const other of aside) other[across === 0 ? u : v] += out;
        if (aside.some(([x, y, z]) => octree.isSplit(level, x, y, z))) {
          const m = at(ends[1]);
          tetrahedra.push(c, d, p, m, c, d, m, q);
        } else tetrahedra.push(c, d, p, q);
      }
    }
  }
  return { points: Int32Array.from(points), tetrahedra: Uint32Array.from(tetrahedra) };
}
