// How fast a body moves, told by a few of its vertices: the host divides steps in which bodies are fast.
// Mirrors src/contact/broad-phase/fast-approach.ts.

import * as tuning from '../../../src/contact/broad-phase/tuning';
import { BODY_COUNT, BODY_SAMPLED_SPEED, BODY_SHOWN_VELOCITIES } from '../../layout';

/** Vertices that tell. */
const SAMPLES: u32 = <u32>tuning.SAMPLES;

/** Writes the speed of the vertices' mean velocity [m/s]. */
export function sampleSpeed(body: usize): void {
  const velocities: usize = load<u32>(body + BODY_SHOWN_VELOCITIES);
  const count = load<u32>(body + BODY_COUNT);
  let vx: f64 = 0;
  let vy: f64 = 0;
  let vz: f64 = 0;
  for (let n: u32 = 0; n < SAMPLES; n++) {
    const at = velocities + <usize>((n * count) / SAMPLES) * 12;
    vx += <f64>load<f32>(at) / SAMPLES;
    vy += <f64>load<f32>(at, 4) / SAMPLES;
    vz += <f64>load<f32>(at, 8) / SAMPLES;
  }
  store<f64>(body + BODY_SAMPLED_SPEED, Math.sqrt(vx * vx + vy * vy + vz * vz));
}
