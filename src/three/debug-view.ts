// Looks inside a body: its edges, paths, one region, volume weights, contacts and normals, over a scene of three.js.

import { BufferAttribute, type BufferGeometry, DynamicDrawUsage, Group, type Material, type Mesh } from 'three';
import { expectKnownFields } from '../math/known-fields.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import {
  contactsLayer,
  type DebugLayer,
  type DebugSource,
  normalsLayer,
  pathsLayer,
  regionLayer,
  weightsLayer,
  wireLayer,
} from './debug-layers.js';

/** What a debug view shows. */
export interface DebugViewOptions {
  /** All edges of the simulation mesh. */
  readonly wire?: boolean;
  /** The paths along which sums are taken, in colours. */
  readonly paths?: boolean;
  /** The particles of the region of this vertex; null for none. */
  readonly region?: number | null;
  /** How much each particle takes part in keeping the volume, from blue to red. */
  readonly weights?: boolean;
  /** Particles that touched something in the last step. */
  readonly contacts?: boolean;
  readonly normals?: boolean;
}

/** Options of `DebugView` where none are given. */
export const DEBUG_VIEW_DEFAULTS: Required<DebugViewOptions> = {
  wire: true,
  paths: false,
  region: null,
  weights: false,
  contacts: true,
  normals: false,
};

const pointsOf = ({ positions }: DebugSource): BufferAttribute =>
  new BufferAttribute(Float32Array.from(positions), 3).setUsage(DynamicDrawUsage);

/** Shows a body where it is in the world; do not move, turn or scale it. Call `update` after the world has stepped. */
export class DebugView extends Group {
  private readonly shownLayers = new Map<string, DebugLayer>();
  /** Positions that all layers share. */
  private points: BufferAttribute;
  /** The mesh that they are the vertices of. */
  private mesh: TriangleMesh;
  private shown: Required<DebugViewOptions> = { ...DEBUG_VIEW_DEFAULTS };

  constructor(
    readonly source: DebugSource,
    options: DebugViewOptions = {},
  ) {
    super();
    this.points = pointsOf(source);
    this.mesh = source.mesh;
    this.show(options);
  }

  /** Shows the mesh that the body has now, which is another one after a change of its topology; no region of it. */
  private followTopology(): void {
    if (this.mesh === this.source.mesh) return;
    this.mesh = this.source.mesh;
    for (const name of [...this.shownLayers.keys()]) this.drop(name);
    this.points = pointsOf(this.source);
    this.show({ region: null });
  }

  /** What is shown now. */
  get options(): Required<DebugViewOptions> {
    return this.shown;
  }

  /** Shows more or less. */
  show(options: DebugViewOptions): void {
    expectKnownFields('DebugView', options, Object.keys(DEBUG_VIEW_DEFAULTS));
    this.followTopology();
    const before = this.shown;
    this.shown = { ...before, ...options };
    const { wire, paths, region, weights, contacts, normals } = this.shown;
    const { source, points } = this;
    const { count } = points;
    if (region !== null && !(Number.isInteger(region) && region >= 0 && region < count)) {
      this.shown = before;
      throw new RangeError(`region: expected a vertex from 0 to ${count - 1}, got ${region}`);
    }
    if (region !== before.region) this.drop('region');
    this.want('wire', wire, () => wireLayer(source, points));
    this.want('paths', paths, () => pathsLayer(source, points));
    this.want('region', region !== null, () => regionLayer(source, points, region ?? 0));
    this.want('weights', weights, () => weightsLayer(source, points));
    this.want('contacts', contacts, () => contactsLayer(source, points));
    this.want('normals', normals, () => normalsLayer(source));
    this.update();
  }

  /** Follows the body as `SoftMesh.update` does, or other positions of its mesh's vertices. */
  update(positions: ArrayLike<number> = this.source.displayed ?? this.source.positions): void {
    this.followTopology();
    const { points } = this;
    points.array.set(positions);
    points.needsUpdate = true;
    for (const { update } of this.shownLayers.values()) update(points.array as Float32Array);
  }

  override dispose(): void {
    // Not every version of three.js that this works with has one.
    super.dispose?.();
    this.removeFromParent();
    for (const name of [...this.shownLayers.keys()]) this.drop(name);
  }

  private want(name: string, wanted: boolean, make: () => DebugLayer): void {
    if (!wanted) this.drop(name);
    else if (!this.shownLayers.has(name)) {
      const layer = make();
      layer.object.name = name;
      // Bounds are not kept: what is looked into is in view.
      layer.object.frustumCulled = false;
      this.shownLayers.set(name, layer);
      this.add(layer.object);
    }
  }

  private drop(name: string): void {
    const object = this.shownLayers.get(name)?.object as Mesh<BufferGeometry, Material> | undefined;
    if (!object) return;
    this.shownLayers.delete(name);
    object.removeFromParent();
    // The positions are the other layers' too: disposal would free the buffer that they are drawn from.
    const isShared = object.geometry.getAttribute('position') === this.points && this.shownLayers.size > 0;
    if (isShared) object.geometry.deleteAttribute('position');
    object.geometry.dispose();
    object.material.dispose();
  }
}
