// The planes of a frame's contact, in the memory of kernels as far as there is room, and the penalty of what is behind them.

import type { CarriedSurface } from './carried-surface.js';
import { ROUNDING } from './contact-way.js';
import { ANYWHERE, type SolverRoom } from './solver-room.js';

/** Colliders for which all sites of a body have room; frames with more take it elsewhere, without kernels. */
const RESERVED_COLLIDERS = 2;
/** Middle, radius, way out, depth and cosine up to which the nearest point is taken, number of planes. */
const BALL_NUMBERS = 10;

export class ContactPlanes {
  /** Of each plane: normal and offset; stiffness; the vertices that its site lies between, as places of their numbers. */
  readonly planes: Float64Array;
  readonly stiffnesses: Float64Array;
  readonly ends: Uint32Array;
  /** Of each site and collider: see `Contacts.near`. */
  readonly near: Float64Array;
  /** What `planes` would have of each site, wherever it is: stiffness and ends. */
  readonly siteStiffnesses: Float64Array;
  readonly siteEnds: Uint32Array;
  /** Planes that there are. */
  used = 0;
  /** A ball as kernels ask it, see `FrameCollider.writeBall`, and the number of planes behind it. */
  readonly ball: Float64Array;

  /** @param count planes at most: as many as sites, for each collider. */
  constructor(
    readonly count: number,
    readonly room: SolverRoom = ANYWHERE,
  ) {
    this.planes = room.numbers(4 * count);
    this.stiffnesses = room.numbers(count);
    this.ends = room.indices(new Uint32Array(2 * count));
    this.near = room.numbers(count);
    this.siteStiffnesses = room.numbers(count);
    this.siteEnds = room.indices(new Uint32Array(2 * count));
    this.ball = room.numbers(BALL_NUMBERS);
  }

  /** Planes for which a body has room: its sites are vertices and edges. */
  static countFor(vertexCount: number, triangles: Uint32Array): number {
    return RESERVED_COLLIDERS * (vertexCount + triangles.length / 2);
  }

  /** Bytes that so many take of a room. */
  static roomFor(count: number): number {
    return count * (7 * 8 + 4 * 4) + 8 * BALL_NUMBERS + 128;
  }

  /** How far the site of plane n is behind it; below zero in front of it. */
  private depthBehind(n: number, vertices: Float64Array): number {
    const { planes, ends } = this;
    const a = ends[2 * n];
    const b = ends[2 * n + 1];
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
    const { planes, stiffnesses, ends, room } = this;
    const kernels = room.kernelsFor(planes, vertices, out);
    if (kernels) {
      const [p, s, e] = [planes.byteOffset, stiffnesses.byteOffset, ends.byteOffset];
      return kernels.addContacts(this.used, p, s, e, vertices.byteOffset, out.byteOffset);
    }
    let energy = 0;
    for (let n = 0; n < this.used; n++) {
      const pressed = this.depthBehind(n, vertices);
      if (pressed <= 0) continue;
      const force = stiffnesses[n] * pressed;
      energy += 0.5 * force * pressed;
      const x = force * (0.5 * planes[4 * n]);
      const y = force * (0.5 * planes[4 * n + 1]);
      const z = force * (0.5 * planes[4 * n + 2]);
      const a = ends[2 * n];
      const b = ends[2 * n + 1];
      out[a] -= x;
      out[a + 1] -= y;
      out[a + 2] -= z;
      out[b] -= x;
      out[b + 1] -= y;
      out[b + 2] -= z;
    }
    return energy;
  }

  /** The energy alone. */
  energyOf(vertices: Float64Array): number {
    const { planes, stiffnesses, ends, room } = this;
    const kernels = room.kernelsFor(planes, vertices);
    if (kernels) {
      const [p, s, e] = [planes.byteOffset, stiffnesses.byteOffset, ends.byteOffset];
      return kernels.sumContacts(this.used, p, s, e, vertices.byteOffset);
    }
    let energy = 0;
    for (let n = 0; n < this.used; n++) {
      const pressed = this.depthBehind(n, vertices);
      if (pressed > 0) energy += 0.5 * (stiffnesses[n] * pressed) * pressed;
    }
    return energy;
  }

  /** Writes the stiffness of what is behind planes, lumped at the helper vertices, and the sums of stiffness × normal. */
  lump(carrier: CarriedSurface, stiffness: Float64Array, pushes: Float64Array): void {
    const { planes, stiffnesses, ends, room } = this;
    const { corners, weights, carried } = carrier;
    stiffness.fill(0);
    pushes.fill(0);
    const kernels = room.kernelsFor(planes, stiffness, carried);
    if (kernels) {
      const [p, s, e] = [planes.byteOffset, stiffnesses.byteOffset, ends.byteOffset];
      const [c, w, v] = [corners.byteOffset, weights.byteOffset, carried.byteOffset];
      kernels.lumpContacts(this.used, p, s, e, v, ROUNDING, c, w, stiffness.byteOffset, pushes.byteOffset);
      return;
    }
    for (let n = 0; n < this.used; n++) {
      if (this.depthBehind(n, carried) <= ROUNDING) continue;
      for (let end = 2 * n; end < 2 * n + 2; end++) {
        const first = (4 * ends[end]) / 3;
        for (let k = first; k < first + 4; k++) {
          const share = 0.5 * stiffnesses[n] * weights[k];
          const corner = corners[k];
          stiffness[corner] += share;
          pushes[3 * corner] += share * planes[4 * n];
          pushes[3 * corner + 1] += share * planes[4 * n + 1];
          pushes[3 * corner + 2] += share * planes[4 * n + 2];
        }
      }
    }
  }
}
