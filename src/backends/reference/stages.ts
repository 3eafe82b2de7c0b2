// The stages of a step for one body, in the order of the data: predict → match → damp → contact → conserve → commit.

import { mayTouch } from '../../contact/groups.js';
import type { Collider } from '../../contact/obstacles/collider.js';
import {
  liftOff,
  markPenetrating,
  resolveAgain,
  resolveObstacles,
  stopApproaching,
  supportOf,
} from '../../contact/obstacles/obstacle-contact.js';
import type { SoftContact } from '../../contact/soft/soft-contact.js';
import { CRUSHED_REACH, CRUSHED_SPEED } from '../../solvers/volume/tuning.js';
import type { StepInput } from '../backend.js';
import type { ReferenceBody } from './reference-body.js';
import type { ReferencePart } from './reference-part.js';

/** How deep the volume step may carry a particle into an obstacle, in body sizes. */
const CONTACT_TOLERANCE = 1e-6;

/** What a stage gets: the step, and the contact of bodies with each other. */
export interface StageInput extends StepInput {
  readonly softContact: SoftContact;
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
  holdPins(body, timeStep);
}

export function match(body: ReferenceBody, input: StepInput): void {
  const { model, particles, pinned, contacts, touches } = body;
  const { timeStep, gravity } = input;
  const colliders = obstaclesOf(body, input);
  model.match(particles, timeStep, { gravity, colliders, pinned, frictions: contacts.factors });
  model.contacts?.record(touches);
  holdPins(body, timeStep);
}

export function damp(body: ReferenceBody, { timeStep }: StepInput): void {
  body.model.damp(body.particles, timeStep);
  holdPins(body, timeStep);
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
const obstaclesOf = ({ contactSettings }: ReferenceBody, { colliders }: StepInput): readonly Collider[] =>
  colliders.filter((collider) => mayTouch(contactSettings, collider));

function joinContacts({ colliding, contacts, bodyContacts }: ReferenceBody): void {
  for (let i = 0; i < colliding.length; i++) colliding[i] = contacts.colliding[i] | bodyContacts.touching.colliding[i];
}

/** Volume and flux. A model that carries the particles follows; where it cannot, the step is conserved once more. */
export function conserve(body: ReferenceBody, input: StageInput): void {
  conserveVolume(body, input);
  const { model, particles } = body;
  model.takeOver?.(particles);
  if (!model.pullBack?.(particles, holdContacts(body))) return;
  touchAgain(
    body,
    input,
    holdContacts(body).map((mark) => 1 - mark),
  );
  joinContacts(body);
  conserveVolume(body, input);
  model.takeOver?.(particles);
}

function conserveVolume(body: ReferenceBody, input: StepInput): void {
  for (const part of body.parts) conservePart(body, part, input);
  holdPins(body, input.timeStep);
}

function conservePart(body: ReferenceBody, part: ReferencePart, input: StepInput): void {
  const volume = body.constraintOf(part);
  if (!volume) return;
  const colliders = obstaclesOf(body, input);
  const { size } = part.rest.volume;
  const tolerance = CONTACT_TOLERANCE * size;
  const { shell, first, pinned, contacts, touching } = part;
  const { bodyContacts } = body;
  const speed = CRUSHED_SPEED * size;
  const crushed = bodyContacts.touched && body.motion > 0.5 * speed * speed;
  // Momentum goes through the pins of this part, not through those of others.
  shell.anchored = pinned.includes(1);
  // Other parts move on their own, as other bodies do.
  const slackShare = body.parts.length > 1 ? 0.5 : 1;
  volume.conserve(shell, pinned, part.colliding, {
    support: supportOf(contacts, shell.masses),
    crushedReach: crushed ? CRUSHED_REACH * input.timeStep : undefined,
    forbid: (candidates, held, fits, firmOnly) =>
      markPenetrating(colliders, candidates, tolerance, held, shell.positions, fits) +
      (firmOnly
        ? 0
        : bodyContacts.forbid({ first, positions: shell.positions, slackShare }, candidates, tolerance, held, fits)),
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

/** Pinned particles go where their pin says, with the velocity that takes them there. */
function holdPins(body: ReferenceBody, timeStep: number): void {
  if (body.pins.length === 0) return;
  const { positions, starts, velocities } = body.particles;
  for (let i = 0; i < body.pinned.length; i++) {
    if (body.pinned[i] === 0) continue;
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      positions[k] = body.pinTargets[k];
      body.pinChanges[k] -= velocities[k];
      velocities[k] = (positions[k] - starts[k]) / timeStep;
      body.pinChanges[k] += velocities[k];
    }
  }
}
