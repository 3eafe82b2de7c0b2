// Turns faces with any number of corners into triangles.
// Based on: G. H. Meisters, Polygons have ears, 1975 (ear clipping), in the plane of Newell's normal.

import type { TriangleMesh } from '../triangle-mesh.js';

/** Clipping ears is quadratic: a face with more corners than this is refused rather than waited for. */
export const MOST_CORNERS = 4096;
/** Most vertices, and most faces, that a file may have: beyond what any body here can be, within a few gigabytes. */
export const MOST_ELEMENTS = 5_000_000;

/** Collects the faces of a file before it is known where all vertices are. */
export class FaceList {
  readonly corners: number[] = [];
  readonly sizes: number[] = [];
}

/** Corners of a face in its own plane, counter-clockwise about Newell's normal. */
function project(positions: Float64Array, face: ArrayLike<number>): Float64Array {
  let [nx, ny, nz] = [0, 0, 0];
  for (let i = 0; i < face.length; i++) {
    const a = 3 * face[i];
    const b = 3 * face[(i + 1) % face.length];
    nx += (positions[a + 1] - positions[b + 1]) * (positions[a + 2] + positions[b + 2]);
    ny += (positions[a + 2] - positions[b + 2]) * (positions[a] + positions[b]);
    nz += (positions[a] - positions[b]) * (positions[a + 1] + positions[b + 1]);
  }
  // Dropping the normal's largest coordinate keeps the order of turns; the sign keeps them counter-clockwise.
  const [ax, ay, az] = [Math.abs(nx), Math.abs(ny), Math.abs(nz)];
  const drop = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const flip = [nx, ny, nz][drop] < 0;
  const u = (drop + (flip ? 2 : 1)) % 3;
  const v = (drop + (flip ? 1 : 2)) % 3;
  const plane = new Float64Array(2 * face.length);
  for (let i = 0; i < face.length; i++) {
    plane[2 * i] = positions[3 * face[i] + u];
    plane[2 * i + 1] = positions[3 * face[i] + v];
  }
  return plane;
}

/** Twice the signed area of the triangle of three corners: positive for a left turn. */
function turn(plane: Float64Array, a: number, b: number, c: number): number {
  const ux = plane[2 * b] - plane[2 * a];
  const uy = plane[2 * b + 1] - plane[2 * a + 1];
  return ux * (plane[2 * c + 1] - plane[2 * a + 1]) - uy * (plane[2 * c] - plane[2 * a]);
}

/** Whether the fan from the first corner has only left turns, so that it may be used as it is. */
function fansOut(plane: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (turn(plane, i, (i + 1) % count, (i + 2) % count) < 0) return false;
  for (let i = 1; i + 1 < count; i++) if (turn(plane, 0, i, i + 1) < 0) return false;
  return true;
}

/** Whether corner i, between its neighbours, holds no other corner of the rest. */
function isEar(plane: Float64Array, rest: readonly number[], i: number): boolean {
  const count = rest.length;
  const [a, b, c] = [rest[(i + count - 1) % count], rest[i], rest[(i + 1) % count]];
  if (!(turn(plane, a, b, c) > 0)) return false;
  for (const p of rest) {
    if (p === a || p === b || p === c) continue;
    if (turn(plane, a, b, p) >= 0 && turn(plane, b, c, p) >= 0 && turn(plane, c, a, p) >= 0) return false;
  }
  return true;
}

/** Triangles of one face as triples of corner numbers. */
function cutFace(positions: Float64Array, face: ArrayLike<number>): number[] {
  const triples: number[] = [];
  const rest = Array.from({ length: face.length }, (_, i) => i);
  if (face.length > 3) {
    const plane = project(positions, face);
    if (!fansOut(plane, face.length)) {
      let i = 0;
      let tried = 0;
      // Ends with what is left when there is no ear: a face that crosses itself, or is not flat at all.
      while (rest.length > 3 && tried < rest.length) {
        if (isEar(plane, rest, i)) {
          triples.push(rest[(i + rest.length - 1) % rest.length], rest[i], rest[(i + 1) % rest.length]);
          rest.splice(i, 1);
          tried = 0;
        } else {
          i++;
          tried++;
        }
        i %= rest.length;
      }
    }
  }
  for (let i = 1; i + 1 < rest.length; i++) triples.push(rest[0], rest[i], rest[i + 1]);
  return triples;
}

/**
 * Places in `faces.corners` of the corners of all triangles, face by face, each of n corners giving n − 2 triangles:
 * triangles as they are, convex faces as a fan from their first corner, others by ear clipping.
 */
export function cutFaces(positions: Float64Array, faces: FaceList): Uint32Array {
  let triangleCount = 0;
  for (const size of faces.sizes) triangleCount += size - 2;
  const places = new Uint32Array(3 * triangleCount);
  let at = 0;
  let length = 0;
  for (const size of faces.sizes) {
    if (size === 3) {
      for (let k = 0; k < 3; k++) places[length++] = at + k;
    } else {
      for (const corner of cutFace(positions, faces.corners.slice(at, at + size))) places[length++] = at + corner;
    }
    at += size;
  }
  return places;
}

/** Mesh of all faces. */
export function meshFromFaces(positions: Float64Array, faces: FaceList): TriangleMesh {
  return { positions, triangles: cutFaces(positions, faces).map((place) => faces.corners[place]) };
}
