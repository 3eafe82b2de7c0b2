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
/** Energy density at rest but for the logarithm, taken off so that rest is zero: sums keep their digits. So the logarithm is that of (I + 1)/4. */
const REST = 0.5 * LAMBDA * (1 - BETA) ** 2;
/** Stiffness that stands for the energy's in the preconditioner: of μ, μ + λ/3 and this, it took the fewest steps by 1.4 to 2.5. */
const PRECONDITIONER = (4 / 3) * MU + LAMBDA;

export class ElasticEnergy {
  readonly tetCount: number;
  /** Volume of each tetrahedron at rest, and a quarter of those around each vertex. */
  readonly volumes: Float64Array;
  readonly masses: Float64Array;
  /**
   * Gradients of the shape functions of corners 1, 2, 3, each tetrahedron in axes of its own, as the energy knows no directions: the first
   * edge, and the second in a plane with it. So they are (g₀ g₁ g₃), (0 g₂ g₄), (0 0 g₅), six numbers instead of nine; that of corner 0 is
   * minus their sum. Two tetrahedra lie number by number beside each other, for kernels; the last of an odd count has one of no weight at its side.
   */
  private readonly gradients: Float64Array;
  /** Volume × stiffness, and the corners as places in bytes, in pairs as well. */
  private readonly weights: Float64Array;
  private readonly corners: Uint32Array;
  /** I + 1 of each where the energy was found last, and where it was settled; behind them by how much the sum of logarithms has grown at least. */
  private above: Float64Array;
  private settled: Float64Array;
  /** The sums of logarithms there. */
  private logarithms = 0;
  private settledLogarithms = 0;
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
    this.gradients = room.numbers(6 * even);
    this.weights = room.numbers(even);
    this.above = room.numbers(even + 1);
    this.settled = room.numbers(even + 1);
    const corners = new Uint32Array(4 * even);
    for (let i = 0; i < tetrahedra.length; i++) corners[i] = 3 * Float64Array.BYTES_PER_ELEMENT * tetrahedra[i];
    this.corners = room.indices(corners);
  }

  /** Bytes that the energy takes of a room. */
  static roomFor(tetCount: number): number {
    return 8 * 9 * (tetCount + 2) + 4 * 4 * (tetCount + 1) + 96;
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
      // [u v w] = Q R by Gram and Schmidt, Q a rotation; the gradients are the rows of R⁻¹.
      const r00 = Math.sqrt(ux * ux + uy * uy + uz * uz);
      const [px, py, pz] = [ux / r00, uy / r00, uz / r00];
      const r01 = px * vx + py * vy + pz * vz;
      const [sx, sy, sz] = [vx - r01 * px, vy - r01 * py, vz - r01 * pz];
      const r11 = Math.sqrt(sx * sx + sy * sy + sz * sz);
      const [qx, qy, qz] = [sx / r11, sy / r11, sz / r11];
      const r02 = px * wx + py * wy + pz * wz;
      const r12 = qx * wx + qy * wy + qz * wz;
      const r22 = (py * qz - pz * qy) * wx + (pz * qx - px * qz) * wy + (px * qy - py * qx) * wz;
      const at = firstOf(t);
      g[at] = 1 / r00;
      g[at + 2] = -r01 / (r00 * r11);
      g[at + 4] = 1 / r11;
      g[at + 6] = (r01 * r12 - r02 * r11) / (r00 * r11 * r22);
      g[at + 8] = -r12 / (r11 * r22);
      g[at + 10] = 1 / r22;
      const sixVolume = r00 * r11 * r22;
      volumes[t] = sixVolume / 6;
      weights[t] = this.stiffness[t] * volumes[t];
      for (let k = 0; k < 4; k++) masses[tets[4 * t + k]] += sixVolume / 24;
    }
  }

  /** The energy at x; its gradient is added to `out`. */
  add(x: Float64Array, out: Float64Array): number {
    const energy = this.addShape(x, out);
    const { weights, above } = this;
    const kernels = this.room.kernelsFor(weights);
    this.logarithms = kernels
      ? kernels.sumLogarithms(weights.length / 2, weights.byteOffset, above.byteOffset)
      : sumLogarithms(weights, above);
    return energy - 0.5 * MU * this.logarithms;
  }

  /** What was found last is what others are held against. */
  settle(): void {
    [this.above, this.settled] = [this.settled, this.above];
    this.settledLogarithms = this.logarithms;
  }

  /**
   * As `add`, but that the energy may have fallen by less since it was settled, and never by more. Logarithms take a quarter of the time: 1 − a/b is
   * no more than ln b/a, and less by half of its square.
   */
  addNear(x: Float64Array, out: Float64Array): number {
    const energy = this.addShape(x, out);
    this.logarithms = this.settledLogarithms + this.above[this.above.length - 1];
    return energy - 0.5 * MU * this.logarithms;
  }

  /** The energy but for its logarithms. */
  private addShape(x: Float64Array, out: Float64Array): number {
    const { tetrahedra: tets, gradients: g, weights, corners, above, settled } = this;
    const kernels = this.room.kernelsFor(x, out, weights);
    if (kernels) {
      const [c, d, w] = [corners.byteOffset, g.byteOffset, weights.byteOffset];
      const [n, m, p, q] = [above.byteOffset, settled.byteOffset, x.byteOffset, out.byteOffset];
      return kernels.addElastic(weights.length / 2, c, d, w, n, m, p, q, LAMBDA, BETA, REST);
    }
    const energies = [0, 0];
    const growths = [0, 0];
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
      const f00 = ux * g0;
      const f10 = uy * g0;
      const f20 = uz * g0;
      const f01 = ux * g1 + vx * g2;
      const f11 = uy * g1 + vy * g2;
      const f21 = uz * g1 + vz * g2;
      const f02 = ux * g3 + vx * g4 + wx * g5;
      const f12 = uy * g3 + vy * g4 + wy * g5;
      const f22 = uz * g3 + vz * g4 + wz * g5;
      const c00 = f11 * f22 - f12 * f21;
      const c01 = f12 * f20 - f10 * f22;
      const c02 = f10 * f21 - f11 * f20;
      const norm =
        f00 * f00 + f01 * f01 + f02 * f02 + f10 * f10 + f11 * f11 + f12 * f12 + f20 * f20 + f21 * f21 + f22 * f22;
      const off = f00 * c00 + f01 * c01 + f02 * c02 - BETA;
      const weight = weights[t];
      energies[t % 2] += weight * (0.5 * MU * (norm - 3) + 0.5 * LAMBDA * off * off - REST);
      const inverse = 1 / (norm + 1);
      growths[t % 2] += weight * (1 - settled[t] * inverse);
      above[t] = norm + 1;
      // First Piola–Kirchhoff stress μ (1 − 1/(I + 1)) F + λ (J − β) cof F, times the volume.
      const shear = weight * MU * (1 - inverse);
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
      const bx = p00 * g0 + p01 * g1 + p02 * g3;
      const by = p10 * g0 + p11 * g1 + p12 * g3;
      const bz = p20 * g0 + p21 * g1 + p22 * g3;
      const cx = p01 * g2 + p02 * g4;
      const cy = p11 * g2 + p12 * g4;
      const cz = p21 * g2 + p22 * g4;
      const dx = p02 * g5;
      const dy = p12 * g5;
      const dz = p22 * g5;
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
    above[above.length - 1] = growths[0] + growths[1];
    return energies[0] + energies[1];
  }

  /** Adds the Laplacian that stands for the energy's second derivatives. @param slots of the ten pairs of each tetrahedron. */
  addLaplacian(factor: SparseFactor, slots: Uint32Array): void {
    const { gradients: g, weights } = this;
    const { matrix } = factor;
    const corner = new Float64Array(12);
    for (let t = 0; t < this.tetCount; t++) {
      const at = firstOf(t);
      corner[3] = g[at];
      corner[4] = g[at + 2];
      corner[5] = g[at + 6];
      corner[7] = g[at + 4];
      corner[8] = g[at + 8];
      corner[11] = g[at + 10];
      for (let k = 0; k < 3; k++) corner[k] = -(corner[3 + k] + corner[6 + k] + corner[9 + k]);
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

/** Σ weight × ln (I + 1)/4, in two sums. */
function sumLogarithms(weights: Float64Array, above: Float64Array): number {
  const sums = [0, 0];
  for (let t = 0; t < weights.length; t++) if (weights[t] > 0) sums[t % 2] += weights[t] * logarithm(0.25 * above[t]);
  return sums[0] + sums[1];
}

/** Where the gradients of a tetrahedron begin; they go on in steps of two. */
const firstOf = (t: number): number => 12 * (t >> 1) + (t & 1);

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
