// The frames of a scene's posed bodies, on a pool of workers: any set of them, in any order, the same bits always.

import type { DeformedFrame } from '../deformer/deform-frame.js';
import type { DeformerPool } from '../deformer/deformer-pool.js';
import type { DeformerReport } from '../deformer/report.js';
import type { PosedBody } from './pose-scene.js';
import { SceneError } from './scene-errors.js';

/** A posed body in a frame. */
export interface PosedBodyFrame {
  readonly name: string;
  /** x, y, z per vertex of the body's file [m]. */
  readonly positions: Float64Array;
  readonly report: DeformerReport;
}

/** All posed bodies in a frame. */
export interface PosedFrame {
  /** From 1; frame n is at (n − 1)/fps. */
  readonly frame: number;
  /** [s] */
  readonly time: number;
  readonly bodies: readonly PosedBodyFrame[];
}

/** Frames per second, and what ends the work. */
export interface PoseFramesOptions {
  readonly fps: number;
  /** Ends it after the frames that are done. */
  readonly signal?: AbortSignal;
}

/** Time of a frame [s]. */
export const frameTime = (frame: number, fps: number): number => (frame - 1) / fps;

/**
 * Yields frames as they are done, in no certain order. The pool's bodies are these, in this order. Throws SceneError.
 * @example
 * ```ts
 * const bodies = await poseScene(checkScene(findScene('imprint')?.make()));
 * const pool = await createDeformerPool(bodies, { workers: 1 });
 * for await (const { frame } of poseFrames(pool, bodies, [1], { fps: 24 })) console.log(frame);
 * pool.dispose();
 * ```
 */
export async function* poseFrames(
  pool: DeformerPool,
  bodies: readonly PosedBody[],
  frames: Iterable<number>,
  { fps, signal }: PoseFramesOptions,
): AsyncGenerator<PosedFrame, void, void> {
  const under = new Map<number, Promise<PosedFrame>>();
  const next = async (): Promise<PosedFrame> => {
    const done = await Promise.race(under.values());
    under.delete(done.frame);
    return done;
  };
  for (const frame of new Set(frames)) {
    // One more than there are workers, so that none waits for its input.
    if (under.size > pool.workerCount) yield await next();
    if (signal?.aborted) break;
    const posed = poseFrame(pool, bodies, frame, frameTime(frame, fps));
    // Whoever stops listening leaves frames under way, whose faults nobody hears of.
    posed.catch(() => {});
    under.set(frame, posed);
  }
  while (under.size > 0) yield await next();
}

async function poseFrame(
  pool: DeformerPool,
  bodies: readonly PosedBody[],
  frame: number,
  time: number,
): Promise<PosedFrame> {
  // Each waits for those that it gives way to, which stand before it.
  const under: Promise<DeformedFrame>[] = [];
  for (const [n, { index, behind, frameAt }] of bodies.entries()) {
    const deform = async (): Promise<DeformedFrame> => {
      const others = await Promise.all(behind.map(async ({ body }) => (await under[body]).positions));
      try {
        // One broken keyframe is not to cost the other frames: this one comes, and says so.
        return await pool.at({ ...frameAt(time, others), mend: true }, n);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new SceneError(`bodies[${index}]`, `frame ${frame}: ${error.message}`);
      }
    };
    under.push(deform());
  }
  const results = await Promise.all(under);
  const posed = results.map(
    ({ positions, report }, n): PosedBodyFrame => ({
      name: bodies[n].name,
      report: { ...report, flags: [...bodies[n].flags, ...report.flags] },
      positions: bodies[n].toShown(positions),
    }),
  );
  return { frame, time, bodies: posed };
}
