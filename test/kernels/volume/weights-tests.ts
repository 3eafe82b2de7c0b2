// Weights of the volume correction against double precision, with particles that are held: the same for whatever computes them.

import { expect } from 'vitest';
import { type PreparedSurface, prepare, surface, VOLUME_DEFAULTS, type VolumeSettings } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { smoothWeights, writeShares } from '../../../src/solvers/volume/weights.js';
import { MESH_SIZES, meshOfSize } from '../kernel-sizes.js';
import type { NamedTest, Soon } from '../named-test.js';

/** Weights for positions and for velocities, of particles in path order. */
export type WeightsOf = (
  prepared: PreparedSurface,
  settings: VolumeSettings,
  positions: Float64Array,
  changes: Float64Array,
  pinned: Uint8Array,
  colliding: Uint8Array,
) => Soon<Float64Array[]>;

export function weightsTests(test: NamedTest, weightsOf: WeightsOf): void {
  for (const count of MESH_SIZES) {
    test(`of a mesh of ${count} vertices are those of double precision, for positions and velocities`, async () => {
      const random = seededRandom(68);
      for (const settings of [VOLUME_DEFAULTS, { ...VOLUME_DEFAULTS, globalShare: 0, innerShare: 0.6 }]) {
        const prepared = prepare(meshOfSize(count), surface({ regionSize: 1 }));
        const { volume: rest, particles } = prepared;
        const positions = particles.mesh.positions.map((x) => Math.fround(x + 0.1 * (random() - 0.5)));
        const changes = Float64Array.from({ length: count }, () => Math.fround(random()));
        const pinned = Uint8Array.from({ length: count }, () => (random() < 0.1 ? 1 : 0));
        const colliding = Uint8Array.from({ length: count }, () => (random() < 0.2 ? 1 : 0));
        const found = await weightsOf(prepared, settings, positions, changes, pinned, colliding);
        const shares = new Float64Array(count);
        writeShares(settings, rest.pairs, positions, changes, shares);
        [pinned.map((mark, i) => mark | colliding[i]), pinned].forEach((held, lane) => {
          const expected = shares.slice();
          smoothWeights(rest.neighbours, held, expected, new Float64Array(count));
          expected.forEach((weight, i) => {
            // Weights are about 1/n; each is a few sums and products of numbers rounded to 6e-8.
            expect(Math.abs(found[lane][i] - weight)).toBeLessThan(2e-6 / count);
            if (held[i] !== 0) expect(found[lane][i]).toBe(0);
          });
        });
      }
    });
  }
}
