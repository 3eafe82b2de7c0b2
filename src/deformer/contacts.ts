// Contact of one frame: planes that vertices must stay in front of, and the penalty that holds them there. Planes are found between
// steps and fixed within them: such that moved within the line search would give a gradient that is not the energy's.

import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import type { Vec3 } from '../math/vec3.js';
import type { ContactSites } from './contact-sites.js';
import { type ContactPlane, findApproach, findWayOut, ROUNDING, walkOut, writeNearest } from './contact-way.js';
import { MU } from './elastic-energy.js';
import type { FrameCollider } from './frame-collider.js';
import type { HelperMesh } from './helper-mesh.js';

/**
 * Stiffness of contact per area: what is left inside is the finish's. From 1000 to 8000 µ the steps for five scenes of a sphere grew by a
 * third, and what a ball left inside fell from 0.012 to 0.002. Multipliers instead (an augmented Lagrangian at 400 µ) did not settle
 * where more sites touch than the helper mesh has freedom, and took twice the steps.
 */
const CONTACT = 4000 * MU;
/** Vertices nearer than this to a collider have their plane, whether they will touch it or not [half sizes]. */
const BAND = 0.1;

/** Parts of an edge between points at which triangles are looked at. */
const SAMPLES = 4;
const MIDDLE_TO_CORNER = 0.58;

const seen: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };
const way = new Float64Array(3);
const here = new Float64Array(3);
const plane: ContactPlane = { x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 0 };

/** What contact needs to know of the frame's surface before contact, per site: vertices first, then edges. */
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

export class Contacts {
  /** Where each collider comes from, a unit vector; undefined for those that push to their nearest point. */
  readonly approaches: readonly (Vec3 | undefined)[];
  /** Deepest that a site is in each collider at the start [half sizes]. */
  readonly depths: Float64Array;
  /** Longest way out of the colliders that cover everything [half sizes]; undefined for others. */
  private readonly longest: readonly (number | undefined)[];
  /** Whether some site found no way out along a collider's way. */
  lostWay = false;
  private readonly siteCount: number;
  /** 1 for sites that collide with a collider, per collider. */
  private readonly takesPart: readonly Uint8Array[];
  private planeCount = 0;
  /** How far the surface may travel before a site can come near a collider, per site and collider; and how far it has. */
  private readonly clear: Float64Array;
  private travel = 0;
  private readonly last: Float64Array;
  private readonly slots: Uint32Array;
  /** Normal and offset of each plane. */
  private readonly planes: Float64Array;

  constructor(
    readonly colliders: readonly FrameCollider[],
    private readonly surface: ContactSurface,
  ) {
    const { positions, normals } = surface;
    this.siteCount = surface.takesPart.length;
    this.takesPart = colliders.map((collider) => leaveOut(surface, collider.ignores));
    const pairCount = colliders.length * this.siteCount;
    this.slots = new Uint32Array(pairCount);
    this.planes = new Float64Array(4 * pairCount);
    this.clear = new Float64Array(pairCount).fill(-Infinity);
    this.last = new Float64Array(3 * surface.sites.vertexCount);
    const longest: (number | undefined)[] = [];
    this.approaches = colliders.map((collider, c) => {
      if (collider.inside || collider.given) return collider.inside ? undefined : collider.given;
      const approach = findApproach(collider, positions, normals, this.takesPart[c]);
      const out = approach ? undefined : findWayOut(collider, positions, this.takesPart[c]);
      longest[c] = out?.longest;
      return approach ?? out?.approach;
    });
    this.longest = longest;
    this.depths = Float64Array.from(colliders, (_, c) => this.deepest(positions, c));
  }

  /** Whether a collider covers all that collides with it. */
  get swallowed(): boolean {
    return this.longest.some((one) => one !== undefined);
  }

  /** Whether a site is in a collider, or passed by one that sweeps: whether anything is to be done. */
  touches(): boolean {
    if (this.depths.some((depth) => depth > ROUNDING)) return true;
    if (!this.colliders.some((collider) => collider.sweep)) return false;
    const { positions } = this.surface;
    for (let v = 0; v < this.siteCount; v++) {
      for (let c = 0; c < this.colliders.length; c++) {
        if (this.takesPart[c][v] === 0) continue;
        if (this.findPlane(positions, 3 * v, v, c) && depthOf(positions, v) > ROUNDING) return true;
      }
    }
    return false;
  }

  /** Deepest that a site is in a collider, or in any; 0 where none is [half sizes]. Of vertices alone where only they are given. */
  deepest(positions: Float64Array, only?: number): number {
    let depth = 0;
    for (let c = only ?? 0; c < (only === undefined ? this.colliders.length : only + 1); c++) {
      for (let v = 0; 3 * v < positions.length; v++) {
        if (this.takesPart[c][v] === 0) continue;
        this.colliders[c].measure(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], seen);
        if (-seen.distance > depth) depth = -seen.distance;
      }
    }
    return depth;
  }

  /** Deepest that triangles are in colliders, at their corners and at points a quarter of their edges apart [half sizes]. */
  deepestBetween(positions: Float64Array, triangles: Uint32Array): number {
    let depth = 0;
    for (let k = 0; k < this.colliders.length; k++) {
      const takes = this.takesPart[k];
      for (let t = 0; t < triangles.length; t += 3) {
        if (takes[triangles[t]] + takes[triangles[t + 1]] + takes[triangles[t + 2]] < 3) continue;
        const a = 3 * triangles[t];
        const b = 3 * triangles[t + 1];
        const c = 3 * triangles[t + 2];
        this.measureAt(k, positions, a, b, c, 1 / 3, 1 / 3);
        // No point of a triangle is farther from its middle than its longest edge over √3.
        if (seen.distance > MIDDLE_TO_CORNER * longestEdge(positions, a, b, c)) continue;
        for (let i = 0; i <= SAMPLES; i++) {
          for (let j = 0; i + j <= SAMPLES; j++) {
            this.measureAt(k, positions, a, b, c, i / SAMPLES, j / SAMPLES);
            if (-seen.distance > depth) depth = -seen.distance;
          }
        }
      }
    }
    return depth;
  }

  /** Measures a point of a triangle, u towards its corner a and v towards b. */
  private measureAt(k: number, p: Float64Array, a: number, b: number, c: number, u: number, v: number): void {
    const w = 1 - u - v;
    const x = u * p[a] + v * p[b] + w * p[c];
    const y = u * p[a + 1] + v * p[b + 1] + w * p[c + 1];
    this.colliders[k].measure(x, y, u * p[a + 2] + v * p[b + 2] + w * p[c + 2], seen);
  }

  /** Writes the plane of a site, at place `at` of `positions`, and a collider to `plane`; false where they are too far apart. */
  private findPlane(positions: Float64Array, at: number, v: number, c: number): boolean {
    const collider = this.colliders[c];
    const approach = this.approaches[c];
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    collider.measure(x, y, z, seen);
    const { distance } = seen;
    if (distance < 0 || (collider.sweep && approach)) {
      if (this.findWay(v, c)) {
        const [wx, wy, wz] = way;
        if (walkOut(collider, x, y, z, wx, wy, wz, plane, distance >= 0, this.longest[c])) return true;
        if (distance < 0) this.lostWay = true;
      }
    }
    if (distance > BAND) return false;
    writeNearest(x, y, z, seen, plane);
    return true;
  }

  /** Writes the unit vector along which a site leaves a collider to `way`; false where it leaves to the nearest point. */
  private findWay(v: number, c: number): boolean {
    const approach = this.approaches[c];
    if (approach) {
      for (let k = 0; k < 3; k++) way[k] = -approach[k];
      return true;
    }
    if (!this.colliders[c].inside) return false;
    const { normals } = this.surface;
    const [nx, ny, nz] = [normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]];
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    for (let k = 0; k < 3 && size > 0; k++) way[k] = normals[3 * v + k] / size;
    return size > 0;
  }

  /** Finds the planes for vertices; they stay until the next call. */
  list(vertices: Float64Array): void {
    const { siteCount, slots, planes, clear } = this;
    this.travel += farthest(this.last, vertices);
    this.last.set(vertices);
    const { ends } = this.surface.sites;
    this.planeCount = 0;
    for (let c = 0; c < this.colliders.length; c++) {
      for (let v = 0; v < siteCount; v++) {
        const slot = c * siteCount + v;
        if (this.takesPart[c][v] === 0 || clear[slot] > this.travel) continue;
        const [a, b] = [3 * ends[2 * v], 3 * ends[2 * v + 1]];
        for (let k = 0; k < 3; k++) here[k] = 0.5 * (vertices[a + k] + vertices[b + k]);
        if (!this.findPlane(here, 0, v, c)) {
          if (!this.colliders[c].sweep) clear[slot] = this.travel + seen.distance - BAND;
          continue;
        }
        const at = 4 * this.planeCount;
        slots[this.planeCount++] = slot;
        planes[at] = plane.nx;
        planes[at + 1] = plane.ny;
        planes[at + 2] = plane.nz;
        planes[at + 3] = plane.nx * plane.x + plane.ny * plane.y + plane.nz * plane.z;
      }
    }
  }

  /** How far the site of plane n is behind it; below zero in front of it. */
  private depthBehind(n: number, vertices: Float64Array): number {
    const { planes } = this;
    const { ends } = this.surface.sites;
    const site = this.slots[n] % this.siteCount;
    const a = 3 * ends[2 * site];
    const b = 3 * ends[2 * site + 1];
    const at = 4 * n;
    return (
      planes[at + 3] -
      0.5 * planes[at] * (vertices[a] + vertices[b]) -
      0.5 * planes[at + 1] * (vertices[a + 1] + vertices[b + 1]) -
      0.5 * planes[at + 2] * (vertices[a + 2] + vertices[b + 2])
    );
  }

  /** The energy c/2 Σ A max(0, d)²; its gradient with respect to the vertices is added to `out`. */
  add(vertices: Float64Array, out: Float64Array): number {
    const { slots, planes, siteCount } = this;
    const { areas } = this.surface;
    const { ends } = this.surface.sites;
    let energy = 0;
    for (let n = 0; n < this.planeCount; n++) {
      const pressed = this.depthBehind(n, vertices);
      if (pressed <= 0) continue;
      const site = slots[n] % siteCount;
      const force = CONTACT * areas[site] * pressed;
      energy += 0.5 * force * pressed;
      for (let end = 2 * site; end < 2 * site + 2; end++) {
        const v = 3 * ends[end];
        out[v] -= 0.5 * force * planes[4 * n];
        out[v + 1] -= 0.5 * force * planes[4 * n + 1];
        out[v + 2] -= 0.5 * force * planes[4 * n + 2];
      }
    }
    return energy;
  }

  /** Writes the stiffness of what is behind planes, lumped at the helper vertices, and the sums of stiffness × normal. */
  lump(helper: HelperMesh, vertices: Float64Array, stiffness: Float64Array, pushes: Float64Array): void {
    const { tetrahedra, carriers, weights } = helper;
    const { areas, sites } = this.surface;
    const { planes } = this;
    stiffness.fill(0);
    pushes.fill(0);
    for (let n = 0; n < this.planeCount; n++) {
      if (this.depthBehind(n, vertices) <= ROUNDING) continue;
      const site = this.slots[n] % this.siteCount;
      for (let end = 2 * site; end < 2 * site + 2; end++) {
        const v = sites.ends[end];
        for (let k = 0; k < 4; k++) {
          const share = 0.5 * CONTACT * areas[site] * weights[4 * v + k];
          const corner = tetrahedra[4 * carriers[v] + k];
          stiffness[corner] += share;
          for (let i = 0; i < 3; i++) pushes[3 * corner + i] += share * planes[4 * n + i];
        }
      }
    }
  }

  /** Moves site v, at place `at` of `positions`, out of a collider by the same rule; false where it was not inside. */
  pushOut(positions: Float64Array, at: number, v: number, c: number): boolean {
    if (this.takesPart[c][v] === 0) return false;
    this.colliders[c].measure(positions[at], positions[at + 1], positions[at + 2], seen);
    if (!(seen.distance < -ROUNDING)) return false;
    this.findPlane(positions, at, v, c);
    positions[at] = plane.x;
    positions[at + 1] = plane.y;
    positions[at + 2] = plane.z;
    return true;
  }

  /** Adds to `push` how a vertex leaves all colliders to nearest points, one after the other; false where it is in none. */
  pushNearest(positions: Float64Array, v: number, push: Float64Array): boolean {
    let pushed = false;
    for (let c = 0; c < this.colliders.length; c++) {
      if (this.takesPart[c][v] === 0) continue;
      this.colliders[c].measure(
        positions[3 * v] + push[0],
        positions[3 * v + 1] + push[1],
        positions[3 * v + 2] + push[2],
        seen,
      );
      if (!(seen.distance < 0)) continue;
      pushed = true;
      push[0] -= seen.distance * seen.nx;
      push[1] -= seen.distance * seen.ny;
      push[2] -= seen.distance * seen.nz;
    }
    return pushed;
  }

  /** Distance of a site to the nearest collider that it collides with; negative inside [half sizes]. */
  distanceAt(positions: Float64Array, v: number): number {
    let nearest = Infinity;
    for (let c = 0; c < this.colliders.length; c++) {
      if (this.takesPart[c][v] === 0) continue;
      this.colliders[c].measure(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], seen);
      if (seen.distance < nearest) nearest = seen.distance;
    }
    return nearest;
  }
}

/** The sites that collide, without those of vertices that a collider ignores: an edge goes with either end. */
function leaveOut({ sites, takesPart }: ContactSurface, ignores: readonly number[]): Uint8Array {
  if (ignores.length === 0) return takesPart;
  const vertices = new Uint8Array(sites.vertexCount).fill(1);
  for (const v of ignores) vertices[v] = 0;
  return sites.spread(vertices).map((collides, site) => collides & takesPart[site]);
}

const depthOf = (positions: Float64Array, v: number): number =>
  plane.nx * (plane.x - positions[3 * v]) +
  plane.ny * (plane.y - positions[3 * v + 1]) +
  plane.nz * (plane.z - positions[3 * v + 2]);

/** Farthest that a vertex is from where it was. */
function farthest(before: Float64Array, after: Float64Array): number {
  let most = 0;
  for (let i = 0; i < before.length; i += 3) {
    const x = after[i] - before[i];
    const y = after[i + 1] - before[i + 1];
    const z = after[i + 2] - before[i + 2];
    most = Math.max(most, x * x + y * y + z * z);
  }
  return Math.sqrt(most);
}

function longestEdge(p: Float64Array, a: number, b: number, c: number): number {
  return Math.sqrt(Math.max(squaredEdge(p, a, b), squaredEdge(p, b, c), squaredEdge(p, c, a)));
}

function squaredEdge(p: Float64Array, a: number, b: number): number {
  const x = p[b] - p[a];
  const y = p[b + 1] - p[a + 1];
  const z = p[b + 2] - p[a + 2];
  return x * x + y * y + z * z;
}
