// Meshes of tetrahedra for tests: lattices whose null vectors are known, and stuffed balls.

import { stuff } from '../../../src/mesh/tetrahedralise/stuff.js';
import type { TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** A box of nx × ny × nz cubes of edge `cell`, each cut into six along its diagonal (Kuhn), from the origin. */
export function kuhnBox(nx: number, ny: number, nz: number, cell = 1): TetraMesh {
  const node = (i: number, j: number, k: number): number => (i * (ny + 1) + j) * (nz + 1) + k;
  const positions: number[] = [];
  for (let i = 0; i <= nx; i++) {
    for (let j = 0; j <= ny; j++) for (let k = 0; k <= nz; k++) positions.push(i * cell, j * cell, k * cell);
  }
  const tetrahedra: number[] = [];
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++) {
        for (const order of ORDERS) {
          const at = [i, j, k];
          const corners = [node(i, j, k)];
          for (const axis of order) {
            at[axis]++;
            corners.push(node(at[0], at[1], at[2]));
          }
          const isEven = (order[1] - order[0] + 3) % 3 === 1;
          tetrahedra.push(...(isEven ? corners : [corners[0], corners[2], corners[1], corners[3]]));
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
}

/** The same box of cubes with five tetrahedra each, mirrored in turn. */
export function fiveBox(n: number): TetraMesh {
  const { positions } = kuhnBox(n, n, n);
  const node = (i: number, j: number, k: number): number => (i * (n + 1) + j) * (n + 1) + k;
  const tetrahedra: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        const isOdd = (i + j + k) % 2;
        // Corner c of the cube, counted by bits, mirrored along x in every other cube.
        const at = (c: number): number => node(i + ((c & 1) ^ isOdd), j + ((c >> 1) & 1), k + (c >> 2));
        for (const [a, b, c, d] of [
          [0, 1, 2, 4],
          [3, 1, 7, 2],
          [5, 1, 4, 7],
          [6, 2, 7, 4],
          [1, 2, 4, 7],
        ]) {
          tetrahedra.push(...(isOdd ? [a, c, b, d] : [a, b, c, d]).map(at));
        }
      }
    }
  }
  // Whichever way round, made positive.
  const mesh = { positions, tetrahedra: Uint32Array.from(tetrahedra) };
  turnPositive(mesh);
  return mesh;
}

/** The body-centred cubic tetrahedra between the cells of an n³ box: middles of neighbours with each edge of their face. */
export function bccBox(n: number): TetraMesh {
  const positions: number[] = [];
  const numbers = new Map<string, number>();
  const node = (point: number[]): number => {
    const key = point.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, positions.length / 3);
    return positions.push(...point) / 3 - 1;
  };
  const tetrahedra: number[] = [];
  for (let cell = 0; cell < n * n * n; cell++) {
    const at = [cell % n, Math.floor(cell / n) % n, Math.floor(cell / n / n)];
    for (let axis = 0; axis < 3; axis++) {
      if (at[axis] + 1 === n) continue;
      const middle = at.map((x) => 2 * x + 1);
      const moved = (along: number, u: number, v: number) => {
        const point = middle.slice();
        point[axis] += along;
        point[(axis + 1) % 3] += u;
        point[(axis + 2) % 3] += v;
        return node(point);
      };
      const around = [moved(1, -1, -1), moved(1, 1, -1), moved(1, 1, 1), moved(1, -1, 1)];
      for (let k = 0; k < 4; k++) tetrahedra.push(moved(0, 0, 0), moved(2, 0, 0), around[k], around[(k + 1) % 4]);
    }
  }
  const mesh = { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
  turnPositive(mesh);
  return mesh;
}

/** A cylinder along z from the origin: a disc of hexagonal rings, extruded in layers, each prism cut into three. */
export function cylinder(rings: number, layers: number, radius: number, length: number): TetraMesh {
  const disc: [number, number][] = [[0, 0]];
  const starts = [0];
  for (let ring = 1; ring <= rings; ring++) {
    starts.push(disc.length);
    for (let i = 0; i < 6 * ring; i++) {
      const angle = (Math.PI * i) / (3 * ring);
      disc.push([((radius * ring) / rings) * Math.cos(angle), ((radius * ring) / rings) * Math.sin(angle)]);
    }
  }
  const at = (ring: number, i: number): number => (ring === 0 ? 0 : starts[ring] + (i % (6 * ring)));
  const triangles: number[][] = [];
  for (let ring = 1; ring <= rings; ring++) {
    for (let side = 0; side < 6; side++) {
      for (let i = 0; i < ring; i++) {
        const [o, u] = [side * ring + i, side * (ring - 1) + i];
        triangles.push([at(ring, o), at(ring, o + 1), at(ring - 1, u)]);
        if (i + 1 < ring) triangles.push([at(ring - 1, u), at(ring, o + 1), at(ring - 1, u + 1)]);
      }
    }
  }
  const positions: number[] = [];
  for (let layer = 0; layer <= layers; layer++) {
    for (const [x, y] of disc) positions.push(x, y, (length * layer) / layers);
  }
  const tetrahedra: number[] = [];
  for (let layer = 0; layer < layers; layer++) {
    for (const corners of triangles) {
      // By number, so that prisms beside each other cut their common side alike.
      const [a, b, c] = corners.sort((p, q) => p - q).map((node) => node + layer * disc.length);
      const [d, e, f] = [a, b, c].map((node) => node + disc.length);
      tetrahedra.push(a, b, c, f, a, b, e, f, a, d, e, f);
    }
  }
  const mesh = { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
  turnPositive(mesh);
  return mesh;
}

function turnPositive({ positions, tetrahedra }: TetraMesh): void {
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [o, a, b, c] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[t + k]);
    const d = (p: number, k: number) => positions[p + k] - positions[o + k];
    const six =
      d(a, 0) * (d(b, 1) * d(c, 2) - d(b, 2) * d(c, 1)) +
      d(a, 1) * (d(b, 2) * d(c, 0) - d(b, 0) * d(c, 2)) +
      d(a, 2) * (d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0));
    if (six < 0) [tetrahedra[t], tetrahedra[t + 1]] = [tetrahedra[t + 1], tetrahedra[t]];
  }
}

/** Moves each node by up to `amount` along each axis. */
export function jitter(mesh: TetraMesh, amount: number, random: () => number): TetraMesh {
  return { ...mesh, positions: mesh.positions.map((x) => x + amount * (2 * random() - 1)) };
}

/** A stuffed ball of radius 0.5 m around the origin; cell 0.12 m gives about 4000 tetrahedra. */
export function ball(cell: number): TetraMesh {
  const field = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z) - 0.5;
  const low = [-0.5, -0.5, -0.5] as const;
  return stuff(field, [low, [0.5, 0.5, 0.5]], { cell, grading: 0 });
}

/** Numbers from -1 to 1. */
export const randomField = (length: number, random: () => number): Float64Array =>
  Float64Array.from({ length }, () => 2 * random() - 1);

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

export const norm = (a: Float64Array): number => Math.sqrt(dot(a, a));
