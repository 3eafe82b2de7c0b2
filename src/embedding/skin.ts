// A visible mesh that follows a simulation mesh: the arrays a renderer shows, and what brings them up to date.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { type Embedding, embed } from './embedding.js';
import { follow } from './follow.js';
import { createFrames, writeFrames } from './vertex-frames.js';

/** A visible mesh that follows a body: its arrays, and what moves them. */
export interface Skin {
  /** Another one after a cut: then the arrays may have another length, and `embedding.visible` other triangles. */
  readonly embedding: Embedding;
  /** x, y, z per vertex of the visible mesh [m]. A backend may move the array: ask anew after each `update`. */
  readonly positions: Float32Array;
  /** Unit normals. */
  readonly normals: Float32Array;
  /** x, y, z and the sign of the bitangent; null where the visible mesh has none. */
  readonly tangents: Float32Array | null;
  /**
   * Writes the arrays for the simulation's positions now, or for others in the simulation mesh's vertex order, such as
   * `body.interpolated`.
   */
  update(positions?: ArrayLike<number>): void;
  /** Frees what it holds; the arrays keep their last state. */
  dispose(): void;
}

/** The reference: double precision, one thread, over positions wherever they come from. */
export class ReferenceSkin implements Skin {
  positions: Float32Array;
  normals: Float32Array;
  tangents: Float32Array | null;
  private frames;
  /** The simulation's positions. */
  private current: Float64Array;

  constructor(
    public embedding: Embedding,
    /** Gives the simulation's positions now. */
    private readonly source: () => ArrayLike<number>,
    /** Gives the simulation mesh at rest; another one after a change of its topology. */
    private readonly cage: () => TriangleMesh = () => embedding.cage,
  ) {
    const { binding, tangents, cage: mesh } = embedding;
    this.positions = new Float32Array(3 * binding.count);
    this.normals = new Float32Array(3 * binding.count);
    this.tangents = tangents ? new Float32Array(4 * binding.count) : null;
    this.frames = createFrames(mesh.positions.length / 3);
    this.current = new Float64Array(mesh.positions.length);
    this.update();
  }

  /** Binds to the mesh that the simulation has now. */
  private rebind(): void {
    const mesh = this.cage();
    if (mesh === this.embedding.cage) return;
    this.embedding = embed(mesh, this.embedding.original);
    const { binding, tangents } = this.embedding;
    if (this.positions.length !== 3 * binding.count) {
      this.positions = new Float32Array(3 * binding.count);
      this.normals = new Float32Array(3 * binding.count);
      this.tangents = tangents ? new Float32Array(4 * binding.count) : null;
    }
    this.frames = createFrames(mesh.positions.length / 3);
    this.current = new Float64Array(mesh.positions.length);
  }

  update(simulated: ArrayLike<number> = this.source()): void {
    this.rebind();
    const { embedding, frames, current, positions, normals, tangents } = this;
    const { frameRest, binding, normals: restNormals, tangents: restTangents } = embedding;
    expectCagePositions(embedding, simulated);
    current.set(simulated);
    writeFrames(frameRest, current, frames);
    follow(current, frames, { binding, restNormals, restTangents, positions, normals, tangents });
  }

  dispose(): void {}
}

export function expectCagePositions({ cage }: Embedding, { length }: ArrayLike<number>): void {
  if (length === cage.positions.length) return;
  throw new RangeError(`positions: expected ${cage.positions.length} numbers, got ${length}`);
}
