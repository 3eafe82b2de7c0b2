// The WebGPU backend: all stages of all bodies on the GPU, in single precision. A substep is enqueued; `sync` brings its state to the
// host, where bodies have images that everything outside of the stages works on.

import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { Embedding } from '../../embedding/embedding-types.js';
import type { GpuSkin } from '../../embedding/gpu-skin.js';
import type { StateTree } from '../../math/state-tree.js';
import type { Prepared } from '../../solvers/solver.js';
import type { Origin } from '../../solvers/topology-change.js';
import type { Backend, BackendBody, Capabilities, Profile, Stage, StepInput } from '../backend.js';
import { createWasmBackend, type WasmBackend, type WasmOptions } from '../wasm/wasm-backend.js';
import { BodySkin, type ShownState } from './body-skin.js';
import { Buffers } from './buffers.js';
import { GpuBody } from './gpu-body.js';
import { acquireDevice, type DeviceHolder } from './gpu-device.js';
import { ReadState, stateRanges } from './gpu-particles.js';
import type { GpuSource } from './gpu-source.js';
import { HardContact } from './hard-contact.js';
import { KeptState } from './kept-state.js';
import { BODY, STEP } from './layout.js';
import { ObstacleRecords } from './obstacle-records.js';
import { PackedBodies } from './packed-bodies.js';
import { hasShaders } from './packed-rest.js';
import { PinReachTable } from './pin-reach-table.js';
import { Readback } from './readback.js';
import { StageTimer } from './stage-timer.js';
import { BoundPlan, type Dispatch, STEP_PLAN } from './step-plan.js';

/** What was done so far, for tests and estimates. */
export interface GpuCounters {
  /** Dispatches of a substep. */
  readonly dispatches: number;
  /** Bytes that the dispatches of a substep read and write, if no round is skipped. */
  readonly boundBytes: number;
  readonly buffersMade: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Times that something was mapped to the host. */
  readonly mapped: number;
  /** Bytes of all buffers. */
  readonly bytesHeld: number;
  /** Substeps that were taken in WebAssembly. */
  readonly hostSubsteps: number;
}

/** Size of the cells in which bodies find each other, in mean edges of the coarsest: the triangles round a vertex reach no further. */
const CELL = 2;
/** What positions change by, by contact of bodies, is a multiple of this, in sizes of the largest: the sum of 32 bits reaches two sizes. */
const QUANTUM = 1e-9;

/** Why a step does not run on the GPU. */
const OTHER_SOLVERS = 'a body of a solver without shaders is in the world: all bodies step in WebAssembly';

/** A state on its way to the host, and what it is the state of. */
interface ReadUnderWay {
  readonly bytes: Promise<ArrayBuffer>;
  readonly packed: PackedBodies;
  readonly list: readonly GpuBody[];
  readonly colliders: readonly Obstacle[];
  readonly timeStep: number;
  /** Substeps before it. */
  readonly submitted: number;
}

export class WebGpuBackend implements Backend {
  private readonly buffers: Buffers;
  private readonly readback: Readback;
  private readonly timer: StageTimer | undefined;
  /** Milliseconds of the last substep before a sync on the GPU, where it tells. */
  stageTimes: Partial<Record<Stage, number>> = {};
  private packed = new PackedBodies([]);
  private pinReach = new PinReachTable(this.packed);
  private plan: BoundPlan | undefined;
  private list: GpuBody[] = [];
  private obstacles = new ObstacleRecords([]);
  private colliders: readonly Obstacle[] = [];
  private timeStep = 0;
  /** Substeps that the images know nothing of. */
  private enqueued = 0;
  /** Substeps in all. */
  private submitted = 0;
  /** What a sync with latency left to the next one. */
  private underWay: ReadUnderWay | undefined;
  private disposed = false;
  /** Places of bodies that pressed each other, as of the last sync. */
  private pressedPairs: number[] = [];
  /** What became of the device. */
  private lost: string | undefined;
  /** What contact is not for the GPU, and why the step under way is not. */
  private readonly hard = new HardContact();
  private hardWhy: string | undefined;
  private hostSubsteps = 0;

  /** @param dispatches what a substep is; less of it is for tests of single kernels. */
  constructor(
    private readonly holder: DeviceHolder,
    /** Holds the images, and steps where the GPU cannot. */
    private readonly host: WasmBackend,
    private readonly dispatches: readonly Dispatch[] = STEP_PLAN,
  ) {
    this.buffers = new Buffers(holder.device);
    this.readback = new Readback(holder.device, this.buffers);
    this.timer = holder.timestamps ? new StageTimer(holder.device, this.buffers) : undefined;
    holder.device.lost.then(({ message }) => {
      if (!this.disposed) this.lost = `the device was lost (${message.split('\n')[0] || 'no reason given'})`;
    });
  }

  get capabilities(): Capabilities {
    const { adapter, subgroups } = this.holder;
    return { backend: 'webgpu', threads: 1, precision: 'single', adapter, subgroups, onHost: this.whyOnHost };
  }

  /** Why steps run on the host, where they do. */
  private get whyOnHost(): string | undefined {
    if (this.lost) return `${this.lost}: steps run in WebAssembly, from the last sync on`;
    if (this.bodies.some(({ prepared }) => !hasShaders(prepared))) return OTHER_SOLVERS;
    return this.hardWhy && `${this.hardWhy}: such steps after a sync run in WebAssembly`;
  }

  /** Looks at the contact of a step that begins. What is on its way on the GPU stays there. */
  private lookAtContact({ substep, timeStep }: StepInput): void {
    if (this.isBehind) this.hardWhy = undefined;
    else if (!substep) this.hardWhy = this.hard.findWhy(this.bodies, timeStep);
  }

  get fingerprint() {
    return this.host.fingerprint;
  }

  get bodies() {
    return this.host.bodies;
  }

  get isBehind(): boolean {
    return this.enqueued > 0;
  }

  get counters(): GpuCounters {
    const { buffers, readback, plan } = this;
    return {
      dispatches: plan?.dispatchCount ?? 0,
      boundBytes: plan?.boundBytes ?? 0,
      buffersMade: buffers.made + readback.made,
      bytesSent: buffers.bytesSent,
      bytesReceived: readback.bytesReceived,
      mapped: readback.mapped,
      bytesHeld: buffers.bytes,
      hostSubsteps: this.hostSubsteps,
    };
  }

  add(prepared: Prepared, density: number): BackendBody {
    if (this.isBehind && !hasShaders(prepared)) {
      throw new RangeError('add: expected `await world.sync()` before a body that runs on the host');
    }
    return this.host.add(prepared, density);
  }

  remove(body: BackendBody): boolean {
    return this.host.remove(body);
  }

  rebuild(body: BackendBody, prepared: Prepared, origin?: Origin): void {
    this.host.rebuild(body, prepared, origin);
  }

  run(input: StepInput, profile: Profile): void {
    this.lookAtContact(input);
    const why = this.whyOnHost;
    if (why) {
      if (this.isBehind && !this.lost) throw new Error(`step: expected \`await world.sync()\` before: ${why}`);
      this.runOnHost(input, profile);
      return;
    }
    const start = performance.now();
    const { buffers } = this;
    if (!this.obstacles.isOf(input.colliders)) this.obstacles = new ObstacleRecords(input.colliders);
    this.pack();
    if (this.bodies.length === 0) return;
    for (const body of this.list) body.upload(buffers);
    for (const body of this.bodies) body.forgetDepths();
    this.writeStep(input);
    const reaches = this.list.map(({ pinReach }) => pinReach);
    if (this.pinReach.write(buffers, reaches)) this.plan = undefined;
    this.plan ??= new BoundPlan(this.holder.device, buffers, this.dispatches);
    this.plan.submit(this.packed.chunkCount, this.timer);
    this.colliders = [...input.colliders];
    this.timeStep = input.timeStep;
    this.enqueued++;
    this.submitted++;
    profile.commit += performance.now() - start;
  }

  private runOnHost(input: StepInput, profile: Profile): void {
    this.enqueued = 0;
    this.hostSubsteps++;
    this.stageTimes = {};
    this.host.run(input, profile);
    for (const body of this.list) body.renew();
    this.hard.note({ deep: this.bodies.some(({ deepBy }) => deepBy > 0), own: this.host.pressedItself });
  }

  /** Gives every body its place where the list is another than before; what the GPU knows of it goes there. */
  private pack(): void {
    const { bodies, list, obstacles, buffers } = this;
    const same = bodies.length === list.length && bodies.every((body, n) => list[n].isOf(body));
    if (bodies.length === 0) {
      this.list = [];
      return;
    }
    if (same && this.plan && buffers.get('obstacles').size >= obstacles.byteLength) return;
    const kept = new KeptState(this.holder.device, buffers, list.length > 0);
    this.packed = new PackedBodies(bodies.map(({ prepared }) => prepared));
    this.packed.write(buffers, obstacles.byteLength);
    this.pinReach = new PinReachTable(this.packed);
    this.plan = undefined;
    const before = new Map(list.map((body) => [body.image, body]));
    this.list = bodies.map((image, n) => {
      const known = before.get(image);
      const place = this.packed.places[n];
      if (!known?.isOf(image)) return new GpuBody(image, place, n);
      kept.copy(known.place, known.number, place, n);
      known.movedTo(place, n);
      return known;
    });
    kept.finish();
  }

  private writeStep({ gravity, timeStep, colliders, substep }: StepInput): void {
    const { buffers, packed, list } = this;
    const floats = new Float32Array(STEP.words);
    const words = new Uint32Array(floats.buffer);
    floats.set(gravity, STEP.offsets.gravity);
    floats[STEP.offsets.timeStep] = timeStep;
    words[STEP.offsets.colliderCount] = colliders.length;
    words[STEP.offsets.substep] = substep ?? 0;
    words[STEP.offsets.chunkCount] = packed.chunkCount;
    const isTouching = list.length > 1 || this.bodies.some(({ contactSettings }) => contactSettings.selfContact);
    words[STEP.offsets.touching] = isTouching ? 1 : 0;
    words[STEP.offsets.cellCount] = packed.cellCount;
    const rests = this.bodies.map(({ prepared }) => prepared);
    floats[STEP.offsets.cellSize] = CELL * rests.reduce((most, { contact }) => Math.max(most, contact.edge), 0);
    floats[STEP.offsets.quantum] = QUANTUM * rests.reduce((most, { volume }) => Math.max(most, volume.size), 0);
    for (const [name, base] of Object.entries(packed.bases))
      words[STEP.offsets[name as keyof typeof packed.bases]] = base;
    buffers.write('step', words);
    const records = new Float32Array(BODY.words * list.length);
    const recordWords = new Uint32Array(records.buffer);
    for (const body of list) body.writeRecord(records, recordWords, timeStep);
    buffers.write('bodies', records);
    const origins = list.map(({ knownOrigin }) => knownOrigin);
    const near = [0, 1, 2].map((c) => origins.reduce((sum, at) => sum + at[c], 0) / origins.length);
    buffers.write('obstacles', this.obstacles.write(false, near));
  }

  /**
   * Brings the state after all that was enqueued to the images; with a latency of 1 what was asked for the time before, which is there by
   * now, while the GPU goes on.
   */
  async sync(latency: 0 | 1 = 0): Promise<void> {
    const earlier = this.underWay;
    this.underWay = undefined;
    if (!earlier && this.enqueued === 0) return;
    const asked = this.enqueued > 0 && !this.lost ? this.beginRead() : undefined;
    if (latency === 1) this.underWay = asked;
    const due = latency === 1 ? earlier : asked;
    try {
      // Read in order, whether anybody looks at it or not.
      await earlier?.bytes;
      if (due) this.takeRead(due, await due.bytes);
    } catch (error) {
      // A device that is lost says so first.
      await Promise.race([this.holder.device.lost, Promise.resolve()]);
      if (!this.lost && !this.disposed) throw error;
    }
    if (latency === 0 || this.lost) this.enqueued = 0;
    else if (due) this.enqueued = this.submitted - due.submitted;
  }

  private beginRead(): ReadUnderWay {
    const { packed, list, colliders, timeStep, timer, submitted } = this;
    const ranges = stateRanges(packed.slotCount, list.length);
    const bytes = this.readback.read(timer ? [...ranges, timer.range] : ranges);
    // Whoever waits for it hears of a failure; there may be nobody.
    bytes.catch(() => {});
    return { bytes, packed, list, colliders, timeStep, submitted };
  }

  private takeRead({ packed, list, colliders, timeStep }: ReadUnderWay, bytes: ArrayBuffer): void {
    // Bodies have other places now: what comes next knows them.
    if (packed !== this.packed) return;
    const end = bytes.byteLength - (this.timer?.range.bytes ?? 0);
    const state = new ReadState(bytes.slice(0, end), packed.slotCount);
    if (this.timer) this.stageTimes = StageTimer.read(bytes.slice(end));
    const pairs: number[] = [];
    const press = (first: number, second: number) => pairs.push(first, second);
    for (const body of list) body.take(state, { colliders, bodies: list, press }, timeStep);
    this.pressedPairs = pairs;
    const awake = list.filter(({ image }) => !image.asleep);
    this.hard.note({ deep: awake.some(({ seen }) => seen.deep), own: awake.some(({ seen }) => seen.own) });
  }

  /** What a buffer holds after all that was enqueued. */
  async read(name: string): Promise<ArrayBuffer> {
    return this.readback.read([{ name, offset: 0, bytes: this.buffers.get(name).size }]);
  }

  gpuSkin(body: BackendBody, behind: () => number, embedding?: Embedding): GpuSkin {
    if (!hasShaders(body.prepared)) throw new RangeError('gpuSkin: expected a body whose solver has shaders');
    const locate = () => this.locate(body, behind());
    return new BodySkin(this.holder.device, body.prepared.mesh, body.places, locate, embedding);
  }

  /** Where a body is, so long before the end of the last substep [s]. */
  private locate(body: BackendBody, behind: number): ShownState {
    const { positions, asleep } = body;
    const known = this.whyOnHost ? undefined : this.list.find(({ image }) => image === body);
    if (!known?.isOf(known.image) || !known.isAhead) return { first: 0, number: 0, share: 1, positions };
    const share = asleep ? 1 : 1 - behind / this.timeStep;
    return { buffers: this.buffers, first: known.place.first, number: known.number, share, positions };
  }

  get pressed(): readonly number[] {
    return this.whyOnHost ? this.host.pressed : this.pressedPairs;
  }

  capture(): StateTree {
    return this.host.capture();
  }

  restore(state: StateTree): void {
    this.host.restore(state);
    this.enqueued = 0;
    this.underWay = undefined;
    for (const body of this.list) body.renew();
  }

  dispose(): void {
    this.disposed = true;
    this.host.dispose();
    this.readback.dispose();
    this.timer?.dispose();
    this.buffers.dispose();
    if (this.holder.own) this.holder.device.destroy();
  }
}

export async function createWebGpuBackend(
  source?: GpuSource,
  options: Pick<WasmOptions, 'kernels'> = {},
): Promise<WebGpuBackend> {
  const host = await createWasmBackend({ ...options, threads: 1 });
  return new WebGpuBackend(await acquireDevice(source), host);
}
