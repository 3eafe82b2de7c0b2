// Splits the long edges of a visible mesh, so that it can bend with a finer simulation: a box of twelve triangles could
// not. Edges in one place are split alike, whichever vertices they have: seams stay closed.

import { groupCoincidentVertices } from '../mesh/coincident-vertices.js';
import { boundsOf, diagonalOf } from '../mesh/measure.js';
import { WELD_DEFAULTS } from '../mesh/weld.js';
import type { PlainGeometry } from './plain-geometry.js';

/** Each round halves: 2⁻¹² of the longest edge is the end. */
const ROUNDS = 12;
/** Beyond this many triangles a mesh is fine enough for anyone. */
const MOST_TRIANGLES = 400_000;

/** Numbers that vertices and places are made of while they grow. */
class Refinement {
  /** x, y, z of each place. */
  readonly points: number[];
  /** The place of each vertex. */
  readonly places: number[];
  readonly values: { readonly itemSize: number; readonly numbers: number[] }[];
  private readonly middles = new Map<string, number>();
  private readonly placeMiddles = new Map<string, number>();

  constructor(plain: PlainGeometry) {
    const tolerance = WELD_DEFAULTS.tolerance * diagonalOf(boundsOf(plain.positions));
    this.points = Array.from(plain.positions);
    this.places = Array.from(groupCoincidentVertices(plain.positions, tolerance));
    this.values = [...plain.attributes.values()].map(({ itemSize, values }) => ({
      itemSize,
      numbers: Array.from(values),
    }));
  }

  squaredLength(a: number, b: number): number {
    const [p, q] = [3 * this.places[a], 3 * this.places[b]];
    const { points } = this;
    return (points[p] - points[q]) ** 2 + (points[p + 1] - points[q + 1]) ** 2 + (points[p + 2] - points[q + 2]) ** 2;
  }

  /** The vertex in the middle of an edge. */
  middle(a: number, b: number): number {
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    let vertex = this.middles.get(key);
    if (vertex === undefined) {
      vertex = this.places.length;
      this.places.push(this.middlePlace(this.places[a], this.places[b]));
      for (const { itemSize, numbers } of this.values) {
        for (let c = 0; c < itemSize; c++) numbers.push((numbers[itemSize * a + c] + numbers[itemSize * b + c]) / 2);
      }
      this.middles.set(key, vertex);
    }
    return vertex;
  }

  private middlePlace(p: number, q: number): number {
    const key = p < q ? `${p},${q}` : `${q},${p}`;
    let place = this.placeMiddles.get(key);
    if (place === undefined) {
      const { points } = this;
      place = points.length / 3;
      for (let c = 0; c < 3; c++) points.push((points[3 * p + c] + points[3 * q + c]) / 2);
      this.placeMiddles.set(key, place);
    }
    return place;
  }
}

/** Splits edges until none is longer than `longest` [m]; the mesh itself where there is none. */
export function refineGeometry(plain: PlainGeometry, longest: number): PlainGeometry {
  const refinement = new Refinement(plain);
  let triangles: number[] = Array.from(plain.triangles);
  let materials: number[] | null = plain.materials ? Array.from(plain.materials) : null;
  let changed = false;
  for (let round = 0; round < ROUNDS && triangles.length < 3 * MOST_TRIANGLES; round++) {
    const [next, nextMaterials]: [number[], number[]] = [[], []];
    for (let t = 0; t < triangles.length; t += 3) {
      splitTriangle(refinement, triangles.slice(t, t + 3), longest, next);
      while (nextMaterials.length < next.length / 3) nextMaterials.push(materials?.[t / 3] ?? 0);
    }
    if (next.length === triangles.length) break;
    changed = true;
    triangles = next;
    materials = materials ? nextMaterials : null;
  }
  if (!changed) return plain;
  const names = [...plain.attributes.keys()];
  return {
    positions: Float64Array.from(refinement.places.flatMap((p) => refinement.points.slice(3 * p, 3 * p + 3))),
    triangles: Uint32Array.from(triangles),
    materials: materials ? Uint32Array.from(materials) : null,
    attributes: new Map(
      refinement.values.map(({ itemSize, numbers }, n) => [names[n], { itemSize, values: Float32Array.from(numbers) }]),
    ),
  };
}

/** Adds a triangle, split at the middles of those of its edges that are too long. */
function splitTriangle(refinement: Refinement, corners: readonly number[], longest: number, out: number[]): void {
  const squares = corners.map((corner, k) => refinement.squaredLength(corner, corners[(k + 1) % 3]));
  const long = squares.map((square) => square > longest * longest);
  const count = long.filter(Boolean).length;
  // The first edge is long and, of two, the last is not; so that there is one pattern for each count.
  const first = count === 2 ? (long.indexOf(false) + 1) % 3 : Math.max(0, long.indexOf(true));
  const [a, b, c] = [0, 1, 2].map((k) => corners[(first + k) % 3]);
  if (count === 0) {
    out.push(a, b, c);
    return;
  }
  const ab = refinement.middle(a, b);
  if (count === 1) {
    out.push(a, ab, c, ab, b, c);
    return;
  }
  const bc = refinement.middle(b, c);
  out.push(ab, b, bc);
  if (count === 2) {
    out.push(a, ab, bc, a, bc, c);
    return;
  }
  const ca = refinement.middle(c, a);
  out.push(a, ab, ca, ca, bc, c, ab, bc, ca);
}
