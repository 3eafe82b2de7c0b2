// A three.js mesh that WebGPURenderer draws from the buffers of the GPU that simulates the body: nothing is read back.

import {
  BufferAttribute,
  BufferGeometry,
  type Intersection,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Raycaster,
} from 'three';
import type { EmbeddableMesh } from '../embedding/embedding.js';
import type { GpuBuffer, GpuSkin } from '../embedding/gpu-skin.js';
import { expectKnownFields } from '../math/known-fields.js';
import { readVisible, SoftMesh, type SoftMeshOptions, shareAttributes } from './soft-mesh.js';
import type { SoftSource } from './soft-source.js';

/** A body of a world on the `webgpu` backend. */
export interface GpuSoftSource extends SoftSource {
  gpuSkin(visible?: EmbeddableMesh): GpuSkin;
}

/** What is asked of a `WebGPURenderer` after its `init`. */
export interface GpuRenderer {
  readonly backend: object;
}

/** Of three.js: what it draws on, and what it knows of an attribute. */
interface RendererBackend {
  readonly device?: object;
  get?(attribute: BufferAttribute): { buffer?: GpuBuffer };
}

/**
 * Shows a body of a world that was made with the renderer's device, where the steps that were enqueued leave it. Call `update` before
 * the picture. Rays meet it where it was at the world's last sync. It is never culled, as nobody knows where it is.
 * @example
 * ```ts
 * const renderer = new WebGPURenderer();
 * await renderer.init();
 * const world = await createWorld({ backend: 'webgpu', gpu: renderer.backend.device });
 * const mesh = new GpuSoftMesh(renderer, world.add(prepare(duck())));
 * ```
 */
export class GpuSoftMesh<TMaterial extends Material | Material[] = MeshStandardMaterial> extends Mesh<
  BufferGeometry,
  TMaterial
> {
  /** The buffers that are drawn. */
  readonly skin: GpuSkin;
  /** The body as the host knows it, for rays; made when the first one comes. */
  private host: SoftMesh<TMaterial> | undefined;

  /** @throws RangeError where the renderer draws on another device than the world's, or not with WebGPU. */
  constructor(
    renderer: GpuRenderer,
    readonly source: GpuSoftSource,
    material: TMaterial = new MeshStandardMaterial() as unknown as TMaterial,
    private readonly options: SoftMeshOptions = {},
  ) {
    expectKnownFields('GpuSoftMesh', options, ['geometry']);
    super(new BufferGeometry(), material);
    const backend = renderer.backend as RendererBackend;
    if (!backend.device || !backend.get)
      throw new RangeError('GpuSoftMesh: expected a WebGPURenderer after its init()');
    this.skin = source.gpuSkin(options.geometry && readVisible(options.geometry));
    if (this.skin.device !== backend.device) {
      this.skin.dispose();
      throw new RangeError('GpuSoftMesh: expected a world made with { gpu: renderer.backend.device }');
    }
    if (options.geometry) shareAttributes(options.geometry, this.geometry);
    else this.geometry.setIndex(new BufferAttribute(this.skin.triangles, 1));
    const { positions, normals, tangents } = this.skin;
    for (const [name, itemSize, buffer] of [
      ['position', 3, positions],
      ['normal', 3, normals],
      ['tangent', 4, tangents],
    ] as const) {
      if (!buffer) continue;
      // three.js makes a buffer for an attribute that has none; what is in this array is never sent.
      const attribute = new BufferAttribute(new Float32Array(itemSize * this.skin.count), itemSize);
      backend.get(attribute).buffer = buffer;
      this.geometry.setAttribute(name, attribute);
    }
    this.frustumCulled = false;
  }

  /** Brings the buffers to where the body is now; enqueued like the steps. */
  update(): void {
    this.skin.update();
  }

  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    this.host ??= new SoftMesh(this.source, this.material, this.options);
    this.host.update();
    const found: Intersection[] = [];
    this.host.raycast(raycaster, found);
    for (const hit of found) intersects.push({ ...hit, object: this });
  }

  /** Frees the buffers and the geometry; the material and the body stay. */
  override dispose(): void {
    super.dispose?.();
    this.geometry.dispose();
    this.skin.dispose();
    this.host?.dispose();
  }
}
