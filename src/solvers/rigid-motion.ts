// Linear and angular momentum of particles, and the rigid velocity field that restores them.
// Every internal stage (match, damp, conserve) must leave Σ m v and Σ m x×v as it found them; the field a + b×r that
// does so changes neither shape nor volume flux.

import { solveSymmetric } from '../math/mat3.js';
import { INERTIA_FLOOR } from './tuning.js';

/** Momentum of particles; angular momentum and inertia are about the centre of mass. */
export interface RigidMotion {
  mass: number;
  readonly centre: Float64Array;
  readonly linear: Float64Array;
  readonly angular: Float64Array;
  /** xx, xy, xz, yy, yz, zz */
  readonly inertia: Float64Array;
}

export const createRigidMotion = (): RigidMotion => ({
  mass: 0,
  centre: new Float64Array(3),
  linear: new Float64Array(3),
  angular: new Float64Array(3),
  inertia: new Float64Array(6),
});

/** Σ m, centre of mass, Σ m v, Σ m r×v and inertia, with r from the centre of mass. */
export function measureRigidMotion(
  positions: Float64Array,
  velocities: Float64Array,
  masses: Float64Array,
  out: RigidMotion,
): RigidMotion {
  let mass = 0;
  let cx = 0;
  let cy = 0;
  let cz = 0;
  let px = 0;
  let py = 0;
  let pz = 0;
  // Relative to the first particle, so that the sums keep their digits far from the origin.
  const ox = positions[0];
  const oy = positions[1];
  const oz = positions[2];
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    const m = masses[i];
    mass += m;
    cx += m * (positions[k] - ox);
    cy += m * (positions[k + 1] - oy);
    cz += m * (positions[k + 2] - oz);
    px += m * velocities[k];
    py += m * velocities[k + 1];
    pz += m * velocities[k + 2];
  }
  cx = ox + cx / mass;
  cy = oy + cy / mass;
  cz = oz + cz / mass;
  const vx = px / mass;
  const vy = py / mass;
  const vz = pz / mass;
  let lx = 0;
  let ly = 0;
  let lz = 0;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    const m = masses[i];
    const rx = positions[k] - cx;
    const ry = positions[k + 1] - cy;
    const rz = positions[k + 2] - cz;
    const ux = velocities[k] - vx;
    const uy = velocities[k + 1] - vy;
    const uz = velocities[k + 2] - vz;
    lx += m * (ry * uz - rz * uy);
    ly += m * (rz * ux - rx * uz);
    lz += m * (rx * uy - ry * ux);
    xx += m * (ry * ry + rz * rz);
    yy += m * (rx * rx + rz * rz);
    zz += m * (rx * rx + ry * ry);
    xy -= m * rx * ry;
    xz -= m * rx * rz;
    yz -= m * ry * rz;
  }
  out.mass = mass;
  out.centre.set([cx, cy, cz]);
  out.linear.set([px, py, pz]);
  out.angular.set([lx, ly, lz]);
  out.inertia.set([xx, xy, xz, yy, yz, zz]);
  return out;
}

const now = createRigidMotion();
const turn = new Float64Array(3);
const missing = new Float64Array(3);

/** Adds the rigid field a + b×r to v so that Σ m v and Σ m r×v (r about x's centre of mass) equal those of `kept`. */
export function restoreRigidMotion(
  positions: Float64Array,
  velocities: Float64Array,
  masses: Float64Array,
  kept: RigidMotion,
): void {
  measureRigidMotion(positions, velocities, masses, now);
  const ax = (kept.linear[0] - now.linear[0]) / now.mass;
  const ay = (kept.linear[1] - now.linear[1]) / now.mass;
  const az = (kept.linear[2] - now.linear[2]) / now.mass;
  for (let c = 0; c < 3; c++) missing[c] = kept.angular[c] - now.angular[c];
  const trace = now.inertia[0] + now.inertia[3] + now.inertia[5];
  solveSymmetric(now.inertia, INERTIA_FLOOR * trace, missing, turn);
  const [bx, by, bz] = turn;
  const [cx, cy, cz] = now.centre;
  for (let k = 0; k < velocities.length; k += 3) {
    const rx = positions[k] - cx;
    const ry = positions[k + 1] - cy;
    const rz = positions[k + 2] - cz;
    velocities[k] += ax + by * rz - bz * ry;
    velocities[k + 1] += ay + bz * rx - bx * rz;
    velocities[k + 2] += az + bx * ry - by * rx;
  }
}
