// Rolling resistance of bodies that are slow: soft things do not roll or rock on for ever. Between two steps, on both backends in
// double precision. A torque alone: what it takes of the way of a rolling body goes through the friction of its contacts.
//
// (Contact and damping take next to nothing of rolling: balls and rings went to and fro in piles for minutes, and kept all that
// they touched awake. A share of the spin taken in each step, instead of a torque, slowed them and never stopped them.)

import type { BackendBody } from '../backends/backend.js';
import { measureWhole } from '../handles/rigid-handle.js';
import { solveSymmetric } from '../math/mat3.js';
import { pointAt, scale } from '../math/vec3.js';
import { createRigidMotion } from '../solvers/rigid-motion.js';

/** Coefficient of rolling resistance: what rubber has on hard ground. A ball of 1 m at 0.3 m/s gets some 15 cm further. */
const ROLLING = 0.05;
/** How long a body has been slow before it acts [s]: whoever turns back, or starts to roll down a slope, is not held up. */
const SLOW_FOR = 0.5;
/** It acts at intervals [s], for all of each: a look at all particles in every step would take a tenth of it. */
const INTERVAL = 0.04;
/** Half the edge of a cube, in its diagonals: the radius of a body. */
const RADIUS = 0.29;
/** Relative floor on the inertia: bodies that are flattened stay solvable. */
const FLOOR = 1e-10;

const motion = createRigidMotion();
const spin = new Float64Array(3);

/** Takes spin of the bodies that have been slow for a while and lie on something. */
export function resistRolling(bodies: readonly BackendBody[], gravity: number, timeStep: number): void {
  for (const body of bodies) {
    const { asleep, quietTime, slowTime, deepTime, surfaced, waitTime } = body.sleep;
    const isDue = Math.floor(slowTime / INTERVAL) !== Math.floor((slowTime - timeStep) / INTERVAL);
    if (asleep || slowTime < SLOW_FOR || !isDue || body.contactCount === 0) continue;
    // What is pinned swings, and parts roll each on its own.
    if (body.pins.length > 0 || body.prepared.parts.length > 1) continue;
    takeSpin(body, ROLLING * gravity * RADIUS * body.prepared.volume.size * INTERVAL);
    // It moves less than before: no reason to be awake.
    Object.assign(body.sleep, { quietTime, slowTime, deepTime, surfaced, waitTime });
  }
}

/** Takes angular momentum of a body, at most so much per mass [m²/s] and never more than there is. */
function takeSpin(body: BackendBody, most: number): void {
  const { inertia, angular, mass, centre } = measureWhole(body, motion);
  const trace = inertia[0] + inertia[3] + inertia[5];
  if (!solveSymmetric(inertia, FLOOR * trace, angular, spin)) return;
  const size = Math.sqrt(angular[0] ** 2 + angular[1] ** 2 + angular[2] ** 2);
  if (!(size > 0)) return;
  const share = Math.min(1, (most * mass) / size);
  body.push({ linear: [0, 0, 0], angular: scale(pointAt(spin, 0), -share), about: pointAt(centre, 0) });
}
