// An attachment of a body's vertices to an obstacle or to another body, as the user holds it.

import type { Vec3 } from '../math/vec3.js';
import type { Body } from './body.js';
import type { Bond } from './bond.js';
import type { Collider } from './collider.js';

/** Holds vertices of a body to a collider or to another body; made by `World.attach`. */
export class Attachment {
  /** Attachments are made by `World.attach`. */
  constructor(
    private readonly bond: Bond,
    readonly body: Body,
    /** What the body is attached to. */
    readonly other: Body | Collider,
  ) {}

  /** Force beyond which it breaks [N]. */
  get breakForce(): number {
    return this.bond.breakForce;
  }

  /** The body's vertices that are held; those of a new topology that took their place, where it got one. */
  get vertices(): Uint32Array {
    return this.bond.link.vertices;
  }

  /** Mean force on the body in the last step [N]. */
  get force(): Vec3 {
    return this.bond.force;
  }

  /** Whether it neither broke nor was detached. */
  get attached(): boolean {
    return this.bond.holds;
  }

  /** Whether its force went beyond `breakForce`. */
  get broken(): boolean {
    return this.bond.broken;
  }

  /** Lets go; bodies keep their velocities. */
  detach(): void {
    this.bond.detach();
  }
}
