// Elastic forces and stiffness of all tetrahedra, from the singular values of their deformation.
// Based on: G. Irving, J. Teran, R. Fedkiw, Invertible finite elements for robust simulation of large deformation, 2004, and
// J. Teran et al., Robust quasistatic finite elements and flesh simulation, 2005 (stiffness made positive by its modes).

import type { Material } from './materials.js';
import type { FibreForce } from './muscle.js';
import type { TetraRest } from './rest.js';
import { decompose } from './svd3.js';
import { clampPositive } from './symmetric3.js';

/** Two stretches nearer than this count as equal; the quotient of their stresses' difference would be rounding. */
const EQUAL_STRETCHES = 1e-5;
/** Opposite stretches: their sum is kept away from zero, where the stiffness of a turn has a pole. */
const LEAST_SUM = 1e-3;

export class Elements {
  /** F of each tetrahedron, row by row. */
  readonly deformations: Float64Array;
  private readonly u = new Float64Array(9);
  private readonly v = new Float64Array(9);
  private readonly s = new Float64Array(3);
  private readonly stress = new Float64Array(9);
  private readonly g = new Float64Array(3);
  private readonly h = new Float64Array(6);
  /** Of the pairs 01, 02, 12: change of P′ᵢⱼ with F′ᵢⱼ, and with F′ⱼᵢ. */
  private readonly same = new Float64Array(3);
  private readonly crossed = new Float64Array(3);
  /** ∇N of the corners in the frame of V. */
  private readonly turned = new Float64Array(12);
  private readonly block = new Float64Array(9);
  private readonly half = new Float64Array(9);

  constructor(
    private readonly rest: TetraRest,
    /** Extended to all stretches. */
    public material: Material,
    private readonly fibres?: FibreForce,
  ) {
    this.deformations = new Float64Array(9 * rest.tetraCount);
  }

  /** Ψ of the whole body [J] at positions x [m]. */
  energy(x: Float64Array): number {
    const { rest, u, s, v } = this;
    this.writeDeformations(x);
    let sum = 0;
    for (let t = 0; t < rest.tetraCount; t++) {
      decompose(this.deformations, 9 * t, u, s, v);
      sum += rest.volumes[t] * rest.stiffness[t] * this.material.energy(s);
      if (this.fibres) sum += rest.volumes[t] * this.fibres.energy(this.deformations, t);
    }
    return sum;
  }

  /**
   * Elastic forces at x [N] and, where `values` is given, K = −∂f/∂x [N/m] as 3×3 blocks over `rest.neighbours`. `positive`
   * makes each element's stiffness positive semi-definite, which the implicit step needs.
   */
  assemble(x: Float64Array, forces: Float64Array, values?: Float64Array, positive = true): void {
    const { rest, stress, u, s, v, g } = this;
    const { gradients, volumes, stiffness } = rest;
    const { tetrahedra } = rest.mesh;
    this.writeDeformations(x);
    forces.fill(0);
    values?.fill(0);
    for (let t = 0; t < rest.tetraCount; t++) {
      decompose(this.deformations, 9 * t, u, s, v);
      this.material.writeGradient(s, g);
      const scale = volumes[t] * stiffness[t];
      // V⁰ P, P = U·diag(g)·Vᵀ.
      for (let i = 0; i < 9; i += 3) {
        for (let j = 0; j < 3; j++) {
          stress[i + j] =
            scale * (u[i] * g[0] * v[3 * j] + u[i + 1] * g[1] * v[3 * j + 1] + u[i + 2] * g[2] * v[3 * j + 2]);
        }
      }
      this.fibres?.addStress(this.deformations, t, volumes[t], stress);
      for (let a = 0; a < 4; a++) {
        const at = 12 * t + 3 * a;
        const n = 3 * tetrahedra[4 * t + a];
        for (let i = 0; i < 3; i++) {
          forces[n + i] -=
            stress[3 * i] * gradients[at] +
            stress[3 * i + 1] * gradients[at + 1] +
            stress[3 * i + 2] * gradients[at + 2];
        }
      }
      if (!values) continue;
      this.writeModes(positive);
      this.addStiffness(t, scale, values);
      this.fibres?.addStiffness(this.deformations, t, rest, positive, values);
    }
  }

  /** F = Σ x_a ⊗ ∇N_a. */
  private writeDeformations(x: Float64Array): void {
    const { rest, deformations: f } = this;
    const { gradients } = rest;
    const { tetrahedra } = rest.mesh;
    for (let t = 0; t < rest.tetraCount; t++) {
      const o = 3 * tetrahedra[4 * t];
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          // Relative to the first corner: far from the origin no digits are lost.
          for (let a = 1; a < 4; a++) {
            sum += (x[3 * tetrahedra[4 * t + a] + i] - x[o + i]) * gradients[12 * t + 3 * a + j];
          }
          f[9 * t + 3 * i + j] = sum;
        }
      }
    }
  }

  /** ∂P′/∂F′ in the principal frame: h for the stretches, and the two modes of each pair, a shear and a turn. */
  private writeModes(positive: boolean): void {
    const { s, g, h, same, crossed } = this;
    this.material.writeHessian(s, h);
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

  /** Adds V⁰ Bᵀ (∂P/∂F) B to the blocks of the tetrahedron's pairs of corners. */
  private addStiffness(t: number, scale: number, values: Float64Array): void {
    const { rest, u, v, h, same, crossed, turned, block, half } = this;
    const { gradients } = rest;
    const { slots } = rest.neighbours;
    for (let a = 0; a < 4; a++) {
      const at = 12 * t + 3 * a;
      for (let i = 0; i < 3; i++) {
        turned[3 * a + i] = gradients[at] * v[i] + gradients[at + 1] * v[3 + i] + gradients[at + 2] * v[6 + i];
      }
    }
    for (let a = 0; a < 4; a++) {
      const p0 = scale * turned[3 * a];
      const p1 = scale * turned[3 * a + 1];
      const p2 = scale * turned[3 * a + 2];
      for (let b = a; b < 4; b++) {
        const q0 = turned[3 * b];
        const q1 = turned[3 * b + 1];
        const q2 = turned[3 * b + 2];
        block[0] = h[0] * p0 * q0 + same[0] * p1 * q1 + same[1] * p2 * q2;
        block[1] = h[3] * p0 * q1 + crossed[0] * p1 * q0;
        block[2] = h[4] * p0 * q2 + crossed[1] * p2 * q0;
        block[3] = h[3] * p1 * q0 + crossed[0] * p0 * q1;
        block[4] = h[1] * p1 * q1 + same[0] * p0 * q0 + same[2] * p2 * q2;
        block[5] = h[5] * p1 * q2 + crossed[2] * p2 * q1;
        block[6] = h[4] * p2 * q0 + crossed[1] * p0 * q2;
        block[7] = h[5] * p2 * q1 + crossed[2] * p1 * q2;
        block[8] = h[2] * p2 * q2 + same[1] * p0 * q0 + same[2] * p1 * q1;
        // U·block·Uᵀ.
        for (let i = 0; i < 9; i += 3) {
          for (let j = 0; j < 3; j++) half[i + j] = u[i] * block[j] + u[i + 1] * block[3 + j] + u[i + 2] * block[6 + j];
        }
        const slot = 9 * slots[16 * t + 4 * a + b];
        const mirror = 9 * slots[16 * t + 4 * b + a];
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            const value = half[3 * i] * u[3 * j] + half[3 * i + 1] * u[3 * j + 1] + half[3 * i + 2] * u[3 * j + 2];
            values[slot + 3 * i + j] += value;
            if (a !== b) values[mirror + 3 * j + i] += value;
          }
        }
      }
    }
  }
}
