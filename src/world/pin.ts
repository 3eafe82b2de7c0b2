// Pinned vertices of a body, as the user holds them.

import type { BackendBody } from '../backends/backend.js';
import type { PinnedSet } from '../handles/pinned-set.js';
import { expectVector } from '../math/expect.js';
import type { Keyframe } from '../math/motion.js';
import type { Quaternion } from '../math/quaternion.js';
import { subtract, type Vec3 } from '../math/vec3.js';

/** Vertices of a body that follow a motion exactly; made by `Body.pin`. */
export class Pin {
  /**
   * Pins are made by `Body.pin`.
   * @param holder whose vertices they are: another body where theirs was separated.
   */
  constructor(
    private readonly pinned: PinnedSet,
    private readonly holder: { readonly state: BackendBody },
  ) {}

  /** In the mesh's own numbering. */
  get vertices(): Uint32Array {
    return this.pinned.vertices;
  }

  /** Centre of the pinned set where it was pinned [m]. */
  get centre(): Vec3 {
    return this.pinned.centre;
  }

  /** Displacements and rotations over time; may be replaced while the world runs. */
  get motion(): readonly Keyframe[] {
    return this.pinned.follower.motion;
  }

  set motion(motion: readonly Keyframe[]) {
    this.expectHeld();
    this.pinned.lead(motion);
  }

  /** Whether it still holds its vertices. */
  get held(): boolean {
    return this.holder.state.pins.includes(this.pinned);
  }

  /**
   * Leads the centre of the set to `position` [m] during the next step, at even speed, turned by `rotation` against how it was
   * pinned; then it stays there. Without a rotation it stays turned as it is.
   */
  moveTo(position: Vec3, rotation?: Quaternion): void {
    this.expectHeld();
    expectVector('position', position);
    this.pinned.follower.send(subtract(position, this.centre), rotation);
  }

  private expectHeld(): void {
    if (!this.held) throw new RangeError('pin: it holds nothing any more, its vertices were unpinned');
  }
}
