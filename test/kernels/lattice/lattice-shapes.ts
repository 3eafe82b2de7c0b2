// Shapes for lattice tests: solids made of unit cubes, whose occupied cells are known, beside smooth ones.

import { box, creature, duck, type TriangleMesh, torus, uvSphere } from '../../../src/index.js';
import { meshOf } from '../../mesh/sample-meshes.js';

type Cell = readonly [number, number, number];

/** The four corners of each side of a unit cube, counter-clockwise from outside, and the way out. */
const SIDES: readonly { out: Cell; corners: readonly Cell[] }[] = [0, 1, 2].flatMap((axis) =>
  [0, 1].map((end) => {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].map(([a, b]) => {
      const corner = [0, 0, 0];
      corner[axis] = end;
      corner[u] = a;
      corner[v] = b;
      return corner as unknown as Cell;
    });
    const out = [0, 0, 0];
    out[axis] = 2 * end - 1;
    return { out: out as unknown as Cell, corners: end === 1 ? corners : corners.reverse() };
  }),
);

/** Boundary of a union of unit cubes that touch by whole sides only. */
export function cubesMesh(cells: readonly Cell[]): TriangleMesh {
  const solid = new Set(cells.map(String));
  const numbers = new Map<string, number>();
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const cell of cells) {
    for (const { out, corners } of SIDES) {
      if (solid.has(String(cell.map((n, k) => n + out[k])))) continue;
      const [a, b, c, d] = corners.map((corner) => {
        const point = cell.map((n, k) => n + corner[k]);
        const key = String(point);
        if (!numbers.has(key)) numbers.set(key, positions.push(...point) / 3 - 1);
        return numbers.get(key) as number;
      });
      triangles.push(a, b, c, a, c, d);
    }
  }
  return meshOf(positions, triangles);
}

/** A U of two limbs, one cell apart, on a base: 5 × 4 × 2 cells of which the gap is free. */
export const uCells: Cell[] = [];
for (let z = 0; z < 2; z++) {
  for (let y = 0; y < 4; y++) for (let x = 0; x < 5; x++) if (y === 0 || x !== 2) uCells.push([x, y, z]);
}

export const latticeShapes: readonly (readonly [string, TriangleMesh, number])[] = [
  ['one cell', box({ divisions: 2 }), 1],
  ['cube', box({ divisions: 3 }), 6],
  ['bar', box({ size: [4, 1, 1], divisions: [8, 2, 2] }), 9],
  ['U', cubesMesh(uCells), 5],
  ['torus', torus({ majorSegments: 32, minorSegments: 12 }), 14],
  ['sphere', uvSphere({ segments: 16 }), 7],
  ['duck', duck({ vertices: 300 }), 11],
  ['creature', creature({ vertices: 600 }), 18],
];
