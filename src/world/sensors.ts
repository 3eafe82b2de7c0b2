// Colliders that only report: which bodies reach into them after a step. They push nothing and wake nobody.

import type { BackendBody } from '../backends/backend.js';
import { mayTouch } from '../contact/groups.js';
import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import { type Touch, Touches } from '../contact/response/touches.js';

const NO_IMPULSE = [0, 0, 0];
const hit: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };

export class Sensors {
  private readonly touches = new WeakMap<BackendBody, Touches<Obstacle>>();

  /** What a body is in now. */
  find(body: BackendBody, sensors: readonly Obstacle[]): readonly Touch[] {
    const touches = this.touches.get(body) ?? new Touches<Obstacle>();
    this.touches.set(body, touches);
    touches.clear();
    for (const sensor of sensors) if (mayTouch(body.contactSettings, sensor)) notePart(body, sensor, touches);
    touches.remember();
    return touches.found;
  }
}

function notePart({ positions, masses }: BackendBody, sensor: Obstacle, touches: Touches<Obstacle>): void {
  if (isAway(positions, sensor)) return;
  for (let i = 0, k = 0; k < positions.length; i++, k += 3) {
    sensor.measure(positions[k], positions[k + 1], positions[k + 2], hit);
    if (hit.distance >= 0) continue;
    const normal = [hit.nx, hit.ny, hit.nz];
    touches.with(sensor).add(masses[i], positions, k, NO_IMPULSE, normal, sensor.end.position);
  }
}

/** Whether the first vertex is farther from the sensor than any other is from it. */
function isAway(positions: ArrayLike<number>, sensor: Obstacle): boolean {
  const [x, y, z] = [positions[0], positions[1], positions[2]];
  sensor.measure(x, y, z, hit);
  // A landscape ends at its border: nothing is known of what is beyond.
  if (!(hit.distance > 0) || hit.distance === Infinity) return false;
  const square = hit.distance * hit.distance;
  for (let k = 3; k < positions.length; k += 3) {
    if ((positions[k] - x) ** 2 + (positions[k + 1] - y) ** 2 + (positions[k + 2] - z) ** 2 >= square) return false;
  }
  return true;
}
