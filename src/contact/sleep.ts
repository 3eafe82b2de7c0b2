// Bodies that have come to rest sleep: no stage touches them until something moves them. An island, all that press each other,
// falls asleep as a whole and wakes as a whole. A body that sleeps is a wall to its neighbours and presses no more; where bodies
// of a pile slept and woke one by one, each time was a kick for the others, and a pile of balls that is a fortieth as lively when
// none of them sleeps kept itself awake.

import type { Obstacle } from './obstacles/obstacle.js';

/**
 * Mean speed below which a body is quiet, as a share of that of a fall through its own size: 1.6 cm/s for a metre. At twice
 * that, bodies of a heap stopped dead at up to 6 cm/s, which one sees.
 */
const QUIET_SPEED = 0.005;
/**
 * That speed grows by this share of itself with every second that the body has been slow, up to a multiple: contacts that last hold
 * better, as those of real things do. In piles of thirty single bodies crept on between their neighbours at 2 cm/s for seconds,
 * now and then down to a place from which they slid; all of them waited for it. 5 cm/s for a metre is where others stop (Box2D).
 */
const AGEING = 0.75;
const AGED = 3;
/**
 * Speed of its averaged places from which on it is not slow, in the same unit; what is slow feels rolling resistance
 * (`world/rolling-resistance`).
 */
const SLOW_SPEED = 0.1;
/**
 * Speed of the particles above which it is neither, though it stays where it is. A body pressed to a third of its height whose mesh
 * is coarse trembles from step to step, at up to 2.4 m/s and by some millimetres, for good; at 0.05 it kept its pile awake.
 */
const FLUTTER_SPEED = 0.6;
/** Speed of the averaged places above which it is not quiet, even if they come back: a ball that still bounced in place slept. */
const SWINGING_SPEED = 0.03;
/**
 * Time over which places are averaged [s]: what trembles from step to step stays where it is, what swings does not. Of a body that
 * has been slow for longer than a body alone is [s] it grows by this many times itself a second, up to a multiple: limbs that lie in
 * each other go a little in and out, and a pile of thirty waited for one of them that got nowhere.
 */
const AVERAGED = 0.04;
const ALONE = 1.5;
const SETTLING = 2;
const SETTLED = 5;
/** How long a body has to be quiet [s]. */
const QUIET_TIME = 0.5;
/**
 * How much longer [s] it is left to get out of another body where it lies deeper in it than this share of its size in every step. What sleeps is not
 * moved any more: limbs lay 3 % of a size in each other for good that were on their way out. One that trembles is in and out by turns, and waited for until
 * it is out: piles slept in a step in which one had just gone in by 2.5 %. Sizes are diameters of spheres around bodies, up to √3 of their longest
 * sides: this is 2 % of such a side at most.
 */
const LEAVING_TIME = 3;
const LEAVING_DEPTH = 0.0115;
/**
 * How long an island that has only those that tremble so to wait for waits until all of them are out in the same step [s]: some piles of thirty had none such
 * in seconds. What lies deep after that stays so.
 */
const WAITING_TIME = 0.5;
/** Vertices whose places tell whether a body has gone anywhere: enough for one or two on every limb. */
const MARKS = 32;

/** Whether a body sleeps, for how long it has been quiet, and where it was when that began. */
export class Sleep {
  asleep = false;
  /** [s] */
  quietTime = 0;
  /** For how long it has been slow, though it may get somewhere [s]. */
  slowTime = 0;
  /** For how long it has lain deep in another body, without a step in which it did not, since it could sleep [s]. */
  deepTime = 0;
  /** Whether it has been out of others in a step since it could sleep. */
  surfaced = false;
  /** For how long its island has waited for nobody but those that are in and out of others by turns [s]. */
  waitTime = 0;
  /** Those that fell asleep together have the same number; −1 for none. */
  group = -1;
  /** Places of a few vertices when that began, and by now, averaged over some steps [m]. */
  readonly marks = new Float64Array(3 * MARKS);
  readonly places = new Float64Array(3 * MARKS);

  wake(): void {
    this.asleep = false;
    this.quietTime = 0;
    this.slowTime = 0;
    this.deepTime = 0;
    this.surfaced = false;
    this.waitTime = 0;
  }
}

export interface SleepingBody {
  readonly sleep: Sleep;
  readonly contactRest: { readonly size: number };
  readonly positions: ArrayLike<number>;
  /** ½ Σ m v² of how its particles moved, per mass [J/kg]. */
  readonly motion: number;
  /** How far it had to go to leave another body that it lay deep in, in the last step [m]; 0 for none. */
  readonly deepBy: number;
  /** How deep a vertex of its surface lay under another body's, or one of another body's under its own, in the last step [m]; told near surfaces. */
  readonly sunkBy: number;
  /** Whether a moving pin or obstacle moves it. */
  readonly kinematic: boolean;
  /** Holds still from here on, where it is or, if `goesBack`, where it was at the start of the step. */
  fallAsleep(goesBack: boolean): void;
}

/**
 * Counts how long bodies have been quiet, wakes those that something moves, and puts islands that are quiet to sleep.
 * `pressed` are the pairs of bodies that press each other, by their places in `bodies`.
 */
export function updateSleep(
  bodies: readonly SleepingBody[],
  pressed: readonly number[],
  gravity: number,
  timeStep: number,
): void {
  let anyoneRests = false;
  for (const body of bodies) {
    if (!body.sleep.asleep) countQuietTime(body, gravity, timeStep);
    anyoneRests ||= body.sleep.asleep || body.sleep.quietTime >= QUIET_TIME;
  }
  if (anyoneRests) updateIslands(bodies, pressed, timeStep);
  else wakeTogether(bodies);
}

function countQuietTime(body: SleepingBody, gravity: number, timeStep: number): void {
  const { sleep } = body;
  const averaged = AVERAGED * Math.min(SETTLED, 1 + SETTLING * Math.max(0, sleep.slowTime - ALONE));
  const way = follow(body, Math.min(1, timeStep / averaged));
  const fall = Math.sqrt(gravity * body.contactRest.size);
  if (body.kinematic || body.motion >= 0.5 * (FLUTTER_SPEED * fall) ** 2) {
    sleep.quietTime = 0;
    sleep.slowTime = 0;
    sleep.deepTime = 0;
    sleep.surfaced = false;
    sleep.waitTime = 0;
    return;
  }
  // Where it is at the start of each half second: one that creeps more slowly stays quiet however far it gets.
  if (Math.floor(sleep.quietTime / QUIET_TIME) !== Math.floor((sleep.quietTime - timeStep) / QUIET_TIME)) {
    sleep.marks.set(sleep.places);
  }
  const quietSpeed = QUIET_SPEED * Math.min(AGED, 1 + AGEING * sleep.slowTime) * fall;
  const isQuiet = way < SWINGING_SPEED * fall * timeStep && staysWithin(sleep, quietSpeed * QUIET_TIME);
  sleep.quietTime = isQuiet ? sleep.quietTime + timeStep : 0;
  sleep.slowTime = way < SLOW_SPEED * fall * timeStep ? sleep.slowTime + timeStep : 0;
  const isDeep = Math.max(body.deepBy, body.sunkBy) > LEAVING_DEPTH * body.contactRest.size;
  const couldSleep = sleep.quietTime >= QUIET_TIME;
  sleep.deepTime = isDeep && couldSleep ? sleep.deepTime + timeStep : 0;
  sleep.surfaced = couldSleep && (sleep.surfaced || !isDeep);
  if (!couldSleep) sleep.waitTime = 0;
}

function updateIslands(bodies: readonly SleepingBody[], pressed: readonly number[], timeStep: number): void {
  const islands = bodies.map((_, n) => n);
  for (let n = 0; n < pressed.length; n += 2) {
    const [a, b] = [bodies[pressed[n]], bodies[pressed[n + 1]]];
    if (a.sleep.asleep && isMoving(b)) a.sleep.wake();
    if (b.sleep.asleep && isMoving(a)) b.sleep.wake();
    join(islands, pressed[n], pressed[n + 1]);
  }
  wakeTogether(bodies);
  const restless = new Set<number>();
  const trembling = new Set<number>();
  const sunken = new Set<number>();
  bodies.forEach(({ sleep, deepBy, sunkBy }, n) => {
    const island = find(islands, n);
    if (deepBy > 0 || sunkBy > 0) sunken.add(island);
    if (sleep.asleep) return;
    const isLeaving = sleep.deepTime > 0 && sleep.deepTime <= LEAVING_TIME;
    if (sleep.quietTime < QUIET_TIME || (isLeaving && !sleep.surfaced)) restless.add(island);
    else if (isLeaving && sleep.waitTime < WAITING_TIME) trembling.add(island);
  });
  bodies.forEach((body, n) => {
    const { sleep } = body;
    const island = find(islands, n);
    if (sleep.asleep) return;
    sleep.waitTime = restless.has(island) ? 0 : sleep.waitTime + timeStep;
    if (restless.has(island) || trembling.has(island)) return;
    sleep.asleep = true;
    // Depths are those of the step's start. A corner that trembled in a limb came 2.4 % of a size deep in the one step after all was well.
    body.fallAsleep(sunken.has(island));
  });
  nameGroups(bodies, islands);
}

/** Who sleeps in one island, or fell asleep with somebody in it, is of one group. */
function nameGroups(bodies: readonly SleepingBody[], islands: number[]): void {
  const known = new Map<number, number>();
  bodies.forEach(({ sleep }, n) => {
    if (sleep.group < 0) return;
    const first = known.get(sleep.group);
    if (first === undefined) known.set(sleep.group, n);
    else join(islands, first, n);
  });
  bodies.forEach(({ sleep }, n) => {
    if (sleep.asleep) sleep.group = find(islands, n);
  });
}

/** Wakes those that are moved from outside, and those that fell asleep together with one that is awake. */
export function wakeTogether(bodies: readonly SleepingBody[]): void {
  for (const body of bodies) if (body.sleep.asleep && body.kinematic) body.sleep.wake();
  let woken: Set<number> | undefined;
  for (const { sleep } of bodies) {
    if (sleep.asleep || sleep.group < 0) continue;
    woken ??= new Set();
    woken.add(sleep.group);
  }
  if (!woken) return;
  for (const { sleep } of bodies) {
    if (!woken.has(sleep.group)) continue;
    if (sleep.asleep) sleep.wake();
    sleep.group = -1;
  }
}

/** The first of those that are joined with n. */
function find(parents: number[], n: number): number {
  let root = n;
  while (parents[root] !== root) root = parents[root];
  parents[n] = root;
  return root;
}

function join(parents: number[], a: number, b: number): void {
  const [p, q] = [find(parents, a), find(parents, b)];
  parents[Math.max(p, q)] = Math.min(p, q);
}

/** Goes a share of the way from the averaged places of the marked vertices to where they are; returns its root mean square [m]. */
function follow({ positions, sleep: { places } }: SleepingBody, share: number): number {
  const count = positions.length / 3;
  let sum = 0;
  for (let n = 0, p = 0; n < MARKS; n++, p += 3) {
    const k = 3 * Math.trunc((n * count) / MARKS);
    const x = share * (positions[k] - places[p]);
    const y = share * (positions[k + 1] - places[p + 1]);
    const z = share * (positions[k + 2] - places[p + 2]);
    places[p] += x;
    places[p + 1] += y;
    places[p + 2] += z;
    // In this order: who sleeps when is part of the bits.
    sum = sum + x * x + y * y + z * z;
  }
  return Math.sqrt(sum / MARKS);
}

/**
 * Whether the marked vertices are no further than this from where they were [m], by their root mean square, and none twice as far: a
 * body that trembles in place rests, one that wags a limb does not.
 */
function staysWithin({ marks, places }: Sleep, distance: number): boolean {
  const square = distance * distance;
  let sum = 0;
  for (let k = 0; k < marks.length; k += 3) {
    const x = places[k] - marks[k];
    const y = places[k + 1] - marks[k + 1];
    const z = places[k + 2] - marks[k + 2];
    const own = x * x + y * y + z * z;
    if (!(own < 4 * square)) return false;
    sum += own;
  }
  return sum < MARKS * square;
}

const isMoving = ({ sleep }: SleepingBody): boolean => !sleep.asleep && sleep.quietTime === 0;

const point = { distance: 0, nx: 0, ny: 0, nz: 0 };
const [from, to] = [new Float64Array(3), new Float64Array(3)];

/**
 * Wakes the bodies that a moving obstacle comes near, anywhere on its way through the step: at the end of it a fast one may be
 * past them already.
 */
export function wakeByColliders(bodies: readonly SleepingBody[], colliders: readonly Obstacle[]): void {
  for (const collider of colliders) if (collider.isMoving) wakeNear(bodies, collider);
}

/** Wakes the bodies at obstacles that behave otherwise than before: slippery ones, or such as do not hold them any more. */
export function wakeByAltered(bodies: readonly SleepingBody[], colliders: readonly Obstacle[]): void {
  for (const collider of colliders) if (collider.takeAltered()) wakeNear(bodies, collider);
}

function wakeNear(bodies: readonly SleepingBody[], collider: Obstacle): void {
  for (const body of bodies) {
    if (body.sleep.asleep && passesNear(collider, body)) body.sleep.wake();
  }
}

/** Whether an obstacle comes near a body in this step: seen from the obstacle, past which the body goes straight, as contact sees it. */
function passesNear(collider: Obstacle, { positions, contactRest }: SleepingBody): boolean {
  // Anywhere in the body will do: nothing of it is further away than its size.
  const reach = 1.5 * contactRest.size;
  collider.start.toLocal(positions[0], positions[1], positions[2], from);
  collider.end.toLocal(positions[0], positions[1], positions[2], to);
  const displacement = Math.sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2 + (to[2] - from[2]) ** 2);
  // Distances change no faster than one goes, so each step along the way may be as long as what is left to the reach.
  for (let gone = 0; ; ) {
    const t = displacement > 0 ? Math.min(1, gone / displacement) : 1;
    collider.measureLocal(
      from[0] + t * (to[0] - from[0]),
      from[1] + t * (to[1] - from[1]),
      from[2] + t * (to[2] - from[2]),
      point,
    );
    if (!(point.distance >= reach)) return true;
    if (t === 1) return false;
    gone += Math.max(point.distance - reach, 0.5 * reach);
  }
}
