// A three.js mesh whose geometry follows a soft body.

import { BufferAttribute, BufferGeometry, type Material, Mesh, MeshStandardMaterial } from 'three';
import { type EmbeddableMesh, embed } from '../embedding/embedding.js';
import { ReferenceSkin } from '../embedding/skin.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { writeAttributeValues } from './attribute-values.js';
import { updateBounds } from './bounding-volumes.js';
import { showCut } from './cut-geometry.js';
import { LiveAttribute } from './live-attribute.js';
import { writeSmoothNormals } from './smooth-normals.js';
import type { ShownSkin, SoftSource } from './soft-source.js';

/** What is shown in place of the simulation mesh. */
export interface SoftMeshOptions {
  /**
   * What to show in place of the simulation mesh: any triangles, with seams and texture coordinates, in the coordinates of
   * the simulation mesh at rest. It is not changed, and may be disposed of afterwards.
   */
  readonly geometry?: BufferGeometry;
}

/**
 * Shows a body where it is in the world. Do not move, turn or scale it or its parents: the body says where it is. Call
 * `update` after the world has stepped. Bounding volumes and ray casting follow.
 */
export class SoftMesh<TMaterial extends Material | Material[] = MeshStandardMaterial> extends Mesh<
  BufferGeometry,
  TMaterial
> {
  /** The visible mesh's arrays; undefined where the simulation mesh itself is shown. */
  readonly skin: ShownSkin | undefined;
  /** Where the simulation mesh itself is shown: its normals, and its positions where they are not in single precision. */
  private normals: Float32Array = new Float32Array(0);
  private copied: Float32Array = new Float32Array(0);
  /** The simulation mesh that the geometry has the triangles of. */
  private shownMesh: TriangleMesh | undefined;
  /** The visible mesh that it has the triangles of. */
  private shownVisible: EmbeddableMesh | undefined;

  constructor(
    readonly source: SoftSource,
    material: TMaterial = new MeshStandardMaterial() as unknown as TMaterial,
    private readonly options: SoftMeshOptions = {},
  ) {
    expectKnownFields('SoftMesh', options, ['geometry']);
    super(new BufferGeometry(), material);
    const visible = options.geometry ? readVisible(options.geometry) : source.visible;
    this.skin = visible && embedIn(source, visible);
    if (options.geometry) shareAttributes(options.geometry, this.geometry);
    else if (visible) this.geometry.setIndex(new BufferAttribute(visible.triangles, 1));
    this.update();
  }

  /**
   * Shows the body as it is now: in a world that runs by `advance` between its last two steps, as smooth as the frames are. Or
   * at other positions of its mesh's vertices.
   */
  update(positions: ArrayLike<number> = this.source.displayed ?? this.source.positions): void {
    const { skin, source } = this;
    const own = positions === source.positions;
    if (skin) {
      skin.update(own ? undefined : positions);
      this.followCuts(skin);
      this.show('position', 3, () => skin.positions);
      this.show('normal', 3, () => skin.normals);
      if (skin.tangents) this.show('tangent', 4, () => skin.tangents as Float32Array);
      updateBounds(this.geometry, skin.positions);
      return;
    }
    this.followTopology();
    const shown = this.asFloats(positions);
    if (this.normals.length !== shown.length) this.normals = new Float32Array(shown.length);
    writeSmoothNormals(shown, source.mesh.triangles, this.normals);
    // The kernels' memory may move, and the array with it.
    this.show('position', 3, own && shown === positions ? () => source.positions as Float32Array : () => shown);
    this.show('normal', 3, () => this.normals);
    updateBounds(this.geometry, shown);
  }

  /** Takes the triangles and attributes of a visible mesh that was cut with its body. */
  private followCuts({ embedding }: ShownSkin): void {
    const { visible, original, cut } = embedding;
    if (visible === this.shownVisible) return;
    const isFirst = this.shownVisible === undefined;
    this.shownVisible = visible;
    if (isFirst && visible === original) return;
    this.geometry.dispose();
    for (const name of Object.keys(this.geometry.attributes)) this.geometry.deleteAttribute(name);
    this.geometry.clearGroups();
    const given = this.options.geometry;
    if (cut) showCut(this.geometry, visible, cut, given, this.material);
    else if (given) shareAttributes(given, this.geometry);
    else this.geometry.setIndex(new BufferAttribute(visible.triangles, 1));
  }

  /** Takes the triangles of the simulation mesh, which is another one after a change of its topology. */
  private followTopology(): void {
    const { mesh } = this.source;
    if (mesh === this.shownMesh) return;
    // Buffers of other lengths are other buffers: the renderer is to forget those it has.
    if (this.shownMesh) this.geometry.dispose();
    this.shownMesh = mesh;
    for (const name of ['position', 'normal', 'uv']) this.geometry.deleteAttribute(name);
    this.geometry.clearGroups();
    const { cutFaces } = this.source;
    if (!cutFaces) {
      this.geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
      return;
    }
    const { index, first } = facesLast(mesh.triangles, cutFaces.triangles);
    this.geometry.setIndex(new BufferAttribute(index, 1));
    this.geometry.setAttribute('uv', new BufferAttribute(cutFaces.uvs, 2));
    // A single material shows all groups; of a list the second one shows the faces.
    const isList = Array.isArray(this.material) && this.material.length > 1;
    this.geometry.addGroup(0, first, 0);
    this.geometry.addGroup(first, index.length - first, isList ? 1 : 0);
  }

  /** Frees the geometry and what follows the body; the material and the body stay. */
  override dispose(): void {
    // Not every version that this works with has one.
    super.dispose?.();
    this.geometry.dispose();
    this.skin?.dispose();
  }

  /** Another mesh that follows the same body. */
  override clone(recursive?: boolean): this {
    const twin = new SoftMesh(this.source, this.material, this.options);
    const { geometry } = twin;
    twin.copy(this, recursive);
    twin.geometry = geometry;
    return twin as this;
  }

  /** An array of single precision as it is, others copied to one of its own. */
  private asFloats(positions: ArrayLike<number>): Float32Array {
    if (positions instanceof Float32Array) return positions;
    if (this.copied.length !== positions.length) this.copied = new Float32Array(positions.length);
    this.copied.set(positions);
    return this.copied;
  }

  /** Lets an attribute show an array, which may move. */
  private show(name: string, itemSize: number, read: () => Float32Array): void {
    let attribute = this.geometry.getAttribute(name) as LiveAttribute | undefined;
    if (!attribute) {
      attribute = new LiveAttribute(read, itemSize);
      this.geometry.setAttribute(name, attribute);
    }
    attribute.read = read;
    attribute.needsUpdate = true;
  }
}

/** Triangles with some of them at the end, and where these begin. */
function facesLast(triangles: Uint32Array, faces: Uint32Array): { index: Uint32Array; first: number } {
  const isFace = new Uint8Array(triangles.length / 3);
  for (const face of faces) isFace[face] = 1;
  const index = new Uint32Array(triangles.length);
  let [next, end] = [0, triangles.length - 3 * faces.length];
  const first = end;
  for (let t = 0; t < isFace.length; t++) {
    const corners = triangles.subarray(3 * t, 3 * t + 3);
    index.set(corners, isFace[t] === 1 ? end : next);
    if (isFace[t] === 1) end += 3;
    else next += 3;
  }
  return { index, first };
}

export function embedIn(source: SoftSource, visible: EmbeddableMesh): ShownSkin {
  return (
    source.embed?.(visible) ??
    new ReferenceSkin(
      embed(source.mesh, visible),
      () => source.positions,
      () => source.mesh,
    )
  );
}

/** A geometry as a mesh to embed; remembered, so that meshes that share a geometry share a binding. */
const visibles = new WeakMap<BufferGeometry, { visible: EmbeddableMesh; version: number }>();

export function readVisible(geometry: BufferGeometry): EmbeddableMesh {
  const known = visibles.get(geometry);
  const position = geometry.getAttribute('position');
  const version = (position as Partial<BufferAttribute> | undefined)?.version ?? 0;
  if (known?.version === version) return known.visible;
  if (!position || position.count === 0) throw new RangeError('geometry: expected vertices, got none');
  const read = (name: string, itemSize: number): Float64Array | null => {
    const attribute = geometry.getAttribute(name);
    if (!attribute || attribute.itemSize !== itemSize) return null;
    return writeAttributeValues(attribute, new Float64Array(itemSize * attribute.count));
  };
  const index = geometry.getIndex();
  const triangles = index ? Uint32Array.from(index.array) : Uint32Array.from({ length: position.count }, (_, i) => i);
  const positions = read('position', 3);
  if (!positions) throw new RangeError(`geometry: expected positions of 3 numbers, got ${position.itemSize}`);
  const visible = { positions, triangles, normals: read('normal', 3), tangents: read('tangent', 4) };
  visibles.set(geometry, { visible, version });
  return visible;
}

/** What does not move is shared: indices, groups, texture coordinates, colours. */
export function shareAttributes(from: BufferGeometry, to: BufferGeometry): void {
  to.name = from.name;
  to.setIndex(from.getIndex());
  for (const [name, attribute] of Object.entries(from.attributes)) {
    if (!['position', 'normal', 'tangent'].includes(name)) to.setAttribute(name, attribute);
  }
  for (const { start, count, materialIndex } of from.groups) to.addGroup(start, count, materialIndex);
}
