// Turns a field (negative inside) into a closed triangle mesh of its zero surface by marching tetrahedra.
// Based on: A. Doi, A. Koide, "An efficient method of triangulating equi-valued surfaces by using tetrahedral cells",
// 1991; on the body-centred cubic lattice as in F. Labelle, J. R. Shewchuk, "Isosurface stuffing", 2007, whose
// tetrahedra are all alike and give rounder triangles than cubes cut into six.
//
// The lattice has points at the corners of cubes ("even") and at their centres ("odd"). Every tetrahedron has one edge
// between two even neighbours and the opposite edge between two odd neighbours, so walking over the even edges and the
// ring of four odd points around each of them visits every tetrahedron once.

import type { Bounds, TriangleMesh } from '../triangle-mesh.js';

/** A number for every point of space [m]: negative inside, positive outside. */
export type Field = (x: number, y: number, z: number) => number;

export interface PolygoniseOptions {
  /**
   * Upper bound for how much the field changes per metre (1 for a distance). When given, blocks of the lattice that
   * cannot contain the surface are not sampled.
   */
  readonly steepness?: number;
}

/** Vertices keep this fraction of a lattice edge away from its ends, so no triangle collapses to a point. */
const CLEARANCE = 0.01;
/** Nearest to zero that a point inside is: as a number of single precision still below it. */
const LEAST = 1e-30;
/** Cubes per side of the largest block that is skipped as a whole: a power of two. */
const LARGEST_BLOCK = 16;

/**
 * The zero surface of `field` in `bounds` on a lattice with cubes of `cellSize` [m]. Outside the bounds the field counts
 * as positive and exact zeros count as positive, so the result is always a closed, oriented 2-manifold; it is empty
 * when the field is nowhere negative on the lattice.
 */
export function polygonise(
  field: Field,
  bounds: Bounds,
  cellSize: number,
  options: PolygoniseOptions = {},
): TriangleMesh {
  if (!(cellSize > 0 && Number.isFinite(cellSize))) {
    throw new RangeError(`cellSize must be a positive number, got ${cellSize}`);
  }
  const [low, high] = bounds;
  for (let k = 0; k < 3; k++) {
    if (!(high[k] > low[k] && Number.isFinite(high[k] - low[k]))) {
      throw new RangeError(`bounds must have a highest corner above the lowest on every axis, got ${low} to ${high}`);
    }
  }
  return marchTetrahedra(new Lattice(field, bounds, cellSize, options.steepness ?? Number.POSITIVE_INFINITY));
}

/**
 * Samples at (origin + half·(x, y, z)) for integer x, y, z below the counts; only points whose coordinates are all even
 * or all odd belong to the lattice. Of those far from the surface only the sign is known: they are infinite until asked for.
 */
class Lattice {
  readonly counts: readonly [number, number, number];
  readonly values: Float32Array;
  readonly origin: readonly [number, number, number];
  readonly half: number;

  constructor(
    private readonly field: Field,
    [low, high]: Bounds,
    cellSize: number,
    private readonly steepness: number,
  ) {
    // A layer of cubes all around stays positive and closes the surface.
    const cells = [0, 1, 2].map((k) => Math.ceil((high[k] - low[k]) / cellSize) + 2);
    const [nx, ny, nz] = cells.map((count) => 2 * count + 1);
    this.counts = [nx, ny, nz];
    this.half = cellSize / 2;
    // Centred on the bounds, so a symmetric shape gets a symmetric lattice.
    const [ox, oy, oz] = [0, 1, 2].map((k) => (low[k] + high[k]) / 2 - cells[k] * this.half);
    this.origin = [ox, oy, oz];
    this.values = new Float32Array(nx * ny * nz).fill(1);
    this.fill(2, 2, 2, Math.max(nx, ny, nz), Number.NaN);
    const side = 2 * LARGEST_BLOCK;
    for (let z = 2; z < nz - 2; z += side) {
      for (let y = 2; y < ny - 2; y += side) for (let x = 2; x < nx - 2; x += side) this.sample(x, y, z, LARGEST_BLOCK);
    }
  }

  /** The field at a point whose sign is known, with that sign: a field that is steeper than was said must not tear the surface. */
  exact(point: number): number {
    const known = this.values[point];
    if (Number.isFinite(known)) return known;
    const [nx, ny] = this.counts;
    const [x, y, z] = [point % nx, Math.trunc(point / nx) % ny, Math.trunc(point / (nx * ny))];
    const value = tame(this.at(x, y, z));
    this.values[point] = known < 0 ? Math.min(value, -LEAST) : Math.max(value, 0);
    return this.values[point];
  }

  private at(x: number, y: number, z: number): number {
    const { origin, half } = this;
    return this.field(origin[0] + half * x, origin[1] + half * y, origin[2] + half * z);
  }

  /** Learns the signs of a block of `size` cubes a side, a power of two, that begins at an even point. Its middle is a point of the lattice. */
  private sample(x: number, y: number, z: number, size: number): void {
    const [nx, ny, nz] = this.counts;
    if (x >= nx - 2 || y >= ny - 2 || z >= nz - 2) return;
    const middle = this.at(x + size, y + size, z + size);
    if (x + size < nx - 2 && y + size < ny - 2 && z + size < nz - 2) {
      this.values[x + size + nx * (y + size + ny * (z + size))] = tame(middle);
    }
    if (Math.abs(middle) > this.steepness * this.half * Math.sqrt(3) * size) {
      this.fill(x, y, z, 2 * size, middle > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
    } else if (size === 1) {
      const corner = x + nx * (y + ny * z);
      if (Number.isNaN(this.values[corner])) this.values[corner] = tame(this.at(x, y, z));
    } else {
      for (let child = 0; child < 8; child++) {
        this.sample(x + (child & 1) * size, y + ((child >> 1) & 1) * size, z + (child >> 2) * size, size / 2);
      }
    }
  }

  /** Gives all points from an even one on, so many a side, that have no value yet this one. */
  private fill(x0: number, y0: number, z0: number, side: number, value: number): void {
    const { values, counts } = this;
    const [nx, ny, nz] = counts;
    const [x1, y1, z1] = [Math.min(x0 + side, nx - 2), Math.min(y0 + side, ny - 2), Math.min(z0 + side, nz - 2)];
    for (let z = z0; z < z1; z++) {
      for (let y = y0 + (z & 1); y < y1; y += 2) {
        for (let x = x0 + (z & 1); x < x1; x += 2) {
          const point = x + nx * (y + ny * z);
          if (Number.isNaN(values[point]) || Number.isNaN(value)) values[point] = value;
        }
      }
    }
  }
}

/** Infinite values would spoil the interpolation; a field that is not a number is outside. */
const tame = (value: number): number => (Number.isNaN(value) ? 1 : Math.min(1e30, Math.max(-1e30, value)));

function marchTetrahedra(lattice: Lattice): TriangleMesh {
  const surface = new SurfaceBuilder(lattice);
  for (let axis = 0; axis < 3; axis++) marchAxis(lattice, axis, surface);
  return surface.finish();
}

/** Visits the tetrahedra around all even edges along one axis. Edges on the border are positive all around. */
function marchAxis({ counts, values }: Lattice, axis: number, surface: SurfaceBuilder): void {
  const [nx, ny, nz] = counts;
  const strides = [1, nx, nx * ny];
  const along = strides[axis];
  const u = strides[(axis + 1) % 3];
  const v = strides[(axis + 2) % 3];
  const first = [0, 1, 2].map((k) => (k === axis ? 0 : 2));
  for (let z = first[2]; z < nz - 2; z += 2) {
    for (let y = first[1]; y < ny - 2; y += 2) {
      for (let x = first[0]; x < nx - 2; x += 2) {
        const p = x + nx * (y + ny * z);
        const q = p + 2 * along;
        const r0 = p + along + u + v;
        const r1 = p + along - u + v;
        const r2 = p + along - u - v;
        const r3 = p + along + u - v;
        const inside = values[p] < 0;
        if (
          values[q] < 0 === inside &&
          values[r0] < 0 === inside &&
          values[r1] < 0 === inside &&
          values[r2] < 0 === inside &&
          values[r3] < 0 === inside
        ) {
          continue;
        }
        surface.addTetrahedron(p, q, r0, r1);
        surface.addTetrahedron(p, q, r1, r2);
        surface.addTetrahedron(p, q, r2, r3);
        surface.addTetrahedron(p, q, r3, r0);
      }
    }
  }
}

/**
 * By the corners that are inside (bits 1, 2, 4, 8): an even reordering of the tetrahedron that puts the corner which is
 * alone on its side first, or the two inside corners first.
 */
const ORDERS: readonly (readonly [number, number, number, number] | null)[] = [
  null,
  [0, 1, 2, 3],
  [1, 0, 3, 2],
  [0, 1, 2, 3],
  [2, 0, 1, 3],
  [0, 2, 3, 1],
  [1, 2, 0, 3],
  [3, 0, 2, 1],
  [3, 0, 2, 1],
  [0, 3, 1, 2],
  [1, 3, 2, 0],
  [2, 0, 1, 3],
  [2, 3, 0, 1],
  [1, 0, 3, 2],
  [0, 1, 2, 3],
  null,
];

/** Collects the triangles of tetrahedra; vertices on lattice edges are shared by key. */
class SurfaceBuilder {
  private readonly positions: number[] = [];
  private readonly triangles: number[] = [];
  private readonly vertexOfEdge = new Map<number, number>();
  private readonly span: number;
  private readonly corners = [0, 0, 0, 0];

  constructor(private readonly lattice: Lattice) {
    this.span = 2 * lattice.counts[0] * lattice.counts[1] + 1;
  }

  /** a, b, c, d: lattice points such that (b − a)·((c − a) × (d − a)) > 0. */
  addTetrahedron(a: number, b: number, c: number, d: number): void {
    const { values } = this.lattice;
    const code = (values[a] < 0 ? 1 : 0) | (values[b] < 0 ? 2 : 0) | (values[c] < 0 ? 4 : 0) | (values[d] < 0 ? 8 : 0);
    const order = ORDERS[code];
    if (order === null) return;
    const { corners } = this;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    corners[3] = d;
    const p = corners[order[0]];
    const q = corners[order[1]];
    const r = corners[order[2]];
    const s = corners[order[3]];
    if (values[q] < 0 === values[p] < 0) this.cutEdge(p, q, r, s);
    else this.cutCorner(p, q, r, s, values[p] >= 0);
  }

  private cutCorner(a: number, b: number, c: number, d: number, outside: boolean): void {
    const ab = this.vertexOn(a, b);
    const ac = this.vertexOn(a, c);
    const ad = this.vertexOn(a, d);
    if (outside) this.triangles.push(ab, ad, ac);
    else this.triangles.push(ab, ac, ad);
  }

  /** a and b inside, c and d outside. */
  private cutEdge(a: number, b: number, c: number, d: number): void {
    const ac = this.vertexOn(a, c);
    const ad = this.vertexOn(a, d);
    const bc = this.vertexOn(b, c);
    const bd = this.vertexOn(b, d);
    this.triangles.push(ac, ad, bd, ac, bd, bc);
  }

  private vertexOn(p: number, q: number): number {
    const from = Math.min(p, q);
    const to = Math.max(p, q);
    const key = from * this.span + (to - from);
    const known = this.vertexOfEdge.get(key);
    if (known !== undefined) return known;
    const { origin, half, counts } = this.lattice;
    const start = this.lattice.exact(from);
    const t = Math.min(1 - CLEARANCE, Math.max(CLEARANCE, start / (start - this.lattice.exact(to))));
    const index = this.positions.length / 3;
    let a = from;
    let b = to;
    for (let k = 0; k < 3; k++) {
      const x = a % counts[k];
      this.positions.push(origin[k] + half * (x + t * ((b % counts[k]) - x)));
      a = Math.floor(a / counts[k]);
      b = Math.floor(b / counts[k]);
    }
    this.vertexOfEdge.set(key, index);
    return index;
  }

  finish(): TriangleMesh {
    return { positions: Float64Array.from(this.positions), triangles: Uint32Array.from(this.triangles) };
  }
}
