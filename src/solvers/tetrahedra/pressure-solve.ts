// One pressure solve: the change of velocity, free of momentum and of what contacts forbid, that gives one-rings a wanted
// rate of volume. [ISF07 eq. 1, 2]

import type { ContactProjection } from './contact-projection.js';
import { TetraMemory } from './memory.js';
import { Minres, type MinresOptions, type MinresResult } from './minres.js';
import { PressureMatrix, type PressurePattern } from './pressure-matrix.js';
import type { TetraRest } from './rest.js';
import { writeAllFaceVectors, writeDivergence, writePressureForce } from './ring-operators.js';

/** Of the residual: three Newton steps take 20 % of error to 0.1 % with it, and a tighter one pays below 0.01 % only. */
export const PRESSURE_TOLERANCE = 1e-2;
/** 1e-6 is too strict for a ball that is fixed all round, 1e-4 near eigenvalues that are real. */
const LEAST_SQUARES = 1e-5;
const MOST_ITERATIONS = 500;

export type Preconditioner = 'incomplete-cholesky' | 'jacobi';

export class PressureSolve {
  /** b_j at the positions of the last `place` [m²]. */
  readonly faceVectors: Float64Array;
  readonly matrix: PressureMatrix;
  private readonly minres: Minres;
  private readonly force: Float64Array;
  private readonly change: Float64Array;
  private isFactored = false;
  private hasLinks = false;
  /** Whether the matrix has the positions of the face vectors. */
  private isPlaced = false;
  private projection: ContactProjection | undefined;
  private readonly tetrahedra: Uint32Array;
  private readonly options: MinresOptions & { tolerance: number; isWarm: boolean };

  constructor(
    private readonly rest: TetraRest,
    pattern: PressurePattern,
    private readonly preconditioner: Preconditioner = 'incomplete-cholesky',
    private readonly memory = TetraMemory.onHeap(),
  ) {
    this.tetrahedra = memory.share(rest.mesh.tetrahedra);
    this.faceVectors = memory.reals(12 * rest.tetraCount);
    this.matrix = new PressureMatrix(rest, pattern, memory);
    this.minres = new Minres(rest.count, memory);
    this.force = memory.reals(3 * rest.count);
    this.change = memory.reals(3 * rest.count);
    this.options = {
      multiply: (x, y) => {
        if (this.hasLinks && this.projection) this.multiply(this.projection, x, y);
        else this.matrix.multiply(x, y);
      },
      precondition: (r, z) => {
        if (this.isFactored) this.matrix.solveFactors(r, z);
        else this.matrix.divideByDiagonal(r, z);
      },
      tolerance: PRESSURE_TOLERANCE,
      leastSquares: LEAST_SQUARES,
      mostIterations: MOST_ITERATIONS,
      isWarm: false,
    };
  }

  /** Takes the operators to positions x [m]. */
  place(x: Float64Array): void {
    const { tetrahedra, faceVectors, rest } = this;
    const { kernels } = this.memory;
    if (kernels) kernels.faceVectors(x.byteOffset, tetrahedra.byteOffset, rest.tetraCount, faceVectors.byteOffset);
    else writeAllFaceVectors(x, tetrahedra, faceVectors);
    this.isPlaced = false;
  }

  /**
   * Takes the matrix to the contacts; after `place`. `isFirst`: of a step; factors are made then and serve until the next one, as
   * a step changes little. `links`: whether there are constraints between nodes.
   */
  prepare(projection: ContactProjection, links = false, isFirst = true): void {
    this.hasLinks = links;
    this.projection = projection;
    if (!this.isPlaced) this.matrix.place(this.faceVectors);
    this.isPlaced = true;
    this.matrix.assemble(projection);
    if (isFirst) this.isFactored = this.preconditioner === 'incomplete-cholesky' && this.matrix.factor();
  }

  /** Rate at which velocities v change one-ring volumes [m³/s]. */
  divergence(v: Float64Array, out: Float64Array): void {
    const {
      tetrahedra: { byteOffset: corners },
      faceVectors: b,
      rest,
    } = this;
    const { kernels } = this.memory;
    if (!kernels) return writeDivergence(b, this.tetrahedra, v, out);
    kernels.divergence(b.byteOffset, corners, rest.tetraCount, v.byteOffset, out.byteOffset, rest.count);
  }

  /**
   * Finds p̂ [Pa·s] with div(P M⁻¹ (−grad p̂)) = rate, and γ = −P M⁻¹ grad p̂ [m/s]. A rate that cannot be met is met in the
   * sense of least squares. `isWarm`: p̂ is nearly what `pressure` holds.
   */
  solve(
    projection: ContactProjection,
    rate: Float64Array,
    pressure: Float64Array,
    gamma: Float64Array,
    tolerance = PRESSURE_TOLERANCE,
    isWarm = false,
  ): MinresResult {
    this.options.tolerance = tolerance;
    this.options.isWarm = isWarm;
    const result = this.minres.solve(rate, pressure, this.options);
    this.writeForce(pressure, this.force);
    projection.applyInverseMass(this.force, gamma);
    return result;
  }

  /** −grad p [N] of nodal pressures [Pa]. */
  writeForce(pressure: Float64Array, out: Float64Array): void {
    const {
      tetrahedra: { byteOffset: corners },
      faceVectors: b,
      rest,
    } = this;
    const { kernels } = this.memory;
    if (!kernels) return writePressureForce(b, this.tetrahedra, pressure, out);
    kernels.pressureForce(b.byteOffset, corners, rest.tetraCount, pressure.byteOffset, out.byteOffset, rest.count);
  }

  /** A·x without a matrix: div P M⁻¹ divᵀ x. */
  multiply(projection: ContactProjection, x: Float64Array, y: Float64Array): void {
    this.writeForce(x, this.force);
    projection.applyInverseMass(this.force, this.change);
    this.divergence(this.change, y);
  }
}
