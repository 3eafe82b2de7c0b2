// A visible mesh that follows a body in a worker: the arrays come with the frames, ready to be shown.

import type { EmbeddableMesh, Embedding } from '../embedding/embedding.js';
import type { Remote } from './remote.js';

/** A visible mesh that follows a body in a worker. */
export class WorkerSkin {
  positions: Float32Array;
  normals: Float32Array;
  tangents: Float32Array | null;
  /** What is shown: the mesh that was given, or what is left of it after cuts. */
  embedding: Pick<Embedding, 'visible' | 'original' | 'cut'>;

  /** Skins are made by `WorkerBody.embed`. Until the first frame they show the mesh as `place` puts it. */
  constructor(
    private readonly remote: Remote,
    visible: EmbeddableMesh,
    place: (positions: ArrayLike<number>) => Float32Array,
  ) {
    this.positions = place(visible.positions);
    this.normals = Float32Array.from(visible.normals ?? new Float32Array(this.positions.length));
    this.tangents = visible.tangents ? Float32Array.from(visible.tangents) : null;
    this.embedding = { visible, original: visible };
  }

  /** When the worker has bound it, or why it could not be. */
  get ready(): Promise<this> {
    return this.remote.ready.then(() => this);
  }

  /** Whether it was disposed of, or could not be bound. */
  get isDisposed(): boolean {
    return this.remote.membership.ended;
  }

  /** Frames bring the arrays: there is nothing to do. */
  update(): void {}

  dispose(): void {
    // Its body may have gone before, and the worker's end of it with that.
    this.remote.drop('it was disposed of');
  }

  /** @internal */
  end(reason: string): void {
    this.remote.membership.end(reason);
  }

  /** It was cut, or is whole again. @internal */
  change(visible: EmbeddableMesh, cut: Embedding['cut']): void {
    this.embedding = { visible, original: this.embedding.original, cut };
  }

  /** @internal */
  take(positions: Float32Array, normals: Float32Array, tangents: Float32Array | null): void {
    this.positions = positions;
    this.normals = normals;
    this.tangents = tangents;
  }
}
