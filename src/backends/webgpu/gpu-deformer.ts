// The deformer's iteration on the GPU, for previews: four dispatches an iteration, nothing read back before the last of a batch. What is
// found before and after it (contact, maps, the report) is the host's.

import { Frame } from '../../contact/obstacles/frame.js';
import { Heightfield } from '../../contact/obstacles/heightfield.js';
import type { DeformerCollider } from '../../deformer/collider-settings.js';
import {
  type BegunFrame,
  type DeformedFrame,
  type DeformerFrame,
  finishFrame,
  type SolvedFrame,
  unsolved,
} from '../../deformer/deform-frame.js';
import type { Deformer } from '../../deformer/deformer.js';
import { obstacleOf } from '../../deformer/frame-collider.js';
import { stiffnessOf, VOLUME_SHARE } from '../../deformer/iterate.js';
import type { ObjectFrame } from '../../deformer/object-frame.js';
import { IDENTITY, normalizeQuaternion, writeMatrix } from '../../math/quaternion.js';
import { Buffers, USAGE } from './buffers.js';
import { DeformerTables } from './deformer-tables.js';
import { acquireDevice, type DeviceHolder } from './gpu-device.js';
import type { GpuSource } from './gpu-source.js';
import { CHUNK, ITERATE } from './layout.js';
import { ObstacleRecords, type RecordedObstacle } from './obstacle-records.js';
import { Readback } from './readback.js';
import { type BoundKernel, bindKernel } from './step-plan.js';

/** Iterations between two looks at whether they are done. */
const BATCH = 200;
/** `changes`: iterations done; largest change of the surface, of even and of odd iterations; the last that was above 0. */
const CHANGES = { iterations: 0, even: 1, last: 3, words: 4 } as const;
/** Before the first iteration the surface has changed by as much as it likes. */
const BEFORE_FIRST = 1e30;

/** The kernels of an iteration, and what they know other buffers by. */
const PLAN = [
  ['iterate-collide', {}],
  ['iterate-spread', { columns: 'spreadColumns', entries: 'spreadEntries' }],
  ['iterate-volumes', { columns: 'volumesColumns', entries: 'volumesEntries' }],
  ['iterate-stiffen', { columns: 'edgesColumns', entries: 'edgesEntries' }],
] as const;

/** Dispatches of an iteration. */
export const ITERATION_DISPATCHES = PLAN.length;

/** A deformer whose iteration runs on the GPU; made by `createGpuDeformer`. */
export class GpuDeformer {
  private readonly buffers: Buffers;
  private readonly readback: Readback;
  private tables: DeformerTables | undefined;
  /** One frame after the other. */
  private last: Promise<unknown> = Promise.resolve();
  private disposed = false;

  /** @internal */
  constructor(
    private readonly deformer: Deformer,
    private readonly holder: DeviceHolder,
  ) {
    this.buffers = new Buffers(holder.device);
    this.readback = new Readback(holder.device, this.buffers);
  }

  /** Buffers that were made so far, and bytes of those that are held. */
  get counters(): { readonly buffersMade: number; readonly bytesHeld: number } {
    return { buffersMade: this.buffers.made + this.readback.made, bytesHeld: this.buffers.bytes };
  }

  /** A frame, as the deformer's own `at` gives it, but for single precision. */
  async at(frame: DeformerFrame): Promise<DeformedFrame> {
    const run = async () => {
      if (this.disposed) throw new Error('at: the deformer was disposed of');
      const begun = this.deformer.begin(frame);
      if ('positions' in begun) return begun;
      return finishFrame(begun, unsolved(begun) ?? (await this.solve(begun)));
    };
    const result = this.last.then(run);
    this.last = result.catch(() => {});
    return result;
  }

  private async solve({ body, followed, problem, colliders, settings }: BegunFrame): Promise<SolvedFrame> {
    const { buffers } = this;
    const { rest, surface } = followed;
    this.tables ??= new DeformerTables(body.helper);
    const longest = this.tables.write(buffers, rest, surface);
    this.writeColliders(colliders, followed.frame, problem.contacts.takesPart, surface.length / 3);
    this.writeNumbers({
      helperCount: this.tables.count,
      surfaceCount: surface.length / 3,
      colliderCount: colliders.length,
      ...{ scale: followed.frame.scale, stiffness: stiffnessOf(settings.reach), volumeShare: VOLUME_SHARE },
      ...{ longest, tolerance: settings.tolerance },
    });
    const { iterations, lastChange, moved } = await this.iterate(settings.iterations, surface.length / 3);
    const x = this.tables.read(moved, rest);
    const carried = new Float64Array(surface.length);
    const { carrier } = problem.solver;
    carrier.begin(rest, surface);
    carrier.carry(x, carried);
    return { rounds: 1, iterations, lastChange, converged: lastChange <= settings.tolerance, x, carried };
  }

  private writeNumbers(numbers: Readonly<Record<keyof typeof ITERATE.offsets, number>>): void {
    const { buffers } = this;
    const floats = new Float32Array(ITERATE.words);
    const words = new Uint32Array(floats.buffer);
    for (const [name, value] of Object.entries(numbers)) {
      const field = name as keyof typeof numbers;
      (ITERATE.fields[field] === 'u32' ? words : floats)[ITERATE.offsets[field]] = value;
    }
    buffers.reserve('iterate', floats.byteLength, USAGE.UNIFORM);
    buffers.write('iterate', floats);
    for (const turn of [0, 1]) {
      if (buffers.reserve(`turn${turn}`, 16, USAGE.UNIFORM)) buffers.write(`turn${turn}`, Uint32Array.of(turn));
    }
    const changes = new Float32Array(CHANGES.words);
    changes[CHANGES.even] = BEFORE_FIRST;
    buffers.reserve('changes', changes.byteLength);
    buffers.write('changes', changes);
  }

  private writeColliders(
    colliders: readonly DeformerCollider[],
    frame: ObjectFrame,
    takesPart: readonly Uint8Array[],
    vertexCount: number,
  ): void {
    const { buffers } = this;
    const records = new ObstacleRecords(colliders.map((collider) => recordOf(collider, frame)));
    buffers.reserve('obstacles', records.byteLength);
    buffers.write('obstacles', records.write(false));
    const words = Math.ceil(colliders.length / 32);
    const collides = new Uint32Array(colliders.length + words * vertexCount);
    new Float32Array(collides.buffer).set(colliders.map(({ margin }) => margin ?? 0));
    takesPart.forEach((sites, n) => {
      // Vertices are the first sites.
      for (let v = 0; v < vertexCount; v++) {
        if (sites[v] !== 0) collides[colliders.length + words * v + (n >> 5)] |= 1 << (n & 31);
      }
    });
    buffers.reserve('collides', collides.byteLength);
    buffers.write('collides', collides);
  }

  private async iterate(most: number, vertexCount: number) {
    const { holder, buffers, readback, tables } = this;
    const { device } = holder;
    const count = (tables as DeformerTables).count;
    const bound = [0, 1].map((turn) =>
      PLAN.map(([kernel, names]) => bindKernel(device, kernel, buffers, { ...names, turn: `turn${turn}` })),
    );
    const chunksOf = (n: number) => Math.ceil((n === 0 ? vertexCount : count) / CHUNK);
    const changes = { name: 'changes', offset: 0, bytes: 4 * CHANGES.words };
    for (let done = 0; ; ) {
      const due = Math.min(BATCH, most - done);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      const dispatch = ({ pipeline, group }: BoundKernel, chunks: number) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(chunks);
      };
      for (let n = done; n < done + due; n++) {
        bound[n % 2].forEach((kernel, k) => {
          dispatch(kernel, chunksOf(k));
        });
      }
      done += due;
      // The surface once more, and what the last iteration changed; the next begins by the same.
      dispatch(bound[done % 2][0], chunksOf(0));
      pass.end();
      device.queue.submit([encoder.finish()]);
      const bytes = await readback.read([changes, { name: 'helper', offset: 0, bytes: 16 * count }]);
      const numbers = new Float32Array(bytes, 0, CHANGES.words);
      const iterations = new Uint32Array(bytes, 0, 1)[0];
      if (done < most && iterations === done) continue;
      const lastChange = numbers[CHANGES.even + (done % 2)] || numbers[CHANGES.last];
      return { iterations, lastChange, moved: new Float32Array(bytes, 4 * CHANGES.words) };
    }
  }

  /** Frees what is on the GPU. */
  dispose(): void {
    this.disposed = true;
    this.readback.dispose();
    this.buffers.dispose();
    if (this.holder.own) this.holder.device.destroy();
  }
}

/** A collider where it is in the body's own frame [m]. */
function recordOf(collider: DeformerCollider, { rotation: r, centre }: ObjectFrame): RecordedObstacle {
  const pose = new Frame();
  const position = collider.position ?? [0, 0, 0];
  const way = [0, 1, 2].map((c) => position[c] - centre[c]);
  const own = (v: ArrayLike<number>, c: number) => r[c] * v[0] + r[3 + c] * v[1] + r[6 + c] * v[2];
  pose.position = [own(way, 0), own(way, 1), own(way, 2)];
  const turn = new Float64Array(9);
  writeMatrix(normalizeQuaternion(collider.rotation ?? IDENTITY), turn);
  for (let k = 0; k < 9; k++) {
    const column = k % 3;
    pose.matrix[k] = own([turn[column], turn[3 + column], turn[6 + column]], Math.trunc(k / 3));
  }
  const solid =
    collider.shape === 'mesh'
      ? obstacleOf(collider.mesh).obstacle
      : collider.shape === 'heightfield'
        ? new Heightfield(collider)
        : undefined;
  return { shape: collider, solid, group: 1, collidesWith: 1, friction: 0, thinnest: 0, start: pose, end: pose };
}

/** @throws RangeError for a deformer of another mode: the minimum is found on the host. */
export async function openGpuDeformer(deformer: Deformer, gpu?: GpuSource): Promise<GpuDeformer> {
  const { mode } = deformer.settings;
  if (mode !== 'iterate') {
    throw new RangeError(`createGpuDeformer: expected a deformer with mode 'iterate', got '${mode}'`);
  }
  return new GpuDeformer(deformer, await acquireDevice(gpu));
}
