// A body's surface in buffers of the GPU that simulates it, for renderers that draw from there.

/** A buffer of the GPU: a `GPUBuffer`, told by little, as its types are the DOM's. */
export interface GpuBuffer {
  readonly size: number;
  destroy(): void;
}

/** What a renderer on the same device draws a body from, without its state leaving the GPU; made by `Body.gpuSkin`. */
export interface GpuSkin {
  /** The `GPUDevice` that the buffers are of. */
  readonly device: object;
  /** Vertices that are shown. */
  readonly count: number;
  /** Triangles between them. */
  readonly triangles: Uint32Array;
  /** x, y, z per vertex in single precision [m]; a vertex buffer, and one for shaders. */
  readonly positions: GpuBuffer;
  /** Unit normals, x, y, z. */
  readonly normals: GpuBuffer;
  /** x, y, z and the sign of the bitangent; null where the visible mesh has none. */
  readonly tangents: GpuBuffer | null;
  /** Enqueues what brings the buffers to where the body is shown now; nothing is waited for. */
  update(): void;
  /** Destroys the buffers. */
  dispose(): void;
}
