// How much each particle takes part in the volume correction: everywhere alike (global) or where the body deforms
// (local). Based on: DBB11 §5 eq. 10 and "Inner Structures"; the cap and the repeated smoothing are ours: without them
// local weights feed themselves and grow spikes.

import type { MeshAdjacency } from '../../mesh/adjacency.js';
import type { InnerPairs } from './inner-pairs.js';
import type { VolumeSettings } from './settings.js';
import { SHARE_CAP, SMOOTHING, SMOOTHING_PASSES } from './tuning.js';

/**
 * wᵢ = (1 − α)·gᵢ + α/n with gᵢ ∝ β·σᵢ·dᵢ + (1 − β)·‖cᵢ‖, Σ g = 1, g ≤ 4/n; dᵢ is the change of the inner pair's length.
 * Without any deformation the local share is uniform.
 */
export function writeShares(
  settings: VolumeSettings,
  pairs: InnerPairs,
  positions: Float64Array,
  changes: Float64Array,
  shares: Float64Array,
  factors?: Float64Array,
): void {
  const count = shares.length;
  const { globalShare: alpha, innerShare: beta, innerStiffness } = settings;
  let total = 0;
  for (let i = 0; i < count; i++) {
    let share = (1 - beta) * changes[i];
    const k = pairs.partners[i];
    if (beta > 0 && k !== i) {
      const dx = positions[3 * i] - positions[3 * k];
      const dy = positions[3 * i + 1] - positions[3 * k + 1];
      const dz = positions[3 * i + 2] - positions[3 * k + 2];
      const stiffness = innerStiffness[1] + pairs.depths[i] * (innerStiffness[0] - innerStiffness[1]);
      share += beta * stiffness * Math.abs(Math.sqrt(dx * dx + dy * dy + dz * dz) - pairs.lengths[i]);
    }
    shares[i] = share;
    total += share;
  }
  const uniform = 1 / count;
  const cap = SHARE_CAP * uniform;
  const perShare = total > 0 ? 1 / total : 0;
  for (let i = 0; i < count; i++) {
    const local = perShare > 0 ? Math.min(cap, shares[i] * perShare) : uniform;
    const share = (1 - alpha) * local + alpha * uniform;
    shares[i] = factors ? factors[i] * share : share;
  }
}

/** Smooths w with the umbrella operator, w ← ¼w + ¾·mean of neighbours; held particles (mask ≠ 0) stay at 0. */
export function smoothWeights(
  neighbours: MeshAdjacency,
  held: Uint8Array,
  weights: Float64Array,
  scratch: Float64Array,
): void {
  const { neighbourOffsets: offsets, neighbours: lists } = neighbours;
  const count = weights.length;
  for (let i = 0; i < count; i++) if (held[i] !== 0) weights[i] = 0;
  for (let pass = 0; pass < SMOOTHING_PASSES; pass++) {
    scratch.set(weights);
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) sum += scratch[lists[e]];
      weights[i] = held[i] !== 0 ? 0 : (1 - SMOOTHING) * scratch[i] + (SMOOTHING * sum) / (offsets[i + 1] - offsets[i]);
    }
  }
}
