// Bodies that lie in each other deeper than contact looks: started so, dragged or shot through. Nearest surfaces would
// send their vertices to all sides; instead each pocket that they have in common has a way out, and the two are moved apart around the deepest.

import type { ContactBody } from '../contact-body.js';
import type { Candidates } from '../narrow-phase/detection.js';
import { LOST } from '../narrow-phase/tuning.js';
import { findExit, markInside } from './inside.js';
import { type Pocket, Pockets } from './pockets.js';
import { type PocketSurroundings, separate } from './separation.js';
import { AROUND, AROUND_LEAST, DEEP_SHARE, EVERYWHERE, EXIT, IMPACT_TIME, SLOW_SHARE } from './tuning.js';

/**
 * Moves two bodies apart if one has vertices deep inside the other, around the deepest pocket, by a bounded way per step, and takes their
 * approach there. Returns the pockets if it was so. Once begun (`before`) it goes on to the last vertex.
 */
export function separateDeep(
  a: ContactBody,
  b: ContactBody,
  candidatesA: Candidates,
  candidatesB: Candidates,
  timeStep: number,
  before: boolean,
): Pockets | undefined {
  const size = Math.min(a.contactRest.size, b.contactRest.size);
  const insideA = markInside(a, b, candidatesA);
  const insideB = markInside(b, a, candidatesB);
  for (const body of [a, b]) body.sunkBy = Math.max(body.sunkBy, insideA.sunk, insideB.sunk);
  const speed = Math.max(
    speedAgainst(a, meanOf(b, b.particles.velocities)),
    speedAgainst(b, meanOf(a, a.particles.velocities)),
  );
  const isFast = IMPACT_TIME * speed > SLOW_SHARE * size;
  const few = before || !isFast ? 0 : DEEP_SHARE * (a.particles.count + b.particles.count);
  if (insideA.far + insideB.far <= few) return undefined;
  const pockets = new Pockets([a, b], [insideA, insideB], [candidatesA, candidatesB], wayBetween(a, b, size));
  const deepest: Deepest = { depth: 1e-6 * size };
  findExits(a, b, candidatesA, pockets, 0, EXIT * size, deepest);
  findExits(b, a, candidatesB, pockets, 1, EXIT * size, deepest);
  for (const body of [a, b]) body.deepBy = Math.max(body.deepBy, deepest.depth);
  if (deepest.pocket) {
    const around = surroundingsOf(deepest.pocket, pockets, isFast, size);
    separate(a, b, deepest.pocket.way, around, deepest.depth, size, timeStep);
  }
  return pockets;
}

/** From the centre of one body to that of the other, as a unit vector. */
function wayBetween(a: ContactBody, b: ContactBody, size: number): Float64Array {
  const [centreA, centreB] = [meanOf(a, a.particles.starts), meanOf(b, b.particles.starts)];
  const way = centreA.map((x, c) => x - centreB[c]);
  const length = Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2);
  return length > 1e-6 * size ? way.map((x) => x / length) : Float64Array.of(0, 1, 0);
}

/** They end where another pocket begins: a body that clasps another was moved into it on one side and on the other by turns. */
function surroundingsOf(pocket: Pocket, pockets: Pockets, isFast: boolean, size: number): PocketSurroundings {
  const { low, high } = pocket;
  const middle = low.map((x, c) => (x + high[c]) / 2);
  if (isFast) return { middle, inner: EVERYWHERE * size, outer: (EVERYWHERE + AROUND) * size };
  const inner = Math.sqrt(low.reduce((sum, x, c) => sum + (high[c] - x) ** 2, 0)) / 2;
  const others = pockets.othersFrom(middle, pocket);
  return { middle, inner, outer: inner + Math.max(AROUND_LEAST * size, Math.min(AROUND * size, others - inner)) };
}

/** How far the deepest vertex of a pair has to go [m], and its pocket. */
interface Deepest {
  depth: number;
  pocket?: Pocket;
}

/** Finds where the deep vertices of a body come out of the other on the ways of their pockets. */
function findExits(
  { particles }: ContactBody,
  other: ContactBody,
  of: Candidates,
  pockets: Pockets,
  side: 0 | 1,
  furthest: number,
  deepest: Deepest,
): void {
  for (let n = 0; n < of.touchedCount; n++) {
    const i = of.touched[n];
    const pocket = pockets.at(side, i);
    if (!pocket) continue;
    let depth = -of.heights[i];
    if (of.times[i] === LOST) {
      // Boxes are divided by it.
      const ray = pocket.way.map((x) => (side === 0 ? x : -x)).map((x) => (Math.abs(x) < 1e-9 ? 1e-9 : x));
      depth = findExit(other, of, i, particles.starts, ray, furthest);
    }
    if (depth > deepest.depth) Object.assign(deepest, { depth, pocket });
  }
}

/** Mean of a vector over the particles, by mass. */
function meanOf({ particles }: ContactBody, vectors: Float64Array): Float64Array {
  const { masses } = particles;
  const mean = new Float64Array(3);
  let mass = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) mean[c] += masses[i] * vectors[k + c];
  }
  return mean.map((sum) => sum / mass);
}

/**
 * Root mean square, by mass, of how fast particles move against a velocity [m/s]. Not of their mean: two balls that have
 * met at 100 m/s move together, crushed, and fold until they have sprung back.
 */
function speedAgainst({ particles }: ContactBody, velocity: Float64Array): number {
  const { masses, velocities } = particles;
  let sum = 0;
  let mass = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) sum += masses[i] * (velocities[k + c] - velocity[c]) ** 2;
  }
  return Math.sqrt(sum / mass);
}
