// Pairs of leaves of two bodies' trees whose boxes overlap: the way down both trees at once, the larger box first.

import type { ContactBody } from '../contact-body.js';
import { boxesOverlap, longestEdge } from './bvh.js';

type Boxed = Pick<ContactBody, 'contactRest' | 'bounds'>;

let stack = new Uint32Array(256);

/** Calls back with the leaves of each pair; below nodes that `skips` says nothing is looked for. */
export function visitLeafPairs(
  a: Boxed,
  b: Boxed,
  visit: (leafOfA: number, leafOfB: number) => void,
  skips: (nodeOfA: number, nodeOfB: number) => boolean = () => false,
): void {
  const [treeA, treeB] = [a.contactRest.bvh, b.contactRest.bvh];
  const needed = 2 * (treeA.depth + treeB.depth + 2);
  if (stack.length < needed) stack = new Uint32Array(2 * needed);
  let top = 0;
  stack[top++] = 0;
  stack[top++] = 0;
  while (top > 0) {
    const j = stack[--top];
    const i = stack[--top];
    if (skips(i, j) || !boxesOverlap(a.bounds, i, b.bounds, j)) continue;
    const leafA = treeA.nodeCounts[i] > 0;
    const leafB = treeB.nodeCounts[j] > 0;
    if (leafA && leafB) {
      visit(i, j);
    } else if (leafB || (!leafA && longestEdge(a.bounds, i) >= longestEdge(b.bounds, j))) {
      stack[top++] = treeA.nodeLinks[i];
      stack[top++] = j;
      stack[top++] = i + 1;
      stack[top++] = j;
    } else {
      stack[top++] = i;
      stack[top++] = treeB.nodeLinks[j];
      stack[top++] = i;
      stack[top++] = j + 1;
    }
  }
}
