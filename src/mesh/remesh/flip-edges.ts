// Flips edges until the mesh is as Delaunay as its shape allows: of the two diagonals of a pair of triangles, the one
// whose opposite angles sum to less than 180° makes the larger smallest angle.
// Based on: A. Bobenko, B. Springborn, "A discrete Laplace–Beltrami operator for simplicial surfaces", 2007.

import { type HalfEdgeMesh, nextHalfEdge, previousHalfEdge } from './half-edge-mesh.js';

/** A pair of triangles that folds more sharply than this (cosine between normals) after a flip stays as it is. */
const SHARPEST_FOLD = 0.4;

/** Flips every edge that gains from it, with the flips that follow. */
export function flipEdges(mesh: HalfEdgeMesh): void {
  const pending: number[] = [];
  const queued = new Uint8Array(mesh.halfEdgeEnd);
  const enqueue = (h: number) => {
    const edge = Math.min(h, mesh.twinOf(h));
    if (queued[edge]) return;
    queued[edge] = 1;
    pending.push(edge);
  };
  for (let h = mesh.halfEdgeEnd - 1; h >= 0; h--) if (mesh.isHalfEdge(h)) enqueue(h);
  // On a curved surface the flips could run in circles; a generous cap ends that.
  let budget = 4 * mesh.halfEdgeEnd;
  while (pending.length > 0 && budget-- > 0) {
    const h = pending.pop() as number;
    queued[h] = 0;
    if (oppositeCotangents(mesh, h) >= -1e-9 || !mesh.canFlip(h) || !foldsLittle(mesh, h)) continue;
    mesh.flip(h);
    const t = mesh.twinOf(h);
    enqueue(nextHalfEdge(h));
    enqueue(previousHalfEdge(h));
    enqueue(nextHalfEdge(t));
    enqueue(previousHalfEdge(t));
  }
}

/** Sum of the cotangents of the two angles across edge h: negative when they sum to more than 180°. */
export function oppositeCotangents(mesh: HalfEdgeMesh, h: number): number {
  return cotangentAcross(mesh, h) + cotangentAcross(mesh, mesh.twinOf(h));
}

function cotangentAcross(mesh: HalfEdgeMesh, h: number): number {
  const edge = mesh.squaredDistance(mesh.startOf(h), mesh.endOf(h));
  const a = mesh.squaredDistance(mesh.startOf(h), mesh.apexOf(h));
  const b = mesh.squaredDistance(mesh.endOf(h), mesh.apexOf(h));
  // Law of cosines over Heron's formula, both in squared lengths.
  const doubleArea = 0.5 * Math.sqrt(Math.max(1e-300, 4 * a * b - (a + b - edge) ** 2));
  return (a + b - edge) / (2 * doubleArea);
}

function foldsLittle(mesh: HalfEdgeMesh, h: number): boolean {
  const t = mesh.twinOf(h);
  const u = mesh.startOf(h);
  const v = mesh.endOf(h);
  const c = mesh.apexOf(h);
  const d = mesh.apexOf(t);
  const before1 = normalOf(mesh, u, v, c);
  const before2 = normalOf(mesh, v, u, d);
  const after1 = normalOf(mesh, d, c, u);
  const after2 = normalOf(mesh, c, d, v);
  const fold = cosine(after1, after2);
  if (fold < SHARPEST_FOLD && fold < cosine(before1, before2)) return false;
  const middle = [before1[0] + before2[0], before1[1] + before2[1], before1[2] + before2[2]];
  return cosine(after1, middle) > 0.2 && cosine(after2, middle) > 0.2;
}

/** Normal of triangle abc, as long as twice its area. */
function normalOf(mesh: HalfEdgeMesh, a: number, b: number, c: number): number[] {
  const p = mesh.positions;
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function cosine(a: number[], b: number[]): number {
  const lengths = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
  return lengths > 0 ? (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / Math.sqrt(lengths) : -1;
}
