// What a stretched element costs: energies in the principal stretches, with their derivatives.
// Based on: G. Irving, J. Teran, R. Fedkiw, Invertible finite elements, 2004; A. Stomakhin et al., Energetically consistent
// invertible elasticity, 2012 (the extension below a least stretch has an energy).

import { logarithm } from '../../math/logarithm.js';

/** An isotropic material: symmetric functions of three stretches s (1 at rest). Moduli in Pa. */
export interface Material {
  /** Ψ(s) [J/m³]. */
  energy(s: ArrayLike<number>): number;
  /** ∂Ψ/∂sᵢ [Pa]. */
  writeGradient(s: ArrayLike<number>, out: Float64Array): void;
  /** ∂²Ψ/∂sᵢ∂sⱼ [Pa]: 00, 11, 22, 01, 02, 12. */
  writeHessian(s: ArrayLike<number>, out: Float64Array): void;
  /** Of a material without λ that kernels know. */
  readonly plain?: PlainMaterial;
}

/** What kernels compute by themselves: Σ ψ(sᵢ), a function of each stretch alone. */
export interface PlainMaterial {
  readonly kind: (typeof PLAIN_KINDS)[keyof typeof PLAIN_KINDS];
  /** μ [Pa]. */
  readonly mu: number;
  /** Where a stretch is not above it, TypeScript answers: the extension's, or where the stiffness turns negative. */
  readonly least: number;
}

/** By number, as in the kernels. */
const PLAIN_KINDS = { neoHookean: 0, corotated: 1, stVenantKirchhoff: 2 } as const;

/** Below this stretch stress goes on linearly, so that flat and inverted elements have finite forces that turn them back. */
export const LEAST_STRETCH = 0.2;
/** Just above 1/√3, where the stiffness of St. Venant and Kirchhoff's material along a stretch is nothing. */
const SOFTENED = 0.5774;

const plainOf = (kind: PlainMaterial['kind'], mu: number, lambda: number, least = LEAST_STRETCH) =>
  lambda === 0 ? { kind, mu, least } : undefined;

/** Ψ = μ/2 (Σ s² − 3) − μ ln J + λ/2 ln² J. */
export function neoHookean(mu: number, lambda: number): Material {
  const logJ = (s: ArrayLike<number>): number => logarithm(s[0] * s[1] * s[2]);
  return {
    plain: plainOf(PLAIN_KINDS.neoHookean, mu, lambda),
    energy: (s) => {
      const j = logJ(s);
      return (mu / 2) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3) - mu * j + (lambda / 2) * j * j;
    },
    writeGradient: (s, out) => {
      const pull = lambda === 0 ? -mu : lambda * logJ(s) - mu;
      for (let i = 0; i < 3; i++) out[i] = mu * s[i] + pull / s[i];
    },
    writeHessian: (s, out) => {
      const pull = lambda === 0 ? -mu : lambda * logJ(s) - mu;
      for (let i = 0; i < 3; i++) out[i] = mu + (lambda - pull) / (s[i] * s[i]);
      out[3] = lambda / (s[0] * s[1]);
      out[4] = lambda / (s[0] * s[2]);
      out[5] = lambda / (s[1] * s[2]);
    },
  };
}

/** Ψ = μ Σ (s − 1)² + λ/2 (Σ (s − 1))²; does not keep volume at large strain, whatever λ. */
export function corotated(mu: number, lambda: number): Material {
  const trace = (s: ArrayLike<number>): number => s[0] + s[1] + s[2] - 3;
  return {
    plain: plainOf(PLAIN_KINDS.corotated, mu, lambda),
    energy: (s) => mu * ((s[0] - 1) ** 2 + (s[1] - 1) ** 2 + (s[2] - 1) ** 2) + (lambda / 2) * trace(s) * trace(s),
    writeGradient: (s, out) => {
      for (let i = 0; i < 3; i++) out[i] = 2 * mu * (s[i] - 1) + lambda * trace(s);
    },
    writeHessian: (_, out) => {
      out.fill(2 * mu + lambda, 0, 3);
      out.fill(lambda, 3, 6);
    },
  };
}

/** Ψ = μ Σ e² + λ/2 (Σ e)² with Green's strains e = (s² − 1)/2; softens in compression. */
export function stVenantKirchhoff(mu: number, lambda: number): Material {
  const trace = (s: ArrayLike<number>): number => (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3) / 2;
  return {
    plain: plainOf(PLAIN_KINDS.stVenantKirchhoff, mu, lambda, SOFTENED),
    energy: (s) => {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += ((s[i] * s[i] - 1) / 2) ** 2;
      return mu * sum + (lambda / 2) * trace(s) * trace(s);
    },
    writeGradient: (s, out) => {
      for (let i = 0; i < 3; i++) out[i] = (mu * (s[i] * s[i] - 1) + lambda * trace(s)) * s[i];
    },
    writeHessian: (s, out) => {
      for (let i = 0; i < 3; i++) {
        out[i] = mu * (3 * s[i] * s[i] - 1) + lambda * (trace(s) + s[i] * s[i]);
      }
      out[3] = lambda * s[0] * s[1];
      out[4] = lambda * s[0] * s[2];
      out[5] = lambda * s[1] * s[2];
    },
  };
}

/**
 * The material extended to all stretches, also negative ones: with ŝ = max(s, 0.2) and δ = s − ŝ,
 * Ψ(ŝ) + Σ ∂ᵢΨ(ŝ) δᵢ + k/2 Σ δᵢ², k the material's own slope at one stretch of 0.2. Its gradient is exact; of its Hessian the third
 * derivatives are left out, which the neo-Hookean material without λ and the corotated one do not have.
 */
export function extend(material: Material): Material {
  const inside = new Float64Array(3);
  const gradient = new Float64Array(3);
  const hessian = new Float64Array(6);
  material.writeHessian([LEAST_STRETCH, 1, 1], hessian);
  const slope = Math.max(0, hessian[0]);
  /** Clamped stretches; whether all were inside. */
  const clamp = (s: ArrayLike<number>): boolean => {
    for (let i = 0; i < 3; i++) inside[i] = s[i] > LEAST_STRETCH ? s[i] : LEAST_STRETCH;
    return s[0] > LEAST_STRETCH && s[1] > LEAST_STRETCH && s[2] > LEAST_STRETCH;
  };
  return {
    plain: material.plain,
    energy: (s) => {
      clamp(s);
      material.writeGradient(inside, gradient);
      let sum = material.energy(inside);
      for (let i = 0; i < 3; i++) sum += gradient[i] * (s[i] - inside[i]) + (slope / 2) * (s[i] - inside[i]) ** 2;
      return sum;
    },
    writeGradient: (s, out) => {
      const isInside = clamp(s);
      material.writeGradient(inside, out);
      if (isInside) return;
      material.writeHessian(inside, hessian);
      for (let i = 0; i < 3; i++) gradient[i] = s[i] - inside[i];
      for (let i = 0; i < 3; i++) {
        if (s[i] < LEAST_STRETCH) out[i] += slope * gradient[i];
        else for (let j = 0; j < 3; j++) if (j !== i) out[i] += hessian[2 + i + j] * gradient[j];
      }
    },
    writeHessian: (s, out) => {
      const isInside = clamp(s);
      material.writeHessian(inside, out);
      if (isInside) return;
      for (let i = 0; i < 3; i++) {
        if (!(s[i] < LEAST_STRETCH)) continue;
        out[i] = slope;
        for (let j = 0; j < 3; j++) if (j !== i && s[j] < LEAST_STRETCH) out[2 + i + j] = 0;
      }
    },
  };
}
