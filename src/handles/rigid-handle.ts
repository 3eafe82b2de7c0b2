// A body taken as rigid for a moment: how a point of it moves, and how an impulse there changes the motion of all of it.

import { solveSymmetric } from '../math/mat3.js';
import { add, cross, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import type { InnerMass } from '../solvers/inner-mass.js';
import type { RigidField } from '../solvers/model.js';
import { createRigidMotion, measureRigidMotion, type RigidMotion } from '../solvers/rigid-motion.js';

/** Relative floor on inertia and response: bodies that are flattened or collapsed stay solvable. */
const FLOOR = 1e-10;

/** What can be pushed from outside between two steps, in the mesh's own vertex order. */
export interface PushableBody {
  readonly prepared: {
    readonly volume: { readonly size: number };
    readonly parts: readonly { readonly first: number; readonly count: number }[];
  };
  /** The particle of each vertex: parts are runs of these. */
  readonly places: Uint32Array;
  readonly positions: Float64Array | Float32Array;
  readonly velocities: Float64Array | Float32Array;
  readonly masses: Float64Array;
  /** What of its mass is not on its shell. */
  readonly innerMass?: InnerMass;
  /** Of a body with mass inside: adds a rigid velocity field to all of it, `velocities` included. */
  push(field: RigidField): void;
  /** Takes over what was added to `velocities`. */
  loadVelocities(): void;
}

/** Everything of a body that has mass: its shell, and what is inside. */
export function massesOf(body: PushableBody): readonly Pick<PushableBody, 'positions' | 'velocities' | 'masses'>[] {
  const { innerMass } = body;
  return innerMass ? [body, { ...innerMass.inner, masses: innerMass.masses }] : [body];
}

/** Mass of all of a body [kg]. */
export function massOf(body: Pick<PushableBody, 'masses' | 'innerMass'>): number {
  const shell = body.masses.reduce((sum, m) => sum + m, 0);
  return body.innerMass ? body.innerMass.masses.reduce((sum, m) => sum + m, shell) : shell;
}

/** Room for positions and velocities in double precision. */
let wide = { positions: new Float64Array(0), velocities: new Float64Array(0) };

/** Mass, centre, momentum and inertia of all of a body. */
export function measureWhole(body: PushableBody, out: RigidMotion): RigidMotion {
  if (body.innerMass) return body.innerMass.measure(body, out);
  return measureShell(body, body.masses, out);
}

/** The same of its shell, of vertices of these masses. */
function measureShell({ positions, velocities }: PushableBody, masses: Float64Array, out: RigidMotion): RigidMotion {
  const { length } = positions;
  if (wide.positions.length < length)
    wide = { positions: new Float64Array(length), velocities: new Float64Array(length) };
  wide.positions.set(positions);
  wide.velocities.set(velocities);
  return measureRigidMotion(wide.positions, wide.velocities, masses, out);
}

/**
 * Masses of the vertices of the one part that holds all of these, 0 for the others; undefined where the body is taken as a whole: it
 * is one part, has mass inside, or is held by several.
 */
function massesOfPart({ prepared, places, masses, innerMass }: PushableBody, held: ArrayLike<number>) {
  if (prepared.parts.length === 1 || innerMass) return undefined;
  const part = prepared.parts.find(({ first, count }) =>
    Array.from(held).every((vertex) => places[vertex] >= first && places[vertex] < first + count),
  );
  return part && masses.map((m, i) => (places[i] >= part.first && places[i] < part.first + part.count ? m : 0));
}

/** Response of a point's velocity to an impulse there: xx, xy, xz, yy, yz, zz [1/kg]. */
export type Response = readonly [number, number, number, number, number, number];

export class RigidHandle {
  private readonly motion = createRigidMotion();
  /** Angular velocity [rad/s]. */
  private spin: Vec3 = [0, 0, 0];
  /** Of a body of several closed parts: the masses of the one that is taken as rigid, 0 elsewhere. */
  private readonly partMasses: Float64Array | undefined;

  /** @param held vertices by which it is held: the part that all of them belong to is moved, else all of the body. */
  constructor(
    private readonly body: PushableBody,
    held: ArrayLike<number>,
  ) {
    this.partMasses = massesOfPart(body, held);
    if (this.partMasses) measureShell(body, this.partMasses, this.motion);
    else measureWhole(body, this.motion);
    this.spin = this.turn(pointAt(this.motion.angular, 0));
  }

  private turn(torque: Vec3): Vec3 {
    const { inertia } = this.motion;
    const out = new Float64Array(3);
    solveSymmetric(inertia, FLOOR * (inertia[0] + inertia[3] + inertia[5]), torque, out);
    return pointAt(out, 0);
  }

  private armOf(point: Vec3): Vec3 {
    return subtract(point, pointAt(this.motion.centre, 0));
  }

  /** [m/s] */
  velocityAt(point: Vec3): Vec3 {
    return add(scale(pointAt(this.motion.linear, 0), 1 / this.motion.mass), cross(this.spin, this.armOf(point)));
  }

  responseAt(point: Vec3): Response {
    const arm = this.armOf(point);
    const own = 1 / this.motion.mass;
    const swing = (axis: Vec3) => cross(this.turn(cross(arm, axis)), arm);
    const [x, y, z] = [swing([1, 0, 0]), swing([0, 1, 0]), swing([0, 0, 1])];
    return [own + x[0], x[1], x[2], own + y[1], y[2], own + z[2]];
  }

  /** Changes the body's velocities by an impulse at a point, and takes `turnShare` of its turning. */
  push(point: Vec3, impulse: Vec3, turnShare = 0): void {
    const { positions, velocities } = this.body;
    const { centre, mass } = this.motion;
    const change = this.turn(cross(this.armOf(point), impulse));
    const [tx, ty, tz] = subtract(change, scale(add(this.spin, change), turnShare));
    if (!Number.isFinite(tx + ty + tz + impulse[0] + impulse[1] + impulse[2])) return;
    if (this.body.innerMass) {
      this.body.push({ linear: scale(impulse, 1 / mass), angular: [tx, ty, tz], about: pointAt(centre, 0) });
      return;
    }
    for (let k = 0; k < velocities.length; k += 3) {
      if (this.partMasses && this.partMasses[k / 3] === 0) continue;
      const rx = positions[k] - centre[0];
      const ry = positions[k + 1] - centre[1];
      const rz = positions[k + 2] - centre[2];
      velocities[k] += impulse[0] / mass + ty * rz - tz * ry;
      velocities[k + 1] += impulse[1] / mass + tz * rx - tx * rz;
      velocities[k + 2] += impulse[2] / mass + tx * ry - ty * rx;
    }
  }
}

/** The impulse that changes a velocity by `change` against this response. */
export function impulseFor(response: Response, change: Vec3): Vec3 {
  const out = new Float64Array(3);
  solveSymmetric(response, FLOOR * (response[0] + response[3] + response[5]), change, out);
  return pointAt(out, 0);
}

export function sumMomentum(body: PushableBody): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (const { velocities, masses } of massesOf(body)) {
    for (let i = 0; i < masses.length; i++) for (let c = 0; c < 3; c++) sum[c] += masses[i] * velocities[3 * i + c];
  }
  return sum;
}
