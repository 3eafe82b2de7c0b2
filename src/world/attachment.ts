// An attachment of a body's vertices to an obstacle or to another body, as the user holds it.

import type { BackendBody } from '../backends/backend.js';
import { Collider } from '../contact/obstacles/collider.js';
import { BodyJoint, triangleFrame } from '../handles/body-joint.js';
import { ColliderPin } from '../handles/collider-pin.js';
import { expectPositive } from '../math/expect.js';
import { dot, length, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import { closestPoint } from '../mesh/triangle-tree.js';
import type { Body } from './body.js';

export interface AttachOptions {
  /** Force beyond which it breaks [N]; it holds for ever unless set. */
  readonly breakForce?: number;
}

/** A body and its state. */
export interface Attached {
  readonly body: Body;
  readonly state: BackendBody;
}

export type Link = BodyJoint | ColliderPin;

export class Attachment {
  readonly breakForce: number;
  /** Number by which snapshots know it. */
  handle = 0;
  /** Whether its force went beyond `breakForce`. */
  broken = false;
  private holds = true;

  /** Attachments are made by `World.attach`. */
  constructor(
    private readonly owner: Attached,
    private readonly target: Attached | Collider,
    /** What holds. */
    readonly link: Link,
    options: AttachOptions,
    private readonly stepLength: number,
  ) {
    this.breakForce = options.breakForce ?? Infinity;
    if (options.breakForce !== undefined) expectPositive('breakForce', options.breakForce);
    if (link instanceof ColliderPin) owner.state.pins.push(link);
    this.wake();
  }

  /** The body's vertices that are held; those of a new topology that took their place, where it got one. */
  get vertices(): Uint32Array {
    return this.link.vertices;
  }

  get body(): Body {
    return this.owner.body;
  }

  /** What the body is attached to. */
  get other(): Body | Collider {
    return this.target instanceof Collider ? this.target : this.target.body;
  }

  /** Mean force on the body in the last step [N]. */
  get force(): Vec3 {
    return scale(pointAt(this.link.impulse, 0), 1 / this.stepLength);
  }

  /** Whether it neither broke nor was detached. */
  get attached(): boolean {
    return this.holds;
  }

  /** What acts between two bodies; none where it is a collider that holds. */
  get joint(): BodyJoint | undefined {
    return this.holds && this.link instanceof BodyJoint ? this.link : undefined;
  }

  /** Lets go; bodies keep their velocities. */
  detach(): void {
    if (!this.holds) return;
    this.holds = false;
    const index = this.link instanceof ColliderPin ? this.owner.state.pins.indexOf(this.link) : -1;
    if (index >= 0) this.owner.state.pins.splice(index, 1);
    this.wake();
  }

  /** Called by the world before a step. */
  beginStep(): void {
    // A sleeping body goes on hanging as it did.
    if (this.owner.state.asleep) return;
    this.link.impulse.fill(0);
    if (this.link instanceof ColliderPin) this.link.moment.fill(0);
  }

  /** Called by the world after a step: gives a collider its part, and breaks what was pulled too hard. */
  endStep(): void {
    if (!this.holds) return;
    if (this.link instanceof ColliderPin) {
      const { collider, impulse, moment } = this.link;
      for (let c = 0; c < 3; c++) {
        collider.reaction[c] -= impulse[c];
        collider.reaction[3 + c] -= moment[c];
      }
    }
    if (length(this.force) <= this.breakForce) return;
    this.broken = true;
    this.detach();
  }

  private wake(): void {
    this.owner.state.wake();
    if (!(this.target instanceof Collider)) this.target.state.wake();
  }
}

/** Holds vertices where they are now: to a collider, or over the surface of another body. */
export function bindLink(owner: Attached, vertices: Uint32Array, target: Attached | Collider): Link {
  if (!(target instanceof Collider)) return join(owner, vertices, target);
  const points = Array.from(vertices, (vertex) => pointAt(owner.body.positions, vertex));
  return new ColliderPin(vertices, points, target);
}

/** The same without a place to hold them at, which a snapshot has. */
export function emptyLink(owner: Attached, vertices: Uint32Array, target: Attached | Collider): Link {
  if (!(target instanceof Collider)) return emptyJoint(owner, vertices, target);
  return new ColliderPin(
    vertices,
    Array.from(vertices, () => [0, 0, 0]),
    target,
  );
}

/** Binds each vertex to the nearest point of the other surface, with the way from there that it has now. */
function join(owner: Attached, vertices: Uint32Array, target: Attached): BodyJoint {
  const { triangles } = target.body.mesh;
  const { positions } = target.body;
  const joint = emptyJoint(owner, vertices, target);
  vertices.forEach((vertex, n) => {
    const point = pointAt(owner.body.positions, vertex);
    const hit = closestPoint(target.body.surface, point);
    if (!hit) throw new RangeError('attach: expected bodies with finite positions');
    const chosen = triangles.subarray(3 * hit.triangle, 3 * hit.triangle + 3);
    joint.corners.set(chosen, 3 * n);
    joint.weights.set(hit.barycentrics, 3 * n);
    const [a, b, c] = Array.from(chosen, (corner) => pointAt(positions, corner));
    const offset = subtract(point, hit.point);
    joint.offsets.set(
      triangleFrame(a, b, c).map((axis) => dot(offset, axis)),
      3 * n,
    );
  });
  return joint;
}

/** A joint of these vertices that is bound to nothing yet. */
function emptyJoint(owner: Attached, vertices: Uint32Array, target: Attached): BodyJoint {
  const [corners, numbers] = [new Uint32Array(3 * vertices.length), () => new Float64Array(3 * vertices.length)];
  return new BodyJoint(owner.state, target.state, vertices, corners, numbers(), numbers());
}
