// The WebAssembly backend: single precision, four lanes, any number of threads, the same bits for all of them.

import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import { ThreadChoice } from '../../kernels/thread-choice.js';
import { mayBlock, processors, sharesMemory, spinsFor } from '../../kernels/worker-thread.js';
import type { StateTree } from '../../math/state-tree.js';
import type { Prepared } from '../../solvers/solver.js';
import type { Origin } from '../../solvers/topology-change.js';
import { type Backend, type BackendBody, type Capabilities, type Profile, STAGES, type StepInput } from '../backend.js';
import { CoupledModels } from '../coupled-models.js';
import { BodyList } from './body-list.js';
import {
  type ObstacleData,
  releaseObstacle,
  updateCollider,
  type WrittenFrames,
  writeCollider,
  writeObstacle,
} from './collider-records.js';
import { ContactRoom } from './contact-room.js';
import type { KernelSource } from './kernel-source.js';
import { FINGERPRINT } from './kernels.generated.js';
import * as layout from './layout.js';
import { WasmMemory } from './memory.js';
import { inlinedModule, instantiate, type KernelExports, loadModule } from './modules.js';
import { PressedPairs } from './pressed-pairs.js';
import { type RestData, releaseRestData, writeRestData } from './rest-data.js';
import { ThreadPool } from './thread-pool.js';
import { WasmBody } from './wasm-body.js';
import { WasmSkins } from './wasm-skins.js';

/** Below this many particles in all, waking other threads costs more than they save. */
const THREADED_PARTICLES = 4096;
/** Bytes of working memory per thread. */
const WORKING_MEMORY = 4096;
/** Visible vertices from which a skin is worth other threads: 0.4 ms of one; waking them takes a tenth. */
const THREADED_VERTICES = 32768;

export interface WasmOptions {
  /** Threads to use; all that are there unless set. */
  readonly threads?: number;
  /** The kernels, where the inlined ones are not to be used: without shared memory, so one thread. */
  readonly kernels?: KernelSource;
}

/** Workers of worlds that were forgotten without `dispose` end when the world is collected. */
const forgotten = new FinalizationRegistry<ThreadPool>((pool) => pool.dispose());

export async function createWasmBackend(options: WasmOptions): Promise<WasmBackend> {
  const mayShare = !options.kernels && sharesMemory();
  // More threads than processors are slower, but somebody who asks for them gets them: results do not change.
  const wanted = mayShare ? Math.min(options.threads ?? processors(), layout.MAX_THREADS) : 1;
  const shared = wanted > 1 ? createSharedMemory() : undefined;
  const memory = shared ?? new WebAssembly.Memory({ initial: 64, maximum: 65536 });
  const module = options.kernels ? await loadModule(options.kernels) : await inlinedModule(shared !== undefined);
  return new WasmBackend(module, new WasmMemory(memory), shared ? wanted : 1);
}

/** Engines set aside all the addresses of a shared memory at once; where 4 GiB are too many (phones), fewer will do. */
function createSharedMemory(): WebAssembly.Memory | undefined {
  for (const maximum of [65536, 16384, 4096]) {
    try {
      return new WebAssembly.Memory({ initial: 64, maximum, shared: true });
    } catch {}
  }
  return undefined;
}

export class WasmBackend implements Backend {
  readonly fingerprint = FINGERPRINT;
  private readonly wantedThreads: number;
  /** Steps (parts of long ones) in which other threads took part. */
  threadedSteps = 0;
  private readonly kernels: KernelExports;
  private readonly world: number;
  private pool: ThreadPool | undefined;
  /** How many of the threads steps use. */
  readonly choice: ThreadChoice;
  private readonly list: BodyList;
  /** Who presses whom since the last substep. */
  private readonly pressedPairs: PressedPairs;
  private readonly rests = new Map<Prepared, { rest: RestData; users: number }>();
  private colliderList = 0;
  /** Obstacles as they are listed, with the arrays that some have in the kernels' memory. */
  private listed: readonly { collider: Obstacle; data: ObstacleData | undefined; written: WrittenFrames }[] = [];
  private readonly room: ContactRoom;
  private readonly skins: WasmSkins;
  private readonly coupled = new CoupledModels<WasmBody>();

  constructor(
    private readonly module: WebAssembly.Module,
    readonly memory: WasmMemory,
    /** The calling thread and the workers that large worlds have. */
    threads: number,
  ) {
    this.world = memory.allocate(layout.WORLD_BYTES);
    this.kernels = instantiate(module, memory.memory);
    this.kernels.attach(this.world, memory.allocate(WORKING_MEMORY), mayBlock() ? 1 : 0, spinsFor(threads));
    this.wantedThreads = threads;
    memory.threads = threads;
    this.choice = new ThreadChoice(threads);
    this.list = new BodyList(memory, this.world);
    this.pressedPairs = new PressedPairs(memory, this.world, this.list);
    this.room = new ContactRoom(memory, this.world, threads);
    this.skins = new WasmSkins(memory, (record, count) => this.follow(record, count));
  }

  get capabilities(): Capabilities {
    return { backend: 'wasm', threads: this.pool?.failed ? 1 : this.wantedThreads, precision: 'single' };
  }

  /** Whether other threads are there to take part; they join some time after there is work for them. */
  get workersReady(): boolean {
    return this.pool?.ready === true;
  }

  /** Bytes of memory in use. */
  get memoryUsed(): number {
    return this.memory.used;
  }

  /** Bytes of memory that the kernels have, in use or not. */
  get memorySize(): number {
    return this.memory.buffer.byteLength;
  }

  add(prepared: Prepared, density: number): WasmBody {
    const { memory } = this;
    const body = memory.makeWhole(`a body of ${prepared.particles.count} particles`, () => {
      const rest = this.rests.get(prepared)?.rest ?? writeRestData(memory, prepared);
      return new WasmBody(memory, prepared, rest, density);
    });
    this.use(prepared, body.rest);
    body.embed = (embedding) => this.skins.add(body, embedding);
    this.list.add(body);
    if (this.list.particleCount >= THREADED_PARTICLES) this.startWorkers();
    return body;
  }

  /** Once there is work for them; they join in the background, and until then steps run on the calling thread. */
  private startWorkers(): void {
    if (this.pool || this.wantedThreads === 1) return;
    const workingMemories = Array.from({ length: this.wantedThreads - 1 }, () => this.memory.allocate(WORKING_MEMORY));
    this.pool = new ThreadPool(this.module, this.memory.memory, this.world, workingMemories);
    forgotten.register(this, this.pool, this);
  }

  get bodies(): readonly WasmBody[] {
    return this.list.bodies;
  }

  remove(body: BackendBody): boolean {
    if (!this.list.remove(body as WasmBody)) return false;
    (body as WasmBody).dispose();
    this.giveBack(body.prepared);
    return true;
  }

  rebuild(body: BackendBody, prepared: Prepared, origin?: Origin): void {
    const { memory } = this;
    const changed = body as WasmBody;
    const before = body.prepared;
    const skins = [...changed.skins];
    for (const skin of skins) skin.unbind();
    try {
      memory.makeWhole(`a body of ${prepared.particles.count} particles`, () => {
        changed.rebuild(prepared, this.rests.get(prepared)?.rest ?? writeRestData(memory, prepared), origin);
      });
      this.use(prepared, changed.rest);
      this.giveBack(before);
      this.list.count();
    } finally {
      for (const skin of skins) skin.bind();
    }
    if (this.list.particleCount >= THREADED_PARTICLES) this.startWorkers();
  }

  /** Counts the bodies that share rest data; the last one gives it back. */
  private use(prepared: Prepared, rest: RestData): void {
    const shared = this.rests.get(prepared) ?? { rest, users: 0 };
    shared.users++;
    this.rests.set(prepared, shared);
  }

  private giveBack(prepared: Prepared): void {
    const shared = this.rests.get(prepared);
    if (!shared || --shared.users > 0) return;
    releaseRestData(this.memory, shared.rest);
    this.rests.delete(prepared);
  }

  run(input: StepInput, profile: Profile): void {
    this.list.write();
    for (let stage = 0; stage < STAGES.length; stage++) this.memory.setNumber(this.profileAt(stage), 0);
    this.writeColliders(input.colliders);
    for (const body of this.bodies) {
      body.coupling = this.coupled.numberOf(body);
      body.substep.begin(input.timeStep, input.colliders.length);
      if (!this.coupled.takes(body)) body.substep.move(input, profile);
    }
    this.moveCoupled(input, profile);
    this.runKernels(input);
    if (this.bodies.reduce((any, body) => body.substep.follow() || any, false)) this.runAgain();
    for (const body of this.bodies) body.substep.end(input.colliders);
    this.pressedPairs.record();
    STAGES.forEach((stage, index) => {
      profile[stage] += this.memory.number(this.profileAt(index));
    });
  }

  /** Bodies whose models meet each other within their solves. */
  private moveCoupled(input: StepInput, profile: Profile): void {
    const { coupled, bodies } = this;
    const begin = performance.now();
    const predicted = profile.predict;
    coupled.match(bodies, input.timeStep, (body, place) => body.substep.beginCoupled(input, place, profile));
    profile.match += performance.now() - begin - (profile.predict - predicted);
    for (const body of bodies) if (coupled.takes(body)) body.substep.endCoupled(input, profile);
  }

  private writeColliders(colliders: readonly Obstacle[]): void {
    const { listed } = this;
    const same =
      colliders.length === listed.length && colliders.every((collider, n) => collider === listed[n].collider);
    if (!same) this.listColliders(colliders);
    this.listed.forEach(({ collider, written }, index) => {
      updateCollider(this.memory, this.colliderList + index * layout.COLLIDER_BYTES, collider, written);
    });
  }

  private runKernels(input: StepInput): void {
    const { timeStep } = input;
    const mayShare = this.workersReady && this.list.particleCount >= THREADED_PARTICLES;
    const threads = mayShare ? this.choice.threads : 1;
    this.setInteger(layout.WORLD_THREADS, threads);
    const counters = layout.WORLD_COUNTERS + threads * layout.COUNTERS_BYTES;
    for (let at = layout.WORLD_DONE; at < counters; at += 4) this.setInteger(at, 0);
    this.list.share(threads);
    this.prepareContact();
    this.memory.setNumber(this.world + layout.WORLD_TIME_STEP, timeStep);
    for (let c = 0; c < 3; c++) this.memory.setNumber(this.world + layout.WORLD_GRAVITY + 8 * c, input.gravity[c]);
    const start = performance.now();
    if (threads > 1) {
      this.threadedSteps++;
      this.pool?.begin(threads);
    }
    this.kernels.step(0);
    if (mayShare) this.choice.took(performance.now() - start);
  }

  /** Once more for bodies whose model could not follow; few, so the calling thread does it alone. */
  private runAgain(): void {
    this.setInteger(layout.WORLD_THREADS, 1);
    this.setInteger(layout.WORLD_AGAIN, 1);
    this.kernels.step(0);
    this.setInteger(layout.WORLD_AGAIN, 0);
    for (const body of this.bodies) body.substep.followAgain();
  }

  get pressed(): readonly number[] {
    const { coupled, pressedPairs } = this;
    return coupled.pressed.length === 0 ? pressedPairs.places : [...coupled.pressed, ...pressedPairs.places];
  }

  /** Whether a body pressed itself in the last substep. */
  get pressedItself(): boolean {
    return this.pressedPairs.own;
  }

  /** Contact between bodies takes part where there are several, or one that may touch itself. */
  private prepareContact(): void {
    const { bodies } = this;
    const touching = bodies.length > 1 || bodies.some(({ contactSettings }) => contactSettings.selfContact);
    this.setInteger(layout.WORLD_TOUCHING, touching ? 1 : 0);
    if (!touching) {
      for (const body of bodies) body.forgetDepths();
      return;
    }
    this.room.reserve(bodies.length, this.list.particleCount, this.list.largestCount);
  }

  /** Brings a visible mesh up to date, on all threads where it is large. */
  private follow(skin: number, vertexCount: number): void {
    if (vertexCount >= THREADED_VERTICES) this.startWorkers();
    const threads = this.workersReady && vertexCount >= THREADED_VERTICES ? this.choice.threads : 1;
    this.setInteger(layout.WORLD_THREADS, threads);
    this.setInteger(layout.WORLD_SKIN, skin);
    if (threads > 1) this.pool?.begin(threads);
    this.kernels.step(0);
    this.setInteger(layout.WORLD_SKIN, 0);
  }

  capture(): StateTree {
    return { room: this.room.capture(), coupled: this.coupled.capture(this.bodies) };
  }

  restore(state: StateTree): void {
    const { room, coupled } = state as { room: StateTree; coupled: StateTree };
    this.room.restore(room);
    this.coupled.restore(coupled, this.bodies);
  }

  dispose(): void {
    // They would ask threads that are gone.
    for (const { skins, hostModel } of this.bodies) {
      for (const skin of skins) skin.dispose();
      hostModel?.dispose?.();
    }
    this.pool?.dispose();
    if (this.pool) forgotten.unregister(this);
    this.list.clear();
    this.rests.clear();
  }

  private profileAt(stage: number): number {
    return this.world + layout.WORLD_PROFILE + 8 * stage;
  }

  private listColliders(colliders: readonly Obstacle[]): void {
    const known = new Map(this.listed.map(({ collider, data }) => [collider, data]));
    for (const { collider, data } of this.listed) {
      if (data && !colliders.includes(collider)) releaseObstacle(this.memory, data);
    }
    this.listed = colliders.map((collider) => ({
      collider,
      data: known.has(collider) ? known.get(collider) : writeObstacle(this.memory, collider),
      written: {},
    }));
    if (this.colliderList) this.memory.release(this.colliderList);
    this.colliderList = this.memory.allocate(layout.COLLIDER_BYTES * colliders.length);
    this.listed.forEach(({ collider, data }, index) => {
      writeCollider(this.memory, this.colliderList + index * layout.COLLIDER_BYTES, collider, data);
    });
    this.setInteger(layout.WORLD_COLLIDERS, this.colliderList);
    this.setInteger(layout.WORLD_COLLIDER_COUNT, colliders.length);
  }

  private setInteger(field: number, value: number): void {
    this.memory.setInteger(this.world + field, value);
  }
}
