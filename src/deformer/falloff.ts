// The falloff: which share of the deformation a vertex shows, by how far from the colliders it was.

import type { Contacts } from './contacts.js';
import type { Falloff } from './settings.js';

/** The share at a distance: straight lines between the pairs, and the end's share beyond the ends. */
export function shareAt(falloff: Falloff, distance: number): number {
  const next = falloff.findIndex(([end]) => end >= distance);
  if (next === 0) return falloff[0][1];
  if (next < 0) return falloff[falloff.length - 1][1];
  const [[a, from], [b, to]] = [falloff[next - 1], falloff[next]];
  return from + ((to - from) * (distance - a)) / (b - a);
}

/**
 * Shares per vertex; undefined where all is shown.
 * @param surface vertices before contact [half sizes]. @param scale a half size [m].
 */
export function measureShares(
  falloff: Falloff,
  contacts: Contacts,
  surface: Float64Array,
  scale: number,
): Float64Array | undefined {
  if (falloff.length === 0) return undefined;
  return Float64Array.from({ length: surface.length / 3 }, (_, v) =>
    shareAt(falloff, Math.max(0, contacts.distanceAt(surface, v)) * scale),
  );
}
