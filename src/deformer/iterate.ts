// The iteration of the 2011 short paper [CDD11], for previews and for the record: collide, restore the volume of every tetrahedron, stiffen,
// carry, again. It has no steady state: stiffness is a rate here, nothing holds the body in its place, and where it is stopped decides
// what is seen.

import { solveSymmetric } from '../math/mat3.js';
import { sixVolumeOf } from './elastic-energy.js';
import type { FrameEnergy, FrameProblem } from './frame-energy.js';
import type { DeformerSettings } from './settings.js';
import { type Graph, graphOf } from './sparse-graph.js';

/**
 * Share of the volume step that is taken. Each tetrahedron is corrected by its four vertices at once, so 1/4 never overshoots and from
 * 1/2 on the iteration may grow: with 1 a ball pressed into a sphere left 175 inverted tetrahedra.
 */
export const VOLUME_SHARE = 0.25;
/** Added to the normal equations, over their trace: from 1e-12 to 1e-2 it made no difference. */
const REGULARISATION = 1e-4;
/** Stiffest rate: at 1 the ends of an edge swing about each other. */
const STIFFEST = 0.95;

/** Share of the way to their lengths that edges go in an iteration. */
export const stiffnessOf = (reach: number): number => Math.min(STIFFEST, reach);
/** Longest move of a vertex in one iteration, in mean edges of the helper mesh [CDD11 §3.1]. */
const LONGEST = 0.5;

export interface Iteration {
  readonly rounds: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly x: Float64Array;
  /** Largest coordinate of the last iteration on the surface [half sizes]. */
  readonly lastChange: number;
}

/** @param volumeShare of the volume step. */
export function iterateFrame(
  problem: FrameProblem,
  energy: FrameEnergy,
  settings: Pick<DeformerSettings, 'reach' | 'iterations' | 'tolerance'>,
  volumeShare = VOLUME_SHARE,
): Iteration {
  const { rest, surface } = problem;
  const x = rest.slice();
  const state = new IterationState(problem);
  const stiffness = stiffnessOf(settings.reach);
  let before = surface.slice();
  let after = surface.slice();
  let lastChange = Infinity;
  let iterations = 0;
  for (; iterations < settings.iterations && lastChange > settings.tolerance; iterations++) {
    state.begin(x);
    state.collide(x, after);
    state.restoreVolumes(x, volumeShare);
    state.stiffen(x, stiffness);
    state.limit(x);
    [before, after] = [after, before];
    energy.carry(x, after);
    lastChange = 0;
    for (let i = 0; i < after.length; i++) lastChange = Math.max(lastChange, Math.abs(after[i] - before[i]));
  }
  return { rounds: 1, iterations, converged: lastChange <= settings.tolerance, x, lastChange };
}

/** The way of a vertex out of the colliders. */
const push = new Float64Array(3);

class IterationState {
  private readonly edges: HelperEdges;
  private readonly restVolumes: Float64Array;
  private readonly begun: Float64Array;
  private readonly moves: Float64Array;
  private readonly shares: Float64Array;
  /** Normal equations per vertex: xx, xy, xz, yy, yz, zz. */
  private readonly equations: Float64Array;

  constructor(private readonly problem: FrameProblem) {
    const { rest, helper } = problem;
    const { tetrahedra: t } = helper;
    const count = rest.length / 3;
    this.edges = measureEdges(rest, edgeGraph(t, count));
    this.restVolumes = Float64Array.from({ length: t.length / 4 }, (_, i) => sixVolumeOf(rest, t, i));
    this.begun = new Float64Array(rest.length);
    this.moves = new Float64Array(rest.length);
    this.shares = new Float64Array(count);
    this.equations = new Float64Array(6 * count);
  }

  begin(x: Float64Array): void {
    this.begun.set(x);
  }

  /** Vertices of the surface inside colliders go to the nearest point; the helper mesh takes the weighted mean of those it carries. */
  collide(x: Float64Array, carried: Float64Array): void {
    const { helper, contacts } = this.problem;
    const { tetrahedra, carriers, weights } = helper;
    const { moves, shares } = this;
    moves.fill(0);
    shares.fill(0);
    for (let v = 0; v < carriers.length; v++) {
      push.fill(0);
      if (!contacts.pushNearest(carried, v, push)) continue;
      for (let k = 0; k < 4; k++) {
        const corner = tetrahedra[4 * carriers[v] + k];
        const weight = weights[4 * v + k];
        shares[corner] += weight;
        for (let c = 0; c < 3; c++) moves[3 * corner + c] += weight * push[c];
      }
    }
    for (let i = 0; i < x.length; i++) {
      const share = shares[Math.floor(i / 3)];
      if (share > 1e-12) x[i] += moves[i] / share;
    }
  }

  /** Least squares over the tetrahedra at each vertex: ∇V·δ = V₀ − V. */
  restoreVolumes(x: Float64Array, share: number): void {
    const { tetrahedra: t } = this.problem.helper;
    const { equations: e, moves, restVolumes } = this;
    e.fill(0);
    moves.fill(0);
    const g = new Float64Array(12);
    for (let i = 0; i < restVolumes.length; i++) {
      const missing = restVolumes[i] - sixVolumeOf(x, t, i);
      writeVolumeGradients(x, t, i, g);
      for (let k = 0; k < 4; k++) {
        const v = t[4 * i + k];
        const [gx, gy, gz] = [g[3 * k], g[3 * k + 1], g[3 * k + 2]];
        e[6 * v] += gx * gx;
        e[6 * v + 1] += gx * gy;
        e[6 * v + 2] += gx * gz;
        e[6 * v + 3] += gy * gy;
        e[6 * v + 4] += gy * gz;
        e[6 * v + 5] += gz * gz;
        moves[3 * v] += gx * missing;
        moves[3 * v + 1] += gy * missing;
        moves[3 * v + 2] += gz * missing;
      }
    }
    const step = new Float64Array(3);
    for (let v = 0; 3 * v < x.length; v++) {
      const m = e.subarray(6 * v, 6 * v + 6);
      solveSymmetric(m, REGULARISATION * (m[0] + m[3] + m[5]), moves.subarray(3 * v, 3 * v + 3), step);
      for (let c = 0; c < 3; c++) x[3 * v + c] += share * step[c];
    }
  }

  /** Each vertex goes towards the mean of where its edges would have their lengths. */
  stiffen(x: Float64Array, stiffness: number): void {
    const { moves } = this;
    const { starts, neighbours, lengths } = this.edges;
    for (let i = 0; i + 1 < starts.length; i++) {
      let [sx, sy, sz] = [0, 0, 0];
      for (let n = starts[i]; n < starts[i + 1]; n++) {
        const j = 3 * neighbours[n];
        const dx = x[3 * i] - x[j];
        const dy = x[3 * i + 1] - x[j + 1];
        const dz = x[3 * i + 2] - x[j + 2];
        const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const change = size > 0 ? lengths[n] / size - 1 : 0;
        sx += change * dx;
        sy += change * dy;
        sz += change * dz;
      }
      const share = stiffness / (starts[i + 1] - starts[i]);
      moves[3 * i] = share * sx;
      moves[3 * i + 1] = share * sy;
      moves[3 * i + 2] = share * sz;
    }
    for (let i = 0; i < x.length; i++) x[i] += moves[i];
  }

  /** No vertex moves farther in one iteration than it may. */
  limit(x: Float64Array): void {
    const { begun } = this;
    const { longest } = this.edges;
    for (let i = 0; i < x.length; i += 3) {
      const dx = x[i] - begun[i];
      const dy = x[i + 1] - begun[i + 1];
      const dz = x[i + 2] - begun[i + 2];
      const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (size <= longest) continue;
      x[i] = begun[i] + (dx * longest) / size;
      x[i + 1] = begun[i + 1] + (dy * longest) / size;
      x[i + 2] = begun[i + 2] + (dz * longest) / size;
    }
  }
}

/** Edges at each vertex of a helper mesh, with their lengths before contact, and how far a vertex may move in an iteration. */
export interface HelperEdges extends Graph {
  readonly lengths: Float64Array;
  readonly longest: number;
}

/** Which of so many vertices edges of tetrahedra join. */
export function edgeGraph(tetrahedra: Uint32Array, count: number): Graph {
  const [a, b]: number[][] = [[], []];
  for (let i = 0; i < tetrahedra.length; i += 4) {
    for (let j = 0; j < 4; j++) {
      for (let k = 0; k < j; k++) {
        a.push(tetrahedra[i + j]);
        b.push(tetrahedra[i + k]);
      }
    }
  }
  return graphOf(count, a, b);
}

export function measureEdges(rest: Float64Array, { starts, neighbours }: Graph): HelperEdges {
  const lengths = new Float64Array(neighbours.length);
  let sum = 0;
  for (let i = 0; i + 1 < starts.length; i++) {
    for (let n = starts[i]; n < starts[i + 1]; n++) {
      lengths[n] = distance(rest, i, neighbours[n]);
      sum += lengths[n];
    }
  }
  return { starts, neighbours, lengths, longest: (LONGEST * sum) / lengths.length };
}

function distance(x: Float64Array, i: number, j: number): number {
  const dx = x[3 * i] - x[3 * j];
  const dy = x[3 * i + 1] - x[3 * j + 1];
  const dz = x[3 * i + 2] - x[3 * j + 2];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Gradients of six times the volume with respect to each corner. */
function writeVolumeGradients(x: Float64Array, t: Uint32Array, tet: number, out: Float64Array): void {
  const a = 3 * t[4 * tet];
  const b = 3 * t[4 * tet + 1];
  const c = 3 * t[4 * tet + 2];
  const d = 3 * t[4 * tet + 3];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const [wx, wy, wz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]];
  out[3] = vy * wz - vz * wy;
  out[4] = vz * wx - vx * wz;
  out[5] = vx * wy - vy * wx;
  out[6] = wy * uz - wz * uy;
  out[7] = wz * ux - wx * uz;
  out[8] = wx * uy - wy * ux;
  out[9] = uy * vz - uz * vy;
  out[10] = uz * vx - ux * vz;
  out[11] = ux * vy - uy * vx;
  for (let k = 0; k < 3; k++) out[k] = -(out[3 + k] + out[6 + k] + out[9 + k]);
}
