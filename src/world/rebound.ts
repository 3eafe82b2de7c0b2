// Restitution against obstacles: of the speed that an impact took from a body as a whole, a share is given back when the impact
// is over. On both backends in double precision, after the step.
//
// (Particles that bounce one by one do the opposite: the body under them has not turned yet, pulls them back, and damping takes
// what they got. A ball of 1 m that fell at 3 m/s rose by 0.211, 0.208, 0.206, 0.204 and 0.206 m with a restitution of 0 to 1.)

import type { BackendBody, StepInput } from '../backends/backend.js';
import { Obstacle } from '../contact/obstacles/obstacle.js';
import type { Touch } from '../contact/response/touches.js';
import { massOf } from '../handles/rigid-handle.js';
import { dot, normalize, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../solvers/rigid-motion.js';

/** Slowest impact that bounces, as a share of the speed of a fall through the body's size: what is slower is about to rest. */
const SLOWEST = 0.1;
/** Speed, as a share of that of the impact, below which a body has come to a stop against its obstacle. */
const TURNED = 0.05;
/** Share of the energy of an impact that no restitution gives back: room for what is not known of the deformation. */
const LOST = 0.02;
/** Energy that a body which leaves an obstacle has in its deformation, and swings on with, in those of its flutter. */
const STORED = 3;

// An impact: 1 while it lasts, speed away from the obstacle in the last step, mean velocity before it relative to the obstacle,
// kinetic energy in that frame, mean position, momentum given so far.
const IS_OPEN = 0;
const SPEED = 1;
const VELOCITY = 2;
const ENERGY = 5;
const CENTRE = 6;
const MOMENTUM = 9;

const vectorAt = (numbers: Float64Array, k: number): Vec3 => [numbers[k], numbers[k + 1], numbers[k + 2]];

/** Mean velocity and position of a body. */
interface Course {
  readonly velocity: Vec3;
  readonly centre: Vec3;
  readonly mass: number;
}

function courseOf({ positions, velocities, masses }: BackendBody): Course {
  const [velocity, centre] = [[0, 0, 0] as [number, number, number], [0, 0, 0] as [number, number, number]];
  let mass = 0;
  for (let i = 0; i < masses.length; i++) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) {
      velocity[c] += masses[i] * velocities[3 * i + c];
      centre[c] += masses[i] * positions[3 * i + c];
    }
  }
  return { velocity: scale(velocity, 1 / mass), centre: scale(centre, 1 / mass), mass };
}

/** ½ Σ m |v − frame|² [J]. */
function energyOf({ velocities, masses }: Pick<BackendBody, 'velocities' | 'masses'>, frame: Vec3): number {
  let sum = 0;
  for (let k = 0; k < velocities.length; k++) sum += masses[Math.trunc(k / 3)] * (velocities[k] - frame[k % 3]) ** 2;
  return sum / 2;
}

/** What bodies that may bounce are like before a step; `finish` after it lets them. */
export class Rebounds {
  private readonly before: { body: BackendBody; course: Course; velocities: Float64Array }[] = [];

  constructor(
    bodies: readonly BackendBody[],
    private readonly input: StepInput,
  ) {
    const bouncy = input.colliders.some(({ restitution }) => restitution > 0);
    for (const body of bodies) {
      if (body.asleep || body.pins.length > 0 || !(bouncy || body.contactSettings.restitution > 0)) continue;
      const velocities = Float64Array.from(body.velocities);
      this.before.push({ body, course: courseOf(body), velocities });
    }
  }

  /** @param substep length of the last substep [s], in which the obstacles went as their frames say. */
  finish(substep: number): void {
    for (const one of this.before) {
      const { body } = one;
      if (body.asleep) continue;
      let now: Course | undefined;
      for (const touch of [...body.touches.found, ...body.touches.ended]) {
        const { other, impact } = touch;
        if (!(other instanceof Obstacle)) continue;
        const restitution = Math.max(other.restitution, body.contactSettings.restitution);
        if (restitution === 0 || !(touch.isNew || impact[IS_OPEN] === 1)) continue;
        now ??= courseOf(body);
        const surface = surfaceVelocity(touch, other, substep);
        if (touch.isNew) this.open(touch, one, surface);
        if (impact[IS_OPEN] !== 1 || !this.isOver(touch, subtract(now.velocity, surface))) continue;
        impact[IS_OPEN] = 0;
        this.give(body, touch as Touch<Obstacle>, now, surface, restitution);
        now = undefined;
      }
    }
  }

  /** Remembers how a body came, unless it came so slowly that it is to rest. */
  private open(
    { impact, normal }: Touch,
    { body, course, velocities }: (typeof this.before)[number],
    surface: Vec3,
  ): void {
    const velocity = subtract(course.velocity, surface);
    const speed = -dot(velocity, normal);
    const fall = Math.sqrt(Math.sqrt(dot(this.input.gravity, this.input.gravity)) * body.prepared.volume.size);
    if (!(speed > SLOWEST * fall)) return;
    const energy = energyOf({ velocities, masses: body.masses }, surface);
    impact.set([1, -speed, ...velocity, energy, ...course.centre, 0, 0, 0]);
  }

  /** Whether a body has left its obstacle, or has come to a stop and will not. */
  private isOver({ impact, impulse, isFound }: Touch, velocity: Vec3): boolean {
    if (!isFound) return true;
    for (let c = 0; c < 3; c++) impact[MOMENTUM + c] += impulse[c];
    const normal = normalize(vectorAt(impact, MOMENTUM));
    const before = impact[SPEED];
    impact[SPEED] = dot(velocity, normal);
    const came = -dot(vectorAt(impact, VELOCITY), normal);
    return Math.abs(impact[SPEED]) < TURNED * came && impact[SPEED] <= before;
  }

  /** Gives a share of what the impact took of the speed away from the obstacle, and never more energy than there was. */
  private give(body: BackendBody, touch: Touch<Obstacle>, now: Course, surface: Vec3, restitution: number): void {
    const numbers = touch.impact;
    const normal = normalize(vectorAt(numbers, MOMENTUM));
    const away = dot(subtract(now.velocity, surface), normal);
    // What rose since then has spent energy on it.
    const risen = Math.min(0, dot(this.input.gravity, subtract(now.centre, vectorAt(numbers, CENTRE))));
    const came = -dot(vectorAt(numbers, VELOCITY), normal);
    const missing = Math.sqrt(Math.max(0, came * came + 2 * risen)) - away;
    if (!(missing > 0)) return;
    const velocities = Float64Array.from(body.velocities);
    const positions = Float64Array.from(body.positions);
    const energy = energyOf(body, surface);
    const rigid = rigidPart(positions, velocities, body.masses);
    const flutter = energyOf({ velocities: velocities.map((v, k) => v - rigid[k]), masses: body.masses }, [0, 0, 0]);
    const allowed = (1 - LOST) * numbers[ENERGY] + now.mass * risen - STORED * flutter;
    // With all of the flutter gone, so much speed could be given: the positive root of m·(away·s + s²/2) = room.
    const room = (allowed - (energy - flutter)) / now.mass;
    if (!(room > 0)) return;
    const most = Math.sqrt(away * away + 2 * room) - away;
    const given = Math.min(restitution * missing, most);
    const left = allowed - (energy - flutter) - now.mass * (away * given + (given * given) / 2);
    const kept = flutter > left ? Math.sqrt(Math.max(0, left / flutter)) : 1;
    if (body.innerMass) body.push({ linear: scale(normal, given), angular: [0, 0, 0], about: now.centre });
    else {
      for (let k = 0; k < velocities.length; k++) {
        body.velocities[k] = rigid[k] + kept * (velocities[k] - rigid[k]) + given * normal[k % 3];
      }
      body.loadVelocities();
    }
    const impulse = scale(normal, massOf(body) * given);
    const again = body.touches.with(touch.other);
    again.add(now.mass, now.centre, 0, impulse, normal, touch.other.end.position);
  }
}

/** The velocities of the rigid motion with the same momenta. */
function rigidPart(positions: Float64Array, velocities: Float64Array, masses: Float64Array): Float64Array {
  const rigid = new Float64Array(velocities.length);
  const motion = measureRigidMotion(positions, velocities, masses, createRigidMotion());
  restoreRigidMotion(positions, rigid, masses, motion);
  return rigid;
}

/** How fast the obstacle's surface moves where it is touched [m/s]. */
function surfaceVelocity(touch: Touch, collider: Obstacle, substep: number): Vec3 {
  if (!collider.isMoving) return [0, 0, 0];
  const displacement = new Float64Array(3);
  // Where the touch has ended, the sums are still those of the step before.
  const [x, y, z] = touch.point;
  collider.displacementAt(x, y, z, displacement);
  return scale(pointAt(displacement, 0), 1 / substep);
}
