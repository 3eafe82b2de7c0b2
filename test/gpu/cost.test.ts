// What docs/webgpu.md says that a step costs is what the kernels are bound to.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shaderBindings } from '../../src/backends/webgpu/kernels.js';
import { PARTICLE_BYTES } from '../../src/backends/webgpu/packed-bodies.js';
import { STEP_PLAN, VOLUME_ROUNDS } from '../../src/backends/webgpu/step-plan.js';

const page = readFileSync(new URL('../../docs/webgpu.md', import.meta.url), 'utf8');
const stated = (pattern: RegExp): number => Number(pattern.exec(page)?.[1]);

/** Bytes per particle of a dispatch, each buffer once: rows of prefix sums, rings and intervals beside those by particle. */
const BYTES: Readonly<Record<string, number>> = {
  ...{ ...PARTICLE_BYTES, prefix: 64.5, prefixNext: 64.5, topology: 36 },
  ends: PARTICLE_BYTES.positions,
};
const ROUND = ['weights', 'direction-sums', 'direction', 'cubic', 'move'];

const bytesOf = (kernel: string): number =>
  shaderBindings(kernel).reduce((sum, { name }) => sum + (BYTES[name] ?? 0), 0);

it('dispatches', () => {
  expect(stated(/\*\*(\d+)\*\* a substep/)).toBe(STEP_PLAN.length);
});

it('bytes per particle, as counted', () => {
  const rounds = ROUND.reduce((sum, kernel) => sum + bytesOf(kernel), 0);
  const all = STEP_PLAN.reduce((sum, { kernel }) => sum + bytesOf(kernel), 0);
  const counted = all - (VOLUME_ROUNDS - 1) * rounds;
  const bytes = 1000 * stated(/\*\*([\d.]+) kB\*\* per particle/);
  expect(Math.abs(counted / bytes - 1)).toBeLessThan(0.05);
  const further = 1000 * stated(/\*\*([\d.]+) kB\*\* more for each further/);
  expect(Math.abs(rounds / further - 1)).toBeLessThan(0.05);
});

it('no kernel is bound to more than eight storage buffers, all of them named', () => {
  for (const { kernel } of STEP_PLAN) {
    const buffers = shaderBindings(kernel).filter(({ type }) => type !== 'uniform');
    expect(buffers.length, kernel).toBeGreaterThan(0);
    expect(buffers.length, kernel).toBeLessThanOrEqual(8);
  }
});
