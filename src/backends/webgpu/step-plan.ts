// The dispatches of a substep, in order. Each takes all chunks of all bodies, so that their number does not depend on how many there are;
// where sums of a body are needed, the next dispatch adds its chunks' rows.

import type { Stage } from '../backend.js';
import type { Buffers } from './buffers.js';
import { kernelOf } from './kernels.js';
import type { StageTimer } from './stage-timer.js';

/** Rounds of the position correction: most bodies need one or two, those pressed between obstacles or in a crowd all of them. */
export const VOLUME_ROUNDS = 12;
/** Rounds of the search for the velocity correction: the flux as it is, 16 places around the free root, twice 16 between two of them. */
export const FLUX_ROUNDS = 4;

/** Sweeps over the contacts of bodies. */
export const CONTACT_SWEEPS = 8;
/** Buffers that hold a number each. */
export const NUMBERS = Math.max(FLUX_ROUNDS, CONTACT_SWEEPS);

export interface Dispatch {
  readonly stage: Stage;
  readonly kernel: string;
  /** Buffers that the kernel knows by another name. */
  readonly names: Readonly<Record<string, string>>;
}

const dispatch = (stage: Stage, kernel: string, names: Record<string, string> = {}): Dispatch => ({
  ...{ stage, kernel, names },
});

function volumeRound(round: number): Dispatch[] {
  const before = `progress${round % 2}`;
  const now = { progress: `progress${(round + 1) % 2}` };
  return [
    dispatch('conserve', 'weights', { progress: before, progressNext: now.progress, sums: 'moveSums' }),
    dispatch('conserve', 'direction-sums', { ...now, sums: 'directionSums' }),
    dispatch('conserve', 'direction', { ...now, sums: 'directionSums' }),
    dispatch('conserve', 'cubic', { ...now, sums: 'cubicSums' }),
    dispatch('conserve', 'move', { sums: 'cubicSums' }),
  ];
}

/** After the rounds: what came of the last one. */
function volumeEnd(round: number): Dispatch[] {
  const names = { progress: `progress${round % 2}`, progressNext: `progress${(round + 1) % 2}`, sums: 'moveSums' };
  const progress = names.progressNext;
  return [
    dispatch('conserve', 'weights', names),
    dispatch('conserve', 'settle', { progress, sums: 'settleSums' }),
    dispatch('conserve', 'flux-normals', { sums: 'settleSums' }),
    dispatch('conserve', 'flux-weights'),
    dispatch('conserve', 'flux-sums', { sums: 'directionSums' }),
    dispatch('conserve', 'flux-direction', { progress, sums: 'directionSums', fluxSums: 'fluxSums0' }),
  ];
}

function fluxRound(round: number): Dispatch {
  const names = { sums: `fluxSums${round % 2}`, sumsNext: `fluxSums${(round + 1) % 2}`, turn: `number${round}` };
  return dispatch('conserve', 'flux', names);
}

const contactSweep = (sweep: number): Dispatch[] => [
  dispatch('contact', 'contact-solve', { turn: `number${sweep}` }),
  dispatch('contact', 'contact-apply'),
];

const rounds = <T>(count: number, make: (round: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

export const STEP_PLAN: readonly Dispatch[] = [
  dispatch('predict', 'predict'),
  dispatch('match', 'moments', { prefix: 'prefix0', progress: 'progress0' }),
  dispatch('match', 'transforms', { prefix: 'prefix0', prefixNext: 'prefix1' }),
  dispatch('match', 'goals', { prefix: 'prefix1', sums: 'matchSums' }),
  dispatch('match', 'follow-pins'),
  dispatch('damp', 'momenta', { prefix: 'prefix0', sums: 'matchSums' }),
  dispatch('damp', 'fields', { prefix: 'prefix0', prefixNext: 'prefix1' }),
  dispatch('damp', 'follow', { prefix: 'prefix1', sums: 'dampSums' }),
  dispatch('damp', 'advance', { sums: 'dampSums' }),
  dispatch('damp', 'slow-down', { sums: 'speedSums', progress: 'progress0' }),
  dispatch('contact', 'obstacle-contact', { turn: 'number0' }),
  dispatch('contact', 'grid-clear'),
  dispatch('contact', 'grid-link'),
  dispatch('contact', 'contact-find', { positions: 'starts' }),
  dispatch('contact', 'contact-edges', { positions: 'starts', ends: 'positions' }),
  ...rounds(CONTACT_SWEEPS, contactSweep).flat(),
  dispatch('contact', 'obstacle-contact', { turn: 'number1' }),
  dispatch('contact', 'contact-record'),
  dispatch('contact', 'contact-touch'),
  dispatch('conserve', 'outward'),
  dispatch('conserve', 'shares', { sums: 'shareSums' }),
  ...rounds(VOLUME_ROUNDS, volumeRound).flat(),
  ...volumeEnd(VOLUME_ROUNDS),
  ...rounds(FLUX_ROUNDS, fluxRound),
  dispatch('conserve', 'finish', {
    sums: `fluxSums${FLUX_ROUNDS % 2}`,
    progress: `progress${(VOLUME_ROUNDS + 1) % 2}`,
  }),
];

/** A kernel with its buffers. */
export interface BoundKernel {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
}

/** Binds a kernel to buffers of the names that it has for them, or of others. */
export function bindKernel(
  device: GPUDevice,
  name: string,
  buffers: Pick<Buffers, 'get'>,
  names: Dispatch['names'] = {},
): BoundKernel {
  const { pipeline, layout, bindings } = kernelOf(device, name);
  const entries = bindings.map(({ binding, name: own }) => ({
    ...{ binding, resource: { buffer: buffers.get(names[own] ?? own) } },
  }));
  return { pipeline, group: device.createBindGroup({ label: name, layout, entries }) };
}

/** A plan with its pipelines and bind groups, made anew where buffers are others. */
export class BoundPlan {
  private readonly bound: (BoundKernel & { readonly stage: Stage })[];
  /** Bytes of the buffers that the dispatches are bound to: what a substep reads and writes, if no round is skipped. */
  readonly boundBytes: number;

  constructor(
    private readonly device: GPUDevice,
    buffers: Buffers,
    plan: readonly Dispatch[] = STEP_PLAN,
  ) {
    this.bound = plan.map(({ stage, kernel, names }) => ({ stage, ...bindKernel(device, kernel, buffers, names) }));
    const bytesOf = ({ kernel, names }: Dispatch) =>
      kernelOf(device, kernel).bindings.reduce((sum, { name }) => sum + buffers.get(names[name] ?? name).size, 0);
    this.boundBytes = plan.reduce((sum, one) => sum + bytesOf(one), 0);
  }

  get dispatchCount(): number {
    return this.bound.length;
  }

  /** Encodes all dispatches over so many chunks, each stage as a pass of its own where they are timed. */
  private encode(encoder: GPUCommandEncoder, chunks: number, timer?: StageTimer): void {
    let pass: GPUComputePassEncoder | undefined;
    let current: Stage | undefined;
    for (const { pipeline, group, stage } of this.bound) {
      if (!pass || (timer && stage !== current)) {
        pass?.end();
        pass = encoder.beginComputePass(timer?.passOf(stage));
        current = stage;
      }
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(chunks);
    }
    pass?.end();
    timer?.resolve(encoder);
  }

  /** Enqueues a substep. */
  submit(chunks: number, timer?: StageTimer): void {
    const encoder = this.device.createCommandEncoder();
    this.encode(encoder, chunks, timer);
    this.device.queue.submit([encoder.finish()]);
  }
}
