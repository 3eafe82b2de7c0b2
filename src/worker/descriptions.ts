// What the page is told of things that are in the worker.

import type { Prepared } from '../solvers/solver.js';
import type { Attachment } from '../world/attachment.js';
import type { Body } from '../world/body.js';
import type { Collider } from '../world/collider.js';
import type { World } from '../world/world.js';
import type { BodyInfo, HandleInfo, PreparedInfo, WorldInfo } from './messages.js';
import type { Things } from './things.js';

export function describeBody(id: number, body: Body): BodyInfo {
  const { name, mass, restVolume, mesh, cutFaces } = body;
  const parts = body.parts.map((part) => ({ vertices: part.vertices, restVolume: part.restVolume }));
  return { id, name, mass, restVolume, mesh, cutFaces, parts };
}

export const describeWorld = ({ capabilities, timeStep }: World): WorldInfo => ({ capabilities, timeStep });

export function describeAttachment(attachment: Attachment, things: Things): HandleInfo {
  const { body, other, vertices, breakForce } = attachment;
  const ids = { id: things.numberOf(attachment), body: things.numberOf(body), other: things.numberOf(other) };
  return { kind: 'attachment', ...ids, vertices, breakForce };
}

export function describeCollider({
  shape,
  name,
  friction,
  restitution,
  group,
  collidesWith,
  sensor,
  motion,
  rest,
}: Collider) {
  return { ...shape, name, friction, restitution, group, collidesWith, sensor, motion, ...rest };
}

export function describePrepared({ mesh, visible, volume, particles }: Prepared): PreparedInfo {
  return { mesh, visible, restVolume: volume.volume, size: volume.size, massFactor: particles.massFactor ?? 1 };
}
