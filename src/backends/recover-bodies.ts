// Before a step: bodies that are broken are drawn back to their shape, on every backend by the same double-precision code.

import type { Collider } from '../contact/collider.js';
import { type Groups, mayTouch } from '../contact/groups.js';
import { stopAtObstacles } from '../contact/obstacle-contact.js';
import type { Touches } from '../contact/touches.js';
import { length } from '../math/vec3.js';
import type { RecoverableBody, Surroundings } from '../solvers/recovery/recoverable-body.js';
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

export function recoverBodies(bodies: readonly BrokenBody[], input: StepInput): void {
  const around = new BodySurroundings(bodies, input);
  for (const body of bodies) {
    // What has no stiffness has no shape to go back to.
    if (body.asleep || body.settings.stiffness === 0) continue;
    around.body = body;
    body.recovery.update(body, around, input.timeStep);
    if (body.recovery.isActive) body.wake();
  }
}

/** What is around one body after the other. */
class BodySurroundings implements Surroundings {
  body: BrokenBody | undefined;

  constructor(
    private readonly bodies: readonly BrokenBody[],
    private readonly input: StepInput,
  ) {}

  isPressed(): boolean {
    const { bodies, body, input } = this;
    return body !== undefined && isPressed(bodies, body, length(input.gravity), input.timeStep);
  }

  stop(origin: ArrayLike<number>, points: Float64Array): void {
    const { body, input } = this;
    const obstacles = input.colliders.filter((collider) => body && mayTouch(body.contactSettings, collider));
    stopAtObstacles(obstacles, origin, points);
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
