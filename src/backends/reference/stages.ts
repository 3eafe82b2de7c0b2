// The stages of a step for one body, in the order of the data: predict → match → damp → contact → conserve → commit.

import { mayTouch } from '../../contact/groups.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import {
  liftOff,
  markPenetrating,
  resolveAgain,
  resolveObstacles,
  stopApproaching,
  supportOf,
} from '../../contact/obstacles/obstacle-contact.js';
import type { SoftContact } from '../../contact/soft/soft-contact.js';
import type { Surroundings } from '../../solvers/model-contacts.js';
import { markFar, nextPressedSpeed } from '../../solvers/volume/pressing.js';
import { CRUSHED_REACH, CRUSHED_SPEED } from '../../solvers/volume/tuning.js';
import type { StepInput } from '../backend.js';
import type { CoupledModels } from '../coupled-models.js';
import type { ReferenceBody } from './reference-body.js';
import type { ReferencePart } from './reference-part.js';

/** How deep the volume step may carry a particle into an obstacle, in body sizes. */
const CONTACT_TOLERANCE = 1e-6;

/** What a stage gets: the step, and the contact of bodies with each other. */
export interface StageInput extends StepInput {
  readonly softContact: SoftContact;
  readonly coupled: CoupledModels<ReferenceBody>;
}

/** v ← v + Δt·g; x = xⁿ + Δt·v; pins to their targets, which were located before. */
export function predict(body: ReferenceBody, input: StepInput): void {
  body.inflate(input.timeStep);
  const { positions, starts, velocities } = body.particles;
  const { gravity, timeStep } = input;
  starts.set(positions);
  for (let k = 0; k < velocities.length; k += 3) {
    velocities[k] += timeStep * gravity[0];
    velocities[k + 1] += timeStep * gravity[1];
    velocities[k + 2] += timeStep * gravity[2];
    positions[k] += timeStep * velocities[k];
    positions[k + 1] += timeStep * velocities[k + 1];
    positions[k + 2] += timeStep * velocities[k + 2];
  }
  const fall = [timeStep * gravity[0], timeStep * gravity[1], timeStep * gravity[2]];
  const inner = body.model.inner?.velocities ?? [];
  for (let k = 0; k < inner.length; k++) inner[k] += fall[k % 3];
  body.pinning.hold(body.particles, timeStep);
}

/** Models that meet each other within their solves together, the others one by one. */
export function matchAll(all: readonly ReferenceBody[], input: StageInput): void {
  const { timeStep, coupled } = input;
  coupled.match(all, timeStep, (body, place) => {
    const { model, particles: shell, contactRest, contactSettings, sleep, touches } = body;
    const around = surroundingsOf(body, input);
    return { place, model, shell, around, contactRest, contactSettings, sleep, touches, body };
  });
  for (const body of all) {
    if (body.sleep.asleep) continue;
    const { model, particles, touches } = body;
    if (!coupled.takes(body)) model.match(particles, timeStep, surroundingsOf(body, input));
    model.contacts?.record(touches);
    body.pinning.hold(body.particles, timeStep);
  }
}

function surroundingsOf(body: ReferenceBody, input: StepInput): Surroundings {
  const { pinned, contacts, recovery } = body;
  const colliders = obstaclesOf(body, input);
  return { gravity: input.gravity, colliders, pinned, frictions: contacts.factors, isRecovering: recovery.isActive };
}

export function damp(body: ReferenceBody, { timeStep }: StepInput): void {
  body.model.damp(body.particles, timeStep);
  body.slowDown(timeStep);
  body.pinning.hold(body.particles, timeStep);
}

/** Bodies against obstacles, then against each other; obstacles have the last word. */
export function contact(all: readonly ReferenceBody[], input: StageInput): void {
  const { timeStep, softContact } = input;
  softContact.detect(all, timeStep);
  const bodies = all.filter(({ sleep }) => !sleep.asleep);
  for (const body of bodies) {
    const { positions, starts, velocities } = body.particles;
    resolveObstacles(obstaclesOf(body, input), positions, starts, velocities, body.pinned, timeStep, body.contacts);
    body.model.contacts?.joinTo(body.contacts);
  }
  softContact.resolve(all, timeStep);
  for (const body of bodies) body.moved.fill(0);
  softContact.forEachParticle((body, place) => {
    all[body].moved[place] = 1;
  });
  for (const body of bodies) touchAgain(body, input, body.moved);
  softContact.report(all);
  softContact.record(all);
  for (const body of bodies) joinContacts(body);
}

/** The obstacles that a body may touch. */
const obstaclesOf = ({ contactSettings }: ReferenceBody, { colliders }: StepInput): readonly Obstacle[] =>
  colliders.filter((collider) => mayTouch(contactSettings, collider));

function joinContacts({ colliding, contacts, neighbourGaps }: ReferenceBody): void {
  for (let i = 0; i < colliding.length; i++) colliding[i] = contacts.colliding[i] | neighbourGaps.touching.colliding[i];
}

/** Volume and flux. A model that carries the particles follows; where it cannot, the step is conserved once more. */
export function conserve(body: ReferenceBody, input: StageInput): void {
  conserveVolume(body, input);
  const { model, particles } = body;
  model.takeOver?.(particles);
  if (!model.pullBack?.(particles, holdContacts(body))) {
    model.settle?.(particles);
    return;
  }
  touchAgain(
    body,
    input,
    holdContacts(body).map((mark) => 1 - mark),
  );
  joinContacts(body);
  conserveVolume(body, input);
  model.takeOver?.(particles);
  model.settle?.(particles);
}

function conserveVolume(body: ReferenceBody, input: StepInput): void {
  if (!body.model.inner) {
    const { contacts, prepared, pressedSpeed: before } = body;
    const { masses, velocities } = body.particles;
    const { size } = prepared.volume;
    body.pressedSpeed = nextPressedSpeed(contacts, masses, velocities, before, size, input.timeStep);
  }
  for (const part of body.parts) conservePart(body, part, input);
  body.pinning.hold(body.particles, input.timeStep);
}

function conservePart(body: ReferenceBody, part: ReferencePart, input: StepInput): void {
  const volume = body.constraintOf(part);
  if (!volume) return;
  const colliders = obstaclesOf(body, input);
  const { size } = part.rest.volume;
  const tolerance = CONTACT_TOLERANCE * size;
  const { shell, first, pinned, contacts, touching } = part;
  const { neighbourGaps } = body;
  const speed = CRUSHED_SPEED * size;
  const crushed = neighbourGaps.touched && body.motion > 0.5 * speed * speed;
  // Momentum goes through the pins of this part, not through those of others.
  shell.anchored = pinned.includes(1);
  // Other parts move on their own, as other bodies do.
  const slackShare = body.parts.length > 1 ? 0.5 : 1;
  const reach = input.timeStep * body.pressedSpeed;
  volume.conserve(shell, pinned, part.colliding, {
    support: supportOf(contacts, shell.masses),
    crushedReach: crushed ? CRUSHED_REACH * input.timeStep : undefined,
    forbid: (candidates, held, fits, firmOnly) => {
      const before = reach < Infinity ? held.slice() : held;
      let marked = markPenetrating(colliders, candidates, tolerance, held, shell.positions, fits);
      const neighbourhood = { first, positions: shell.positions, slackShare };
      if (!firmOnly) marked += neighbourGaps.forbid(neighbourhood, candidates, tolerance, held, fits);
      if (reach < Infinity) marked += markFar(shell, reach, candidates, before, held, fits);
      return marked;
    },
    lift: (displacement, firmOnly) => {
      liftOff(contacts, displacement);
      if (!firmOnly) liftOff(touching, displacement);
    },
    stop: (velocities) => {
      stopApproaching(touching, velocities);
      stopApproaching(contacts, velocities);
    },
  });
}

/** Marks the particles that a pin or an obstacle has put where they are. */
function holdContacts({ pinned, colliding }: ReferenceBody): Uint8Array {
  return colliding.map((mark, i) => mark | pinned[i]);
}

/** Resolves obstacle contacts of the marked particles, which something else has moved since; the others stay as they are. */
function touchAgain(body: ReferenceBody, input: StepInput, marked: Uint8Array): void {
  if (!marked.includes(1)) return;
  const { positions, starts, velocities } = body.particles;
  const others = marked.map((mark, i) => (1 - mark) | body.pinned[i]);
  resolveAgain(obstaclesOf(body, input), positions, starts, velocities, others, input.timeStep, body.contacts);
}

export function commit(body: ReferenceBody, { timeStep }: StepInput): void {
  body.publish(timeStep);
}
