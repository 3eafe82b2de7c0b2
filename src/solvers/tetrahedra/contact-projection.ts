// The projection P that leaves changes of velocity free of what contacts forbid: cᵀ·Δv = 0 for each of them.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, 2007, §4. Contacts of one node with obstacles are solved together instead of
// swept, which is exact: sweeps converge slowly where normals are nearly parallel. Contacts between nodes are in `link-rows`.

import { TetraMemory } from './memory.js';

/** Normals at a node nearer than this to what is held already count as the same: sin² 20°. */
const SAME_NORMAL = 0.117;

export class ContactProjection {
  /** Inverse masses [1/kg]; 0 for nodes that may not move. */
  readonly inverseMasses: Float64Array;
  /** Held directions per node, 0 to 3, orthonormal, 9 numbers each. */
  readonly heldCounts: Uint8Array;
  readonly held: Float64Array;
  /** How many of them, the last ones, are no contact's normal: of nodes that stick. */
  readonly stuckCounts: Uint8Array;

  constructor(
    inverseMasses: Float64Array,
    private readonly memory = TetraMemory.onHeap(),
    count = inverseMasses.length,
  ) {
    this.inverseMasses = inverseMasses;
    this.heldCounts = memory.bytes(count);
    this.held = memory.reals(9 * count);
    this.stuckCounts = memory.bytes(count);
  }

  clear(): void {
    this.heldCounts.fill(0);
    this.stuckCounts.fill(0);
  }

  /** Holds a node along a unit normal; false where it is held along (nearly) that one already. */
  hold(node: number, nx: number, ny: number, nz: number): boolean {
    const { held, heldCounts } = this;
    const count = heldCounts[node];
    if (count === 3) return false;
    let [x, y, z] = [nx, ny, nz];
    for (let at = 9 * node; at < 9 * node + 3 * count; at += 3) {
      const along = x * held[at] + y * held[at + 1] + z * held[at + 2];
      x -= along * held[at];
      y -= along * held[at + 1];
      z -= along * held[at + 2];
    }
    const square = x * x + y * y + z * z;
    if (!(square > (count === 0 ? 0 : SAME_NORMAL))) return false;
    const length = Math.sqrt(square);
    const at = 9 * node + 3 * count;
    held[at] = x / length;
    held[at + 1] = y / length;
    held[at + 2] = z / length;
    heldCounts[node]++;
    return true;
  }

  /** Holds a node in all directions that are left. */
  holdAll(node: number): void {
    const { held, heldCounts } = this;
    while (heldCounts[node] < 3) {
      // The axis with the most that is not held yet: a third of its square at least.
      let [best, most] = [0, -1];
      for (let axis = 0; axis < 3; axis++) {
        let left = 1;
        for (let at = 9 * node; at < 9 * node + 3 * heldCounts[node]; at += 3)
          left -= held[at + axis] * held[at + axis];
        if (left > most) [best, most] = [axis, left];
      }
      this.hold(node, best === 0 ? 1 : 0, best === 1 ? 1 : 0, best === 2 ? 1 : 0);
      this.stuckCounts[node]++;
    }
  }

  /** Turns forces into changes of velocity: P·M⁻¹. Symmetric positive semi-definite for any rows and sweeps. */
  applyInverseMass(forces: Float64Array, out: Float64Array): void {
    const { inverseMasses, heldCounts, held } = this;
    const { kernels } = this.memory;
    if (kernels) {
      const [masses, counts, normals] = [inverseMasses.byteOffset, heldCounts.byteOffset, held.byteOffset];
      kernels.applyInverseMass(masses, counts, normals, heldCounts.length, forces.byteOffset, out.byteOffset);
    } else {
      for (let n = 0, k = 0; n < inverseMasses.length; n++, k += 3) {
        out[k] = forces[k] * inverseMasses[n];
        out[k + 1] = forces[k + 1] * inverseMasses[n];
        out[k + 2] = forces[k + 2] * inverseMasses[n];
      }
      this.projectHeld(out);
    }
  }

  /** Takes from changes of velocity what is forbidden. */
  project(change: Float64Array): void {
    this.projectHeld(change);
  }

  /** The same for the elastic solve: also takes what belongs to nodes that may not move. */
  filter(field: Float64Array): void {
    const { inverseMasses, heldCounts, held } = this;
    const { kernels } = this.memory;
    if (kernels) {
      const [masses, counts, normals] = [inverseMasses.byteOffset, heldCounts.byteOffset, held.byteOffset];
      kernels.projectField(masses, counts, normals, heldCounts.length, field.byteOffset);
      return;
    }
    for (let n = 0; n < inverseMasses.length; n++) {
      if (inverseMasses[n] === 0) field.fill(0, 3 * n, 3 * n + 3);
    }
    this.projectHeld(field);
  }

  /** Takes from one node's vector at `at` what is forbidden of it. */
  release(node: number, vector: Float64Array, at: number): void {
    const { held, heldCounts } = this;
    for (let h = 9 * node; h < 9 * node + 3 * heldCounts[node]; h += 3) {
      const along = vector[at] * held[h] + vector[at + 1] * held[h + 1] + vector[at + 2] * held[h + 2];
      for (let c = 0; c < 3; c++) vector[at + c] -= along * held[h + c];
    }
  }

  private projectHeld(change: Float64Array): void {
    const { held, heldCounts } = this;
    for (let n = 0; n < heldCounts.length; n++) {
      if (heldCounts[n] === 0) continue;
      const k = 3 * n;
      for (let at = 9 * n; at < 9 * n + 3 * heldCounts[n]; at += 3) {
        const along = change[k] * held[at] + change[k + 1] * held[at + 1] + change[k + 2] * held[at + 2];
        change[k] -= along * held[at];
        change[k + 1] -= along * held[at + 1];
        change[k + 2] -= along * held[at + 2];
      }
    }
  }
}
