// Bodies that approach each other fast: into how many substeps a step is divided so that they do not pass through each other.
// Within one step sweeps find who meets whom, but the impulses that stop a body have to reach all of it, and those of
// vertices that lie deep behind the other's far side come too late: a soft plate of 2 cm was pierced by a ball that came half
// of its own size in a step.

import { type Groups, mayTouch } from '../groups.js';
import { forEachNear } from './near-points.js';
import { SAMPLES } from './tuning.js';

/** Furthest that bodies may approach each other within a substep, in sizes of the smaller one. */
const APPROACH = 0.125;
/** Most substeps: what comes faster still may pass through something thin. */
const MOST_SUBSTEPS = 16;

export interface ApproachingBody {
  readonly contactRest: { readonly size: number };
  readonly contactSettings: Groups;
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
  /** What `sampleSpeed` gives [m/s]. */
  readonly sampledSpeed: number;
}

/** Mean place [m] and velocity [m/s] of sampled vertices of each body, 6 numbers. */
let motions = new Float64Array(0);
/** How far from the mean place of each body anything of it may be in this step [m]. */
let reaches = new Float64Array(0);
/** The same of all vertices of two bodies. */
const exactMotions = new Float64Array(12);
const mean = new Float64Array(3);

/** Speed of the mean velocity of a few vertices [m/s]. */
export function sampleSpeed(velocities: ArrayLike<number>): number {
  writeMean(velocities, SAMPLES, mean, 0);
  return Math.sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
}

/** Number of equal substeps in which to take a step of this length [s]. */
export function substepsForApproach(bodies: readonly ApproachingBody[], timeStep: number): number {
  if (bodies.length < 2) return 1;
  let smallest = Infinity;
  for (const { contactRest } of bodies) smallest = Math.min(smallest, contactRest.size);
  // Of two that approach each other one goes at least half of it.
  const isFast = ({ sampledSpeed }: ApproachingBody) => timeStep * sampledSpeed > (APPROACH * smallest) / 2;
  return bodies.some(isFast) ? divide(bodies, bodies.map(isFast), timeStep) : 1;
}

function divide(bodies: readonly ApproachingBody[], fast: readonly boolean[], timeStep: number): number {
  if (motions.length < 6 * bodies.length) {
    motions = new Float64Array(12 * bodies.length);
    reaches = new Float64Array(2 * bodies.length);
  }
  bodies.forEach(({ positions, velocities, contactRest, sampledSpeed }, n) => {
    writeMean(positions, SAMPLES, motions, 6 * n);
    writeMean(velocities, SAMPLES, motions, 6 * n + 3);
    // Rounded up. What is not finite meets nobody.
    const reach = 1.001 * (contactRest.size + timeStep * sampledSpeed);
    reaches[n] = Number.isFinite(reach) ? reach : 0;
  });
  let substeps = 1;
  forEachNear(motions, 6, reaches, bodies.length, (i, j) => {
    if (!(fast[i] || fast[j])) return;
    const [a, b] = [bodies[i], bodies[j]];
    if (substepsOf(a, b, motions, 6 * i, 6 * j, timeStep) > substeps)
      substeps = Math.max(substeps, exactSubsteps(a, b, timeStep));
  });
  return Math.min(substeps, MOST_SUBSTEPS);
}

/** Writes the mean of so many points to `mean[k…]`. */
function writeMean(points: ArrayLike<number>, samples: number, mean: Float64Array, k: number): void {
  const count = points.length / 3;
  mean[k] = mean[k + 1] = mean[k + 2] = 0;
  for (let n = 0; n < samples; n++) {
    const p = 3 * Math.trunc((n * count) / samples);
    for (let c = 0; c < 3; c++) mean[k + c] += points[p + c] / samples;
  }
}

/** Substeps that two bodies ask for with all of their vertices. */
function exactSubsteps(a: ApproachingBody, b: ApproachingBody, timeStep: number): number {
  [a, b].forEach(({ positions, velocities }, n) => {
    writeMean(positions, positions.length / 3, exactMotions, 6 * n);
    writeMean(velocities, positions.length / 3, exactMotions, 6 * n + 3);
  });
  return substepsOf(a, b, exactMotions, 0, 6, timeStep);
}

/** Substeps that two bodies ask for whose means are at `means[i…]` and `means[j…]`; one unless they may meet in this step. */
function substepsOf(
  a: ApproachingBody,
  b: ApproachingBody,
  means: Float64Array,
  i: number,
  j: number,
  timeStep: number,
): number {
  let distance2 = 0;
  let motion2 = 0;
  let approach = 0;
  for (let c = 0; c < 3; c++) {
    const apart = means[j + c] - means[i + c];
    const motion = timeStep * (means[i + 3 + c] - means[j + 3 + c]);
    distance2 += apart * apart;
    motion2 += motion * motion;
    approach += apart * motion;
  }
  if (approach <= 0) return 1;
  const motion = Math.sqrt(motion2);
  const [sizeA, sizeB] = [a.contactRest.size, b.contactRest.size];
  const substeps = Math.ceil(motion / (APPROACH * Math.min(sizeA, sizeB)));
  // Nothing of a body is further from its middle than its size.
  if (!(substeps > 1) || Math.sqrt(distance2) > sizeA + sizeB + motion) return 1;
  return mayTouch(a.contactSettings, b.contactSettings) ? substeps : 1;
}
