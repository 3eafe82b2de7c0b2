// Several bodies against each other, by order: each gives way to its own colliders and to the bodies before it, as they came out, and
// to none behind it. The first is the hardest. Two soft bodies that share a dent cannot be had so; a `margin` may stand for what the
// harder one would have given way.

import type { DeformerCollider } from './collider-settings.js';
import type { DeformedFrame, DeformerFrame } from './deform-frame.js';
import type { Deformer } from './deformer.js';

/** A body of `deformInOrder`, with what it is to be deformed by. */
export interface OrderedBody {
  readonly deformer: Deformer;
  readonly frame: DeformerFrame;
  /** How those behind it see it: margin, direction, sweep, inside, enabled. */
  readonly asCollider?: Pick<DeformerCollider, 'name' | 'enabled' | 'margin' | 'direction' | 'sweep' | 'inside'>;
}

/**
 * The frames of the bodies, in their order. Errors name the body.
 * @example
 * ```ts
 * const deformer = createDeformer(icosphere({ detail: 2 }));
 * const [frame] = deformInOrder([{ deformer, frame: { colliders: [] } }]);
 * ```
 */
export function deformInOrder(bodies: readonly OrderedBody[]): DeformedFrame[] {
  const before: DeformerCollider[] = [];
  return bodies.map(({ deformer, frame, asCollider }, i) => {
    try {
      const result = deformer.at({ ...frame, colliders: [...frame.colliders, ...before] });
      const mesh = { positions: result.positions, triangles: deformer.mesh.triangles };
      before.push({ name: `body ${i}`, ...asCollider, shape: 'mesh', mesh });
      return result;
    } catch (error) {
      if (error instanceof RangeError) throw new RangeError(`bodies[${i}]: ${error.message}`, { cause: error });
      throw error;
    }
  });
}
