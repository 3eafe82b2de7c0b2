// What the shaders are told of a body in every substep.

import type { ContactSettings } from '../../contact/contact-settings.js';
import type { KernelRest, Prepared } from '../../solvers/solver.js';
import type { ElasticSettings } from '../../solvers/solver-settings.js';
import { dampingPerStep, stiffnessPerStep } from '../../solvers/step-scaling.js';
import { gridOf } from './gpu-particles.js';
import { thicknessOf } from './hard-contact.js';
import { BODY, FLAG_ANCHORED, FLAG_ASLEEP, FLAG_PUSHED, FLAG_SELF, FLAG_VOLUME } from './layout.js';
import type { PackedPlace } from './packed-bodies.js';

export interface BodyInput {
  readonly prepared: Prepared;
  readonly settings: ElasticSettings;
  readonly contactSettings: ContactSettings;
  /** [kg] */
  readonly mass: number;
  readonly asleep: boolean;
  readonly anchored: boolean;
  /** Whether the host added something to its velocities. */
  readonly pushed: boolean;
  /** Whether its surface is to be kept from passing through itself. */
  readonly keepsOffItself: boolean;
  /** Volume to keep, in volumes at rest; 0 where it is free. */
  readonly volumeShare: number;
  readonly restScale: number;
  readonly anchor: ArrayLike<number>;
}

/** Writes the record at `at`, in words, of arrays over the same bytes. */
export function writeBodyRecord(
  floats: Float32Array,
  words: Uint32Array,
  at: number,
  { rest, first, firstChunk }: PackedPlace,
  body: BodyInput,
  timeStep: number,
): void {
  const { prepared, settings, contactSettings, volumeShare } = body;
  const kernels = prepared.kernels as KernelRest;
  const { size, volume } = prepared.volume;
  const flags =
    (body.asleep ? FLAG_ASLEEP : 0) |
    (body.anchored ? FLAG_ANCHORED : 0) |
    (volumeShare > 0 ? FLAG_VOLUME : 0) |
    (body.keepsOffItself ? FLAG_SELF : 0) |
    (body.pushed ? FLAG_PUSHED : 0);
  const whole = { first, firstChunk, count: rest.count, chunkCount: rest.chunks, flags };
  const { group, collidesWith } = contactSettings;
  for (const [field, value] of Object.entries({ ...whole, group, collidesWith })) {
    words[at + BODY.offsets[field as keyof typeof BODY.offsets]] = value;
  }
  const stiffness = settings.stiffness * kernels.stiffnessScale * (kernels.stiffnesses?.largest ?? 1);
  const damping = (kernels.dampings?.largest ?? 1) * dampingPerStep(settings.damping, timeStep);
  const kept = settings.volume || undefined;
  const numbers = {
    stiffness: stiffnessPerStep(stiffness, timeStep),
    damping: Math.min(1, damping),
    restScale: body.restScale,
    sixVolume: 6 * volumeShare * volume,
    globalShare: kept?.globalShare ?? 1,
    innerShare: kept?.innerShare ?? 0,
    innerLow: kept?.innerStiffness[0] ?? 0,
    innerHigh: kept?.innerStiffness[1] ?? 0,
    ...{ mass: body.mass, edge: prepared.contact.edge, friction: contactSettings.friction },
    ...{ size, volume, grid: gridOf(size), meanArea: rest.meanArea, thickness: thicknessOf(prepared) },
  };
  for (const [field, value] of Object.entries(numbers)) {
    floats[at + BODY.offsets[field as keyof typeof BODY.offsets]] = value;
  }
  for (let c = 0; c < 3; c++) floats[at + BODY.offsets.anchor + c] = body.anchor[c];
}
