// Worker threads that deform frames: any frames of any of its bodies, in any order. A frame is a function of its input alone, so the
// bits are the same for any number of workers. Where no worker can be had (a page's policy may forbid it), frames are
// deformed on the calling thread.

import { expectKnownFields } from '../math/known-fields.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { DeformedFrame, DeformerFrame } from './deform-frame.js';
import type { NumberedFrame } from './deform-frames.js';
import type { DeformerTask, FromWorker, SentFrame, ToWorker } from './frame-messages.js';
import { FrameServer } from './frame-server.js';
import { type FrameThread, processorCount, startThread } from './frame-thread.js';

/** How many workers there are. */
export interface DeformerPoolOptions {
  /** Worker threads, 0 for the calling thread; as many as there are processors unless given. */
  readonly workers?: number;
}

/** Meshes of colliders that workers keep: those of bodies that deform are others in every frame. */
const KEPT_MESHES = 256;

/** More would only wait for each other. */
export const MAX_WORKERS = 64;

interface Job {
  readonly body: number;
  readonly frame: DeformerFrame;
  readonly resolve: (result: DeformedFrame) => void;
  readonly reject: (error: Error) => void;
}

interface Worker {
  readonly thread: FrameThread;
  /** Number of the job that it is at. */
  job: number | undefined;
  /** Bodies and meshes that it knows. */
  readonly bodies: Set<number>;
  readonly meshes: Set<number>;
}

/** Workers that deform frames; made by `createDeformerPool`. */
export class DeformerPool {
  private readonly tasks: readonly DeformerTask[];
  private readonly workers: Worker[] = [];
  private readonly jobs = new Map<number, Job>();
  private readonly waiting: number[] = [];
  private readonly meshNumbers = new Map<TriangleMesh, number>();
  private readonly own = new FrameServer();
  private meshCount = 0;
  private jobCount = 0;
  private ended = false;

  /** @internal */
  constructor(bodies: readonly DeformerTask[], source: string, count: number) {
    // Whatever else they are stays here.
    this.tasks = bodies.map(({ mesh, settings }) => ({
      mesh: { positions: mesh.positions, triangles: mesh.triangles },
      settings,
    }));
    this.tasks.forEach((task, body) => {
      this.own.take({ kind: 'bind', body, task });
    });
    for (let n = 0; n < count; n++) this.addWorker(source);
  }

  /** Worker threads that are there; 0 where frames are deformed on the calling thread. */
  get workerCount(): number {
    return this.workers.length;
  }

  /**
   * A frame of a body, as `deformer.at` gives it. Rejects with what that throws.
   * @param body which of the pool's bodies.
   */
  at(frame: DeformerFrame, body = 0): Promise<DeformedFrame> {
    if (this.ended) return Promise.reject(new RangeError('pool: expected one that was not disposed of'));
    return new Promise((resolve, reject) => {
      const job = this.jobCount++;
      this.jobs.set(job, { body, frame, resolve, reject });
      this.waiting.push(job);
      this.handOut();
    });
  }

  /** Ends the workers; frames that are under way are rejected. */
  dispose(): void {
    this.ended = true;
    for (const { thread } of this.workers.splice(0)) thread.end();
    for (const job of this.jobs.values()) job.reject(new RangeError('pool: disposed of before the frame was done'));
    this.jobs.clear();
    this.waiting.length = 0;
  }

  private addWorker(source: string): void {
    const lose = (): void => this.loseWorker(worker);
    const thread = tryStart(source, (answer) => this.take(worker, answer), lose);
    const worker: Worker = { thread, job: undefined, bodies: new Set(), meshes: new Set() };
    if (thread !== NO_THREAD) this.workers.push(worker);
  }

  /** One that could not start or died gives its frame back. */
  private loseWorker(worker: Worker): void {
    const at = this.workers.indexOf(worker);
    if (at < 0) return;
    this.workers.splice(at, 1);
    worker.thread.end();
    if (worker.job !== undefined) this.waiting.unshift(worker.job);
    this.handOut();
  }

  private take(worker: Worker, answer: FromWorker): void {
    worker.job = undefined;
    this.finish(answer);
    this.handOut();
  }

  private finish(answer: FromWorker): void {
    const job = this.jobs.get(answer.job);
    this.jobs.delete(answer.job);
    if (!job) return;
    if ('result' in answer) job.resolve(answer.result);
    else job.reject(answer.isRange ? new RangeError(answer.fault) : new Error(answer.fault));
  }

  private handOut(): void {
    if (this.workers.length === 0) {
      // In turns of their own, so that a page or a terminal stays alive between frames.
      if (this.waiting.length > 0) setTimeout(() => this.workHere(), 0);
      return;
    }
    for (const worker of this.workers) {
      if (worker.job !== undefined) continue;
      const number = this.waiting.shift();
      if (number === undefined) return;
      this.give(worker, number);
    }
  }

  private workHere(): void {
    const number = this.waiting.shift();
    const job = number === undefined ? undefined : this.jobs.get(number);
    if (number === undefined || !job) return;
    const frame = this.pack(job.frame, (message) => void this.own.take(message));
    const answer = this.own.take({ kind: 'frame', job: number, body: job.body, frame });
    if (answer) this.finish(answer);
    this.forgetMeshes();
  }

  /** Those that were not asked for since the longest time. Workers have had the frames that need them. */
  private forgetMeshes(): void {
    for (const [mesh, number] of this.meshNumbers) {
      if (this.meshNumbers.size <= KEPT_MESHES) return;
      this.meshNumbers.delete(mesh);
      this.own.take({ kind: 'forget', number });
      for (const { thread, meshes } of this.workers) if (meshes.delete(number)) thread.send({ kind: 'forget', number });
    }
  }

  private give(worker: Worker, number: number): void {
    const { body, frame, reject } = this.jobs.get(number) as Job;
    try {
      const task = this.tasks[body];
      if (task && !worker.bodies.has(body)) worker.thread.send({ kind: 'bind', body, task });
      worker.bodies.add(body);
      const sent = this.pack(frame, (message) => {
        if (message.kind !== 'mesh' || worker.meshes.has(message.number)) return;
        worker.meshes.add(message.number);
        worker.thread.send(message);
      });
      worker.thread.send({ kind: 'frame', job: number, body, frame: sent });
      worker.job = number;
      this.forgetMeshes();
    } catch (error) {
      // What cannot be sent, such as a function among the options.
      this.jobs.delete(number);
      reject(new RangeError(`frame: expected plain values, ${(error as Error).message}`));
    }
  }

  /** A frame with numbers for meshes; each mesh is told of first. */
  private pack(frame: DeformerFrame, tell: (message: ToWorker) => void): SentFrame {
    if (!Array.isArray(frame?.colliders)) return frame as unknown as SentFrame;
    const colliders = frame.colliders.map((collider) => {
      if (collider?.shape !== 'mesh') return collider;
      const { mesh } = collider;
      const number = this.meshNumbers.get(mesh) ?? this.meshCount++;
      // Last in the order, as it was asked for last.
      this.meshNumbers.delete(mesh);
      this.meshNumbers.set(mesh, number);
      tell({ kind: 'mesh', number, mesh: { positions: mesh.positions, triangles: mesh.triangles } });
      return { ...collider, mesh: number };
    });
    return { ...frame, colliders } as SentFrame;
  }
}

const NO_THREAD: FrameThread = { send: () => {}, end: () => {} };

function tryStart(
  source: string,
  onAnswer: (answer: FromWorker) => void,
  onError: (fault: string) => void,
): FrameThread {
  try {
    return startThread(source, onAnswer, onError);
  } catch {
    return NO_THREAD;
  }
}

/**
 * Workers for bodies, each given as `createDeformer` takes it. They are started at once and end with `dispose`.
 * @example
 * ```ts
 * const pool = await createDeformerPool([{ mesh: icosphere({ detail: 2 }) }], { workers: 1 });
 * pool.dispose();
 * ```
 */
export async function createDeformerPool(
  bodies: readonly DeformerTask[],
  options: DeformerPoolOptions = {},
): Promise<DeformerPool> {
  expectKnownFields('createDeformerPool', options, ['workers']);
  const workers = options.workers ?? Math.min(MAX_WORKERS, processorCount());
  if (!Number.isInteger(workers) || workers < 0 || workers > MAX_WORKERS) {
    throw new RangeError(`workers: expected an integer from 0 to ${MAX_WORKERS}, got ${workers}`);
  }
  // Only who asks for workers carries their text.
  const { WORKER } = await import('./worker.generated.js');
  return new DeformerPool(bodies, WORKER, workers);
}

/**
 * Deforms frames on the pool's workers and yields them as they are done, in no certain order.
 * @param frameAt the input of a frame, by its number; asked when a worker is about to be free.
 * @example
 * ```ts
 * const pool = await createDeformerPool([{ mesh: icosphere({ detail: 2 }) }], { workers: 1 });
 * for await (const { frame } of deformFramesInParallel(pool, [1, 2], () => ({ colliders: [] }))) console.log(frame);
 * pool.dispose();
 * ```
 */
export async function* deformFramesInParallel(
  pool: DeformerPool,
  frames: Iterable<number>,
  frameAt: (frame: number) => DeformerFrame,
  body = 0,
): AsyncGenerator<NumberedFrame, void, void> {
  const under = new Map<number, Promise<{ key: number; done: NumberedFrame }>>();
  const next = async (): Promise<NumberedFrame> => {
    const { key, done } = await Promise.race(under.values());
    under.delete(key);
    return done;
  };
  // One more than there are workers, so that none waits for the input.
  const most = pool.workerCount + 1;
  let key = 0;
  for (const frame of frames) {
    if (under.size >= most) yield await next();
    under.set(key, deformNumbered(pool, key, frame, frameAt, body));
    // Whoever stops listening leaves frames under way, whose faults nobody hears of.
    under.get(key)?.catch(() => {});
    key++;
  }
  while (under.size > 0) yield await next();
}

/** Errors name the frame. */
async function deformNumbered(
  pool: DeformerPool,
  key: number,
  frame: number,
  frameAt: (frame: number) => DeformerFrame,
  body: number,
): Promise<{ key: number; done: NumberedFrame }> {
  try {
    return { key, done: { frame, result: await pool.at(frameAt(frame), body) } };
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`frame ${frame}: ${error.message}`, { cause: error });
    throw error;
  }
}
