// The collision-driven deformer as a modifier of a three.js mesh: shows a mesh, skinned and morphed as it is, where colliders have
// dented it.

import { BufferAttribute, BufferGeometry, type Material, Mesh, Vector3 } from 'three';
import type { DeformedFrame, DeformerFrame } from '../deformer/deform-frame.js';
import { createDeformer, type Deformer } from '../deformer/deformer.js';
import { createDeformerPool, type DeformerPool } from '../deformer/deformer-pool.js';
import type { DeformerReport } from '../deformer/report.js';
import type { DeformerSettings } from '../deformer/settings.js';
import { type JoinedVertices, joinVertices } from '../mesh/joined-vertices.js';
import { updateBounds } from './bounding-volumes.js';
import { shareAttributes } from './soft-mesh.js';

/** What a frame is asked: colliders in the coordinates of the world, and settings for this frame. */
export type CollisionDeformerFrame = Omit<DeformerFrame, 'input' | 'start'>;

/**
 * Shows a `Mesh` or `SkinnedMesh` with dents, in world coordinates: add it to the scene itself, and do not move it. The mesh is bound in
 * the pose that it has now and no longer shown; animate it as before, then call `update` for each frame. Frames know nothing of
 * each other: a timeline may be scrubbed in any order.
 */
export class CollisionDeformer extends Mesh<BufferGeometry, Material | Material[]> {
  private readonly joined: JoinedVertices;
  private readonly settings: Partial<DeformerSettings>;
  private deformer: Deformer | undefined;
  private pool: Promise<DeformerPool> | undefined;
  private underWay: Promise<DeformerReport> | undefined;

  /** @throws RangeError where its surface is not closed. Maps are by vertex of the mesh's geometry. */
  constructor(
    readonly source: Mesh,
    settings: Partial<DeformerSettings> = {},
  ) {
    const position = source.geometry.getAttribute('position');
    if (!position || position.count === 0) throw new RangeError('source: expected a mesh with vertices, got none');
    super(new BufferGeometry(), source.material);
    const index = source.geometry.getIndex();
    const triangles = index ? Uint32Array.from(index.array) : Uint32Array.from({ length: position.count }, (_, i) => i);
    this.joined = joinVertices({ positions: readPose(source), triangles });
    const { maps = {} } = settings;
    const joinedMaps = Object.entries(maps).map(([name, map]) => [name, this.joined.toJoined(map, 1)]);
    this.settings = { ...settings, maps: Object.fromEntries(joinedMaps) };
    shareAttributes(source.geometry, this.geometry);
    for (const name of ['position', 'normal'])
      this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * position.count), 3));
    // Built at once, so that what cannot be bound says so here.
    this.deformer = createDeformer(this.joined.mesh, this.settings);
    this.name = source.name;
    source.visible = false;
    this.update({ colliders: [] });
  }

  /** Shows the frame, deformed on this thread. */
  update(frame: CollisionDeformerFrame): DeformerReport {
    this.deformer ??= createDeformer(this.joined.mesh, this.settings);
    const result = this.deformer.at({ ...frame, input: this.readInput() });
    this.show(result);
    return result.report;
  }

  /**
   * Shows the frame as soon as a worker has deformed it, with the bits of `update`. One is under way at a time: what is asked meanwhile
   * is dropped and gets the report of that one.
   */
  updateInWorker(frame: CollisionDeformerFrame): Promise<DeformerReport> {
    this.underWay ??= this.deformInWorker(frame).finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  /** Frees the geometry and the worker, and shows the mesh again; the material stays. */
  override dispose(): void {
    // Not every version that this works with has one.
    super.dispose?.();
    this.removeFromParent();
    this.geometry.dispose();
    this.source.visible = true;
    this.pool?.then((pool) => pool.dispose()).catch(() => {});
    this.pool = undefined;
  }

  private async deformInWorker(frame: CollisionDeformerFrame): Promise<DeformerReport> {
    const input = this.readInput();
    this.pool ??= createDeformerPool([{ mesh: this.joined.mesh, settings: this.settings }], { workers: 1 });
    const result = await (await this.pool).at({ ...frame, input });
    this.show(result);
    return result.report;
  }

  private readInput(): Float64Array {
    return this.joined.toJoined(readPose(this.source), 3);
  }

  private show({ positions, normals }: DeformedFrame): void {
    for (const [name, vectors] of [
      ['position', positions],
      ['normal', normals],
    ] as const) {
      const attribute = this.geometry.getAttribute(name) as BufferAttribute;
      (attribute.array as Float32Array).set(this.joined.toShown(vectors));
      attribute.needsUpdate = true;
    }
    updateBounds(this.geometry, this.geometry.getAttribute('position').array as Float32Array);
  }
}

/** Where the vertices are in the world, morphed and skinned [m]. */
function readPose(source: Mesh): Float64Array {
  // Bones hang anywhere: all that lies above and beside them counts.
  let top: Mesh['parent'] = source;
  while (top.parent) top = top.parent;
  top.updateMatrixWorld(true);
  const { count } = source.geometry.getAttribute('position');
  const out = new Float64Array(3 * count);
  const point = new Vector3();
  for (let v = 0; v < count; v++)
    source
      .getVertexPosition(v, point)
      .applyMatrix4(source.matrixWorld)
      .toArray(out, 3 * v);
  return out;
}
