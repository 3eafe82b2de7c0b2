// Puts a body into a broken state, to show and to test that it recovers. [DBB11 Fig. 3]

import { showInput } from '../math/expect.js';
import { describeKnown } from '../math/known-fields.js';
import { seededRandom } from '../math/random.js';

/** Names of the ways in which a body can be broken. */
export const DEFORMATIONS = ['none', 'mirror', 'flatten', 'line', 'point', 'random'] as const;
/** A way in which `Body.deform` breaks a body. */
export type Deformation = (typeof DEFORMATIONS)[number];

/** Throws RangeError where a name is none of a deformation. */
export function expectDeformation(deformation: Deformation): void {
  if (DEFORMATIONS.includes(deformation)) return;
  throw new RangeError(`deform: ${describeKnown(String(deformation), DEFORMATIONS)}, got ${showInput(deformation)}`);
}

/**
 * Deforms positions in place about `centre`: mirrored in x, flattened to the plane of constant y, collapsed to a line
 * along x or to the centre, or scattered at random within half of `size` [m].
 */
export function deformPositions(
  positions: Float64Array | Float32Array,
  centre: ArrayLike<number>,
  size: number,
  deformation: Deformation,
  seed: number,
): void {
  const random = seededRandom(seed);
  for (let k = 0; k < positions.length; k++) {
    const axis = k % 3;
    const offset = positions[k] - centre[axis];
    switch (deformation) {
      case 'mirror':
        positions[k] = axis === 0 ? centre[0] - offset : positions[k];
        break;
      case 'flatten':
        positions[k] = axis === 1 ? centre[1] : positions[k];
        break;
      case 'line':
        positions[k] = axis === 0 ? positions[k] : centre[axis];
        break;
      case 'point':
        positions[k] = centre[axis];
        break;
      case 'random':
        positions[k] = centre[axis] + (random() - 0.5) * size;
        break;
    }
  }
}
