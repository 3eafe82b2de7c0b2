// How a mesh came from another one, where it did: what is bound to the one before can then follow it. Remembered for as long as the
// newer mesh is there, some generations back.

import type { TriangleMesh } from './triangle-mesh.js';

/** A mesh after a cut. The vertices of before keep their numbers, the new ones follow. */
export interface MeshCut {
  readonly kind: 'cut';
  readonly before: TriangleMesh;
  /** The triangle of before that each one is, or is a piece of. Those after the last of them are the faces of the cut: above's and below's by turns. */
  readonly sources: Uint32Array;
  /** Of the new vertices: 1 above the cut, −1 below it, 0 where the two sides are not apart. */
  readonly sides: Int8Array;
  /** Coordinates of the new vertices along the cut [m], two each. */
  readonly charts: Float64Array;
  /** Where its vertices are in before: three corners and their weights for each. Those on faces of the cut are in no one place. */
  readonly origin: { readonly corners: Uint32Array; readonly weights: Float64Array };
}

/** A mesh that is some of another one's closed parts. */
export interface MeshPart {
  readonly kind: 'part';
  readonly before: TriangleMesh;
  /** The vertex of before that each one is. */
  readonly vertices: Uint32Array;
}

export type MeshStep = MeshCut | MeshPart;

/** Generations that are remembered: what has not looked at a body for so many cuts begins anew. */
const GENERATIONS = 32;

const steps = new WeakMap<TriangleMesh, MeshStep>();
/** The last meshes that came from others: a snapshot has equal ones that are not the same. */
const latest: WeakRef<TriangleMesh>[] = [];
const LATEST = 64;

export function recordStep(mesh: TriangleMesh, step: MeshStep): void {
  steps.set(mesh, step);
  latest.push(new WeakRef(mesh));
  if (latest.length > LATEST) latest.shift();
  let oldest = mesh;
  for (let n = 0; n < GENERATIONS; n++) {
    const before = steps.get(oldest)?.before;
    if (!before) return;
    oldest = before;
  }
  steps.delete(oldest);
}

/** How a mesh came from the one before it; undefined where it came from none. */
export function stepOf(mesh: TriangleMesh): MeshStep | undefined {
  const known = steps.get(mesh);
  if (known) return known;
  for (const reference of latest) {
    const other = reference.deref();
    if (other && other !== mesh && isEqual(other, mesh)) return steps.get(other);
  }
  return undefined;
}

/** Meshes of a body that are remembered: about twice as many as a mesh has generations. */
const REMEMBERED = 64;

/**
 * The last meshes of a body. One that goes back to an earlier state of it gets a mesh that is equal to one of these, and comes from what
 * that came from. Without them, what hangs on the body would begin anew where nobody else holds the earlier mesh any more.
 */
export class MeshHistory {
  private readonly meshes: TriangleMesh[] = [];

  add(mesh: TriangleMesh): void {
    if (this.meshes.at(-1) === mesh) return;
    this.meshes.push(mesh);
    if (this.meshes.length > REMEMBERED) this.meshes.shift();
  }

  /** Lets a mesh come from what an equal one came from. */
  recall(mesh: TriangleMesh): void {
    const step = steps.get(this.meshes.findLast((other) => isEqual(other, mesh)) ?? mesh);
    if (step) steps.set(mesh, step);
  }
}

function isEqual(a: TriangleMesh, b: TriangleMesh): boolean {
  if (a.positions.length !== b.positions.length || a.triangles.length !== b.triangles.length) return false;
  return a.positions.every((x, k) => x === b.positions[k]) && a.triangles.every((v, k) => v === b.triangles[k]);
}
