// A grip on a body, as the user holds it: drags the body by a point of its surface until it is released.

import type { BackendBody } from '../backends/backend.js';
import { PatchGrip } from '../handles/grip.js';
import { expectPositive, expectVector } from '../math/expect.js';
import { distance, pointAt, scale, type Vec3 } from '../math/vec3.js';
import type { ClosestPoint } from '../mesh/triangle-tree.js';

/** How a grip holds. */
export interface GrabOptions {
  /** How far around the point the surface is gripped [m]; a tenth of the body's size unless set. */
  readonly radius?: number;
}

/** In body sizes (diameters of the bounding sphere). */
export const GRAB_DEFAULTS = { radius: 0.1 };

/** A hand that holds a body by a spring; made by `Body.grab`. */
export class Grip {
  /**
   * Grips are made by `Body.grab`.
   * @param holder what it drags: another body where its own was separated.
   */
  constructor(
    private readonly patch: PatchGrip,
    private readonly holder: { readonly state: BackendBody },
    private readonly stepLength: number,
  ) {}

  /** Where the gripped point of the surface is now [m]. */
  get point(): Vec3 {
    return this.patch.pointOn(this.holder.state.positions);
  }

  /** Where it is drawn to [m]. */
  get target(): Vec3 {
    return pointAt(this.patch.target, 0);
  }

  /** Mean force on the body in the last step [N]. */
  get force(): Vec3 {
    return scale(pointAt(this.patch.impulse, 0), 1 / this.stepLength);
  }

  /** Whether it still holds the body. */
  get held(): boolean {
    return this.holder.state.grips.includes(this.patch);
  }

  /** Draws the point towards another place [m], from the next step on. */
  moveTo(point: Vec3): void {
    if (!this.held) throw new RangeError('grip: it holds nothing any more; body.grab gives another');
    expectVector('point', point);
    this.patch.target.set(point);
    this.holder.state.wake();
  }

  /** Lets go; the body keeps its velocity. */
  release(): void {
    const index = this.holder.state.grips.indexOf(this.patch);
    if (index < 0) return;
    this.holder.state.grips.splice(index, 1);
    this.holder.state.wake();
  }
}

/** The patch of a body's surface around a point of it. */
export function choosePatch(state: BackendBody, hit: ClosestPoint, options: GrabOptions): PatchGrip {
  const radius = options.radius ?? GRAB_DEFAULTS.radius * state.prepared.volume.size;
  expectPositive('radius', radius);
  const { triangles } = state.prepared.mesh;
  const corners = triangles.slice(3 * hit.triangle, 3 * hit.triangle + 3);
  const patch = new Map<number, number>();
  corners.forEach((vertex, n) => {
    patch.set(vertex, hit.barycentrics[n]);
  });
  for (let vertex = 0; vertex < state.masses.length; vertex++) {
    const share = distance(pointAt(state.positions, vertex), hit.point) / radius;
    if (share < 1) patch.set(vertex, Math.max(patch.get(vertex) ?? 0, (1 - share * share) ** 2));
  }
  return new PatchGrip(
    corners,
    Float64Array.from(hit.barycentrics),
    Uint32Array.from(patch.keys()),
    Float64Array.from(patch.values()),
    Float64Array.from(hit.point),
  );
}
