// Attaches bodies: checks what is asked for, and binds it.

import { Obstacle } from '../contact/obstacles/obstacle.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Attachment } from './attachment.js';
import type { Body } from './body.js';
import { type AttachOptions, Bond, bindLink, type Link } from './bond.js';
import type { Collider } from './collider.js';
import type { ResidentBody } from './resident-body.js';
import { innerOf, type WorldParts } from './world-parts.js';

/** Attaches vertices where they are now, to a collider or to the surface of another body. */
export function attach(
  parts: WorldParts,
  body: Body,
  vertices: ArrayLike<number>,
  other: Body | Collider,
  options: AttachOptions,
): Attachment {
  expectKnownFields('attach', options, ['breakForce']);
  const owner = parts.bodies.innerOf(body);
  if (!owner) throw new RangeError('attach: expected a body of this world');
  owner.expectVertices('attach', vertices);
  if (other === body) throw new RangeError('attach: expected another body, got the same');
  const target = innerOf(parts, other);
  if (!target) throw new RangeError('attach: expected a body or a collider of this world');
  if (options.breakForce !== undefined && parts.backend.sync && target instanceof Obstacle) {
    throw new RangeError('attach breakForce: the webgpu backend does not measure what pins hold');
  }
  const bond = bind(parts, { body, other }, bindLink(owner, Uint32Array.from(vertices), target), options);
  return parts.bonds.attachmentOf(bond);
}

/** Holds two things of a world together by a link. */
export function bind(
  parts: WorldParts,
  { body, other }: { readonly body: Body; readonly other: Body | Collider },
  link: Link,
  options: AttachOptions,
): Bond {
  const owner = parts.bodies.innerOf(body) as ResidentBody;
  const target = innerOf(parts, other) as Bond['target'];
  const bond = new Bond(owner, target, link, options, parts.timeStep);
  bond.handle = ++parts.clock.handles;
  parts.bonds.add(bond, body, other);
  return bond;
}
