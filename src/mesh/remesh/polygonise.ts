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
/** Cubes per side of a block that is skipped as a whole. */
const BLOCK = 2;

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
  const lattice = sampleField(field, bounds, cellSize, options.steepness ?? Number.POSITIVE_INFINITY);
  return marchTetrahedra(lattice);
}

/**
 * Samples at (origin + half·(x, y, z)) for integer x, y, z below the counts; only points whose coordinates are all even
 * or all odd belong to the lattice.
 */
interface Lattice {
  readonly origin: readonly [number, number, number];
  readonly half: number;
  readonly counts: readonly [number, number, number];
  readonly values: Float32Array;
}

function sampleField(field: Field, [low, high]: Bounds, cellSize: number, steepness: number): Lattice {
  // A layer of cubes all around stays positive and closes the surface.
  const cells = [0, 1, 2].map((k) => Math.ceil((high[k] - low[k]) / cellSize) + 2);
  const counts = [2 * cells[0] + 1, 2 * cells[1] + 1, 2 * cells[2] + 1] as const;
  const half = cellSize / 2;
  // Centred on the bounds, so a symmetric shape gets a symmetric lattice.
  const [ox, oy, oz] = [0, 1, 2].map((k) => (low[k] + high[k]) / 2 - cells[k] * half);
  const [nx, ny, nz] = counts;
  const values = new Float32Array(nx * ny * nz).fill(1);
  const side = 2 * BLOCK;
  // Half a diagonal to the block's corners, and a lattice edge more: no edge from a skipped point meets the surface.
  const reach = steepness * cellSize * (0.5 * Math.sqrt(3) * BLOCK + 1);
  // Blocks begin at even points.
  for (let z0 = 2; z0 < nz - 2; z0 += side) {
    for (let y0 = 2; y0 < ny - 2; y0 += side) {
      for (let x0 = 2; x0 < nx - 2; x0 += side) {
        let skipped = 0;
        if (reach < Number.POSITIVE_INFINITY) {
          const middle = field(ox + half * (x0 + BLOCK), oy + half * (y0 + BLOCK), oz + half * (z0 + BLOCK));
          if (Math.abs(middle) > reach) skipped = middle;
        }
        const z1 = Math.min(z0 + side, nz - 2);
        const y1 = Math.min(y0 + side, ny - 2);
        const x1 = Math.min(x0 + side, nx - 2);
        for (let z = z0; z < z1; z++) {
          for (let y = y0 + (z & 1); y < y1; y += 2) {
            for (let x = x0 + (z & 1); x < x1; x += 2) {
              values[x + nx * (y + ny * z)] = skipped || tame(field(ox + half * x, oy + half * y, oz + half * z));
            }
          }
        }
      }
    }
  }
  return { origin: [ox, oy, oz], half, counts, values };
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
    const { values, origin, half, counts } = this.lattice;
    const t = Math.min(1 - CLEARANCE, Math.max(CLEARANCE, values[from] / (values[from] - values[to])));
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
