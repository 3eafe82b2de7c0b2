// Before a step: bodies that are broken are drawn back to their shape, on every backend by the same double-precision code.

import type { Collider } from '../contact/collider.js';
import { type Groups, mayTouch } from '../contact/groups.js';
import { stopAtObstacles } from '../contact/obstacle-contact.js';
import type { Touches } from '../contact/touches.js';
import { length } from '../math/vec3.js';
import type { RecoverableBody } from '../solvers/recovery/recoverable-body.js';
import type { Recovery } from '../solvers/recovery/recovery.js';
import type { BackendBody, StepInput } from './backend.js';

/**
 * Sum of the forces on a body, in its weights, from which on something presses it: one that lies on a floor feels one. Without
 * gravity a weight is what would move it by half its size in a second.
 */
const PRESSED = 8;

interface BrokenBody extends RecoverableBody {
  readonly recovery: Recovery;
  readonly asleep: boolean;
  wake(): void;
  readonly settings: { readonly stiffness: number };
  readonly contactSettings: Readonly<Groups>;
  readonly touches: Touches<Collider | BackendBody>;
}

export function recoverBodies(bodies: readonly BrokenBody[], { gravity, timeStep, colliders }: StepInput): void {
  for (const body of bodies) {
    // What has no stiffness has no shape to go back to.
    if (body.asleep || body.settings.stiffness === 0) continue;
    const around = {
      isPressed: () => isPressed(bodies, body, length(gravity), timeStep),
      stop: (origin: ArrayLike<number>, points: Float64Array) => {
        const obstacles = colliders.filter((collider) => mayTouch(body.contactSettings, collider));
        stopAtObstacles(obstacles, origin, points);
      },
    };
    body.recovery.update(body, around, timeStep);
    if (body.recovery.isActive) body.wake();
  }
}

function isPressed(bodies: readonly BrokenBody[], body: BrokenBody, gravity: number, timeStep: number): boolean {
  const mass = body.masses.reduce((sum, m) => sum + m, 0);
  return sumImpulses(bodies, body) > PRESSED * Math.max(gravity, body.prepared.volume.size) * mass * timeStep;
}

/** Sum of the momenta that a body got from each thing it touched in the step before [kg m/s]. */
function sumImpulses(bodies: readonly BrokenBody[], body: BrokenBody): number {
  let sum = 0;
  for (const { impulse } of body.touches.found) sum += length(impulse);
  // A pair of bodies is known to one of them.
  for (const { touches } of bodies) {
    for (const { other, impulse } of touches.found) if (other === (body as object)) sum += length(impulse);
  }
  return sum;
}
