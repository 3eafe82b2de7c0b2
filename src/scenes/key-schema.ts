// Keyframes of a number, as scene files have them.

import type { z } from 'zod';
import { fields, listOf, nonNegative } from './scene-fields.js';

/** As for motions of pins. */
const MOST_KEYS = 10_000;

/** Keyframes of a value: linear between them, held before the first and after the last. */
export const keysSchema = (value: z.ZodType<number>) =>
  listOf(
    fields({
      time: nonNegative().describe('Time since the start [s]; later than the keyframe before.'),
      value: value.describe('What it is then.'),
    }),
    'keyframes',
    MOST_KEYS,
  )
    .min(1, { error: () => `a list of 1 to ${MOST_KEYS} keyframes` })
    .superRefine((keys, context) => {
      for (let i = 1; i < keys.length; i++) {
        const before = keys[i - 1].time;
        if (keys[i].time > before) continue;
        context.addIssue({ code: 'custom', path: [i, 'time'], message: `a time after ${before}` });
      }
    });
