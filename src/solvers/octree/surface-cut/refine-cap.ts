// Makes the triangles of a cut face fit to be closed and to be bent: no edge inside it joins two vertices that both sides
// share, none is longer than the spacing, and edges are flipped towards round triangles.

import type { CapVertex, CutVertices } from './cut-vertices.js';
import { doubleArea } from './triangulate.js';

/** Rounds of splitting and flipping: each halves the longest edges. */
const MOST_ROUNDS = 12;

const isShared = ({ above, below }: CapVertex): boolean => above === below;
const square = (p: CapVertex, q: CapVertex): number => (p.u - q.u) ** 2 + (p.v - q.v) ** 2;

/** The faces, three corners each, after refinement. */
export function refineCap(given: readonly CapVertex[][], vertices: CutVertices, spacing: number): CapVertex[][] {
  let faces = given.map((face) => [...face]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    faces = flipEdges(faces);
    const split = splitEdges(faces, vertices, (a, b, other) => isLong(a, b, other, spacing));
    if (split.length === faces.length) break;
    faces = split;
  }
  // An edge between shared vertices would be used by both faces of both sides.
  for (let count = 0; count !== faces.length; ) {
    count = faces.length;
    faces = splitEdges(faces, vertices, (a, b) => isShared(a) && isShared(b));
  }
  return faces;
}

/**
 * Whether an edge is longer than the spacing and the longest of a triangle. The outline is the surface's and is not split: next
 * to a long edge of it others would be halved without end.
 */
function isLong(a: CapVertex, b: CapVertex, other: readonly CapVertex[], spacing: number): boolean {
  const length2 = square(a, b);
  return length2 > spacing * spacing && other.some((c) => length2 >= square(a, c) && length2 >= square(b, c));
}

/** Faces on both sides of each edge inside the cut face, by the above vertices of its ends. */
function findInner(faces: readonly CapVertex[][]): Map<number, [face: number, corner: number][]> {
  const sides = new Map<number, [number, number][]>();
  faces.forEach((face, f) => {
    for (let c = 0; c < 3; c++) {
      const key = keyOf(face[c], face[(c + 1) % 3]);
      const list = sides.get(key);
      if (list) list.push([f, c]);
      else sides.set(key, [[f, c]]);
    }
  });
  for (const [key, list] of sides) if (list.length !== 2) sides.delete(key);
  return sides;
}

/** Splits edges inside the face in their middles where wanted, one per triangle; `wants` has the ends and the corners opposite. */
function splitEdges(
  given: readonly CapVertex[][],
  vertices: CutVertices,
  wants: (a: CapVertex, b: CapVertex, opposite: readonly CapVertex[]) => boolean,
): CapVertex[][] {
  const inner = [...findInner(given).values()]
    .map((sides) => {
      const [[f, c]] = sides;
      const opposite = sides.map(([g, d]) => given[g][(d + 2) % 3]);
      return { sides, a: given[f][c], b: given[f][(c + 1) % 3], opposite };
    })
    .filter(({ a, b, opposite }) => wants(a, b, opposite))
    .sort((p, q) => square(q.a, q.b) - square(p.a, p.b));
  const faces: CapVertex[][] = [];
  const done = new Set<number>();
  for (const { sides, a, b } of inner) {
    if (sides.some(([f]) => done.has(f))) continue;
    const middle = vertices.addOnPatch(0.5 * (a.u + b.u), 0.5 * (a.v + b.v), true);
    for (const [f, c] of sides) {
      done.add(f);
      const [p, q, r] = [given[f][c], given[f][(c + 1) % 3], given[f][(c + 2) % 3]];
      faces.push([p, middle, r], [middle, q, r]);
    }
  }
  given.forEach((face, f) => {
    if (!done.has(f)) faces.push(face);
  });
  return faces;
}

/** Flips edges inside the face where the opposite angles sum to more than half a turn. */
function flipEdges(given: readonly CapVertex[][]): CapVertex[][] {
  const faces = given.map((face) => [...face]);
  for (let pass = 0; pass < MOST_ROUNDS; pass++) {
    let flips = 0;
    const inner = findInner(faces);
    const known = new Set<number>();
    for (const face of faces) for (let c = 0; c < 3; c++) known.add(keyOf(face[c], face[(c + 1) % 3]));
    const done = new Set<number>();
    for (const [[f, c], [g, d]] of inner.values()) {
      if (done.has(f) || done.has(g)) continue;
      const [a, b, top] = [faces[f][c], faces[f][(c + 1) % 3], faces[f][(c + 2) % 3]];
      const bottom = faces[g][(d + 2) % 3];
      // The two must run along the edge in opposite directions; where bridges meet they may not.
      if (faces[g][d] !== b || top === bottom || known.has(keyOf(top, bottom))) continue;
      if (!(doubleArea(top, bottom, b) > 0 && doubleArea(bottom, top, a) > 0)) continue;
      if (!isBeyond(a, b, top, bottom)) continue;
      faces[f] = [top, bottom, b];
      faces[g] = [bottom, top, a];
      known.add(keyOf(top, bottom));
      done.add(f).add(g);
      flips++;
    }
    if (flips === 0) break;
  }
  return faces;
}

/** More than any mesh has vertices, and small enough for the product of two to be exact. */
const KEY_STRIDE = 1 << 26;

/** An edge, in either direction. */
const keyOf = ({ above: a }: CapVertex, { above: b }: CapVertex): number =>
  a < b ? a * KEY_STRIDE + b : b * KEY_STRIDE + a;

/** Whether the angles at `top` and `bottom` over the edge a–b sum to more than half a turn, and clearly so. */
function isBeyond(a: CapVertex, b: CapVertex, top: CapVertex, bottom: CapVertex): boolean {
  const cosine = (p: CapVertex): number => (a.u - p.u) * (b.u - p.u) + (a.v - p.v) * (b.v - p.v);
  const [c, d] = [cosine(top), cosine(bottom)];
  const [s, t] = [Math.abs(doubleArea(a, b, top)), Math.abs(doubleArea(b, a, bottom))];
  return s * d + c * t < -1e-12 * square(a, b) * square(a, b);
}
