// One closed part of a body, to recovery a body of its own: its vertices are its particles, in the solver's order.

import { signedVolume } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { PartRest } from '../parts.js';
import type { RecoverableBody } from './recoverable-body.js';

/** What a body of several parts tells of them. */
export interface PartedBody {
  readonly prepared: {
    readonly particles: { readonly order: Uint32Array; readonly mesh: TriangleMesh };
    readonly parts: readonly PartRest[];
  };
  /** The particle of each vertex. */
  readonly places: Uint32Array;
}

/** What recovery knows of a part at rest. */
interface PartShape {
  readonly mesh: TriangleMesh;
  readonly volume: { readonly volume: number; readonly size: number };
  readonly particles: { readonly order: Uint32Array };
}

const shapes = new WeakMap<PartRest, PartShape>();

function shapeOfPart(part: PartRest, { positions }: TriangleMesh): PartShape {
  const known = shapes.get(part);
  if (known) return known;
  const { first, count, volume } = part;
  const mesh = { positions: positions.slice(3 * first, 3 * (first + count)), triangles: volume.triangles };
  const order = Uint32Array.from({ length: count }, (_, place) => place);
  const shape = { mesh, volume, particles: { order } };
  shapes.set(part, shape);
  return shape;
}

export class RecoverablePart implements RecoverableBody {
  readonly prepared: PartShape;
  /** The body's vertex of each of its own. */
  private readonly vertices: Uint32Array;
  /** Copies, made where they are asked for: most looks need none of them. */
  private gathered: { positions?: Float64Array; velocities?: Float64Array } = {};

  private constructor(
    private readonly body: RecoverableBody & PartedBody,
    private readonly part: PartRest,
  ) {
    const { first, count } = part;
    const { order, mesh } = body.prepared.particles;
    this.prepared = shapeOfPart(part, mesh);
    this.vertices = order.subarray(first, first + count);
  }

  /** The nth part, as it is now. */
  static of(body: RecoverableBody & PartedBody, n: number): RecoverablePart {
    return new RecoverablePart(body, body.prepared.parts[n]);
  }

  get positions(): Float64Array {
    this.gathered.positions ??= this.gather(this.body.positions);
    return this.gathered.positions;
  }

  get velocities(): Float64Array {
    this.gathered.velocities ??= this.gather(this.body.velocities);
    return this.gathered.velocities;
  }

  get masses(): Float64Array {
    return Float64Array.from(this.vertices, (vertex) => this.body.masses[vertex]);
  }

  private gather(vectors: ArrayLike<number>): Float64Array {
    const out = new Float64Array(3 * this.vertices.length);
    this.vertices.forEach((vertex, i) => {
      for (let c = 0; c < 3; c++) out[3 * i + c] = vectors[3 * vertex + c];
    });
    return out;
  }

  get hostModel() {
    const carried = this.body.hostModel?.carried;
    const { first, count } = this.part;
    return carried && { carried: carried.subarray(3 * first, 3 * (first + count)) };
  }

  get inflation() {
    return this.body.inflation;
  }

  get isFree(): boolean {
    return this.body.isFree;
  }

  get volumeNow(): number {
    return signedVolume(this.positions, this.prepared.mesh.triangles);
  }

  get pins() {
    const { first, count } = this.part;
    return this.body.pins.map(({ vertices }) => {
      const places = Array.from(vertices, (vertex) => this.body.places[vertex] - first);
      return { vertices: places.filter((place) => place >= 0 && place < count) };
    });
  }

  load(): void {
    const { body, positions, velocities } = this;
    this.vertices.forEach((vertex, i) => {
      for (let c = 0; c < 3; c++) {
        body.positions[3 * vertex + c] = positions[3 * i + c];
        body.velocities[3 * vertex + c] = velocities[3 * i + c];
      }
    });
    body.load();
  }

  turnRegions(rotation: ArrayLike<number>, own?: ArrayLike<number>): void {
    const vertices = own ? Array.from(own, (place) => this.vertices[place]) : this.vertices;
    this.body.turnRegions(rotation, vertices);
  }

  /** There is one speed for all parts, and the others may move as they like. */
  holdSpeed(): void {}
}
