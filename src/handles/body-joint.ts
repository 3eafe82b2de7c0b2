// Vertices of one body that are attached to the surface of another.
//
// Impulses before the step, equal and opposite, so that momentum goes from one to the other and none is lost: first at the
// middle of the attached patch between the two bodies taken as rigid, then between each vertex and its point of the other
// surface. (Between the vertices alone, the force is bounded by their mass: a ball that hung on a few vertices of another sank
// by a quarter of its size.)

import { captureFields, type StateTree } from '../math/state-tree.js';
import { add, cross, normalize, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import {
  createRigidMotion,
  measureRigidMotion,
  type RigidMotion,
  restoreRigidMotion,
} from '../solvers/rigid-motion.js';
import { impulseFor, massesOf, type PushableBody, type Response, RigidHandle, sumMomentum } from './rigid-handle.js';

/** Rate at which bodies take each other's velocity at the joint [1/s]: half in a step of 5 ms. */
const RATE = 200;
/** How fast vertices go to their points: the time in which a gap closes [s], as far as the step lets it. */
const CLOSING_TIME = 0.015;
/** Fastest that a gap closes, in sizes of the smaller body per step. */
const FASTEST = 0.25;
/** Sweeps over the vertices; they share few corners of triangles, so few do. */
const SWEEPS = 4;

/** What of it outlives a step; the bodies are told by their places. */
const STATE = ['vertices', 'impulse', 'corners', 'weights', 'offsets'];

/** All that has mass of two bodies, one after the other. */
function gatherPair(first: PushableBody, second: PushableBody) {
  const all = [...massesOf(first), ...massesOf(second)];
  const join = (lists: readonly ArrayLike<number>[]): Float64Array => {
    const joined = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const list of lists) {
      joined.set(list, at);
      at += list.length;
    }
    return joined;
  };
  return {
    all,
    positions: join(all.map(({ positions }) => positions)),
    velocities: join(all.map(({ velocities }) => velocities)),
    masses: join(all.map(({ masses }) => masses)),
  };
}

function measureTogether(first: PushableBody, second: PushableBody, out: RigidMotion): RigidMotion {
  const { positions, velocities, masses } = gatherPair(first, second);
  return measureRigidMotion(positions, velocities, masses, out);
}

/** A vertex that hangs over the other surface turns the pair a little; this turns it back. */
function restoreTogether(first: PushableBody, second: PushableBody, kept: RigidMotion): void {
  const { all, positions, velocities, masses } = gatherPair(first, second);
  restoreRigidMotion(positions, velocities, masses, kept);
  let at = 0;
  for (const part of all) {
    part.velocities.set(velocities.subarray(at, at + part.velocities.length));
    at += part.velocities.length;
  }
}

/**
 * Axes that go with a triangle: along its first edge, across that in its plane, along its normal. All three are needed to
 * say where a vertex is over it: where the nearest point of a surface is on an edge or a corner, the way to it is not along
 * any triangle's normal. (With the height along the normal alone, bodies at rest that were joined there were drawn by what
 * was left out: by 0.9 m, with 10⁶ N.)
 */
export function triangleFrame(a: Vec3, b: Vec3, c: Vec3): readonly [Vec3, Vec3, Vec3] {
  const along = normalize(subtract(b, a));
  const normal = normalize(cross(along, subtract(c, a)));
  return [along, cross(normal, along), normal];
}

export class BodyJoint {
  /** Momentum that the first body got from the second in the last step [kg m/s]. */
  readonly impulse = new Float64Array(3);

  /**
   * @param vertices of the first body.
   * @param corners three vertices of the second body for each of them.
   * @param weights of these three.
   * @param offsets of the vertices from their points of the second body's surface, in the frame of the triangle there [m]; see
   *   `triangleFrame`.
   */
  constructor(
    readonly first: PushableBody,
    readonly second: PushableBody,
    readonly vertices: Uint32Array,
    readonly corners: Uint32Array,
    readonly weights: Float64Array,
    readonly offsets: Float64Array,
  ) {}

  /** Holds other vertices, or others of the second body, from here on. */
  replace(held: Pick<BodyJoint, 'vertices' | 'corners' | 'weights' | 'offsets'>): void {
    Object.assign(this, held);
  }

  /** What a snapshot holds of it. */
  capture(): { [key: string]: StateTree } {
    return captureFields(this, { only: STATE });
  }

  /** Changes both bodies' velocities for a step of `timeStep` [s]. */
  pull(timeStep: number): void {
    const before = sumMomentum(this.first);
    const gaps = this.measureGaps();
    const kept = measureTogether(this.first, this.second, createRigidMotion());
    // What is not finite on one side would be so on both.
    if (![...kept.linear, ...kept.angular].every(Number.isFinite)) return;
    this.pullRigidly(gaps, timeStep);
    for (let sweep = 0; sweep < SWEEPS; sweep++) this.pullVertices(gaps, timeStep);
    restoreTogether(this.first, this.second, kept);
    const after = sumMomentum(this.first);
    for (let c = 0; c < 3; c++) this.impulse[c] += after[c] - before[c];
    this.first.loadVelocities();
    this.second.loadVelocities();
  }

  /** Gap [m] between each vertex and where it is to be. */
  private measureGaps(): Vec3[] {
    const { first, second, corners, weights, offsets } = this;
    return Array.from(this.vertices, (vertex, n) => {
      const [a, b, c] = [0, 1, 2].map((corner) => pointAt(second.positions, corners[3 * n + corner]));
      let place = add(add(scale(a, weights[3 * n]), scale(b, weights[3 * n + 1])), scale(c, weights[3 * n + 2]));
      triangleFrame(a, b, c).forEach((axis, k) => {
        place = add(place, scale(axis, offsets[3 * n + k]));
      });
      return subtract(pointAt(first.positions, vertex), place);
    });
  }

  private limit(velocity: Vec3, timeStep: number): Vec3 {
    const size = Math.min(this.first.prepared.volume.size, this.second.prepared.volume.size);
    const speed = Math.sqrt(velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2);
    const fastest = (FASTEST * size) / timeStep;
    return speed > fastest ? scale(velocity, fastest / speed) : velocity;
  }

  private pullRigidly(gaps: readonly Vec3[], timeStep: number): void {
    const count = this.vertices.length;
    let point: Vec3 = [0, 0, 0];
    let gap: Vec3 = [0, 0, 0];
    this.vertices.forEach((vertex, n) => {
      point = add(point, scale(pointAt(this.first.positions, vertex), 1 / count));
      gap = add(gap, scale(gaps[n], 1 / count));
    });
    const [a, b] = [new RigidHandle(this.first, this.vertices), new RigidHandle(this.second, this.corners)];
    const own = a.responseAt(point);
    const response = b.responseAt(point).map((entry, k) => entry + own[k]) as unknown as Response;
    const time = Math.max(4 / RATE, 2 * timeStep);
    const wanted = this.limit(scale(gap, -1 / time), timeStep);
    const missing = subtract(wanted, subtract(a.velocityAt(point), b.velocityAt(point)));
    const impulse = impulseFor(response, scale(missing, (RATE * timeStep) / (1 + RATE * timeStep)));
    a.push(point, impulse);
    b.push(point, scale(impulse, -1));
  }

  private pullVertices(gaps: readonly Vec3[], timeStep: number): void {
    const { first, second, corners, weights } = this;
    const time = Math.max(CLOSING_TIME, timeStep);
    this.vertices.forEach((vertex, n) => {
      const wanted = this.limit(scale(gaps[n], -1 / time), timeStep);
      let inverse = 1 / first.masses[vertex];
      for (let c = 3 * n; c < 3 * n + 3; c++) inverse += weights[c] ** 2 / second.masses[corners[c]];
      for (let axis = 0; axis < 3; axis++) {
        let speed = first.velocities[3 * vertex + axis];
        for (let c = 3 * n; c < 3 * n + 3; c++) speed -= weights[c] * second.velocities[3 * corners[c] + axis];
        const push = (wanted[axis] - speed) / inverse;
        if (!Number.isFinite(push)) continue;
        first.velocities[3 * vertex + axis] += push / first.masses[vertex];
        for (let c = 3 * n; c < 3 * n + 3; c++) {
          second.velocities[3 * corners[c] + axis] -= (weights[c] * push) / second.masses[corners[c]];
        }
      }
    });
  }
}
