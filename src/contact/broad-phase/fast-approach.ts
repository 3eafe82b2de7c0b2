// Bodies that approach each other fast: into how many substeps a step is divided so that they do not pass through each other.
// Within one step sweeps find who meets whom, but the impulses that stop a body have to reach all of it, and those of
// vertices that lie deep behind the other's far side come too late: a soft plate of 2 cm was pierced by a ball that came half
// of its own size in a step.

import { type Groups, mayTouch } from '../groups.js';
import { forEachNear } from './near-points.js';
import { SAMPLES } from './tuning.js';

/** Furthest that bodies may approach each other within a substep, in sizes of the smaller one. */
const APPROACH = 0.125;
/**
 * From here on in two substeps where one of the two touches something else: of crowds that fall on each other, what is between others was pressed
 * into them faster than contact took it out. In `ducks-and-tori`, from four starts, by 9 to 13 % of a size and by more than 5 % for 19 to 23 steps in a
 * row; with this by 6 to 9 %, and for 2 to 5. At 0.05 it is as without it; at 0.02, and with three substeps, no less. (Between two alone it let a
 * ball of 50 m/s through a soft plate of 10 cm.)
 */
const CROWDED_APPROACH = 0.03;
/** Most substeps: what comes faster still may pass through something thin. */
const MOST_SUBSTEPS = 16;

/** How much further than their boxes bodies may reach by the end of a step, in sizes of the smaller one: they sway. */
const NEAR = 0.02;

export interface ApproachingBody {
  readonly contactRest: { readonly size: number };
  readonly contactSettings: Groups;
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
  /** What `sampleSpeed` gives [m/s]. */
  readonly sampledSpeed: number;
  /** What it touched in the step before: obstacles, and bodies that are listed after it. */
  readonly touches: { readonly found: readonly { readonly other: object }[] };
}

/** Mean place [m] and velocity [m/s] of sampled vertices of each body, 6 numbers. */
let motions = new Float64Array(0);
/** The same of all vertices, and the corners of the box around them [m], 12 numbers; of bodies that were asked for them in this step. */
let exactMotions = new Float64Array(0);
let exact = new Uint8Array(0);
/** How far from the mean place of each body anything of it may be in this step [m]. */
let reaches = new Float64Array(0);
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
  const isFast = ({ sampledSpeed }: ApproachingBody) => timeStep * sampledSpeed > (CROWDED_APPROACH * smallest) / 2;
  return bodies.some(isFast) ? divide(bodies, bodies.map(isFast), timeStep) : 1;
}

function divide(bodies: readonly ApproachingBody[], fast: readonly boolean[], timeStep: number): number {
  if (motions.length < 6 * bodies.length) {
    motions = new Float64Array(12 * bodies.length);
    exactMotions = new Float64Array(24 * bodies.length);
    reaches = new Float64Array(2 * bodies.length);
    exact = new Uint8Array(2 * bodies.length);
  }
  exact.fill(0);
  bodies.forEach(({ positions, velocities, contactRest, sampledSpeed }, n) => {
    writeMean(positions, SAMPLES, motions, 6 * n);
    writeMean(velocities, SAMPLES, motions, 6 * n + 3);
    // Rounded up. What is not finite meets nobody.
    const reach = 1.001 * (contactRest.size + timeStep * sampledSpeed);
    reaches[n] = Number.isFinite(reach) ? reach : 0;
  });
  let touched: number[] | undefined;
  let substeps = 1;
  forEachNear(motions, 6, reaches, bodies.length, (i, j) => {
    if (!(fast[i] || fast[j])) return;
    const [a, b] = [bodies[i], bodies[j]];
    const ways = approach(a, b, motions, 6 * i, 6 * j, timeStep);
    if (ways <= CROWDED_APPROACH || Math.ceil(ways / APPROACH) < substeps) return;
    for (const n of [i, j]) if (exact[n] === 0) measure(bodies[n], n);
    const exactly = approach(a, b, exactMotions, 12 * i, 12 * j, timeStep);
    substeps = Math.max(substeps, Math.ceil(exactly / APPROACH));
    if (substeps > 1 || exactly <= CROWDED_APPROACH) return;
    const [first, second] = i < j ? [a, b] : [b, a];
    const each = first.touches.found.some(({ other }) => other === second) ? 1 : 0;
    touched ??= countTouched(bodies);
    const isCrowded = touched[i] > each || touched[j] > each;
    if (isCrowded && mayMeet(a, b, i, j, timeStep)) substeps = 2;
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

/** Means and box of all vertices of a body. */
function measure({ positions, velocities }: ApproachingBody, n: number): void {
  const count = positions.length / 3;
  writeMean(positions, count, exactMotions, 12 * n);
  writeMean(velocities, count, exactMotions, 12 * n + 3);
  exactMotions.fill(Infinity, 12 * n + 6, 12 * n + 9);
  exactMotions.fill(-Infinity, 12 * n + 9, 12 * n + 12);
  for (let k = 0; k < positions.length; k++) {
    const low = 12 * n + 6 + (k % 3);
    exactMotions[low] = Math.min(exactMotions[low], positions[k]);
    exactMotions[low + 3] = Math.max(exactMotions[low + 3], positions[k]);
  }
  exact[n] = 1;
}

/** Whether the boxes of two bodies meet on the way that they go against each other in this step. */
function mayMeet(a: ApproachingBody, b: ApproachingBody, i: number, j: number, timeStep: number): boolean {
  const slack = NEAR * Math.min(a.contactRest.size, b.contactRest.size);
  for (let c = 0; c < 3; c++) {
    const way = timeStep * (exactMotions[12 * i + 3 + c] - exactMotions[12 * j + 3 + c]);
    const low = exactMotions[12 * i + 6 + c] + Math.min(0, way) - slack;
    const high = exactMotions[12 * i + 9 + c] + Math.max(0, way) + slack;
    if (low > exactMotions[12 * j + 9 + c] || high < exactMotions[12 * j + 6 + c]) return false;
  }
  return true;
}

/** How many obstacles and bodies each body touched in the step before. */
function countTouched(bodies: readonly ApproachingBody[]): number[] {
  const places = new Map<object, number>(bodies.map((body, n) => [body, n]));
  const counts = bodies.map(({ touches }) => touches.found.length);
  for (const { touches } of bodies) {
    for (const { other } of touches.found) {
      const place = places.get(other);
      if (place !== undefined) counts[place]++;
    }
  }
  return counts;
}

/** How far two bodies whose means are at `means[i…]` and `means[j…]` approach each other in this step, in sizes of the smaller; 0 where they cannot meet. */
function approach(
  a: ApproachingBody,
  b: ApproachingBody,
  means: Float64Array,
  i: number,
  j: number,
  timeStep: number,
): number {
  let distance2 = 0;
  let motion2 = 0;
  let nearer = 0;
  for (let c = 0; c < 3; c++) {
    const apart = means[j + c] - means[i + c];
    const motion = timeStep * (means[i + 3 + c] - means[j + 3 + c]);
    distance2 += apart * apart;
    motion2 += motion * motion;
    nearer += apart * motion;
  }
  if (!(nearer > 0)) return 0;
  const motion = Math.sqrt(motion2);
  const [sizeA, sizeB] = [a.contactRest.size, b.contactRest.size];
  // Nothing of a body is further from its middle than its size.
  if (!(motion > 0) || Math.sqrt(distance2) > sizeA + sizeB + motion) return 0;
  return mayTouch(a.contactSettings, b.contactSettings) ? motion / Math.min(sizeA, sizeB) : 0;
}
