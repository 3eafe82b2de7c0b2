// How a body moves as a whole, and what changes it: rigid motions, impulses, energy.

import type { BackendBody } from '../backends/backend.js';
import { massOf } from '../handles/rigid-handle.js';
import { expectVector } from '../math/expect.js';
import { type Quaternion, rotate } from '../math/quaternion.js';
import { add, cross, pointAt, subtract, type Vec3 } from '../math/vec3.js';
import { closestPoint, type TriangleTree } from '../mesh/triangle-tree.js';
import { createRigidMotion, measureRigidMotion } from '../solvers/rigid-motion.js';

/**
 * Replaces the motion by a rigid one: velocity [m/s] and spin [rad/s] about the centre of mass. The particles' positions are given
 * because a backend may show fewer digits of them than there are.
 */
export function moveRigidly(state: BackendBody, positions: Float64Array, velocity: Vec3, spin: Vec3): void {
  expectVector('velocity', velocity);
  expectVector('spin', spin);
  const { velocities, masses } = state;
  // Nearly all bodies begin at rest.
  if ([...velocity, ...spin].every((value) => value === 0)) {
    velocities.fill(0);
    state.load();
    return;
  }
  const motion = measureRigidMotion(positions, new Float64Array(positions.length), masses, createRigidMotion());
  const centre = pointAt(motion.centre, 0);
  for (let i = 0; i < masses.length; i++) {
    velocities.set(add(velocity, cross(spin, subtract(pointAt(positions, i), centre))), 3 * i);
  }
  state.load();
}

/** Turns a body about a point and takes that point elsewhere, velocities with it; `load` has to follow. */
export function turnAbout({ positions, velocities }: BackendBody, from: Vec3, to: Vec3, rotation: Quaternion): void {
  for (let i = 0; 3 * i < positions.length; i++) {
    positions.set(add(to, rotate(rotation, subtract(pointAt(positions, i), from))), 3 * i);
    velocities.set(rotate(rotation, pointAt(velocities, i)), 3 * i);
  }
}

/** Adds a momentum [kg m/s], to the whole body or at the point of its surface nearest to `point` [m]. */
export function pushBody(state: BackendBody, surface: TriangleTree, impulse: Vec3, point?: Vec3): void {
  expectVector('impulse', impulse);
  if (point) expectVector('point', point);
  const { velocities, masses } = state;
  if (!point && state.innerMass) {
    const mass = massOf(state);
    const linear: Vec3 = [impulse[0] / mass, impulse[1] / mass, impulse[2] / mass];
    state.push({ linear, angular: [0, 0, 0], about: [0, 0, 0] });
    return;
  }
  if (!point) {
    const mass = massOf(state);
    for (let k = 0; k < velocities.length; k++) velocities[k] += impulse[k % 3] / mass;
  } else {
    // The corners of the triangle there share the impulse by barycentric weight: its torque is that of the point.
    const { triangles } = state.prepared.mesh;
    const hit = closestPoint(surface, point);
    if (!hit) return;
    hit.barycentrics.forEach((weight, corner) => {
      const vertex = triangles[3 * hit.triangle + corner];
      for (let c = 0; c < 3; c++) velocities[3 * vertex + c] += (weight * impulse[c]) / masses[vertex];
    });
  }
  state.loadVelocities();
}

/** ½ Σ m v² [J]. */
export function kineticEnergyOf({ velocities, masses, innerMass }: BackendBody): number {
  let energy = innerMass?.energy() ?? 0;
  for (let k = 0; k < velocities.length; k++) energy += 0.5 * masses[Math.trunc(k / 3)] * velocities[k] ** 2;
  return energy;
}
