// Many bodies of one shape in one draw call: their vertices lie in one geometry, one body after the other.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  type Material,
  Mesh,
  MeshStandardMaterial,
} from 'three';
import type { EmbeddableMesh } from '../embedding/embedding.js';
import { expectKnownFields } from '../math/known-fields.js';
import { updateBounds } from './bounding-volumes.js';
import { writeSmoothNormals } from './smooth-normals.js';
import { embedIn, readVisible, type SoftMeshOptions } from './soft-mesh.js';
import type { ShownSkin, SoftSource } from './soft-source.js';

/**
 * Shows bodies that were made of one prepared mesh, each where it is in the world, with one material and one draw call. Do not move, turn or
 * scale it. Call `update` after the world has stepped. Bodies that are cut want a `SoftMesh` each.
 */
export class SoftInstances<TMaterial extends Material = MeshStandardMaterial> extends Mesh<BufferGeometry, TMaterial> {
  private readonly skins: readonly ShownSkin[];
  private readonly triangles: ArrayLike<number>;
  /** Vertices of one body. */
  private readonly vertexCount: number;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly tangents: Float32Array | undefined;

  constructor(
    readonly sources: readonly SoftSource[],
    material: TMaterial = new MeshStandardMaterial() as unknown as TMaterial,
    options: SoftMeshOptions = {},
  ) {
    expectKnownFields('SoftInstances', options, ['geometry']);
    if (sources.length === 0) throw new RangeError('bodies: expected at least one, got none');
    const [{ mesh }] = sources;
    if (sources.some((source) => source.mesh.triangles.length !== mesh.triangles.length))
      throw new RangeError('bodies: expected bodies of one prepared mesh, got others among them');
    super(new BufferGeometry(), material);
    const visible: EmbeddableMesh | undefined = options.geometry ? readVisible(options.geometry) : sources[0].visible;
    this.skins = visible ? sources.map((source) => embedIn(source, visible)) : [];
    this.triangles = (visible ?? mesh).triangles;
    this.vertexCount = (visible ?? mesh).positions.length / 3;
    this.positions = new Float32Array(3 * this.vertexCount * sources.length);
    this.normals = new Float32Array(this.positions.length);
    if (this.skins[0]?.tangents) this.tangents = new Float32Array(4 * this.vertexCount * sources.length);
    this.build(options.geometry);
    this.update();
  }

  /** Bodies that are shown. */
  get bodyCount(): number {
    return this.sources.length;
  }

  /** Gives a body a colour of its own, which the material's is multiplied by. */
  setColorAt(index: number, color: Color | number | string): void {
    if (!(Number.isInteger(index) && index >= 0 && index < this.bodyCount))
      throw new RangeError(`index: expected an integer from 0 to ${this.bodyCount - 1}, got ${index}`);
    let colours = this.geometry.getAttribute('color') as BufferAttribute | undefined;
    if (!colours) {
      colours = new BufferAttribute(new Float32Array(this.positions.length).fill(1), 3);
      this.geometry.setAttribute('color', colours);
      const { material } = this as unknown as { material: Material & { vertexColors: boolean } };
      material.vertexColors = true;
      material.needsUpdate = true;
    }
    const { r, g, b } = new Color(color as number);
    const { vertexCount } = this;
    for (let v = index * vertexCount; v < (index + 1) * vertexCount; v++) colours.setXYZ(v, r, g, b);
    colours.needsUpdate = true;
  }

  /** The place in `sources` of the body that a triangle of the geometry is of, such as a ray's `faceIndex`. */
  instanceOf(faceIndex: number): number {
    return Math.floor((3 * faceIndex) / this.triangles.length);
  }

  /** Shows the bodies as they are now, as `SoftMesh.update` does. */
  update(): void {
    const { sources, skins, vertexCount, positions, normals, tangents } = this;
    const length = 3 * vertexCount;
    sources.forEach((source, n) => {
      const [from, to] = [n * length, (n + 1) * length];
      const skin = skins[n];
      const shown = source.displayed ?? source.positions;
      if (skin) {
        skin.update(shown === source.positions ? undefined : shown);
        positions.set(skin.positions, from);
        normals.set(skin.normals, from);
        if (tangents && skin.tangents) tangents.set(skin.tangents, 4 * vertexCount * n);
        return;
      }
      positions.set(shown, from);
      writeSmoothNormals(positions.subarray(from, to), source.mesh.triangles, normals.subarray(from, to));
    });
    for (const name of ['position', 'normal', 'tangent']) {
      const attribute = this.geometry.getAttribute(name) as BufferAttribute | undefined;
      if (attribute) attribute.needsUpdate = true;
    }
    updateBounds(this.geometry, positions);
  }

  /** Frees the geometry and what follows the bodies; material and bodies stay. */
  override dispose(): void {
    // Not every version that this works with has one.
    super.dispose?.();
    this.geometry.dispose();
    for (const skin of this.skins) skin.dispose();
  }

  private build(shown?: BufferGeometry): void {
    const { geometry, bodyCount: count, vertexCount, triangles } = this;
    const index = new Uint32Array(triangles.length * count);
    for (let n = 0; n < count; n++)
      for (let k = 0; k < triangles.length; k++) index[n * triangles.length + k] = triangles[k] + n * vertexCount;
    geometry.setIndex(new BufferAttribute(index, 1));
    for (const [name, values, size] of [
      ['position', this.positions, 3],
      ['normal', this.normals, 3],
      ['tangent', this.tangents, 4],
    ] as const)
      if (values) geometry.setAttribute(name, new BufferAttribute(values, size).setUsage(DynamicDrawUsage));
    // What does not move is the same for all: texture coordinates, colours.
    for (const [name, attribute] of Object.entries(shown?.attributes ?? {})) {
      if (geometry.hasAttribute(name) || attribute.count !== vertexCount) continue;
      const { itemSize } = attribute;
      const values = new Float32Array(itemSize * vertexCount * count);
      for (let v = 0; v < vertexCount * count; v++)
        for (let c = 0; c < itemSize; c++) values[v * itemSize + c] = attribute.getComponent(v % vertexCount, c);
      geometry.setAttribute(name, new BufferAttribute(values, itemSize));
    }
  }
}
