// Contact that the shaders do not resolve reliably: bodies that lie deep in each other, that meet fast for how thin they are, or that touch
// themselves. Where the host knows where bodies are, a step with such contact is the kernels', in WebAssembly.

import { findBodyPairs } from '../../contact/broad-phase/body-pairs.js';
import { type Groups, mayTouch } from '../../contact/groups.js';
import { LEAVE_TIME } from '../../contact/soft/tuning.js';
import { cross, distance, dot, pointAt, scale, subtract, type Vec3 } from '../../math/vec3.js';
import { boundsOf } from '../../mesh/measure.js';
import type { Prepared } from '../../solvers/solver.js';

/** Way towards each other in a step from which on bodies meet fast, in thicknesses of the thinner one. */
const FAST = 0.25;
/** Vertices per step that are asked whether they lie inside another body, where the shaders do not look that deep. */
const PROBES = 8;

/** A body as the host knows it. */
interface SeenBody {
  readonly prepared: Prepared;
  readonly contactSettings: Groups;
  readonly asleep: boolean;
  /** In the mesh's own order [m], [m/s]. */
  readonly positions: Float32Array;
  readonly velocities: Float32Array;
}

/** What was seen in the last step. */
export interface SeenContact {
  /** Bodies lie deep in each other. */
  readonly deep: boolean;
  /** A body touches itself. */
  readonly own: boolean;
}

/** Thickness of a plate with its volume and surface [m]. */
const thicknesses = new WeakMap<Prepared, number>();
export function thicknessOf(prepared: Prepared): number {
  const known = thicknesses.get(prepared);
  if (known !== undefined) return known;
  const { areas, volume } = prepared.volume;
  const thickness = (2 * volume) / areas.reduce((sum, area) => sum + area, 0);
  thicknesses.set(prepared, thickness);
  return thickness;
}

export class HardContact {
  private why: string | undefined;
  /** For how long nothing of it has been seen [s]. */
  private calm = Number.POSITIVE_INFINITY;
  private seen: SeenContact = { deep: false, own: false };
  private turn = 0;

  /** What the last step found, on the GPU or in WebAssembly. */
  note(seen: SeenContact): void {
    this.seen = seen;
  }

  /** Why the next step is not for the GPU, from where bodies are now. Steps go back to it once bodies have been calm for as long as they take to part. */
  findWhy(bodies: readonly SeenBody[], timeStep: number): string | undefined {
    const found = this.find(bodies, timeStep);
    this.calm = found ? 0 : this.calm + timeStep;
    if (found) this.why = found;
    else if (this.calm > LEAVE_TIME) this.why = undefined;
    return this.why;
  }

  private find(bodies: readonly SeenBody[], timeStep: number): string | undefined {
    if (this.seen.own) return 'a body touches itself';
    if (bodies.length < 2) return undefined;
    if (this.seen.deep) return 'bodies lie deep in each other';
    const motions = bodies.map((body) => scale(meanOf(body.velocities), timeStep));
    const pairs = pairsOf(bodies, motions);
    const isFast = (i: number, j: number) => {
      const thin = Math.min(thicknessOf(bodies[i].prepared), thicknessOf(bodies[j].prepared));
      return distance(motions[i], motions[j]) > FAST * thin;
    };
    if (pairs.some(([i, j]) => isFast(i, j))) return 'bodies meet fast for how thin they are';
    return this.probe(bodies, pairs) ? 'bodies lie deep in each other' : undefined;
  }

  /** Asks a few vertices, by turns. */
  private probe(bodies: readonly SeenBody[], pairs: readonly (readonly [number, number])[]): boolean {
    for (let n = 0; n < Math.min(PROBES, 2 * pairs.length); n++) {
      this.turn++;
      const pair = pairs[this.turn % pairs.length];
      const side = Math.trunc(this.turn / pairs.length) % 2;
      const [own, other] = [bodies[pair[side]], bodies[pair[1 - side]]];
      const vertex = (7919 * this.turn) % (own.positions.length / 3);
      if (isInside(own.positions.subarray(3 * vertex, 3 * vertex + 3), other)) return true;
    }
    return false;
  }
}

function meanOf(vectors: Float32Array): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < vectors.length; k++) sum[k % 3] += vectors[k];
  return scale(sum, 3 / vectors.length);
}

/** Bodies that may touch in the next step: their boxes, and where these go, overlap. */
function pairsOf(bodies: readonly SeenBody[], motions: readonly Vec3[]): (readonly [number, number])[] {
  const boxes = new Float64Array(6 * bodies.length);
  bodies.forEach(({ positions }, n) => {
    const [low, high] = boundsOf(positions);
    for (let c = 0; c < 3; c++) {
      boxes[6 * n + c] = low[c] + Math.min(0, motions[n][c]);
      boxes[6 * n + 3 + c] = high[c] + Math.max(0, motions[n][c]);
    }
  });
  const places = findBodyPairs(boxes, bodies.length);
  const pairs: (readonly [number, number])[] = [];
  for (let n = 0; n < places.length; n += 2) {
    const [a, b] = [bodies[places[n]], bodies[places[n + 1]]];
    if ((a.asleep && b.asleep) || !mayTouch(a.contactSettings, b.contactSettings)) continue;
    pairs.push([places[n], places[n + 1]]);
  }
  return pairs;
}

/** No edge of a regular mesh lies along it. */
const RAY: Vec3 = [0.36, 0.48, 0.8];

/** Whether a body's surface winds round a point: along a ray it is met from inside more often than from outside. */
function isInside(point: Float32Array, { positions, prepared }: SeenBody): boolean {
  const [low, high] = boundsOf(positions);
  if ([0, 1, 2].some((c) => point[c] < low[c] || point[c] > high[c])) return false;
  const { triangles } = prepared.mesh;
  const at = (corner: number): Vec3 => subtract(pointAt(positions, triangles[corner]), pointAt(point, 0));
  let winding = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [at(t), at(t + 1), at(t + 2)];
    const [ab, bc, ca] = [cross(a, b), cross(b, c), cross(c, a)];
    const side = Math.sign(dot(RAY, ab));
    if (side === 0 || Math.sign(dot(RAY, bc)) !== side || Math.sign(dot(RAY, ca)) !== side) continue;
    // It is ahead where the volume between it and the point has the sign of the side.
    if (dot(a, bc) * side > 0) winding += side;
  }
  return winding > 0;
}
