// How one element answers to a change of its deformation, in the frame of its principal stretches: three stretches, and a shear
// and a turn for each pair of them.

import type { Material } from './materials.js';
import { clampPositive } from './symmetric3.js';
import { EQUAL_STRETCHES } from './tuning.js';

/** Opposite stretches: their sum is kept away from zero, where the stiffness of a turn has a pole. */
const LEAST_SUM = 1e-3;

export class ElementModes {
  /** F = U·diag(s)·Vᵀ. */
  readonly u = new Float64Array(9);
  readonly v = new Float64Array(9);
  readonly s = new Float64Array(3);
  /** ∂Ψ/∂s and, of the stretches, ∂²Ψ/∂s² [Pa]: 00, 11, 22, 01, 02, 12. */
  readonly g = new Float64Array(3);
  readonly h = new Float64Array(6);
  /** Of the pairs 01, 02, 12: change of P′ᵢⱼ with F′ᵢⱼ, and with F′ⱼᵢ. */
  readonly same = new Float64Array(3);
  readonly crossed = new Float64Array(3);

  /** All from the stretches; `positive` leaves out what would be negative. */
  write(material: Material, positive: boolean): void {
    const { s, g, h, same, crossed } = this;
    material.writeGradient(s, g);
    material.writeHessian(s, h);
    for (let pair = 0; pair < 3; pair++) {
      const i = pair === 2 ? 1 : 0;
      const j = pair === 0 ? 1 : 2;
      const apart = s[i] - s[j];
      let shear = Math.abs(apart) > EQUAL_STRETCHES ? (g[i] - g[j]) / apart : (h[i] + h[j]) / 2 - h[3 + pair];
      let sum = s[i] + s[j];
      if (Math.abs(sum) < LEAST_SUM) sum = sum < 0 ? -LEAST_SUM : LEAST_SUM;
      let turn = (g[i] + g[j]) / sum;
      if (positive) {
        shear = Math.max(0, shear);
        turn = Math.max(0, turn);
      }
      same[pair] = (shear + turn) / 2;
      crossed[pair] = (shear - turn) / 2;
    }
    if (positive) clampPositive(h);
  }
}
