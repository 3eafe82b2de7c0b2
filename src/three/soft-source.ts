// What a soft mesh follows: a `Body`, or anything that looks like one, such as a proxy of a body in a worker.

import type { EmbeddableMesh, Embedding } from '../embedding/embedding.js';
import type { Skin } from '../embedding/skin.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';

/** What a soft mesh shows in the place of the simulation mesh: a `Skin`, or one whose arrays come from a worker. */
export type ShownSkin = Pick<Skin, 'positions' | 'normals' | 'tangents' | 'dispose'> & {
  /** What is shown, and how it was cut. */
  readonly embedding: Pick<Embedding, 'visible' | 'original' | 'cut'>;
  update(positions?: ArrayLike<number>): void;
};

/** What a soft mesh needs of a body. */
export interface SoftSource {
  /** The mesh at rest. */
  readonly mesh: TriangleMesh;
  /** What to show in its place, where it is not what is to be seen. */
  readonly visible?: EmbeddableMesh;
  /** Positions now, in the mesh's own vertex order [m]. A `Float32Array` is shown without a copy. */
  readonly positions: ArrayLike<number>;
  /** Where to show it instead [m], such as between two steps; `positions` themselves or nothing where that is where it is. */
  readonly displayed?: ArrayLike<number>;
  /** Faces along which it was cut: triangles of the mesh, and texture coordinates of its vertices there. */
  readonly cutFaces?: { readonly triangles: Uint32Array; readonly uvs: Float32Array };
  /** Lets a visible mesh follow; without it the page's own thread does it in double precision. */
  embed?(visible: EmbeddableMesh): ShownSkin;
}
