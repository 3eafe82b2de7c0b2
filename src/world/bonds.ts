// What holds bodies to obstacles and to each other in a world, in the order in which it was made.

import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { BodyJoint } from '../handles/body-joint.js';
import { Attachment } from './attachment.js';
import type { Body } from './body.js';
import type { Bond } from './bond.js';
import type { Collider } from './collider.js';
import type { ResidentBody } from './resident-body.js';

export class Bonds {
  private bonds: Bond[] = [];
  private readonly facades = new WeakMap<Bond, Attachment>();

  /** Those that hold. */
  get list(): readonly Bond[] {
    if (this.bonds.some(({ holds }) => !holds)) this.bonds = this.bonds.filter(({ holds }) => holds);
    return this.bonds;
  }

  /** As users hold them. */
  get attachments(): readonly Attachment[] {
    return this.list.map((bond) => this.attachmentOf(bond));
  }

  attachmentOf(bond: Bond): Attachment {
    return this.facades.get(bond) as Attachment;
  }

  add(bond: Bond, body: Body, other: Body | Collider): void {
    this.bonds.push(bond);
    this.facades.set(bond, new Attachment(bond, body, other));
  }

  /** Lets go of what holds a thing, or is held to it. */
  detachFrom(thing: ResidentBody | Obstacle): void {
    for (const bond of this.list) if (bond.owner === thing || bond.target === thing) bond.detach();
  }

  /** What acts between two bodies. */
  get joints(): BodyJoint[] {
    return this.list.flatMap(({ joint }) => joint ?? []);
  }

  /** Puts them into the order of their handles. */
  sort(): void {
    this.bonds.sort((a, b) => a.handle - b.handle);
  }

  clear(): void {
    this.bonds = [];
  }
}
