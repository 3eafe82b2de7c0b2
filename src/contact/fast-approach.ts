// Bodies that approach each other fast: into how many parts a step is divided so that they do not pass through each other.
// Within one step sweeps find who meets whom, but the impulses that stop a body have to reach all of it, and those of
// vertices that lie deep behind the other's far side come too late: a soft plate of 2 cm was pierced by a ball that came half
// of its own size in a step.

import { type Groups, mayTouch } from './groups.js';

/** Furthest that bodies may approach each other within a part, in sizes of the smaller one. */
const APPROACH = 0.125;
/** Most parts: what comes faster still may pass through something thin. */
const MOST_PARTS = 16;
/** Vertices that tell about where a body is and how it moves; all are asked where these say that it is fast. */
const SAMPLES = 8;

export interface ApproachingBody {
  readonly contactRest: { readonly size: number };
  readonly contactSettings: Groups;
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
}

/** Mean place [m] and velocity [m/s] of vertices, and how far that moves in a step [m]. */
interface Way {
  readonly body: ApproachingBody;
  readonly mean: Float64Array;
  readonly length: number;
}

/** Number of equal parts in which to take a step of this length [s]. */
export function partsForApproach(bodies: readonly ApproachingBody[], timeStep: number): number {
  if (bodies.length < 2) return 1;
  const smallest = bodies.reduce((least, { contactRest }) => Math.min(least, contactRest.size), Infinity);
  const ways = bodies.map((body) => wayOf(body, timeStep, SAMPLES));
  const exact = ({ body }: Way) => wayOf(body, timeStep, body.positions.length / 3);
  let parts = 1;
  for (const fast of ways) {
    // Of two that approach each other one goes at least half of it.
    if (!(2 * fast.length > APPROACH * smallest)) continue;
    for (const other of ways) {
      if (other === fast || partsOf(fast, other, timeStep) <= parts) continue;
      parts = Math.max(parts, partsOf(exact(fast), exact(other), timeStep));
    }
  }
  return Math.min(parts, MOST_PARTS);
}

function wayOf(body: ApproachingBody, timeStep: number, samples: number): Way {
  const { positions, velocities } = body;
  const mean = new Float64Array(6);
  for (let n = 0; n < samples; n++) {
    const k = 3 * Math.trunc((n * (positions.length / 3)) / samples);
    for (let c = 0; c < 3; c++) {
      mean[c] += positions[k + c] / samples;
      mean[3 + c] += velocities[k + c] / samples;
    }
  }
  return { body, mean, length: timeStep * Math.sqrt(mean[3] ** 2 + mean[4] ** 2 + mean[5] ** 2) };
}

/** Parts that two bodies ask for; one unless they may meet in this step. */
function partsOf(a: Way, b: Way, timeStep: number): number {
  const sizes = [a.body.contactRest.size, b.body.contactRest.size] as const;
  let distance2 = 0;
  let motion2 = 0;
  let approach = 0;
  for (let c = 0; c < 3; c++) {
    const apart = b.mean[c] - a.mean[c];
    const motion = timeStep * (a.mean[3 + c] - b.mean[3 + c]);
    distance2 += apart * apart;
    motion2 += motion * motion;
    approach += apart * motion;
  }
  const motion = Math.sqrt(motion2);
  const parts = Math.ceil(motion / (APPROACH * Math.min(...sizes)));
  // Nothing of a body is further from its middle than its size.
  if (!(parts > 1) || approach <= 0 || Math.sqrt(distance2) > sizes[0] + sizes[1] + motion) return 1;
  return mayTouch(a.body.contactSettings, b.body.contactSettings) ? parts : 1;
}
