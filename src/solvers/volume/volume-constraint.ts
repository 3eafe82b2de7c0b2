// Keeps a closed surface's volume: positions exactly, velocities free of flux. Works over any elasticity that yields
// positions, velocities and how far it moved each particle.
// Based on: DBB11 §5, with corrections, see the README beside (true gradient, cubic, no ghost forces, no spikes, contacts).

import { signedVolume, vertexNormals } from '../../mesh/measure.js';
import type { Shell } from '../model.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { solveCubic, volumeCubic } from './cubic.js';
import { writeDirection } from './direction.js';
import { writeNormalPushes, writeStraightening, writeTurnedPushes } from './outward.js';
import type { VolumeRest } from './rest.js';
import type { VolumeSettings } from './settings.js';
import {
  ANCHORED_REACH,
  CONTACT_ROUNDS,
  CRUSHED_STRETCH,
  FLAT,
  FLUX_ROUNDS,
  FREE_GAIN,
  LIFT_REACH,
  REACH,
  WHOLE,
} from './tuning.js';
import { smoothWeights, writeShares } from './weights.js';

/** Relative volume error at which a correction has reached its goal: well above f64 rounding. */
const REACHED = 1e-9;

/** What the constraint has to respect of the world outside; without it the body is alone. */
export interface VolumeObstacles {
  /**
   * Marks in `held` the candidate positions that are inside an obstacle; returns how many it marked anew. `fits` gets the
   * share of the way there that those may go. `firmOnly` leaves out what gives way itself.
   */
  forbid(candidates: Float64Array, held: Uint8Array, fits: Float64Array, firmOnly: boolean): number;
  /** Takes the part of a displacement of colliding particles that points into their obstacle. */
  lift(displacement: Float64Array, firmOnly: boolean): void;
  /** Takes what an obstacle does not let pass of velocities: the part that points into it, and by friction slip. */
  stop(velocities: Float64Array): void;
  /** Mean over the body, by mass, of the unit normals of obstacles where it touches them: which way these can push it. */
  readonly support?: ArrayLike<number>;
  /** What free particles go at most, in body sizes, for small corrections where others crush this body; else undefined. */
  readonly crushedReach?: number;
}

export class VolumeConstraint {
  private readonly shares: Float64Array;
  private readonly weights: Float64Array;
  private readonly scratch: Float64Array;
  private readonly normals: Float64Array;
  private readonly outward: Float64Array;
  private readonly straight: Float64Array;
  private readonly direction: Float64Array;
  private readonly candidates: Float64Array;
  private readonly held: Uint8Array;
  private readonly before: Uint8Array;
  private readonly fits: Float64Array;
  private readonly meanArea: number;
  private readonly cubic = new Float64Array(4);
  private readonly kept = createRigidMotion();
  /** Volume to keep [m³]: V₀, less while a body that was broken grows again. */
  target: number;
  /** How the particles' regions are turned (x, y, z, w), where the elasticity has such; set before each correction. */
  rotations?: Float64Array;

  constructor(
    private readonly rest: VolumeRest,
    public settings: VolumeSettings,
  ) {
    const count = rest.areas.length;
    this.target = rest.volume;
    this.meanArea = rest.areas.reduce((sum, a) => sum + a, 0) / count;
    this.shares = new Float64Array(count);
    this.weights = new Float64Array(count);
    this.scratch = new Float64Array(count);
    this.normals = new Float64Array(3 * count);
    this.outward = new Float64Array(3 * count);
    this.straight = new Float64Array(count);
    this.direction = new Float64Array(3 * count);
    this.candidates = new Float64Array(3 * count);
    this.held = new Uint8Array(count);
    this.before = new Uint8Array(count);
    this.fits = new Float64Array(count);
  }

  /** Weights of the last velocity correction, in the solver's order. */
  get velocityWeights(): Float64Array {
    return this.weights;
  }

  /**
   * Positions to V₀, then velocities to zero flux.
   * @param pinned particles that move by their pin alone.
   * @param colliding particles in contact: the position step does not move them, the velocity step may.
   */
  conserve(particles: Shell, pinned: Uint8Array, colliding: Uint8Array, obstacles?: VolumeObstacles): void {
    const { positions, velocities, masses } = particles;
    measureRigidMotion(positions, velocities, masses, this.kept);
    writeStraightening(this.rest.neighbours, colliding, this.straight);
    writeShares(this.settings, this.rest.pairs, positions, particles.changes, this.shares, this.rest.weights);
    this.conservePositions(particles, pinned, colliding, obstacles);
    if (!particles.anchored) restoreRigidMotion(positions, velocities, masses, this.kept);
    this.conserveVelocities(particles, pinned, colliding, obstacles);
  }

  /**
   * Step 4: V(x + λ·d) = V₀, moving no held particle and none into an obstacle. A body flattened so hard that its free
   * particles cannot make up the volume gets a second try in which colliding particles may move off their obstacle, and
   * a third in which they may move into what gives way itself: other bodies, which the next step moves apart. Where these
   * crush it, that is the second try, and the third is the first with a longer reach.
   */
  private conservePositions(
    particles: Shell,
    pinned: Uint8Array,
    colliding: Uint8Array,
    obstacles?: VolumeObstacles,
  ): void {
    const { held, weights, shares, rest, scratch } = this;
    const crushedReach = obstacles?.crushedReach;
    const free = { lift: false, firmOnly: false, reach: particles.anchored ? ANCHORED_REACH : REACH };
    const firm = { lift: true, firmOnly: true, reach: LIFT_REACH };
    const tries =
      crushedReach === undefined
        ? [free, { lift: true, firmOnly: false, reach: LIFT_REACH }, firm]
        : [{ ...free, reach: this.stretch(particles.positions, crushedReach) }, firm, free];
    for (const way of tries) {
      for (let i = 0; i < held.length; i++) held[i] = way.lift ? pinned[i] : pinned[i] | colliding[i];
      weights.set(shares);
      smoothWeights(rest.neighbours, held, weights, scratch);
      if (this.reachVolume(particles, way, obstacles) || !colliding.some(Boolean)) return;
    }
  }

  /** How far free particles of a crushed body may go, at least `reach` [body sizes]. */
  private stretch(positions: Float64Array, reach: number): number {
    const { triangles, areas, size, spread } = this.rest;
    const even = Math.abs(this.target - signedVolume(positions, triangles)) / (this.meanArea * areas.length * size);
    const { inertia, mass } = this.kept;
    const wider = Math.sqrt((inertia[0] + inertia[3] + inertia[5]) / (2 * mass * spread));
    const stretch = CRUSHED_STRETCH * Math.min(1, Math.max(0, (FLAT - wider) / (FLAT - WHOLE)));
    return Math.min(REACH, Math.max(reach, stretch * even));
  }

  /** Moves positions along the weighted direction; returns whether the volume is V₀ then. */
  private reachVolume(
    particles: Shell,
    { lift, firmOnly, reach }: { lift: boolean; firmOnly: boolean; reach: number },
    obstacles?: VolumeObstacles,
  ): boolean {
    const { positions, masses } = particles;
    const { weights, direction, candidates, held, before, fits, rest, cubic } = this;
    this.writeOutward(positions, false);
    let reached = false;
    for (let round = 0; round < CONTACT_ROUNDS; round++) {
      writeDirection(positions, masses, this.outward, weights, direction, particles.anchored, obstacles?.support);
      if (lift) obstacles?.lift(direction, firmOnly);
      const longest = longestVector(direction);
      if (longest === 0) return false;
      volumeCubic(positions, direction, rest.triangles, cubic);
      const lambda = solveCubic(cubic, 6 * this.target, (reach * rest.size) / longest);
      const sixVolume = cubic[0] + lambda * (cubic[1] + lambda * (cubic[2] + lambda * cubic[3]));
      reached = Math.abs(sixVolume - 6 * this.target) <= REACHED * rest.volume;
      for (let k = 0; k < positions.length; k++) candidates[k] = positions[k] + lambda * direction[k];
      before.set(held);
      if (!obstacles || obstacles.forbid(candidates, held, fits, firmOnly) === 0) break;
      // What would go into an obstacle goes as far as it fits. Left where it was it would fall behind, step by step, until
      // the whole correction fits, and tremble.
      for (let i = 0, k = 0; i < held.length; i++, k += 3) {
        if (held[i] === 0) continue;
        weights[i] = 0;
        if (before[i] !== 0) continue;
        for (let c = k; c < k + 3; c++) {
          positions[c] += fits[i] * lambda * direction[c];
          candidates[c] = positions[c];
        }
      }
    }
    positions.set(candidates);
    return reached;
  }

  /**
   * Step 5: v ← v + μ·d with Σ v·n̄ = 0, counting only what obstacles let pass. The pressure acts on particles in contact
   * as well: it presses them against the obstacle, which takes it in the next step's contact (so that friction and
   * reaction feel it), and μ grows until the others make up the flux. Obstacles and friction make the flux a bent function
   * of μ, so the root is found by secants; a free body's flux is linear and the first step is exact.
   */
  private conserveVelocities(
    particles: Shell,
    pinned: Uint8Array,
    colliding: Uint8Array,
    obstacles?: VolumeObstacles,
  ): void {
    const { positions, velocities, masses } = particles;
    const { weights, direction, rest } = this;
    this.writeOutward(positions, true);
    weights.set(this.shares);
    smoothWeights(rest.neighbours, pinned, weights, this.scratch);
    writeDirection(positions, masses, this.outward, weights, direction, particles.anchored);
    const gain = this.gainOf(direction);
    if (!(gain > 0)) return;
    this.addFreeDirection(particles, pinned, colliding, gain, obstacles?.support);
    let mu = 0;
    let flux = this.fluxAt(velocities, mu, obstacles);
    let next = -flux / gain;
    let best = mu;
    let bestFlux = Math.abs(flux);
    for (let round = 0; round < FLUX_ROUNDS && next !== mu && flux !== 0; round++) {
      const nextFlux = this.fluxAt(velocities, next, obstacles);
      if (Math.abs(nextFlux) < bestFlux) {
        best = next;
        bestFlux = Math.abs(nextFlux);
      }
      const slope = (nextFlux - flux) / (next - mu);
      mu = next;
      flux = nextFlux;
      // Where the secant does not rise, no obstacle explains the flux: the free gain is the slope to go by.
      next = mu - flux / (slope > 0 ? slope : gain);
    }
    for (let k = 0; k < velocities.length; k++) velocities[k] += best * direction[k];
  }

  /** Σ d·n̄, over all particles or without the marked ones. */
  private gainOf(direction: Float64Array, without?: Uint8Array): number {
    const { normals } = this;
    let gain = 0;
    for (let i = 0, k = 0; k < direction.length; i++, k += 3) {
      if (without && without[i] !== 0) continue;
      gain += direction[k] * normals[k] + direction[k + 1] * normals[k + 1] + direction[k + 2] * normals[k + 2];
    }
    return gain;
  }

  /**
   * Local weights may gather where the body touches an obstacle, which lets nothing of them pass: the few free particles
   * with little weight would have to make up the flux at any speed (a standing duck was thrown into the air). So particles
   * that are free share evenly in what is missing to half of the gain.
   */
  private addFreeDirection(
    { positions, masses, anchored }: Shell,
    pinned: Uint8Array,
    colliding: Uint8Array,
    gain: number,
    support?: ArrayLike<number>,
  ): void {
    const { held, weights, direction, candidates, rest } = this;
    for (let i = 0; i < held.length; i++) held[i] = pinned[i] | colliding[i];
    const missing = FREE_GAIN * gain - this.gainOf(direction, held);
    if (!(missing > 0)) return;
    weights.fill(1 / weights.length);
    smoothWeights(rest.neighbours, held, weights, this.scratch);
    writeDirection(positions, masses, this.outward, weights, candidates, anchored, support);
    const free = this.gainOf(candidates);
    if (!(free > 0)) return;
    for (let k = 0; k < direction.length; k++) direction[k] += (missing / free) * candidates[k];
  }

  /** Σ v·n̄ of v + μ·d, counting what obstacles let pass. */
  private fluxAt(velocities: Float64Array, mu: number, obstacles?: VolumeObstacles): number {
    const { candidates, direction, normals } = this;
    for (let k = 0; k < velocities.length; k++) candidates[k] = velocities[k] + mu * direction[k];
    obstacles?.stop(candidates);
    let flux = 0;
    for (let k = 0; k < candidates.length; k++) flux += candidates[k] * normals[k];
    return flux;
  }

  /**
   * n̄ (area-weighted normals) and the outward direction. For positions the push field, turned with the regions, or where the
   * elasticity has none the unit normal × smooth rest area; for velocities `even`, unit normal × mean area. Masses go by area,
   * so even directions are those of n̄ over mass: with even weights the velocity correction is then a projection, which cannot
   * add energy. (With areas, a duck of uneven triangles standing on the floor swung higher and higher.)
   */
  private writeOutward(positions: Float64Array, even: boolean): void {
    const { normals, outward, rest, rotations } = this;
    const { pushAreas, pushes, triangles } = rest;
    vertexNormals(positions, triangles, normals);
    if (!even && pushes && rotations) writeTurnedPushes(rest, pushes, rotations, normals, this.straight, outward);
    else writeNormalPushes(rest, normals, even ? () => this.meanArea : (i) => pushAreas[i], outward);
  }
}

function longestVector(vectors: Float64Array): number {
  let longest2 = 0;
  for (let k = 0; k < vectors.length; k += 3) {
    longest2 = Math.max(longest2, vectors[k] ** 2 + vectors[k + 1] ** 2 + vectors[k + 2] ** 2);
  }
  return Math.sqrt(longest2);
}
