// A grip holds a body at a point of its surface and draws it towards a target, as a hand or the mouse does.
//
// The body is drawn by a critically damped spring that acts before the step as an impulse at the point: on the whole body as
// on a rigid one, and on the patch of surface around the point, which leads. Contact, volume and elasticity then act as ever,
// so a body that is drawn into an obstacle stays outside of it. Each impulse only takes a share, at most all, of the
// difference between the velocity there is and the one wanted: no mass, stiffness or step makes it overshoot. (Through the
// patch alone the force is bounded by the patch's mass: a small one let a body sag by its size and swing for seconds.)

import { solveSymmetric } from '../math/mat3.js';
import { cross, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import { createRigidMotion, measureRigidMotion } from '../solvers/rigid-motion.js';

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
/** Relative floor on inertia and effective mass: bodies that are flattened or collapsed stay solvable. */
const FLOOR = 1e-10;

/** What a grip needs of a body, in the mesh's own vertex order. */
export interface GrippedBody {
  readonly prepared: { readonly volume: { readonly size: number } };
  readonly positions: Float64Array | Float32Array;
  readonly velocities: Float64Array | Float32Array;
  readonly masses: Float64Array;
  readonly grips: readonly PatchGrip[];
  loadVelocities(): void;
}

/** A patch of a body's surface that is drawn towards a target. */
export class PatchGrip {
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
    const before = sumMomentum(velocities, masses);
    // What gravity is about to add counts as well: small bodies would hang by half of it.
    const fallen: Vec3 = [timeStep * gravity[0], timeStep * gravity[1], timeStep * gravity[2]];
    pullRigidly(body, point, subtract(wanted, fallen), share, turnShare);
    this.pullPatch(velocities, masses, leading, (PATCH_RATE * timeStep) / (1 + PATCH_RATE * timeStep));
    const after = sumMomentum(velocities, masses);
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

/** All grips of a body draw it for one part of a step. */
export function pullGrips(body: GrippedBody, gravity: Vec3, timeStep: number): void {
  if (body.grips.length === 0) return;
  for (const grip of body.grips) grip.pull(body, gravity, timeStep);
  body.loadVelocities();
}

function sumMomentum(velocities: ArrayLike<number>, masses: Float64Array): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < masses.length; i++) for (let c = 0; c < 3; c++) sum[c] += masses[i] * velocities[3 * i + c];
  return sum;
}

const motion = createRigidMotion();

/** The impulse at `point` that takes `share` of the way to the velocity wanted there, were the body rigid. */
function pullRigidly(body: GrippedBody, point: Vec3, wanted: Vec3, share: number, turnShare: number): void {
  const { positions, velocities, masses } = body;
  measureRigidMotion(Float64Array.from(positions), Float64Array.from(velocities), masses, motion);
  const { mass, centre, linear, angular, inertia } = motion;
  const floor = FLOOR * (inertia[0] + inertia[3] + inertia[5]) || Number.MIN_VALUE;
  const turn = (torque: Vec3): Vec3 => {
    const out = new Float64Array(3);
    solveSymmetric(inertia, floor, Float64Array.from(torque), out);
    return pointAt(out, 0);
  };
  const arm: Vec3 = [point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]];
  const spin = turn(pointAt(angular, 0));
  const carried = cross(spin, arm);
  const missing = Float64Array.from(wanted, (v, c) => share * (v - linear[c] / mass - carried[c]));
  // Response of the point's velocity to an impulse along each axis.
  const axes: readonly Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const [x, y, z] = axes.map((axis) => {
    const swing = cross(turn(cross(arm, axis)), arm);
    return axis.map((one, c) => one / mass + swing[c]);
  });
  const impulse = new Float64Array(3);
  const response = Float64Array.of(x[0], x[1], x[2], y[1], y[2], z[2]);
  solveSymmetric(response, FLOOR * (x[0] + y[1] + z[2]), missing, impulse);
  const push = pointAt(impulse, 0);
  const change = turn(cross(arm, push));
  const turned: Vec3 = [0, 1, 2].map((c) => change[c] - turnShare * (spin[c] + change[c])) as [number, number, number];
  if (!Number.isFinite(push[0] + push[1] + push[2] + turned[0] + turned[1] + turned[2])) return;
  for (let k = 0; k < velocities.length; k += 3) {
    const rx = positions[k] - centre[0];
    const ry = positions[k + 1] - centre[1];
    const rz = positions[k + 2] - centre[2];
    velocities[k] += push[0] / mass + turned[1] * rz - turned[2] * ry;
    velocities[k + 1] += push[1] / mass + turned[2] * rx - turned[0] * rz;
    velocities[k + 2] += push[2] / mass + turned[0] * ry - turned[1] * rx;
  }
}
