// The finish on the surface itself: what the rounds left inside colliders is pushed out, and vertices away from contact move along their
// normals until the volume is exact.

import { vertexNormals } from '../mesh/measure.js';
import type { ContactSites } from './contact-sites.js';
import { ROUNDING } from './contact-way.js';
import type { Contacts } from './contacts.js';
import { volumeAlong, volumeOf } from './surface-volume.js';

/** Pushes of one vertex at most: two colliders may want it on opposite sides. */
const MOST_PUSHES = 8;
const MOST_PASSES = 6;
/** Passes that push the middles of edges out as well; after them vertices and volume alone are made exact. */
const EDGE_PASSES = 2;
/** Distance from colliders from which on vertices move freely for the volume [half sizes]. */
const FREE = 0.15;
/** Error of the volume that is rounding, as a share. */
const EXACT = 1e-14;

export interface Finish {
  /** Whether no vertex is inside a collider, and whether the volume is what it should be. */
  readonly free: boolean;
  readonly exact: boolean;
}

/** @param shares how far vertices may move for the volume, against each other. */
export function finishSurface(
  positions: Float64Array,
  triangles: Uint32Array,
  contacts: Contacts,
  sites: ContactSites,
  targetVolume: number,
  shares?: Float64Array,
): Finish {
  const normals = new Float64Array(positions.length);
  let free = false;
  let exact = false;
  for (let pass = 0; pass < MOST_PASSES && !(free && exact); pass++) {
    pushOut(positions, contacts);
    if (pass < EDGE_PASSES) {
      pushEdges(positions, contacts, sites);
      pushOut(positions, contacts);
    }
    exact = fitVolume(positions, triangles, contacts, targetVolume, normals, shares);
    free = contacts.deepest(positions) <= ROUNDING;
  }
  if (!free) {
    pushOut(positions, contacts);
    free = contacts.deepest(positions) <= ROUNDING;
    exact = Math.abs(volumeOf(positions, triangles) / targetVolume - 1) <= 100 * EXACT;
  }
  return { free, exact };
}

function pushOut(positions: Float64Array, contacts: Contacts): void {
  contacts.follow(positions);
  for (let v = 0; 3 * v < positions.length; v++) {
    let pushed = contacts.mayBeNear(v, 0);
    for (let push = 0; push < MOST_PUSHES && pushed; push++) {
      pushed = false;
      for (let c = 0; c < contacts.colliders.length; c++) if (contacts.pushOut(positions, 3 * v, v, c)) pushed = true;
    }
  }
}

/**
 * Moves the ends of edges as far as the middles have to go: each vertex the mean way of its edges, as far as the one that has farthest to
 * go. One edge after the other would make the result depend on how edges are numbered, and break symmetry.
 */
function pushEdges(positions: Float64Array, contacts: Contacts, sites: ContactSites): void {
  const { ends, vertexCount } = sites;
  const ways = new Float64Array(3 * vertexCount);
  const lengths = new Float64Array(vertexCount);
  const middle = new Float64Array(3);
  contacts.follow(positions);
  for (let site = vertexCount; site < sites.count; site++) {
    if (!contacts.mayBeNear(site, 0)) continue;
    const [a, b] = [ends[2 * site], ends[2 * site + 1]];
    for (let c = 0; c < contacts.colliders.length; c++) {
      for (let k = 0; k < 3; k++) middle[k] = 0.5 * (positions[3 * a + k] + positions[3 * b + k]);
      if (!contacts.pushOut(middle, 0, site, c)) continue;
      for (let k = 0; k < 3; k++) middle[k] -= 0.5 * (positions[3 * a + k] + positions[3 * b + k]);
      const length = Math.sqrt(middle[0] * middle[0] + middle[1] * middle[1] + middle[2] * middle[2]);
      for (const end of [a, b]) {
        for (let k = 0; k < 3; k++) ways[3 * end + k] += middle[k];
        lengths[end] = Math.max(lengths[end], length);
      }
    }
  }
  for (let v = 0; v < vertexCount; v++) {
    const [x, y, z] = [ways[3 * v], ways[3 * v + 1], ways[3 * v + 2]];
    const size = Math.sqrt(x * x + y * y + z * z);
    for (let k = 3 * v; k < 3 * v + 3 && size > 0; k++) positions[k] += (ways[k] * lengths[v]) / size;
  }
}

/** Moves vertices along their normals, those at colliders not at all; false where the volume cannot be reached so. */
function fitVolume(
  positions: Float64Array,
  triangles: Uint32Array,
  contacts: Contacts,
  target: number,
  way: Float64Array,
  shares?: Float64Array,
): boolean {
  vertexNormals(positions, triangles, way);
  contacts.follow(positions);
  for (let v = 0; 3 * v < way.length; v++) {
    const [nx, ny, nz] = [way[3 * v], way[3 * v + 1], way[3 * v + 2]];
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const share = contacts.mayBeNear(v, FREE) ? smoothstep(contacts.distanceAt(positions, v) / FREE) : 1;
    const scale = size > 0 ? ((shares?.[v] ?? 1) * share) / size : 0;
    for (let k = 3 * v; k < 3 * v + 3; k++) way[k] *= scale;
  }
  // Newton on a cubic is exact but for rounding, which the second turn takes.
  for (let turn = 0; turn < 3; turn++) {
    const [c0, c1, c2, c3] = volumeAlong(positions, way, triangles);
    if (Math.abs(c0 - target) <= EXACT * target) return true;
    let t = 0;
    for (let n = 0; n < 20; n++) {
      const slope = c1 + t * (2 * c2 + t * 3 * c3);
      if (!(slope > 0)) return false;
      t -= (c0 - target + t * (c1 + t * (c2 + t * c3))) / slope;
    }
    if (!(Math.abs(t) < 1)) return false;
    for (let k = 0; k < positions.length; k++) positions[k] += t * way[k];
  }
  return Math.abs(volumeOf(positions, triangles) / target - 1) <= 100 * EXACT;
}

/** 0 up to 0, 1 from 1 on, smooth between. */
export function smoothstep(x: number): number {
  if (!(x > 0)) return 0;
  return x < 1 ? x * x * (3 - 2 * x) : 1;
}
