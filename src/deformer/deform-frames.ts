// Any set of frames, in any order. Frames know nothing of each other, so they may be shared out among workers or machines, each with a
// deformer made from the same mesh and settings: the bytes are the same.

import type { DeformedFrame, DeformerFrame } from './deform-frame.js';
import type { Deformer } from './deformer.js';

/** A frame with its number. */
export interface NumberedFrame {
  readonly frame: number;
  readonly result: DeformedFrame;
}

/**
 * Deforms frames one by one, as they are asked for.
 * @param frameAt the input of a frame, by its number.
 * @example
 * ```ts
 * const deformer = createDeformer(icosphere({ detail: 2 }));
 * const ballAt = (frame: number) => ({ colliders: [{ shape: 'sphere' as const, radius: 0.4, position: [0, 1.6 - 0.1 * frame, 0] as const }] });
 * for (const { frame, result } of deformFrames(deformer, [3, 1], ballAt)) console.log(frame, result.positions.length);
 * ```
 */
export function* deformFrames(
  deformer: Deformer,
  frames: Iterable<number>,
  frameAt: (frame: number) => DeformerFrame,
): Generator<NumberedFrame, void, void> {
  for (const frame of frames) yield { frame, result: deformNamed(deformer, frame, frameAt) };
}

/** Errors name the frame. */
function deformNamed(deformer: Deformer, frame: number, frameAt: (frame: number) => DeformerFrame): DeformedFrame {
  try {
    return deformer.at(frameAt(frame));
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`frame ${frame}: ${error.message}`, { cause: error });
    throw error;
  }
}
