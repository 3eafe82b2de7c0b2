// Contacts between nodes of bodies that step together, or of one body: points on triangles, edges on edges, as rows of the
// projection P, each cᵀ·v over four nodes, swept forwards and backwards.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, 2007, §4 (P₁ … Pₙ … P₁, swept q times).

import type { FeatureContacts } from '../../contact/response/feature-contacts.js';
import type { ContactProjection } from './contact-projection.js';

/** Where all but a node of little weight stands still, that node moves at most the inverse of this, in gaps. */
const LEAST_WEIGHT = 0.25;
/** Sweeps of P: rows share few nodes, and what one leaves the next step finds. With two, two balls at 45 m/s lost 12 % of their spin, with one 5. */
const SWEEPS = 1;
/** How fast bodies that overlap are pushed apart, in thicknesses per step. */
const PUSH = 1;

/** What rows read of each body: its nodes' vectors are told by call. */
export interface LinkedNodes {
  /** Undefined for a body that sleeps: nothing moves it. */
  readonly projection: ContactProjection | undefined;
}

type Vectors = readonly Float64Array[];

export class LinkRows {
  count = 0;
  /** Body and node of each of the four. */
  bodies = new Uint32Array(0);
  nodes = new Uint32Array(0);
  weights = new Float64Array(0);
  normals = new Float64Array(0);
  /** Σ w n·x that the step is to end with, at least [m]. */
  goals = new Float64Array(0);
  frictions = new Float64Array(0);
  /** 1 for rows that hold at present. */
  active = new Uint8Array(0);
  /** Impulse so far in this step [N·s]: along the normal, and of friction. */
  impulses = new Float64Array(0);
  slips = new Float64Array(0);
  /** The same of the last step over this one's Δt, which the elastic solve has as forces. */
  private begun = new Float64Array(0);
  /** What landing did [N·s]. */
  private landed = new Float64Array(0);
  /** M⁻¹ of each row without what obstacles forbid, three numbers per node [1/kg], and 1/cᵀM⁻¹c [kg]; that of friction. */
  private directions = new Float64Array(0);
  private masses = new Float64Array(0);
  private slipMasses = new Float64Array(0);

  constructor(private linked: readonly LinkedNodes[] = []) {}

  /** Takes over what contact has found; rows rest until they are landed, those that are left out for good. */
  take(list: FeatureContacts, linked: readonly LinkedNodes[], isLeftOut?: (i: number) => boolean): void {
    this.linked = linked;
    this.reserve(list.count);
    this.count = list.count;
    for (let i = 0; i < list.count; i++) {
      for (let c = 4 * i; c < 4 * i + 4; c++) {
        this.bodies[c] = list.bodies[2 * i + (c - 4 * i < list.splits[i] ? 0 : 1)];
        this.nodes[c] = list.particles[c];
        this.weights[c] = list.weights[c];
      }
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        this.normals[k] = list.normals[k];
        this.slips[k] = 0;
      }
      const thickness = list.thicknesses[i];
      this.goals[i] = Math.min(thickness, list.gaps[i] + PUSH * thickness);
      this.frictions[i] = list.frictions[i];
      this.active[i] = 0;
      this.impulses[i] = 0;
      this.begun[i] = 0;
      this.landed[i] = 0;
      if (!isLeftOut?.(i)) continue;
      this.weights.fill(0, 4 * i, 4 * i + 4);
      this.goals[i] = -Number.MAX_VALUE;
    }
  }

  /** Row i goes on from an impulse [N·s] that the elastic solve is given. */
  begin(i: number, impulse: number, sx: number, sy: number, sz: number): void {
    const [nx, ny, nz] = [this.normals[3 * i], this.normals[3 * i + 1], this.normals[3 * i + 2]];
    const along = sx * nx + sy * ny + sz * nz;
    this.begun[i] = impulse;
    this.impulses[i] = impulse;
    this.slips[3 * i] = sx - along * nx;
    this.slips[3 * i + 1] = sy - along * ny;
    this.slips[3 * i + 2] = sz - along * nz;
  }

  /** Adds `factor` times all impulses, those of friction included, to the nodes of bodies that move. */
  addImpulses(vectors: Vectors, factor: number): void {
    const { normals, impulses, slips } = this;
    for (let i = 0; i < this.count; i++) {
      if (impulses[i] === 0) continue;
      for (let c = 4 * i; c < 4 * i + 4; c++) {
        if (!this.linked[this.bodies[c]].projection) continue;
        const out = vectors[this.bodies[c]];
        const k = 3 * this.nodes[c];
        const share = factor * this.weights[c];
        for (let d = 0; d < 3; d++) out[k + d] += share * (impulses[i] * normals[3 * i + d] + slips[3 * i + d]);
      }
    }
  }

  /** Takes the rows to what obstacles and pins forbid at present. */
  prepare(): void {
    const { weights, directions, normals } = this;
    for (let i = 0; i < this.count; i++) {
      let [sum, largest, slip] = [0, 0, 0];
      for (let c = 4 * i; c < 4 * i + 4; c++) {
        const { projection } = this.linked[this.bodies[c]];
        const at = 3 * c;
        directions.fill(0, at, at + 3);
        if (!projection) continue;
        const node = this.nodes[c];
        const inverse = projection.inverseMasses[node];
        const share = weights[c] * inverse;
        for (let d = 0; d < 3; d++) directions[at + d] = share * normals[3 * i + d];
        projection.release(node, directions, at);
        const along =
          normals[3 * i] * directions[at] +
          normals[3 * i + 1] * directions[at + 1] +
          normals[3 * i + 2] * directions[at + 2];
        sum += weights[c] * along;
        largest = Math.max(largest, Math.abs(along));
        slip += weights[c] * share;
      }
      this.masses[i] = sum > 0 ? 1 / Math.max(sum, LEAST_WEIGHT * largest) : 0;
      this.slipMasses[i] = slip > 0 ? 1 / slip : 0;
    }
  }

  /** cᵀ·v of row i. */
  along(i: number, vectors: Vectors): number {
    const { weights, normals } = this;
    const [nx, ny, nz] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]];
    let sum = 0;
    for (let c = 4 * i; c < 4 * i + 4; c++) {
      const v = vectors[this.bodies[c]];
      const k = 3 * this.nodes[c];
      sum += weights[c] * (nx * v[k] + ny * v[k + 1] + nz * v[k + 2]);
    }
    return sum;
  }

  /** An impulse along row i [N·s]. */
  private push(i: number, impulse: number, vectors: Vectors): void {
    const { directions } = this;
    for (let c = 4 * i; c < 4 * i + 4; c++) {
      const v = vectors[this.bodies[c]];
      const k = 3 * this.nodes[c];
      for (let d = 0; d < 3; d++) v[k + d] += impulse * directions[3 * c + d];
    }
  }

  /**
   * Velocities become those that land rows at their goals at the end of the step; rows hold that this pushes, those that it need
   * not push rest. What the elastic solve was given may be taken back.
   */
  land(positions: Vectors, velocities: Vectors, timeStep: number, sweeps: number): void {
    const { goals, landed, begun, masses, active } = this;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let i = 0; i < this.count; i++) {
        const missing = goals[i] - this.along(i, positions) - timeStep * this.along(i, velocities);
        const impulse = Math.max(-begun[i], landed[i] + (masses[i] * missing) / timeStep);
        if (impulse === landed[i]) continue;
        this.push(i, impulse - landed[i], velocities);
        landed[i] = impulse;
      }
    }
    for (let i = 0; i < this.count; i++) active[i] = landed[i] > -begun[i] ? 1 : 0;
  }

  /** The same for the rows that hold, in both directions. */
  landHeld(positions: Vectors, velocities: Vectors, timeStep: number, sweeps: number): void {
    const { goals, masses, active } = this;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let i = 0; i < this.count; i++) {
        if (active[i] === 0) continue;
        const missing = goals[i] - this.along(i, positions) - timeStep * this.along(i, velocities);
        this.push(i, (masses[i] * missing) / timeStep, velocities);
      }
    }
  }

  /** Lets rows hold that end more than `depth` below their goals at these positions; whether there are any that did not. */
  addViolated(positions: Vectors, depth: number): boolean {
    const { active, goals } = this;
    let isNew = false;
    for (let i = 0; i < this.count; i++) {
      if (active[i] || !(goals[i] - this.along(i, positions) > depth)) continue;
      active[i] = 1;
      isNew = true;
    }
    return isNew;
  }

  /** P: takes from changes of velocity what rows forbid. With `isKept` their impulses gain what that took. */
  sweep(changes: Vectors, isKept = false): void {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (let i = 0; i < this.count; i++) this.project(i, changes, isKept);
      for (let i = this.count - 2; i >= 0; i--) this.project(i, changes, isKept);
    }
  }

  private project(i: number, changes: Vectors, isKept: boolean): void {
    if (this.active[i] === 0) return;
    const impulse = -this.masses[i] * this.along(i, changes);
    this.push(i, impulse, changes);
    if (isKept) this.impulses[i] += impulse;
  }

  /** Ends the approach of rows that hold, with Coulomb's friction: their impulses gain what that takes, and never pull. */
  stop(velocities: Vectors, sweeps: number): void {
    const { active, masses, impulses } = this;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let i = 0; i < this.count; i++) {
        const wanted = active[i] ? Math.max(0, impulses[i] - masses[i] * this.along(i, velocities)) : 0;
        if (wanted !== impulses[i]) this.push(i, wanted - impulses[i], velocities);
        impulses[i] = wanted;
        this.brake(i, velocities);
      }
    }
  }

  /** Friction of row i: what would stop its slip, as far as the cone reaches. */
  private brake(i: number, velocities: Vectors): void {
    const { weights, normals, slips, slipMasses, frictions, impulses } = this;
    const n = 3 * i;
    const limit = frictions[i] * impulses[i];
    let [ux, uy, uz] = [0, 0, 0];
    for (let c = 4 * i; c < 4 * i + 4; c++) {
      const v = velocities[this.bodies[c]];
      const k = 3 * this.nodes[c];
      ux += weights[c] * v[k];
      uy += weights[c] * v[k + 1];
      uz += weights[c] * v[k + 2];
    }
    const along = ux * normals[n] + uy * normals[n + 1] + uz * normals[n + 2];
    let sx = slips[n] - slipMasses[i] * (ux - along * normals[n]);
    let sy = slips[n + 1] - slipMasses[i] * (uy - along * normals[n + 1]);
    let sz = slips[n + 2] - slipMasses[i] * (uz - along * normals[n + 2]);
    const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const kept = size > limit ? limit / size : 1;
    sx *= kept;
    sy *= kept;
    sz *= kept;
    this.pushVector(i, sx - slips[n], sy - slips[n + 1], sz - slips[n + 2], velocities);
    slips[n] = sx;
    slips[n + 1] = sy;
    slips[n + 2] = sz;
  }

  private pushVector(i: number, x: number, y: number, z: number, vectors: Vectors): void {
    if (x === 0 && y === 0 && z === 0) return;
    for (let c = 4 * i; c < 4 * i + 4; c++) {
      const { projection } = this.linked[this.bodies[c]];
      if (!projection) continue;
      const share = this.weights[c] * projection.inverseMasses[this.nodes[c]];
      change[0] = share * x;
      change[1] = share * y;
      change[2] = share * z;
      projection.release(this.nodes[c], change, 0);
      const v = vectors[this.bodies[c]];
      for (let d = 0; d < 3; d++) v[3 * this.nodes[c] + d] += change[d];
    }
  }

  private reserve(count: number): void {
    if (this.goals.length >= count) return;
    const size = Math.max(64, 2 * count);
    const reals = (width: number) => new Float64Array(width * size);
    this.bodies = new Uint32Array(4 * size);
    this.nodes = new Uint32Array(4 * size);
    this.weights = reals(4);
    [this.normals, this.slips] = [reals(3), reals(3)];
    [this.goals, this.frictions, this.impulses] = [reals(1), reals(1), reals(1)];
    [this.begun, this.landed, this.masses, this.slipMasses] = [reals(1), reals(1), reals(1), reals(1)];
    this.directions = reals(12);
    this.active = new Uint8Array(size);
  }
}

const change = new Float64Array(3);
