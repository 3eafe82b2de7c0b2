// A body's surface, or a visible mesh bound to it, in vertex buffers: from the solver's own buffers, without a way over the host.

import type { Embedding } from '../../embedding/embedding-types.js';
import type { GpuSkin } from '../../embedding/gpu-skin.js';
import { CALMING_ROUNDS } from '../../embedding/tuning.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { Buffers, USAGE } from './buffers.js';
import { CHUNK, SKIN, SUM_STRIDE } from './layout.js';
import { type PackedSkin, packSkin } from './packed-skin.js';
import { type BoundKernel, bindKernel } from './step-plan.js';

/** Where a body's state is, when it is to be shown. */
export interface ShownState {
  /** The world's buffers; undefined where the host knows better where the body is. */
  readonly buffers?: Buffers;
  /** The body's first particle and its place in the list. */
  readonly first: number;
  readonly number: number;
  /** How far from the start of the last substep to its end. */
  readonly share: number;
  /** As the host knows it, in the mesh's own order [m]. */
  readonly positions: ArrayLike<number>;
}

/** GPUBufferUsage.VERTEX. */
const VERTEX = 32;

interface Dispatch {
  readonly kernel: string;
  readonly chunks: number;
  readonly names?: Readonly<Record<string, string>>;
}

const chunksOf = (count: number): number => Math.ceil(count / CHUNK);

function planOf({ count, visibleCount, bound }: PackedSkin): Dispatch[] {
  const chunks = chunksOf(count);
  if (bound.length === 0) return [{ kernel: 'skin-surface', chunks }];
  const calm = Array.from({ length: CALMING_ROUNDS }, (_, round) => ({
    ...{ kernel: 'skin-calm', chunks },
    names: { gradients: `gradients${round % 2}`, gradientsNext: `gradients${(round + 1) % 2}` },
  }));
  const last = { gradients: `gradients${CALMING_ROUNDS % 2}` };
  return [
    { kernel: 'skin-gradients', chunks, names: { gradientsNext: 'gradients0' } },
    ...calm,
    { kernel: 'skin-follow', chunks: chunksOf(visibleCount), names: last },
  ];
}

export class BodySkin implements GpuSkin {
  readonly triangles: Uint32Array;
  readonly count: number;
  readonly tangents: GPUBuffer | null;
  private readonly own: Buffers;
  private readonly packed: PackedSkin;
  private readonly plan: readonly Dispatch[];
  /** Kernels with the world's buffers that they were bound to. */
  private bound: { readonly world: GPUBuffer | undefined; readonly kernels: readonly BoundKernel[] } | undefined;
  private disposed = false;

  constructor(
    readonly device: GPUDevice,
    mesh: TriangleMesh,
    places: Uint32Array,
    /** Where its body is now. */
    private readonly locate: () => ShownState,
    embedding?: Embedding,
  ) {
    this.packed = packSkin(mesh, places, embedding);
    this.plan = planOf(this.packed);
    this.triangles = (embedding?.visible ?? mesh).triangles;
    this.own = new Buffers(device);
    const { count, visibleCount, links, factors, bound } = this.packed;
    this.count = visibleCount;
    const { own } = this;
    own.reserve('skin', 4 * SKIN.words, USAGE.UNIFORM);
    own.reserve('cage', 16 * count);
    own.reserve('noFrames', 32);
    for (const [name, data] of Object.entries({ links, factors, bound })) {
      own.reserve(name, data.byteLength);
      own.write(name, data);
    }
    if (embedding) {
      for (const name of ['gradients0', 'gradients1']) own.reserve(name, 48 * count);
      own.reserve('sums', 4 * SUM_STRIDE * chunksOf(count));
    }
    for (const name of ['shownPositions', 'shownNormals']) own.reserve(name, 12 * visibleCount, USAGE.STORAGE | VERTEX);
    const hasTangents = embedding?.tangents != null;
    own.reserve('shownTangents', hasTangents ? 16 * visibleCount : 0, USAGE.STORAGE | VERTEX);
    this.tangents = hasTangents ? own.get('shownTangents') : null;
    this.update();
  }

  get positions(): GPUBuffer {
    return this.own.get('shownPositions');
  }

  get normals(): GPUBuffer {
    return this.own.get('shownNormals');
  }

  update(): void {
    if (this.disposed) return;
    const state = this.locate();
    const { device, packed, own } = this;
    const { count, visibleCount, offsets, neighbours, restNormals } = packed;
    const floats = new Float32Array(SKIN.words);
    const words = new Uint32Array(floats.buffer);
    const numbers = { first: state.first, body: state.number, count, visibleCount, offsets, neighbours, restNormals };
    for (const [name, value] of Object.entries({ ...numbers, chunkCount: chunksOf(count) }))
      words[SKIN.offsets[name as keyof typeof numbers]] = value;
    floats[SKIN.offsets.share] = state.share;
    floats[SKIN.offsets.fromFrame] = state.buffers ? 1 : 0;
    own.write('skin', words);
    if (!state.buffers) this.writeCage(state.positions);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const kernels = this.kernelsFor(state.buffers);
    const dispatches = state.buffers ? [{ chunks: chunksOf(count) }, ...this.plan] : this.plan;
    kernels.forEach(({ pipeline, group }, n) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(dispatches[n].chunks);
    });
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  private writeCage(positions: ArrayLike<number>): void {
    const data = new Float32Array(4 * this.packed.count);
    for (let k = 0; k < positions.length; k++) data[4 * Math.trunc(k / 3) + (k % 3)] = positions[k];
    this.own.write('cage', data);
  }

  /** The kernels with what they are bound to; made anew where the world's buffers are others. */
  private kernelsFor(world: Buffers | undefined): readonly BoundKernel[] {
    const positions = world?.get('positions');
    if (this.bound && this.bound.world === positions) return this.bound.kernels;
    const { device, own, plan } = this;
    const dispatches = world ? [{ kernel: 'skin-places', chunks: 0 }, ...plan] : plan;
    const buffers = { get: (name: string) => (own.has(name) ? own : (world as Buffers)).get(name) };
    const frames: Record<string, string> = world ? {} : { frames: 'noFrames' };
    const kernels = dispatches.map(({ kernel, names }: Dispatch) =>
      bindKernel(device, kernel, buffers, { ...names, ...frames }),
    );
    this.bound = { world: positions, kernels };
    return kernels;
  }

  dispose(): void {
    this.disposed = true;
    this.own.dispose();
  }
}
