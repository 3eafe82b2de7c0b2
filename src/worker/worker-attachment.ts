// An attachment of a body in a worker, as the page holds it.

import { pointAt, type Vec3 } from '../math/vec3.js';
import type { Remote } from './remote.js';
import type { WorkerBody } from './worker-body.js';
import type { WorkerCollider } from './worker-collider.js';

/** An attachment of a body in a worker. */
export class WorkerAttachment {
  private numbers: Float64Array = Float64Array.of(1, 0, 0, 0, 0);

  /** Attachments are made by `WorkerWorld.attach`. */
  constructor(
    private readonly remote: Remote,
    readonly body: WorkerBody,
    readonly other: WorkerBody | WorkerCollider,
    readonly vertices: Uint32Array,
    /** Force beyond which it breaks [N]. */
    readonly breakForce: number,
  ) {}

  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  /** Mean force on the body in the last step [N]. */
  get force(): Vec3 {
    return pointAt(this.numbers.subarray(2), 0);
  }

  /** Whether it neither broke nor was detached. */
  get attached(): boolean {
    return this.numbers[0] === 1 && !this.remote.membership.ended;
  }

  /** Whether its force went beyond `breakForce`. */
  get broken(): boolean {
    return this.numbers[1] === 1;
  }

  /** Lets go; bodies keep their velocities. */
  detach(): void {
    this.remote.drop('it was detached');
  }

  /** @internal */
  end(reason: string): void {
    this.remote.membership.end(reason);
  }

  /** @internal */
  take(numbers: Float64Array): void {
    this.numbers = numbers;
  }
}
