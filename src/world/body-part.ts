// One closed part of a body, as the user sees it.

import type { BackendBody } from '../backends/backend.js';
import { signedVolume } from '../mesh/measure.js';
import type { PartRest } from '../solvers/parts.js';

/** A closed part of a body, which keeps its own volume. */
export class BodyPart {
  /** Its vertices, in the mesh's own numbering. */
  readonly vertices: Uint32Array;
  /** V₀ [m³]. */
  readonly restVolume: number;
  private readonly triangles: Uint32Array;

  /** Parts are given by `Body.parts`. */
  constructor(
    private readonly state: BackendBody,
    { first, count, volume }: PartRest,
  ) {
    const { order } = state.prepared.particles;
    this.vertices = order.slice(first, first + count);
    this.restVolume = volume.volume;
    this.triangles = volume.triangles.map((place) => order[first + place]);
  }

  /** Volume enclosed now [m³]. */
  volume(): number {
    return signedVolume(this.state.positions, this.triangles);
  }
}
