// Makes the triangles of a cut face fit to be closed and to be bent: no edge inside it joins two vertices that both sides
// share, none is longer than the spacing, and edges are flipped towards round triangles.
// Based on: C. Lawson, Software for C1 surface interpolation, 1977 (flips from a stack).

import { CapFaces, nextOf } from './cap-faces.js';
import type { CapVertex, CutVertices } from './cut-vertices.js';
import { doubleArea } from './triangulate.js';

/** Rounds of splitting and flipping: each halves the longest edges. */
const MOST_ROUNDS = 12;
/** Flips of a face's edges after which flipping ends: with exact numbers it would end by itself. */
const MOST_FLIPS = 64;

const isShared = ({ above, below }: CapVertex): boolean => above === below;

function square(p: CapVertex, q: CapVertex): number {
  const [du, dv] = [p.u - q.u, p.v - q.v];
  return du * du + dv * dv;
}

/** The faces, three corners each, after refinement. */
export function refineCap(given: readonly CapVertex[][], vertices: CutVertices, spacing: number): CapVertex[][] {
  const faces = new CapFaces(given);
  flipEdges(faces, faces.all());
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const changed = splitEdges(faces, vertices, (edge) => isLong(faces, edge, spacing));
    if (changed.length === 0) break;
    flipEdges(faces, changed);
  }
  // An edge between shared vertices would be used by both faces of both sides.
  while (splitEdges(faces, vertices, (edge) => isShared(faces.from(edge)) && isShared(faces.to(edge))).length > 0);
  return faces.list();
}

/**
 * Whether an edge is longer than the spacing and the longest of a triangle. The outline is the surface's and is not split: next
 * to a long edge of it others would be halved without end.
 */
function isLong(faces: CapFaces, edge: number, spacing: number): boolean {
  const [a, b] = [faces.from(edge), faces.to(edge)];
  const length2 = square(a, b);
  if (!(length2 > spacing * spacing)) return false;
  const isLongest = (c: CapVertex): boolean => length2 >= square(a, c) && length2 >= square(b, c);
  return isLongest(faces.opposite(edge)) || isLongest(faces.opposite(faces.twins[edge]));
}

/** Splits edges inside the face in their middles where wanted, the longest first, one per triangle; returns the edges of what changed. */
function splitEdges(faces: CapFaces, vertices: CutVertices, wants: (edge: number) => boolean): number[] {
  const wanted: { edge: number; length2: number }[] = [];
  for (let edge = 0; edge < faces.corners.length; edge++) {
    if (faces.twins[edge] < edge || !wants(edge)) continue;
    wanted.push({ edge, length2: square(faces.from(edge), faces.to(edge)) });
  }
  wanted.sort((p, q) => q.length2 - p.length2);
  const done = new Set<number>();
  const changed: number[] = [];
  for (const { edge } of wanted) {
    const [f, g] = [Math.trunc(edge / 3), Math.trunc(faces.twins[edge] / 3)];
    if (done.has(f) || done.has(g)) continue;
    done.add(f).add(g);
    const [a, b] = [faces.from(edge), faces.to(edge)];
    const middle = vertices.addOnPatch(0.5 * (a.u + b.u), 0.5 * (a.v + b.v), true);
    for (const face of faces.split(edge, middle)) {
      done.add(face);
      changed.push(3 * face, 3 * face + 1, 3 * face + 2);
    }
  }
  return changed;
}

/** Flips edges inside the face where the opposite angles sum to more than half a turn, from some of them on. */
function flipEdges(faces: CapFaces, waiting: number[]): void {
  for (let left = MOST_FLIPS * faces.corners.length; waiting.length > 0 && left > 0; left--) {
    const edge = waiting.pop() as number;
    const twin = faces.twins[edge];
    if (twin < 0) continue;
    const [a, b, top, bottom] = [faces.from(edge), faces.to(edge), faces.opposite(edge), faces.opposite(twin)];
    if (top === bottom || faces.hasEdge(top, bottom)) continue;
    if (!(doubleArea(top, bottom, b) > 0 && doubleArea(bottom, top, a) > 0)) continue;
    if (!isBeyond(a, b, top, bottom)) continue;
    for (const other of [edge, twin]) waiting.push(nextOf(other), nextOf(nextOf(other)));
    faces.flip(edge);
  }
}

/** Whether the angles at `top` and `bottom` over the edge a–b sum to more than half a turn, and clearly so. */
function isBeyond(a: CapVertex, b: CapVertex, top: CapVertex, bottom: CapVertex): boolean {
  const c = (a.u - top.u) * (b.u - top.u) + (a.v - top.v) * (b.v - top.v);
  const d = (a.u - bottom.u) * (b.u - bottom.u) + (a.v - bottom.v) * (b.v - bottom.v);
  const [s, t] = [Math.abs(doubleArea(a, b, top)), Math.abs(doubleArea(b, a, bottom))];
  return s * d + c * t < -1e-12 * square(a, b) * square(a, b);
}
