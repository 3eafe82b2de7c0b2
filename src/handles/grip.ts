// A grip holds a body at a point of its surface and draws it towards a target, as a hand or the mouse does.
//
// The body is drawn by a critically damped spring that acts before the step as an impulse at the point: on the whole body as
// on a rigid one, and on the patch of surface around the point, which leads. Contact, volume and elasticity then act as ever,
// so a body that is drawn into an obstacle stays outside of it. Each impulse only takes a share, at most all, of the
// difference between the velocity there is and the one wanted: no mass, stiffness or step makes it overshoot. (Through the
// patch alone the force is bounded by the patch's mass: a small one let a body sag by its size and swing for seconds.)

import { captureFields, type StateTree } from '../math/state-tree.js';
import { scale, subtract, type Vec3 } from '../math/vec3.js';
import { impulseFor, type PushableBody, RigidHandle, sumMomentum } from './rigid-handle.js';

/** How far a body hangs below its target in its own weight, in body sizes; decides how stiff the grip is. */
const SAG = 0.04;
/** Furthest that a target is felt, in body sizes; beyond it the force no longer grows. */
const REACH = 1;
/** Fastest that it wants the point to move, in body sizes per step: what is pressed harder against an obstacle goes flat. */
const FASTEST = 0.25;
/** Least acceleration that it is made for [m/s²]: weightless bodies are held as on earth. */
const LEAST_GRAVITY = 9.81;
/** How much faster than the body the patch goes to the target: how far a soft body stretches. */
const PATCH_LEAD = 8;
/** Rate at which the middle of the patch takes the velocity wanted [1/s]: half in a step of 5 ms. */
const PATCH_RATE = 200;
/** How much slower than the spring's motion turning about the point is damped. */
const TURN_SHARE = 0.1;

/** What a grip needs of a body, in the mesh's own vertex order. */
export interface GrippedBody extends PushableBody {
  readonly grips: readonly PatchGrip[];
}

/** What of a grip outlives a step. */
const STATE = ['handle', 'impulse', 'corners', 'barycentrics', 'vertices', 'weights', 'target'];

/** A patch of a body's surface that is drawn towards a target. */
export class PatchGrip {
  /** Number by which snapshots know it. */
  handle = 0;
  /** Momentum that it gave to the body in the last step [kg m/s]. */
  readonly impulse = new Float64Array(3);

  /**
   * @param corners vertices of the triangle that was gripped, and the weights of the point in it.
   * @param vertices the patch around it, and how much each takes part, up to 1.
   * @param target where the point is drawn to [m].
   */
  constructor(
    readonly corners: Uint32Array,
    readonly barycentrics: Float64Array,
    readonly vertices: Uint32Array,
    readonly weights: Float64Array,
    readonly target: Float64Array,
  ) {}

  /** Grips another triangle, and the patch around it by vertex and how much each takes part. */
  replace(corners: Uint32Array, barycentrics: Float64Array, patch: ReadonlyMap<number, number>): void {
    const [vertices, weights] = [Uint32Array.from(patch.keys()), Float64Array.from(patch.values())];
    Object.assign(this, { corners, barycentrics, vertices, weights });
  }

  /** What a snapshot holds of it. */
  capture(): { [key: string]: StateTree } {
    return captureFields(this, { only: STATE });
  }

  /** Where the gripped point is [m]. */
  pointOn(positions: ArrayLike<number>): Vec3 {
    const point: [number, number, number] = [0, 0, 0];
    this.corners.forEach((vertex, n) => {
      for (let c = 0; c < 3; c++) point[c] += this.barycentrics[n] * positions[3 * vertex + c];
    });
    return point;
  }

  /** Changes the body's velocities for a step of `timeStep` [s] in this gravity [m/s²]. */
  pull(body: GrippedBody, gravity: Vec3, timeStep: number): void {
    const { positions, velocities, masses } = body;
    const { size } = body.prepared.volume;
    const strength = Math.max(LEAST_GRAVITY, Math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2));
    // v̇ = −a·(v − e/τ) is critically damped for a·τ = 4, and hangs by 4·g/a².
    const rate = Math.sqrt((4 * strength) / (SAG * size));
    const time = Math.max(4 / rate, timeStep);
    // Implicit, so that a stiff grip takes all and never more.
    const share = (rate * timeStep) / (1 + rate * timeStep);
    const turnShare = (TURN_SHARE * rate * timeStep) / (1 + TURN_SHARE * rate * timeStep);
    const point = this.pointOn(positions);
    const away: Vec3 = [this.target[0] - point[0], this.target[1] - point[1], this.target[2] - point[2]];
    const distance = Math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2);
    const fastest = Math.min((REACH * size) / time, (FASTEST * size) / timeStep);
    if (!Number.isFinite(distance)) return;
    const wanted = scale(away, distance > 0 ? Math.min(1 / time, fastest / distance) : 0);
    const leading = scale(away, distance > 0 ? Math.min(PATCH_LEAD / time, (2 * fastest) / distance) : 0);
    const before = sumMomentum(body);
    // What gravity is about to add counts as well: small bodies would hang by half of it.
    const rigid = new RigidHandle(body, this.corners);
    const missing = subtract(subtract(wanted, scale(gravity, timeStep)), rigid.velocityAt(point));
    rigid.push(point, impulseFor(rigid.responseAt(point), scale(missing, share)), turnShare);
    this.pullPatch(velocities, masses, leading, (PATCH_RATE * timeStep) / (1 + PATCH_RATE * timeStep));
    const after = sumMomentum(body);
    for (let c = 0; c < 3; c++) this.impulse[c] += after[c] - before[c];
  }

  private pullPatch(velocities: GrippedBody['velocities'], masses: Float64Array, wanted: Vec3, share: number): void {
    const { vertices, weights } = this;
    for (let c = 0; c < 3; c++) {
      let mass = 0;
      let sum = 0;
      vertices.forEach((vertex, n) => {
        mass += weights[n] * masses[vertex];
        sum += weights[n] * masses[vertex] * velocities[3 * vertex + c];
      });
      const change = share * (wanted[c] - sum / mass);
      vertices.forEach((vertex, n) => {
        velocities[3 * vertex + c] += weights[n] * change;
      });
    }
  }
}

/** All grips of a body draw it for one substep. */
export function pullGrips(body: GrippedBody, gravity: Vec3, timeStep: number): void {
  if (body.grips.length === 0) return;
  for (const grip of body.grips) grip.pull(body, gravity, timeStep);
  body.loadVelocities();
}
