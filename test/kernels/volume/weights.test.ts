// Weights of the volume correction: how shares are made of deformation, and how they are smoothed.

import { describe, expect, it } from 'vitest';
import { buildAdjacency, VOLUME_DEFAULTS } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import type { InnerPairs } from '../../../src/solvers/volume/inner-pairs.js';
import { SMOOTHING_PASSES } from '../../../src/solvers/volume/tuning.js';
import { smoothWeights, writeShares } from '../../../src/solvers/volume/weights.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { KernelBody } from '../wasm-kernels.js';
import { weightsTests } from './weights-tests.js';

/** Particles on the x axis; each pair of neighbours (0, 1), (2, 3), … is 1 m apart at rest. */
function pairsOf(count: number, depths: readonly number[] = []): InnerPairs {
  return {
    partners: Uint32Array.from({ length: count }, (_, i) => i ^ 1),
    lengths: new Float64Array(count).fill(1),
    depths: Float64Array.from({ length: count }, (_, i) => depths[i] ?? 0),
  };
}

const onAxis = (xs: readonly number[]): Float64Array => Float64Array.from(xs.flatMap((x) => [x, 0, 0]));
const atRest = (count: number): Float64Array => onAxis(Array.from({ length: count }, (_, i) => i));

function sharesOf(
  options: Partial<typeof VOLUME_DEFAULTS>,
  changes: readonly number[],
  positions = atRest(changes.length),
  pairs = pairsOf(changes.length),
): number[] {
  const shares = new Float64Array(changes.length).fill(7);
  writeShares({ ...VOLUME_DEFAULTS, ...options }, pairs, positions, Float64Array.from(changes), shares);
  return [...shares];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('writeShares', () => {
  it('is uniform where nothing deforms, whatever the settings', () => {
    for (const globalShare of [0, 0.2, 1]) {
      for (const innerShare of [0, 0.1, 1]) {
        for (const w of sharesOf({ globalShare, innerShare }, [0, 0, 0, 0])) {
          expect(Math.abs(w - 0.25)).toBeLessThan(1e-16);
        }
      }
    }
  });

  it('is uniform with a global share of 1, whatever deforms', () => {
    for (const w of sharesOf({ globalShare: 1 }, [5, 0, 1, 2])) expect(Math.abs(w - 0.25)).toBeLessThan(1e-16);
  });

  it('follows the changes in proportion with neither global nor inner share', () => {
    const changes = Array.from({ length: 10 }, (_, i) => 1 + (i % 3));
    const shares = sharesOf({ globalShare: 0, innerShare: 0 }, changes);
    shares.forEach((w, i) => {
      expect(Math.abs(w - changes[i] / sum(changes))).toBeLessThan(1e-15);
    });
  });

  it('mixes as (1 − α)·g + α/n and adds up to 1 where no share is capped', () => {
    const random = seededRandom(61);
    const changes = Array.from({ length: 50 }, () => 0.5 + random());
    const shares = sharesOf({ globalShare: 0.3, innerShare: 0 }, changes);
    shares.forEach((w, i) => {
      expect(Math.abs(w - (0.7 * changes[i]) / sum(changes) - 0.3 / 50)).toBeLessThan(1e-15);
    });
    expect(Math.abs(sum(shares) - 1)).toBeLessThan(1e-14);
  });

  it('caps a local share at four times the mean', () => {
    const changes = [100, ...new Array(39).fill(1)];
    const shares = sharesOf({ globalShare: 0.2, innerShare: 0 }, changes);
    expect(Math.abs(shares[0] - (0.8 * 4 + 0.2) / 40)).toBeLessThan(1e-16);
    expect(sum(shares)).toBeLessThan(1);
  });

  it('weighs the pairs by β·σ·|length − rest length|, stretched or squeezed, σ by depth', () => {
    // Pairs of 1 m now at 1.5, 0.5, 1.2 and 1 m; the pairs' stiffness goes from σ_max at depth 0 to σ_min at depth 1.
    const positions = onAxis([0, 1.5, 10, 10.5, 20, 21.2, 30, 31]);
    const depths = [0, 0, 1, 1, 0.5, 0.5, 0, 0];
    const innerStiffness = [0.02, 0.08] as const;
    const changes = [1, 0, 0, 0, 0, 0, 1, 0].map((c) => 0.01 * c);
    const beta = 0.4;
    const raw = [0.5 * 0.08, 0.5 * 0.08, 0.5 * 0.02, 0.5 * 0.02, 0.2 * 0.05, 0.2 * 0.05, 0, 0].map(
      (pair, i) => beta * pair + (1 - beta) * changes[i],
    );
    const shares = sharesOf(
      { globalShare: 0, innerShare: beta, innerStiffness },
      changes,
      positions,
      pairsOf(8, depths),
    );
    // Coordinates of 31 are rounded by 4e-15, a share of 1e-13 of the pairs' change of 0.2 and more.
    shares.forEach((w, i) => {
      expect(Math.abs(w - raw[i] / sum(raw))).toBeLessThan(1e-13);
    });
  });

  it('gives a particle without partner only its own change', () => {
    const pairs = { ...pairsOf(4), partners: Uint32Array.of(0, 1, 2, 3) };
    const shares = sharesOf({ globalShare: 0, innerShare: 0.5 }, [1, 1, 2, 0], onAxis([0, 9, 9, 9]), pairs);
    [0.25, 0.25, 0.5, 0].forEach((expected, i) => {
      expect(Math.abs(shares[i] - expected)).toBeLessThan(1e-15);
    });
  });
});

describe.each(kernelMeshes)('smoothWeights on the %s', (_, mesh) => {
  const adjacency = buildAdjacency(mesh);
  const count = mesh.positions.length / 3;
  const smoothed = (weights: Float64Array, held: Uint8Array): Float64Array => {
    const out = weights.slice();
    smoothWeights(adjacency, held, out, new Float64Array(count));
    return out;
  };

  it('keeps a constant', () => {
    const out = smoothed(new Float64Array(count).fill(0.3), new Uint8Array(count));
    for (const w of out) expect(Math.abs(w - 0.3)).toBeLessThan(1e-15);
  });

  it('leaves held particles at 0 and the others between the least and the most there was', () => {
    const random = seededRandom(62);
    const weights = Float64Array.from({ length: count }, () => random());
    const held = Uint8Array.from({ length: count }, () => (random() < 0.3 ? 1 : 0));
    const most = Math.max(...weights);
    smoothed(weights, held).forEach((w, i) => {
      if (held[i] !== 0) expect(w).toBe(0);
      else expect(w).toBeGreaterThan(0);
      expect(w).toBeLessThanOrEqual(most * (1 + 1e-15));
    });
  });

  it('spreads a spike over two rings and no further', () => {
    const out = smoothed(
      Float64Array.from({ length: count }, (_, i) => (i === 0 ? 1 : 0)),
      new Uint8Array(count),
    );
    let reached = new Set([0]);
    const { neighbourOffsets: offsets, neighbours } = adjacency;
    for (let ring = 0; ring < SMOOTHING_PASSES; ring++) {
      reached = new Set([...reached].flatMap((v) => [v, ...neighbours.subarray(offsets[v], offsets[v + 1])]));
    }
    out.forEach((w, i) => {
      expect(w > 0).toBe(reached.has(i));
    });
    // The middle keeps ¼² of its own at least, and hands on the rest.
    expect(out[0]).toBeGreaterThanOrEqual(1 / 16);
    expect(out[0]).toBeLessThan(1);
  });

  it('is zero everywhere where all are held', () => {
    expect(smoothed(new Float64Array(count).fill(1), new Uint8Array(count).fill(1)).every((w) => w === 0)).toBe(true);
  });
});

describe('weights on wasm', () => {
  weightsTests(it, (prepared, settings, ...shell) => new KernelBody(prepared, settings).weights(...shell));
});
