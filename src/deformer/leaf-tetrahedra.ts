// Fills the kept leaves of a balanced octree with tetrahedra. Each has its leaf's centre as a corner; across a face between two
// kept leaves it spans both centres. Based on: [LS07], without the cut at the surface.

import { FACE_STEPS, NO_NODE, type Octree } from './octree.js';

export interface LeafTetrahedra {
  /** Lattice points, x, y, z each. */
  readonly points: Int32Array;
  /** Four points each, with positive volume. */
  readonly tetrahedra: Uint32Array;
  /** The point in the middle of each kept leaf, by node. */
  readonly centres: ReadonlyMap<number, number>;
  /** Volume of the kept leaves in lattice units. */
  readonly leafVolume: number;
}

type Point = readonly [number, number, number];

export function fillLeaves(octree: Octree, kept: Uint8Array): LeafTetrahedra {
  const stride = octree.span + 1;
  const keyOf = ([x, y, z]: Point): number => (x * stride + y) * stride + z;
  const points: number[] = [];
  const numbers = new Map<number, number>();
  const pointAt = (p: Point): number => {
    const key = keyOf(p);
    let number = numbers.get(key);
    if (number === undefined) {
      number = points.length / 3;
      numbers.set(key, number);
      points.push(...p);
    }
    return number;
  };
  const corners = collectCorners(octree, keyOf);
  const tetrahedra: number[] = [];
  const push = (a: Point, b: Point, c: Point, d: Point): void => {
    const [p, q] = volumeOf(a, b, c, d) > 0 ? [c, d] : [d, c];
    tetrahedra.push(pointAt(a), pointAt(b), pointAt(p), pointAt(q));
  };
  const centreOf = (node: number): Point => {
    const half = octree.size[node] / 2;
    return [octree.x[node] + half, octree.y[node] + half, octree.z[node] + half];
  };
  /** Tetrahedra over the segment from a centre to `tip` and each edge of a face, edges with a corner in their middle in two. */
  const pushFan = (centre: Point, tip: Point, face: readonly Point[]): void => {
    for (let e = 0; e < 4; e++) {
      const [p, q] = [face[e], face[(e + 1) % 4]];
      const middle = halfway(p, q);
      if (corners.has(keyOf(middle))) {
        push(centre, tip, p, middle);
        push(centre, tip, middle, q);
      } else push(centre, tip, p, q);
    }
  };
  /** A face whose other side has four leaves: each quarter is cut from the face's middle to its outer corner. */
  const pushQuarters = (node: number, other: number, face: readonly Point[]): void => {
    const middle = halfway(face[0], face[2]);
    for (let c = 0; c < 4; c++) {
      const corner = face[c];
      const sides = [halfway(corner, face[(c + 1) % 4]), halfway(corner, face[(c + 3) % 4])];
      const small = childAt(octree, other, halfway(corner, middle));
      for (const side of sides) {
        push(centreOf(node), middle, corner, side);
        if (kept[small]) push(centreOf(small), middle, corner, side);
      }
    }
  };
  let leafVolume = 0;
  for (let node = 0; node < octree.nodeCount; node++) {
    if (!kept[node]) continue;
    const size = octree.size[node];
    leafVolume += size * size * size;
    const centre = centreOf(node);
    for (let step = 0; step < 6; step++) {
      const face = faceOf(octree, node, step);
      const other = octree.beside(node, ...FACE_STEPS[step]);
      if (other !== NO_NODE && !octree.isLeaf(other)) pushQuarters(node, other, face);
      else if (other === NO_NODE || !kept[other]) pushFan(centre, halfway(face[0], face[2]), face);
      else if (octree.size[other] === size && node < other) pushFan(centre, centreOf(other), face);
    }
  }
  const centres = new Map<number, number>();
  for (let node = 0; node < octree.nodeCount; node++) if (kept[node]) centres.set(node, pointAt(centreOf(node)));
  return { points: Int32Array.from(points), tetrahedra: Uint32Array.from(tetrahedra), centres, leafVolume };
}

/** The corners of all leaves, dropped ones too. */
function collectCorners(octree: Octree, keyOf: (p: Point) => number): Set<number> {
  const corners = new Set<number>();
  for (let node = 0; node < octree.nodeCount; node++) {
    if (!octree.isLeaf(node)) continue;
    const size = octree.size[node];
    for (let c = 0; c < 8; c++) {
      const x = octree.x[node] + (c & 1) * size;
      const y = octree.y[node] + ((c >> 1) & 1) * size;
      corners.add(keyOf([x, y, octree.z[node] + (c >> 2) * size]));
    }
  }
  return corners;
}

/** The four corners of a node's face, around it. */
function faceOf(octree: Octree, node: number, step: number): Point[] {
  const size = octree.size[node];
  const low = [octree.x[node], octree.y[node], octree.z[node]];
  const axis = step >> 1;
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return [0, 1, 2, 3].map((c) => {
    const corner: [number, number, number] = [low[0], low[1], low[2]];
    if ((step & 1) === 1) corner[axis] += size;
    if (c === 1 || c === 2) corner[u] += size;
    if (c >= 2) corner[v] += size;
    return corner;
  });
}

/** The child of `node` at the quarter of its face around a point of that face. */
function childAt(octree: Octree, node: number, point: Point): number {
  const half = octree.size[node] / 2;
  const bit = (k: number, low: number): number => (point[k] > low + half ? 1 : 0);
  const c = bit(0, octree.x[node]) + 2 * bit(1, octree.y[node]) + 4 * bit(2, octree.z[node]);
  return octree.children[node] + c;
}

const halfway = (p: Point, q: Point): Point => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];

/** Six times the volume, in whole numbers. */
function volumeOf(a: Point, b: Point, c: Point, d: Point): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [wx, wy, wz] = [d[0] - a[0], d[1] - a[1], d[2] - a[2]];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}
