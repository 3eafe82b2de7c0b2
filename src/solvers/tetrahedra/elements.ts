// Elastic forces and stiffness of all tetrahedra, from the singular values of their deformation.
// Based on: G. Irving, J. Teran, R. Fedkiw, Invertible finite elements for robust simulation of large deformation, 2004, and
// J. Teran et al., Robust quasistatic finite elements and flesh simulation, 2005 (stiffness made positive by its modes).

import { ElementBatch, eachBatch } from './element-batch.js';
import { ElementModes } from './element-modes.js';
import type { Material } from './materials.js';
import { TetraMemory } from './memory.js';
import type { FibreForce } from './muscle.js';
import type { TetraRest } from './rest.js';
import { LARGE } from './runs.js';
import { PAIRS, type StiffnessMatrix } from './stiffness-matrix.js';
import { decompose } from './svd3.js';

export class Elements {
  private readonly modes = new ElementModes();
  private readonly deformation = new Float64Array(9);
  private readonly stress = new Float64Array(9);
  /** ∇N of the corners in the frame of V. */
  private readonly turned = new Float64Array(12);
  private readonly principal = new Float64Array(9);
  /** The ten blocks of a tetrahedron, in the order of `PAIRS`. */
  private readonly blocks = new Float64Array(90);
  private readonly half = new Float64Array(9);
  private readonly pull = new Float64Array(12);
  /** V⁰ times the factor on the stiffness [m³]. */
  private readonly scales: Float64Array;
  private readonly batch: ElementBatch | undefined;

  constructor(
    private readonly rest: TetraRest,
    /** Extended to all stretches. */
    public material: Material,
    private readonly fibres?: FibreForce,
    memory = TetraMemory.onHeap(),
  ) {
    this.scales = memory.share(rest.volumes.map((volume, t) => volume * rest.stiffness[t]));
    this.batch = ElementBatch.in(memory, rest, this.scales);
  }

  /** Ψ of the whole body [J] at positions x [m]. */
  energy(x: Float64Array): number {
    const { rest, deformation, modes } = this;
    let sum = 0;
    for (let t = 0; t < rest.tetraCount; t++) {
      writeDeformation(rest, x, t, deformation);
      decompose(deformation, 0, modes.u, modes.s, modes.v);
      sum += this.scales[t] * this.material.energy(modes.s);
      if (this.fibres) sum += rest.volumes[t] * this.fibres.energy(deformation, t);
    }
    return sum;
  }

  /**
   * Elastic forces at x [N] and, where `matrix` is given, `factor` times K = −∂f/∂x [N/m]. `positive` makes each element's
   * stiffness positive semi-definite, which the implicit step needs.
   */
  assemble(x: Float64Array, forces: Float64Array, matrix?: StiffnessMatrix, positive = true, factor = 1): void {
    const { rest, modes, material, batch } = this;
    forces.fill(0);
    matrix?.values.fill(0);
    if (batch && matrix && positive) {
      batch.runAll(x, material, modes, forces, matrix, factor);
    } else {
      const add = (first: number, count: number): void => {
        for (let t = first; t < first + count; t++) this.assembleOne(t, x, forces, matrix, positive, factor);
      };
      const { least } = material.plain ?? { least: -Infinity };
      // Batches with elements that are nearly flat come last, as kernels leave them to this.
      const left: [first: number, count: number][] = [];
      eachBatch(rest.tetraRuns, (first, count) => {
        if (rest.tetraCount < LARGE || !this.isFlat(first, count, x, least)) add(first, count);
        else left.push([first, count]);
      });
      for (const [first, count] of left) add(first, count);
    }
    if (this.fibres) this.addFibres(this.fibres, x, forces, matrix, positive, factor);
  }

  /** Whether one of so many tetrahedra has a stretch of at most `least`. */
  private isFlat(first: number, count: number, x: Float64Array, least: number): boolean {
    const { rest, deformation, modes } = this;
    for (let t = first; t < first + count; t++) {
      writeDeformation(rest, x, t, deformation);
      decompose(deformation, 0, modes.u, modes.s, modes.v);
      if (!(modes.s[2] > least)) return true;
    }
    return false;
  }

  private assembleOne(
    t: number,
    x: Float64Array,
    forces: Float64Array,
    matrix: StiffnessMatrix | undefined,
    positive: boolean,
    factor: number,
  ): void {
    const { deformation, modes, rest, turned, pull } = this;
    const { u, v, s, g } = modes;
    const { tetrahedra } = rest.mesh;
    const { gradients } = rest;
    writeDeformation(rest, x, t, deformation);
    decompose(deformation, 0, u, s, v);
    modes.write(this.material, positive);
    for (let a = 1; a < 4; a++) {
      const at = 12 * t + 3 * a;
      for (let i = 0; i < 3; i++) {
        turned[3 * a + i] = gradients[at] * v[i] + gradients[at + 1] * v[3 + i] + gradients[at + 2] * v[6 + i];
      }
      // V⁰ P ∇N, P = U·diag(g)·Vᵀ.
      const p0 = g[0] * (this.scales[t] * turned[3 * a]);
      const p1 = g[1] * (this.scales[t] * turned[3 * a + 1]);
      const p2 = g[2] * (this.scales[t] * turned[3 * a + 2]);
      for (let i = 0; i < 3; i++) pull[3 * a + i] = u[3 * i] * p0 + u[3 * i + 1] * p1 + u[3 * i + 2] * p2;
    }
    for (let i = 0; i < 3; i++) {
      forces[3 * tetrahedra[4 * t] + i] += pull[3 + i] + pull[6 + i] + pull[9 + i];
      for (let a = 1; a < 4; a++) forces[3 * tetrahedra[4 * t + a] + i] -= pull[3 * a + i];
    }
    if (!matrix) return;
    this.writeBlocks(this.scales[t] * factor);
    for (let pair = 0; pair < 10; pair++) matrix.add(t, pair, this.blocks, 9 * pair);
  }

  /** V⁰ Bᵀ (∂P/∂F) B: six blocks by the modes; those of the first corner follow, as a tetrahedron that moves whole has no force. */
  private writeBlocks(scale: number): void {
    const { blocks } = this;
    for (let pair = 0; pair < 10; pair++) {
      const [a, b] = PAIRS[pair];
      if (a > 0) this.writeBlock(a, b, scale, 9 * pair);
    }
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const [k, m] = [3 * i + j, 3 * j + i];
        blocks[36 + k] = -(blocks[9 + k] + blocks[63 + m] + blocks[72 + m]);
        blocks[45 + k] = -(blocks[63 + k] + blocks[18 + k] + blocks[81 + m]);
        blocks[54 + k] = -(blocks[72 + k] + blocks[81 + k] + blocks[27 + k]);
      }
    }
    for (let i = 0; i < 3; i++) {
      for (let j = i; j < 3; j++) {
        const value = -(blocks[36 + 3 * i + j] + blocks[45 + 3 * i + j] + blocks[54 + 3 * i + j]);
        blocks[3 * i + j] = blocks[3 * j + i] = value;
      }
    }
  }

  /** The block of corners a ≤ b: in the principal frame, then U·that·Uᵀ. */
  private writeBlock(a: number, b: number, scale: number, to: number): void {
    const { modes, turned, principal, half, blocks } = this;
    const { u, h, same, crossed } = modes;
    const p0 = scale * turned[3 * a];
    const p1 = scale * turned[3 * a + 1];
    const p2 = scale * turned[3 * a + 2];
    const q0 = turned[3 * b];
    const q1 = turned[3 * b + 1];
    const q2 = turned[3 * b + 2];
    principal[0] = h[0] * p0 * q0 + same[0] * p1 * q1 + same[1] * p2 * q2;
    principal[1] = h[3] * p0 * q1 + crossed[0] * p1 * q0;
    principal[2] = h[4] * p0 * q2 + crossed[1] * p2 * q0;
    principal[3] = h[3] * p1 * q0 + crossed[0] * p0 * q1;
    principal[4] = h[1] * p1 * q1 + same[0] * p0 * q0 + same[2] * p2 * q2;
    principal[5] = h[5] * p1 * q2 + crossed[2] * p2 * q1;
    principal[6] = h[4] * p2 * q0 + crossed[1] * p0 * q2;
    principal[7] = h[5] * p2 * q1 + crossed[2] * p1 * q2;
    principal[8] = h[2] * p2 * q2 + same[1] * p0 * q0 + same[2] * p1 * q1;
    for (let i = 0; i < 9; i += 3) {
      for (let j = 0; j < 3; j++) {
        half[i + j] = u[i] * principal[j] + u[i + 1] * principal[3 + j] + u[i + 2] * principal[6 + j];
      }
    }
    for (let i = 0; i < 3; i++) {
      for (let j = a === b ? i : 0; j < 3; j++) {
        const value = half[3 * i] * u[3 * j] + half[3 * i + 1] * u[3 * j + 1] + half[3 * i + 2] * u[3 * j + 2];
        blocks[to + 3 * i + j] = value;
        if (a === b) blocks[to + 3 * j + i] = value;
      }
    }
  }

  /** The muscles' part, after all the rest. */
  private addFibres(
    fibres: FibreForce,
    x: Float64Array,
    forces: Float64Array,
    matrix: StiffnessMatrix | undefined,
    positive: boolean,
    factor: number,
  ): void {
    const { rest, deformation, stress } = this;
    const { gradients, volumes, mesh } = rest;
    for (let t = 0; t < rest.tetraCount; t++) {
      if (fibres.activation[t] === 0) continue;
      writeDeformation(rest, x, t, deformation);
      stress.fill(0);
      fibres.addStress(deformation, t, volumes[t], stress);
      for (let a = 0; a < 4; a++) {
        const [at, n] = [12 * t + 3 * a, 3 * mesh.tetrahedra[4 * t + a]];
        for (let i = 0; i < 3; i++) {
          forces[n + i] -=
            stress[3 * i] * gradients[at] +
            stress[3 * i + 1] * gradients[at + 1] +
            stress[3 * i + 2] * gradients[at + 2];
        }
      }
      if (matrix) fibres.addStiffness(deformation, t, rest, positive, matrix, factor);
    }
  }
}

/** F = Σ x_a ⊗ ∇N_a of one tetrahedron, row by row; relative to the first corner, so that no digits are lost far away. */
export function writeDeformation(rest: TetraRest, x: Float64Array, t: number, out: Float64Array): void {
  const { gradients } = rest;
  const { tetrahedra } = rest.mesh;
  const [o, a, b, c] = [
    3 * tetrahedra[4 * t],
    3 * tetrahedra[4 * t + 1],
    3 * tetrahedra[4 * t + 2],
    3 * tetrahedra[4 * t + 3],
  ];
  const at = 12 * t;
  for (let i = 0; i < 3; i++) {
    const p = x[a + i] - x[o + i];
    const q = x[b + i] - x[o + i];
    const r = x[c + i] - x[o + i];
    for (let j = 0; j < 3; j++) {
      out[3 * i + j] = p * gradients[at + 3 + j] + q * gradients[at + 6 + j] + r * gradients[at + 9 + j];
    }
  }
}
