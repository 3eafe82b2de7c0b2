// Damping against double precision, and of bodies that have collapsed: the same for whatever computes it.

import { expect } from 'vitest';
import { type PreparedSurface, prepare, surface } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { createDampingBuffers, dampVelocities } from '../../../src/solvers/surface/damping.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { looseParticles, MESH_SIZES, meshOfSize, SIZES } from '../kernel-sizes.js';
import type { NamedTest, Soon } from '../named-test.js';

const TIME_STEP = 0.005;
/** Region sums of order 1 in single precision, and a solve with their inertia, which multiplies their rounding. */
const SINGLE = 1e-4;

/** Damped velocities of particles in path order. */
export type DampingOf = (
  prepared: PreparedSurface,
  starts: Float64Array,
  velocities: Float64Array,
  share: number,
  timeStep: number,
) => Soon<Float64Array>;

export function dampingTests(test: NamedTest, damped: DampingOf): void {
  /** Deviation from double precision, relative to velocities of order 2. */
  async function deviation(prepared: PreparedSurface, share: number, seed: number): Promise<number> {
    const { surface: rest } = prepared;
    const random = seededRandom(seed);
    const starts = rest.positions.map((x) => Math.fround(x + 0.2 * (random() - 0.5)));
    const velocities = starts.map(() => Math.fround(4 * random() - 2));
    const found = await damped(prepared, starts, velocities, share, TIME_STEP);
    expect(found.length).toBe(3 * rest.count);
    const expected = velocities.slice();
    dampVelocities(rest, starts, expected, TIME_STEP, share, createDampingBuffers(rest.count));
    return found.reduce((worst, v, k) => Math.max(worst, Math.abs(v - expected[k])), 0);
  }

  for (const count of SIZES) {
    test(`of ${count} particles without a surface is that of double precision`, async () => {
      for (const share of [0.3, 1]) expect(await deviation(looseParticles(count, 64), share, 65)).toBeLessThan(SINGLE);
    });
  }

  for (const count of MESH_SIZES) {
    test(`of a mesh of ${count} vertices is that of double precision`, async () => {
      const prepared = prepare(meshOfSize(count), surface({ regionSize: count > 1000 ? 3 : 2 }));
      for (const share of [0.3, 1]) expect(await deviation(prepared, share, 66)).toBeLessThan(SINGLE);
    });
  }

  for (const [kind, kept] of [
    ['point', 0],
    ['line', 1],
    ['plane', 2],
  ] as const) {
    test(`stays finite where the body has collapsed to a ${kind}`, async () => {
      for (const [, mesh] of kernelMeshes) {
        const prepared = prepare(mesh, surface({ regionSize: 2 }));
        const starts = prepared.surface.positions.map((x, k) => (k % 3 < kept ? x : 0));
        const random = seededRandom(67);
        const velocities = starts.map(() => 2 * random() - 1);
        const found = await damped(prepared, starts, velocities, 1, TIME_STEP);
        expect(found.every(Number.isFinite)).toBe(true);
        // Averages of projections onto rigid motions: nothing flies away.
        expect(Math.max(...found.map(Math.abs))).toBeLessThan(100);
      }
    });
  }
}
