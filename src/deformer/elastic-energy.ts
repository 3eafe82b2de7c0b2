// The energy of the helper mesh's tetrahedra and its gradient: a stable neo-Hookean solid, which is smooth through inversion and
// pushes inverted tetrahedra back. Based on: [SGK18].
//   Ψ = μ/2 (I − 3) + λ/2 (J − β)² − μ/2 ln(I + 1),  F = Σ xₖ ⊗ ∇Nₖ,  I = |F|²,  J = det F,  β = 1 + 3μ/(4λ)

import { logarithm } from '../math/logarithm.js';
import { ANYWHERE, type SolverRoom } from './solver-room.js';
import type { SparseFactor } from './sparse-factor.js';

/** Shear modulus: the unit of everything here. */
export const MU = 1;
/** With contact hard the modulus cancels; λ only spreads the volume. At 100 it begins to lock, at 3 tetrahedra invert. */
export const LAMBDA = 10 * MU;
const BETA = 1 + (0.75 * MU) / LAMBDA;
/** Energy density at rest, taken off so that rest is zero: sums keep their digits. */
const REST = 0.5 * LAMBDA * (1 - BETA) ** 2 - 0.5 * MU * logarithm(4);
/** Stiffness that stands for the energy's in the preconditioner: of μ, μ + λ/3 and this, it took the fewest steps by 1.4 to 2.5. */
const PRECONDITIONER = (4 / 3) * MU + LAMBDA;

export class ElasticEnergy {
  readonly tetCount: number;
  /** Volume of each tetrahedron at rest, and a quarter of those around each vertex. */
  readonly volumes: Float64Array;
  readonly masses: Float64Array;
  /**
   * Gradients of the shape functions of corners 1, 2, 3; that of corner 0 is minus their sum. Two tetrahedra lie number by number beside
   * each other, for kernels; the last of an odd count has one of no weight at its side.
   */
  private readonly gradients: Float64Array;
  /** Volume × stiffness, and the corners, in pairs as well. */
  private readonly weights: Float64Array;
  private readonly corners: Uint32Array;
  private rest: Float64Array | undefined;

  /** @param stiffness factor on μ and λ of each tetrahedron. */
  constructor(
    readonly tetrahedra: Uint32Array,
    vertexCount: number,
    private readonly stiffness: Float64Array,
    private readonly room: SolverRoom = ANYWHERE,
  ) {
    this.tetCount = tetrahedra.length / 4;
    const even = this.tetCount + (this.tetCount % 2);
    this.volumes = new Float64Array(this.tetCount);
    this.masses = new Float64Array(vertexCount);
    this.gradients = room.numbers(9 * even);
    this.weights = room.numbers(even);
    const corners = new Uint32Array(4 * even);
    corners.set(tetrahedra);
    this.corners = room.indices(corners);
  }

  /** Bytes that the energy takes of a room. */
  static roomFor(tetCount: number): number {
    return 8 * 10 * (tetCount + 1) + 4 * 4 * (tetCount + 1) + 64;
  }

  /** Takes positions as rest; they must not change afterwards. */
  setRest(x: Float64Array): void {
    if (x === this.rest) return;
    this.rest = x;
    const { tetrahedra: tets, volumes, weights, masses, gradients: g } = this;
    masses.fill(0);
    for (let t = 0; t < this.tetCount; t++) {
      const a = 3 * tets[4 * t];
      const b = 3 * tets[4 * t + 1];
      const c = 3 * tets[4 * t + 2];
      const d = 3 * tets[4 * t + 3];
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      const [wx, wy, wz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]];
      const at = firstOf(t);
      g[at] = vy * wz - vz * wy;
      g[at + 2] = vz * wx - vx * wz;
      g[at + 4] = vx * wy - vy * wx;
      g[at + 6] = wy * uz - wz * uy;
      g[at + 8] = wz * ux - wx * uz;
      g[at + 10] = wx * uy - wy * ux;
      g[at + 12] = uy * vz - uz * vy;
      g[at + 14] = uz * vx - ux * vz;
      g[at + 16] = ux * vy - uy * vx;
      const sixVolume = ux * g[at] + uy * g[at + 2] + uz * g[at + 4];
      for (let k = 0; k < 18; k += 2) g[at + k] /= sixVolume;
      volumes[t] = sixVolume / 6;
      weights[t] = this.stiffness[t] * volumes[t];
      for (let k = 0; k < 4; k++) masses[tets[4 * t + k]] += sixVolume / 24;
    }
  }

  /** The energy at x; its gradient is added to `out`. */
  add(x: Float64Array, out: Float64Array): number {
    const { tetrahedra: tets, gradients: g, weights, corners } = this;
    const kernels = this.room.kernelsFor(x, out, weights);
    if (kernels) {
      const [c, d, w, p, q] = [corners.byteOffset, g.byteOffset, weights.byteOffset, x.byteOffset, out.byteOffset];
      return kernels.addElastic(weights.length / 2, c, d, w, p, q, LAMBDA, BETA, REST);
    }
    const energies = [0, 0];
    for (let t = 0; t < this.tetCount; t++) {
      const a = 3 * tets[4 * t];
      const b = 3 * tets[4 * t + 1];
      const c = 3 * tets[4 * t + 2];
      const d = 3 * tets[4 * t + 3];
      const ax = x[a];
      const ay = x[a + 1];
      const az = x[a + 2];
      const ux = x[b] - ax;
      const uy = x[b + 1] - ay;
      const uz = x[b + 2] - az;
      const vx = x[c] - ax;
      const vy = x[c + 1] - ay;
      const vz = x[c + 2] - az;
      const wx = x[d] - ax;
      const wy = x[d + 1] - ay;
      const wz = x[d + 2] - az;
      const at = firstOf(t);
      const g0 = g[at];
      const g1 = g[at + 2];
      const g2 = g[at + 4];
      const g3 = g[at + 6];
      const g4 = g[at + 8];
      const g5 = g[at + 10];
      const g6 = g[at + 12];
      const g7 = g[at + 14];
      const g8 = g[at + 16];
      const f00 = ux * g0 + vx * g3 + wx * g6;
      const f01 = ux * g1 + vx * g4 + wx * g7;
      const f02 = ux * g2 + vx * g5 + wx * g8;
      const f10 = uy * g0 + vy * g3 + wy * g6;
      const f11 = uy * g1 + vy * g4 + wy * g7;
      const f12 = uy * g2 + vy * g5 + wy * g8;
      const f20 = uz * g0 + vz * g3 + wz * g6;
      const f21 = uz * g1 + vz * g4 + wz * g7;
      const f22 = uz * g2 + vz * g5 + wz * g8;
      const c00 = f11 * f22 - f12 * f21;
      const c01 = f12 * f20 - f10 * f22;
      const c02 = f10 * f21 - f11 * f20;
      const norm =
        f00 * f00 + f01 * f01 + f02 * f02 + f10 * f10 + f11 * f11 + f12 * f12 + f20 * f20 + f21 * f21 + f22 * f22;
      const off = f00 * c00 + f01 * c01 + f02 * c02 - BETA;
      const weight = weights[t];
      energies[t % 2] += weight * (0.5 * MU * (norm - 3 - logarithm(norm + 1)) + 0.5 * LAMBDA * off * off - REST);
      // First Piola–Kirchhoff stress μ (1 − 1/(I + 1)) F + λ (J − β) cof F, times the volume.
      const shear = weight * MU * (1 - 1 / (norm + 1));
      const press = weight * LAMBDA * off;
      const p00 = shear * f00 + press * c00;
      const p01 = shear * f01 + press * c01;
      const p02 = shear * f02 + press * c02;
      const p10 = shear * f10 + press * (f02 * f21 - f01 * f22);
      const p11 = shear * f11 + press * (f00 * f22 - f02 * f20);
      const p12 = shear * f12 + press * (f01 * f20 - f00 * f21);
      const p20 = shear * f20 + press * (f01 * f12 - f02 * f11);
      const p21 = shear * f21 + press * (f02 * f10 - f00 * f12);
      const p22 = shear * f22 + press * (f00 * f11 - f01 * f10);
      const bx = p00 * g0 + p01 * g1 + p02 * g2;
      const by = p10 * g0 + p11 * g1 + p12 * g2;
      const bz = p20 * g0 + p21 * g1 + p22 * g2;
      const cx = p00 * g3 + p01 * g4 + p02 * g5;
      const cy = p10 * g3 + p11 * g4 + p12 * g5;
      const cz = p20 * g3 + p21 * g4 + p22 * g5;
      const dx = p00 * g6 + p01 * g7 + p02 * g8;
      const dy = p10 * g6 + p11 * g7 + p12 * g8;
      const dz = p20 * g6 + p21 * g7 + p22 * g8;
      out[b] += bx;
      out[b + 1] += by;
      out[b + 2] += bz;
      out[c] += cx;
      out[c + 1] += cy;
      out[c + 2] += cz;
      out[d] += dx;
      out[d + 1] += dy;
      out[d + 2] += dz;
      out[a] -= bx + cx + dx;
      out[a + 1] -= by + cy + dy;
      out[a + 2] -= bz + cz + dz;
    }
    return energies[0] + energies[1];
  }

  /** Adds the Laplacian that stands for the energy's second derivatives. @param slots of the ten pairs of each tetrahedron. */
  addLaplacian(factor: SparseFactor, slots: Uint32Array): void {
    const { gradients: g, weights } = this;
    const { matrix } = factor;
    const corner = new Float64Array(12);
    for (let t = 0; t < this.tetCount; t++) {
      for (let k = 0, at = firstOf(t); k < 3; k++, at += 2) {
        corner[k] = -(g[at] + g[at + 6] + g[at + 12]);
        corner[3 + k] = g[at];
        corner[6 + k] = g[at + 6];
        corner[9 + k] = g[at + 12];
      }
      const weight = PRECONDITIONER * weights[t];
      for (let i = 0, pair = 10 * t; i < 4; i++) {
        for (let j = 0; j <= i; j++, pair++) {
          const product =
            corner[3 * i] * corner[3 * j] +
            corner[3 * i + 1] * corner[3 * j + 1] +
            corner[3 * i + 2] * corner[3 * j + 2];
          matrix[slots[pair]] += weight * product;
        }
      }
    }
  }

  /** Tetrahedra whose volume at x has not the sign it has at rest. */
  countInverted(x: Float64Array): number {
    const { tetrahedra: tets } = this;
    let inverted = 0;
    for (let t = 0; t < this.tetCount; t++) if (!(sixVolumeOf(x, tets, t) > 0)) inverted++;
    return inverted;
  }
}

/** Where the gradients of a tetrahedron begin; they go on in steps of two. */
const firstOf = (t: number): number => 18 * (t >> 1) + (t & 1);

/** Six times the signed volume of a tetrahedron. */
export function sixVolumeOf(x: ArrayLike<number>, tets: ArrayLike<number>, t: number): number {
  const a = 3 * tets[4 * t];
  const b = 3 * tets[4 * t + 1];
  const c = 3 * tets[4 * t + 2];
  const d = 3 * tets[4 * t + 3];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  const wx = x[d] - x[a];
  const wy = x[d + 1] - x[a + 1];
  const wz = x[d + 2] - x[a + 2];
  return (
    (x[b] - x[a]) * (vy * wz - vz * wy) +
    (x[b + 1] - x[a + 1]) * (vz * wx - vx * wz) +
    (x[b + 2] - x[a + 2]) * (vx * wy - vy * wx)
  );
}
