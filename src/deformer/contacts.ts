// Contact of one frame: planes that vertices must stay in front of, found anew in each round and fixed within it, and the augmented
// Lagrangian that holds them there. Planes that moved within the line search would give a gradient that is not the energy's.
// Based on: [NW06 §17.4].

import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import type { Vec3 } from '../math/vec3.js';
import type { ContactSites } from './contact-sites.js';
import { type ContactPlane, findApproach, ROUNDING, walkOut, writeNearest } from './contact-way.js';
import { MU } from './elastic-energy.js';
import type { FrameCollider } from './frame-collider.js';
import type { HelperMesh } from './helper-mesh.js';
import type { SparseFactor } from './sparse-factor.js';

/** Stiffness of contact per area: at 100 µ a depth of 0.009 was left, 1500 µ took 1.3 to 1.6 times the steps. */
const CONTACT = 400 * MU;
/** Vertices nearer than this to a collider have their plane, whether they will touch it or not [half sizes]. */
const BAND = 0.1;
/** Share of the contact's stiffness that the preconditioner takes, for the planes that are violated at the start. */
const PRECONDITIONED = 0.3;

const seen: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };
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
  /** Whether some site found no way out along a collider's way. */
  lostWay = false;
  private readonly siteCount: number;
  /** Per site and collider. */
  private readonly multipliers: Float64Array;
  private planeCount = 0;
  private readonly slots: Uint32Array;
  /** Normal and offset of each plane. */
  private readonly planes: Float64Array;

  constructor(
    readonly colliders: readonly FrameCollider[],
    private readonly surface: ContactSurface,
  ) {
    const { positions, normals, takesPart } = surface;
    this.siteCount = takesPart.length;
    this.multipliers = new Float64Array(colliders.length * this.siteCount);
    this.slots = new Uint32Array(this.multipliers.length);
    this.planes = new Float64Array(4 * this.multipliers.length);
    this.approaches = colliders.map((collider) =>
      collider.inside ? undefined : (collider.given ?? findApproach(collider, positions, normals, takesPart)),
    );
    this.depths = Float64Array.from(colliders, (_, c) => this.deepest(positions, c));
  }

  /** Whether a site is in a collider, or passed by one that sweeps: whether anything is to be done. */
  touches(): boolean {
    if (this.depths.some((depth) => depth > ROUNDING)) return true;
    if (!this.colliders.some((collider) => collider.sweep)) return false;
    const { positions, takesPart } = this.surface;
    for (let v = 0; v < this.siteCount; v++) {
      for (let c = 0; c < this.colliders.length && takesPart[v]; c++) {
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
        if (this.surface.takesPart[v] === 0) continue;
        this.colliders[c].measure(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], seen);
        if (-seen.distance > depth) depth = -seen.distance;
      }
    }
    return depth;
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
      const [wx, wy, wz] = this.wayOf(v, c);
      if (wx * wx + wy * wy + wz * wz > 0) {
        if (walkOut(collider, x, y, z, wx, wy, wz, plane, distance >= 0)) return true;
        if (distance < 0) this.lostWay = true;
      }
    }
    if (distance > BAND) return false;
    collider.measure(x, y, z, seen);
    writeNearest(x, y, z, seen, plane);
    return true;
  }

  /** The unit vector along which a site leaves a collider; zero where that is to the nearest point. */
  private wayOf(v: number, c: number): Vec3 {
    const approach = this.approaches[c];
    if (approach) return [-approach[0], -approach[1], -approach[2]];
    if (!this.colliders[c].inside) return [0, 0, 0];
    const { normals } = this.surface;
    const [nx, ny, nz] = [normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]];
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    return size > 0 ? [nx / size, ny / size, nz / size] : [0, 0, 0];
  }

  /** Finds the planes for vertices; they stay until the next call. */
  list(vertices: Float64Array): void {
    const { siteCount, slots, planes } = this;
    const positions = this.surface.sites.place(vertices);
    this.planeCount = 0;
    for (let c = 0; c < this.colliders.length; c++) {
      for (let v = 0; v < siteCount; v++) {
        if (this.surface.takesPart[v] === 0 || !this.findPlane(positions, 3 * v, v, c)) continue;
        const at = 4 * this.planeCount;
        slots[this.planeCount++] = c * siteCount + v;
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

  /** The energy c/2 Σ A max(0, d + Λ/c)²; its gradient with respect to the vertices is added to `out`. */
  add(vertices: Float64Array, out: Float64Array): number {
    const { slots, planes, multipliers, siteCount } = this;
    const { areas } = this.surface;
    const { ends } = this.surface.sites;
    let energy = 0;
    for (let n = 0; n < this.planeCount; n++) {
      const pressed = this.depthBehind(n, vertices) + multipliers[slots[n]] / CONTACT;
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

  /** Λ ← max(0, Λ + c d). */
  press(vertices: Float64Array): void {
    const { slots, multipliers } = this;
    for (let n = 0; n < this.planeCount; n++) {
      const depth = this.depthBehind(n, vertices);
      multipliers[slots[n]] = Math.max(0, multipliers[slots[n]] + CONTACT * depth);
    }
  }

  /** Adds what violated planes add to the second derivatives; a vertex's four weights lie in one tetrahedron, an edge's need not. */
  addToMatrix(factor: SparseFactor, pairSlots: Uint32Array, helper: HelperMesh, vertices: Float64Array): void {
    const { weights, carriers } = helper;
    const violated = this.violatedAreas(vertices);
    for (let v = 0; v < violated.length; v++) {
      if (violated[v] === 0) continue;
      const stiffness = PRECONDITIONED * CONTACT * violated[v];
      for (let i = 0, pair = 10 * carriers[v]; i < 4; i++) {
        for (let j = 0; j <= i; j++, pair++) {
          factor.matrix[pairSlots[pair]] += stiffness * weights[4 * v + i] * weights[4 * v + j];
        }
      }
    }
  }

  /** Area behind planes, per vertex: edges give half of theirs to either end. */
  private violatedAreas(vertices: Float64Array): Float64Array {
    const { areas, sites } = this.surface;
    const out = new Float64Array(sites.vertexCount);
    for (let n = 0; n < this.planeCount; n++) {
      if (this.depthBehind(n, vertices) <= ROUNDING) continue;
      const site = this.slots[n] % this.siteCount;
      for (let k = 0; k < 2; k++) out[sites.ends[2 * site + k]] += 0.5 * areas[site];
    }
    return out;
  }

  /** Moves site v, at place `at` of `positions`, out of a collider by the same rule; false where it was not inside. */
  pushOut(positions: Float64Array, at: number, v: number, c: number): boolean {
    this.colliders[c].measure(positions[at], positions[at + 1], positions[at + 2], seen);
    if (!(seen.distance < -ROUNDING)) return false;
    this.findPlane(positions, at, v, c);
    positions[at] = plane.x;
    positions[at + 1] = plane.y;
    positions[at + 2] = plane.z;
    return true;
  }

  /** Adds to `way` how a vertex leaves all colliders to nearest points, one after the other; false where it is in none. */
  pushNearest(positions: Float64Array, v: number, way: Float64Array): boolean {
    if (this.surface.takesPart[v] === 0) return false;
    let pushed = false;
    for (const collider of this.colliders) {
      collider.measure(positions[3 * v] + way[0], positions[3 * v + 1] + way[1], positions[3 * v + 2] + way[2], seen);
      if (!(seen.distance < 0)) continue;
      pushed = true;
      way[0] -= seen.distance * seen.nx;
      way[1] -= seen.distance * seen.ny;
      way[2] -= seen.distance * seen.nz;
    }
    return pushed;
  }

  /** Distance of a vertex to the nearest collider; negative inside [half sizes]. */
  distanceAt(positions: Float64Array, v: number): number {
    let nearest = Infinity;
    for (const collider of this.colliders) {
      collider.measure(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], seen);
      if (seen.distance < nearest) nearest = seen.distance;
    }
    return nearest;
  }
}

const depthOf = (positions: Float64Array, v: number): number =>
  plane.nx * (plane.x - positions[3 * v]) +
  plane.ny * (plane.y - positions[3 * v + 1]) +
  plane.nz * (plane.z - positions[3 * v + 2]);
