// Before a step: bodies that are broken are drawn back to their shape, on every backend by the same double-precision code.

import type { BackendBody, StepInput } from '../backends/backend.js';
import { mayTouch } from '../contact/groups.js';
import { stopAtObstacles } from '../contact/obstacles/obstacle-contact.js';
import { massOf } from '../handles/rigid-handle.js';
import { length } from '../math/vec3.js';
import type { Surroundings } from '../solvers/recovery/recoverable-body.js';
import type { ElasticSettings } from '../solvers/solver-settings.js';

/**
 * Sum of the forces on a body, in its weights, from which on something presses it: one that lies on a floor feels one. Without
 * gravity a weight is what would move it by half its size in a second.
 */
const PRESSED = 8;

export function recoverBodies(bodies: readonly BackendBody[], input: StepInput): void {
  const around = new BodySurroundings(bodies, input);
  for (const body of bodies) {
    // What finds back by itself may be pressed into any shape; only what was broken by hand is drawn.
    if (body.asleep || (body.prepared.solver.recovers && !body.recovery.isAsked)) continue;
    // What has no stiffness has no shape to go back to.
    if ((body.settings as Partial<ElasticSettings>).stiffness === 0) continue;
    around.body = body;
    body.recovery.update(body, around, input.timeStep);
    if (body.recovery.isActive) body.wake();
  }
}

/** What is around one body after the other. */
class BodySurroundings implements Surroundings {
  body: BackendBody | undefined;

  constructor(
    private readonly bodies: readonly BackendBody[],
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

function isPressed(bodies: readonly BackendBody[], body: BackendBody, gravity: number, timeStep: number): boolean {
  const mass = massOf(body);
  return sumImpulses(bodies, body) > PRESSED * Math.max(gravity, body.prepared.volume.size) * mass * timeStep;
}

/** Sum of the momenta that a body got from each thing it touched in the step before [kg m/s]. */
function sumImpulses(bodies: readonly BackendBody[], body: BackendBody): number {
  let sum = 0;
  for (const { impulse } of body.touches.found) sum += length(impulse);
  // A pair of bodies is known to one of them.
  for (const { touches } of bodies) {
    for (const { other, impulse } of touches.found) if (other === (body as object)) sum += length(impulse);
  }
  return sum;
}
