// Regions: all leaves within a width of a leaf, as few nodes of the forest. A node whose leaves all lie in a band around the
// width is taken or left as a whole, by its mean.
// Based on: [SOG08 §4.2] (interval-based regions); deviation: the band lies around the width instead of beyond it. With the
// printed rule leaves count up to w but nodes up to (1+ε)w, and the stiffness of a beam changed by 9 % from level to level
// and by a factor of 1.9 with ε.

import type { DistanceSearch } from './distances.js';
import type { OctreeNode } from './node.js';

/** ε: (1 + ε) is the ratio of the band's ends. Regions of 6 to 11 nodes; with 0 there are 39. */
export const INTERVAL = 0.5;

/** t: half of the band [W − t, W + t] around a width. */
export const bandOf = (width: number): number => (width * INTERVAL) / (2 + INTERVAL);

/**
 * W of a leaf: what is asked for, and at least its longest edge, without which it would be alone. One with a single neighbour reaches that one's
 * neighbours too: two nodes do not say how they are twisted, and the surface of a crumb at the end of a bridge became seven times as large.
 */
export function regionWidth(leaf: OctreeNode): number {
  let width = leaf.width;
  for (const length of leaf.edges.values()) if (length > width) width = length;
  if (leaf.edges.size !== 1) return width;
  for (const [next, length] of leaf.edges) {
    for (const further of next.edges.values()) width = Math.max(width, length + further);
  }
  return width;
}

/** Nodes whose leaves are the region of a leaf, no two of them one above the other. */
export function findRegion(search: DistanceSearch, leaf: OctreeNode): OctreeNode[] {
  const width = regionWidth(leaf);
  const band = bandOf(width);
  // Where the next leaves are no nearer than the width, none of them is left out with what lies behind it: the leaf would be alone.
  const surelyIn = width > leaf.width ? width : width - band;
  const visited = search.from([leaf], width + band);
  const stamp = search.nextStamp();
  const roots: OctreeNode[] = [];
  for (const near of visited) {
    const { distance } = near.search;
    let top = near;
    for (let above = near.parent; above; above = above.parent) {
      top = above;
      const found = above.search;
      if (found.stamp !== stamp) {
        found.stamp = stamp;
        found.low = distance;
        found.high = distance;
        found.weighted = 0;
        found.visited = 0;
      }
      if (distance < found.low) found.low = distance;
      if (distance > found.high) found.high = distance;
      found.weighted += near.mass * distance;
      found.visited++;
    }
    // The search's own stamp is older: leaves get this one, and count as visited.
    near.search.stamp = stamp;
    if (top === near || top.search.visited === 1) roots.push(top);
  }
  const region: OctreeNode[] = [];
  const decide = (node: OctreeNode): void => {
    const { search: found } = node;
    if (found.stamp !== stamp) return;
    if (node.children.length === 0) {
      if (found.distance <= width) region.push(node);
      return;
    }
    const isWhole = found.visited === node.leafCount;
    if (isWhole && found.high <= width) {
      region.push(node);
      return;
    }
    if (found.low > width) return;
    const mean = found.weighted / node.mass;
    if (isWhole && found.high <= width + band && mean <= width) {
      region.push(node);
      return;
    }
    if (found.low > surelyIn && (!isWhole || mean > width)) return;
    node.children.forEach(decide);
  };
  roots.forEach(decide);
  return region;
}
