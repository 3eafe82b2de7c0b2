// The field whose zero surface is a cage: signed distance to a triangle soup, with thin parts thickened.
//
// Inside and outside are told by the winding number, so that holes are spanned. Sheets, which have no inside, and parts
// thinner than the cage's triangles can follow get an offset: the cage keeps at least that far from them.

import { buildAdjacency } from '../adjacency.js';
import { triangleArea, vertexNormals } from '../measure.js';
import type { Field } from '../remesh/polygonise.js';
import { analyseTopology } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import { WindingNumber } from './winding-number.js';

/**
 * Near a hole the field goes over into the winding number, which is 0.5 where the hole is spanned; this many radii per
 * unit of it. Large enough that the field is a distance wherever the winding number is near 0 or 1.
 */
const SPAN = 16;
/**
 * Corners of a box are nearer to their own faces than its middle is: half a thickness counts this much more. The worst is a
 * corner whose normal leans towards a face by its triangles, with (1 + 1/√6)/2 of a radius.
 */
const CORNER = 1.45;
/** Size of a place in radii. */
const PLACE = 0.5;
/** Offsets change by at most this per metre along the surface, so that the cage has no steps. */
const SLOPE = 0.5;
const SWEEPS = 12;
/** Relative to the radius: surfaces inside the solid must not count as outside by an exact zero. */
const NUDGE = 1e-6;

/** Half thicknesses under points of a soup, up to `radius`. */
class Thickness {
  /** Points nearly in one place with nearly one normal have one thickness: a fine soup asks a thousand times. */
  private readonly known = new Map<string, number>();

  constructor(
    private readonly nearest: NearestPoint,
    private readonly winding: WindingNumber,
    private readonly radius: number,
  ) {}

  /** How far it reaches inwards, against a normal of any length; 0 for a sheet. */
  under(x: number, y: number, z: number, nx: number, ny: number, nz: number): number {
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) return 0;
    const places = [x, y, z].map((value) => Math.floor(value / (PLACE * this.radius)));
    const turns = [nx, ny, nz].map((value) => Math.round((2 * value) / length));
    const key = `${places} ${turns}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const half = this.measure(x, y, z, nx / length, ny / length, nz / length);
    this.known.set(key, half);
    return half;
  }

  private measure(x: number, y: number, z: number, nx: number, ny: number, nz: number): number {
    const { radius, nearest } = this;
    for (const depth of [radius, radius / 3]) {
      const [px, py, pz] = [x - depth * nx, y - depth * ny, z - depth * nz];
      if (this.winding.at(px, py, pz) <= 0.5 || !nearest.find(px, py, pz)) continue;
      return Math.min(radius, (CORNER * (depth + Math.min(depth, nearest.distance))) / 2);
    }
    return 0;
  }
}

/** Raises offsets until none is far above its neighbours'. */
function spreadOffsets(mesh: TriangleMesh, offsets: Float64Array): void {
  const { edgeCount, edgeVertices } = buildAdjacency(mesh);
  const p = mesh.positions;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let changed = false;
    for (let i = 0; i < edgeCount; i++) {
      // Back and forth, so that offsets travel in both directions of the numbering.
      const e = sweep % 2 === 0 ? i : edgeCount - 1 - i;
      const [a, b] = [edgeVertices[2 * e], edgeVertices[2 * e + 1]];
      const [x, y, z] = [p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]];
      const drop = SLOPE * Math.sqrt(x * x + y * y + z * z);
      if (offsets[a] < offsets[b] - drop) {
        offsets[a] = offsets[b] - drop;
        changed = true;
      } else if (offsets[b] < offsets[a] - drop) {
        offsets[b] = offsets[a] - drop;
        changed = true;
      }
    }
    if (!changed) break;
  }
}

export interface CageField {
  readonly field: Field;
  /** Triangles that were offset by more than half the radius, and the largest offset [m]. */
  readonly thickenedCount: number;
  readonly offset: number;
}

/** `radius`: least half thickness of any part of the cage [m]. The mesh is welded, finite and without flat triangles. */
export function makeCageField(mesh: TriangleMesh, radius: number): CageField {
  const { positions, triangles } = mesh;
  const tree = buildTriangleTree(positions, triangles);
  const nearest = new NearestPoint(tree);
  const thickness = new Thickness(nearest, new WindingNumber(tree), radius);
  const n = vertexNormals(positions, triangles);
  const halves = new Float64Array(positions.length / 3);
  for (let v = 0; v < halves.length; v++) {
    const at = 3 * v;
    halves[v] = thickness.under(positions[at], positions[at + 1], positions[at + 2], n[at], n[at + 1], n[at + 2]);
  }
  // What has no outside, a Möbius strip or a Klein bottle, is a sheet.
  const { patches, oneSided } = analyseTopology(mesh).winding;
  const offsets = halves.map((half) => radius - half);
  const solid: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
    const [half, isSheet] = oneSided[patches[i / 3]] ? [0, true] : judgeTriangle(mesh, i, halves, thickness, radius);
    for (const v of [a, b, c]) offsets[v] = Math.max(offsets[v], radius - half);
    if (!isSheet) solid.push(a, b, c);
  }
  spreadOffsets(mesh, offsets);
  const winding = new WindingNumber(buildTriangleTree(positions, Uint32Array.from(solid)));
  const nudge = NUDGE * radius;
  const field: Field = (x, y, z) => {
    nearest.find(x, y, z);
    const side = 0.5 - winding.at(x, y, z);
    const distance = Math.min(nearest.distance, SPAN * radius * Math.abs(side));
    const [u, v, w] = nearest.weights;
    const i = 3 * nearest.triangle;
    const offset = u * offsets[triangles[i]] + v * offsets[triangles[i + 1]] + w * offsets[triangles[i + 2]];
    return (side > 0 ? distance : -distance) - offset - nudge;
  };
  let thickenedCount = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
    if (Math.max(offsets[a], offsets[b], offsets[c]) > radius / 2) thickenedCount++;
  }
  return { field, thickenedCount, offset: offsets.reduce((most, value) => Math.max(most, value), 0) };
}

/** Half thickness under a triangle, measured at its middle where it is large, and whether it is a sheet. */
function judgeTriangle(
  { positions: p, triangles }: TriangleMesh,
  i: number,
  halves: Float64Array,
  thickness: Thickness,
  radius: number,
): [number, boolean] {
  const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
  let sheetCorners = 0;
  for (let k = 0; k < 3; k++) if (halves[triangles[i + k]] === 0) sheetCorners++;
  // Small triangles are like their corners.
  if (2 * triangleArea(p, a, b, c) < radius * radius && sheetCorners % 3 === 0) return [radius, sheetCorners === 3];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const middle = (k: number) => (p[a + k] + p[b + k] + p[c + k]) / 3;
  const half = thickness.under(
    middle(0),
    middle(1),
    middle(2),
    uy * vz - uz * vy,
    uz * vx - ux * vz,
    ux * vy - uy * vx,
  );
  return [half, half === 0];
}
