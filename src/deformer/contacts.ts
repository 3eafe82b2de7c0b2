// Contact of one frame: planes that vertices must stay in front of, and the penalty that holds them there. Planes are found between
// steps and fixed within them: such that moved within the line search would give a gradient that is not the energy's.

import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import { dot, type Vec3 } from '../math/vec3.js';
import { ContactPlanes } from './contact-planes.js';
import { type ContactSurface, leaveOut } from './contact-surface.js';
import { type ContactPlane, findApproach, findWayOut, ROUNDING, walkOut, writeNearest } from './contact-way.js';
import { MU } from './elastic-energy.js';
import type { FrameCollider } from './frame-collider.js';
import type { DeformerKernels } from './kernels.js';

/**
 * Stiffness of contact per area: what is left inside is the finish's. From 1000 to 8000 µ the steps for five scenes of a sphere grew by a
 * third, and what a ball left inside fell from 0.012 to 0.002. Multipliers instead (an augmented Lagrangian at 400 µ) did not settle
 * where more sites touch than the helper mesh has freedom, and took twice the steps.
 */
const CONTACT = 4000 * MU;
/**
 * Sites nearer than this to a collider have their plane, whether they will touch it or not [half sizes]; once steps are short, those that could
 * come to touch it in some of them. A fixed band of 0.1 cost a sphere between two planes a sixth of its time.
 */
const BAND = 0.1;
const LEAST_BAND = 1e-3;
const STEPS_AHEAD = 4;

/**
 * Depth below which a site is as good as out [half sizes], where the nearest point lies along its way (cosine): the plane there is the same but
 * for a turn of a hundredth, and found at once. Exact ways out are for the finish.
 */
const SHALLOW = 0.02;
const ALONG = 0.5;

const seen: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };
const way = new Float64Array(3);
const here = new Float64Array(3);
const plane: ContactPlane = { x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 0 };

export class Contacts {
  /** Where each collider comes from, a unit vector; undefined for those that push to their nearest point. */
  readonly approaches: readonly (Vec3 | undefined)[];
  /** Deepest that a site is in each collider at the start [half sizes]. */
  readonly depths: Float64Array;
  /** Longest way out of the colliders that cover everything [half sizes]; undefined for others. */
  private readonly longest: readonly (number | undefined)[];
  /** 1 for colliders along whose way some site found no way out. */
  readonly lostWays: Uint8Array;
  private readonly siteCount: number;
  /** 1 for sites that collide with a collider, per collider. */
  readonly takesPart: readonly Uint8Array[];
  /** Signed distance of each site to each collider before contact [half sizes]; +∞ where it does not collide. */
  private readonly before: readonly Float64Array[];
  /**
   * What a site's distance was, plus how far the surface had travelled by then, per collider: less the travel since, it is at least so far
   * away now.
   */
  private readonly near: readonly Float64Array[];
  private travel = 0;
  /** What the travel was when planes were listed, and how near to colliders sites were that got one [half sizes]. */
  private listedTravel = -Infinity;
  private listedBand = 0;
  /** Whether planes are the colliders' own: then they stay what they are, wherever sites go. */
  private readonly isFlat: boolean;
  /** Distance that `findPlane` measured last. */
  private distance = 0;
  private readonly last: Float64Array;
  /** The planes that were listed last. */
  readonly listed: ContactPlanes;

  /** @param reserved where planes go, if they have room there: of one frame at a time. */
  constructor(
    readonly colliders: readonly FrameCollider[],
    private readonly surface: ContactSurface,
    reserved?: ContactPlanes,
  ) {
    const { positions, normals } = surface;
    this.siteCount = surface.takesPart.length;
    this.lostWays = new Uint8Array(colliders.length);
    this.takesPart = colliders.map((collider) => leaveOut(surface, collider.ignores));
    const pairCount = colliders.length * this.siteCount;
    this.listed = reserved && reserved.count >= pairCount ? reserved : new ContactPlanes(pairCount);
    this.last = positions.slice(0, 3 * surface.sites.vertexCount);
    this.before = colliders.map((collider, c) => measureAll(collider, positions, this.takesPart[c]));
    this.near = this.before.map((distances, c) => {
      const near = this.listed.near.subarray(c * this.siteCount, (c + 1) * this.siteCount);
      near.set(distances);
      return near;
    });
    const { siteEnds, siteStiffnesses } = this.listed;
    for (let v = 0; v < this.siteCount; v++) siteStiffnesses[v] = CONTACT * surface.areas[v];
    for (let end = 0; end < 2 * this.siteCount; end++) siteEnds[end] = 3 * surface.sites.ends[end];
    const longest: (number | undefined)[] = [];
    this.approaches = colliders.map((collider, c) => {
      if (collider.inside || collider.given) return collider.inside ? undefined : collider.given;
      const approach = findApproach(this.before[c], normals);
      const out = approach ? undefined : findWayOut(collider, positions, this.before[c]);
      longest[c] = out?.longest;
      return approach ?? out?.approach;
    });
    this.longest = longest;
    this.isFlat = colliders.every((collider, c) => isLeftAcross(collider, this.approaches[c]));
    this.depths = Float64Array.from(this.before, (distances) => Math.max(0, -least(distances)));
  }

  /** Whether a collider covers all that collides with it. */
  isSwallowing(c: number): boolean {
    return this.longest[c] !== undefined;
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

  /** How deep a site was in any collider before contact; 0 where it was in none [half sizes]. */
  depthBefore(site: number): number {
    let depth = 0;
    for (const distances of this.before) if (-distances[site] > depth) depth = -distances[site];
    return depth;
  }

  /** Deepest that a vertex was in a collider before contact; 0 where none was [half sizes]. */
  deepestVertexBefore(c: number): number {
    return Math.max(0, -least(this.before[c].subarray(0, this.surface.sites.vertexCount)));
  }

  /** Deepest that a vertex is in any collider; 0 where none is [half sizes]. */
  deepest(positions: Float64Array): number {
    let depth = 0;
    for (let c = 0; c < this.colliders.length; c++) depth = Math.max(depth, this.deepestIn(c, positions));
    return depth;
  }

  /** The same of one collider. */
  deepestIn(c: number, positions: Float64Array): number {
    this.follow(positions);
    const near = this.near[c];
    let depth = 0;
    for (let v = 0; 3 * v < positions.length; v++) {
      if (near[v] - this.travel > 0) continue;
      this.colliders[c].measure(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], seen);
      if (-seen.distance > depth) depth = -seen.distance;
    }
    return depth;
  }

  /** Takes note of where vertices are now. */
  follow(vertices: Float64Array): void {
    const moved = farthest(this.last, vertices);
    if (moved === 0) return;
    this.travel += moved;
    this.last.set(vertices);
  }

  /** Whether a site may be nearer than `limit` to a collider [half sizes], as far as vertices were followed. */
  mayBeNear(site: number, limit: number): boolean {
    for (const near of this.near) if (near[site] - this.travel <= limit) return true;
    return false;
  }

  /**
   * Writes the plane of a site, at place `at` of `positions`, and a collider to `plane`; false where they are farther apart than `band`.
   * What was measured is left in `distance`. Not deeper than `shallow`, a site that would leave along its way anyhow has the nearest point's.
   */
  private findPlane(positions: Float64Array, at: number, v: number, c: number, band = BAND, shallow = 0): boolean {
    const collider = this.colliders[c];
    const approach = this.approaches[c];
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    collider.measure(x, y, z, seen);
    const { distance } = seen;
    this.distance = distance;
    if (distance < 0 || (collider.sweep && approach)) {
      if (this.findWay(v, c)) {
        const wx = way[0];
        const wy = way[1];
        const wz = way[2];
        if (-distance < shallow && seen.nx * wx + seen.ny * wy + seen.nz * wz > ALONG) {
          writeNearest(x, y, z, seen, plane);
          return true;
        }
        if (walkOut(collider, x, y, z, wx, wy, wz, plane, distance >= 0, this.longest[c])) return true;
        if (distance < 0) this.lostWays[c] = 1;
      }
    }
    if (distance > band) return false;
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

  /** Whether `list` would find other planes, for where vertices are now: sites without one may have come inside, or planes turn. */
  isOutdated(vertices: Float64Array): boolean {
    this.follow(vertices);
    const moved = this.travel - this.listedTravel;
    return moved > (this.isFlat ? this.listedBand : 0);
  }

  /** Finds the planes for vertices; they stay until the next call. */
  list(vertices: Float64Array): void {
    if (!this.isOutdated(vertices)) return;
    const { siteCount } = this;
    const { planes, stiffnesses, ends, siteEnds, siteStiffnesses, ball } = this.listed;
    const moved = this.travel - this.listedTravel;
    const band = Math.min(BAND, Math.max(LEAST_BAND, STEPS_AHEAD * moved));
    this.listedTravel = this.travel;
    this.listedBand = band;
    let count = 0;
    for (let c = 0; c < this.colliders.length; c++) {
      const near = this.near[c];
      const sweeps = this.colliders[c].sweep;
      const kernels = this.ballKernels(c, vertices);
      for (let v = 0; v < siteCount; v++) {
        if (kernels) {
          const [p, q, r] = [planes.byteOffset, stiffnesses.byteOffset, ends.byteOffset];
          const [s, t, u] = [near.byteOffset, siteStiffnesses.byteOffset, siteEnds.byteOffset];
          const { travel } = this;
          ball[9] = count;
          v = kernels.listBall(v, siteCount, ball.byteOffset, travel, band, s, t, u, vertices.byteOffset, p, q, r);
          count = ball[9];
          if (v === siteCount) break;
        } else if (near[v] - this.travel > band && (!sweeps || this.takesPart[c][v] === 0)) continue;
        const a = siteEnds[2 * v];
        const b = siteEnds[2 * v + 1];
        here[0] = 0.5 * (vertices[a] + vertices[b]);
        here[1] = 0.5 * (vertices[a + 1] + vertices[b + 1]);
        here[2] = 0.5 * (vertices[a + 2] + vertices[b + 2]);
        const found = this.findPlane(here, 0, v, c, band, SHALLOW);
        near[v] = this.travel + this.distance;
        if (!found) continue;
        const at = 4 * count;
        planes[at] = plane.nx;
        planes[at + 1] = plane.ny;
        planes[at + 2] = plane.nz;
        planes[at + 3] = plane.nx * plane.x + plane.ny * plane.y + plane.nz * plane.z;
        stiffnesses[count] = siteStiffnesses[v];
        ends[2 * count] = a;
        ends[2 * count + 1] = b;
        count++;
      }
    }
    this.listed.used = count;
  }

  /** Kernels that list what is near a ball, up to sites that have to walk out of it; undefined for others. */
  private ballKernels(c: number, vertices: Float64Array): DeformerKernels | undefined {
    const { ball, room, planes } = this.listed;
    const { sweep, inside } = this.colliders[c];
    const kernels = room.kernelsFor(planes, vertices, this.near[c]);
    if (!kernels || sweep || inside || !this.colliders[c].writeBall(ball)) return undefined;
    const approach = this.approaches[c];
    for (let k = 0; k < 3; k++) ball[4 + k] = approach ? -approach[k] : 0;
    // Without a way all leave to their nearest points.
    ball[7] = approach ? SHALLOW : Infinity;
    ball[8] = approach ? ALONG : -1;
    return kernels;
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

/** Whether all that is in a collider leaves it through the same plane: the shape is a half-space and the way does not lie along it. */
function isLeftAcross({ flatNormal, inside, sweep }: FrameCollider, approach: Vec3 | undefined): boolean {
  return flatNormal !== undefined && !inside && !sweep && (!approach || -dot(flatNormal, approach) > ALONG);
}

/** Distances of all sites that collide, the others' being +∞. */
function measureAll(collider: FrameCollider, positions: Float64Array, takesPart: Uint8Array): Float64Array {
  const distances = new Float64Array(takesPart.length).fill(Infinity);
  for (let v = 0; v < takesPart.length; v++) {
    if (takesPart[v] === 0) continue;
    collider.measure(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], seen);
    distances[v] = seen.distance;
  }
  return distances;
}

function least(values: Float64Array): number {
  let found = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] < found) found = values[i];
  return found;
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
