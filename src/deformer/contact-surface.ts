// What contact needs to know of a frame's surface before contact.

import type { ContactSites } from './contact-sites.js';

/** The surface per site: vertices first, then edges. */
export interface ContactSurface {
  readonly sites: ContactSites;
  readonly positions: Float64Array;
  readonly areas: Float64Array;
  /** Area × normal. */
  readonly normals: Float64Array;
  /** 1 for sites that collide. */
  readonly takesPart: Uint8Array;
}

/** @param positions vertices before contact. */
export function contactSurface(sites: ContactSites, positions: Float64Array, takesPart: Uint8Array): ContactSurface {
  return {
    sites,
    positions: sites.place(positions),
    areas: sites.areas(positions),
    normals: sites.normals(positions),
    takesPart: sites.spread(takesPart),
  };
}

/** The sites that collide, without those of vertices that a collider ignores: an edge goes with either end. */
export function leaveOut({ sites, takesPart }: ContactSurface, ignores: readonly number[]): Uint8Array {
  if (ignores.length === 0) return takesPart;
  const vertices = new Uint8Array(sites.vertexCount).fill(1);
  for (const v of ignores) vertices[v] = 0;
  return sites.spread(vertices).map((collides, site) => collides & takesPart[site]);
}
