// Which bodies may touch in a step: boxes sorted along one axis.
// Based on: J. D. Cohen, M. C. Lin, D. Manocha, M. K. Ponamgi, I-COLLIDE, 1995 (sweep and prune).

import { boxesOverlap } from './bvh.js';

/** Pairs (i < j) of bodies whose boxes overlap, ascending; `boxes` holds lowest and highest corner of each. */
export function findBodyPairs(boxes: Float64Array, count: number): number[] {
  const axis = widestAxis(boxes, count);
  const order = Array.from({ length: count }, (_, i) => i);
  order.sort((i, j) => boxes[6 * i + axis] - boxes[6 * j + axis] || i - j);
  const pairs: [number, number][] = [];
  for (let m = 0; m < count; m++) {
    const i = order[m];
    const end = boxes[6 * i + 3 + axis];
    for (let n = m + 1; n < count && boxes[6 * order[n] + axis] <= end; n++) {
      const j = order[n];
      if (boxesOverlap(boxes, i, boxes, j)) pairs.push(i < j ? [i, j] : [j, i]);
    }
  }
  return pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat();
}

/** The axis along which the boxes' centres spread most: there the fewest overlap. */
function widestAxis(boxes: Float64Array, count: number): number {
  let widest = 0;
  let most = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const centre = boxes[6 * i + axis] + boxes[6 * i + 3 + axis];
      low = Math.min(low, centre);
      high = Math.max(high, centre);
    }
    if (high - low > most) {
      most = high - low;
      widest = axis;
    }
  }
  return widest;
}
