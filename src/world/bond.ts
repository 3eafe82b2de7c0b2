// What holds vertices of a body to an obstacle or to another body: the world's side of an attachment.

import type { BackendBody } from '../backends/backend.js';
import { Obstacle } from '../contact/obstacles/obstacle.js';
import { BodyJoint, triangleFrame } from '../handles/body-joint.js';
import { ColliderPin } from '../handles/collider-pin.js';
import { expectPositive } from '../math/expect.js';
import { dot, length, pointAt, scale, subtract, type Vec3 } from '../math/vec3.js';
import { closestPoint } from '../mesh/triangle-tree.js';
import type { ResidentBody } from './resident-body.js';

/** How firmly an attachment holds. */
export interface AttachOptions {
  /** Force beyond which it breaks [N]; it holds for ever unless set. */
  readonly breakForce?: number;
}

export type Link = BodyJoint | ColliderPin;

export class Bond {
  readonly breakForce: number;
  /** Number by which snapshots know it. */
  handle = 0;
  /** Whether its force went beyond `breakForce`. */
  broken = false;
  /** Whether it neither broke nor was detached. */
  holds = true;

  constructor(
    readonly owner: ResidentBody,
    readonly target: ResidentBody | Obstacle,
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

  /** Mean force on the body in the last step [N]. */
  get force(): Vec3 {
    return scale(pointAt(this.link.impulse, 0), 1 / this.stepLength);
  }

  /** What acts between two bodies; none where it is an obstacle that holds. */
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

  beginStep(): void {
    // A sleeping body goes on hanging as it did.
    if (this.owner.state.asleep) return;
    this.link.impulse.fill(0);
    if (this.link instanceof ColliderPin) this.link.moment.fill(0);
  }

  /** Gives an obstacle its part, and breaks what was pulled too hard. */
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
    if (!(this.target instanceof Obstacle)) this.target.state.wake();
  }
}

/** Holds vertices where they are now: to an obstacle, or over the surface of another body. */
export function bindLink(owner: ResidentBody, vertices: Uint32Array, target: ResidentBody | Obstacle): Link {
  if (!(target instanceof Obstacle)) return join(owner.state, vertices, target);
  const points = Array.from(vertices, (vertex) => pointAt(owner.state.positions, vertex));
  return new ColliderPin(vertices, points, target);
}

/** The same without a place to hold them at, which a snapshot has. */
export function emptyLink(owner: ResidentBody, vertices: Uint32Array, target: ResidentBody | Obstacle): Link {
  if (!(target instanceof Obstacle)) return emptyJoint(owner.state, vertices, target.state);
  return new ColliderPin(
    vertices,
    Array.from(vertices, () => [0, 0, 0]),
    target,
  );
}

/** Binds each vertex to the nearest point of the other surface, with the way from there that it has now. */
function join(owner: BackendBody, vertices: Uint32Array, { state, surface }: ResidentBody): BodyJoint {
  const { positions } = state;
  const { triangles } = state.prepared.mesh;
  const joint = emptyJoint(owner, vertices, state);
  vertices.forEach((vertex, n) => {
    const point = pointAt(owner.positions, vertex);
    const hit = closestPoint(surface, point);
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
function emptyJoint(owner: BackendBody, vertices: Uint32Array, target: BackendBody): BodyJoint {
  const [corners, numbers] = [new Uint32Array(3 * vertices.length), () => new Float64Array(3 * vertices.length)];
  return new BodyJoint(owner, target, vertices, corners, numbers(), numbers());
}
