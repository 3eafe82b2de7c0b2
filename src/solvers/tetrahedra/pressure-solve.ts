// One pressure solve: the change of velocity, free of momentum and of what contacts forbid, that gives one-rings a wanted
// rate of volume. [ISF07 eq. 1, 2]

import type { ContactProjection } from './contact-projection.js';
import { TetraMemory } from './memory.js';
import { Minres, type MinresOptions, type MinresResult } from './minres.js';
import { PressureMatrix, type PressurePattern } from './pressure-matrix.js';
import type { TetraRest } from './rest.js';
import { RingOperator } from './ring-operator.js';

/**
 * Of the residual: three Newton steps take 20 % of error to 0.1 % with it, and a tighter one pays below 0.01 % only. In the first solve of a
 * step 0.2 % saves a twelfth of the Newton steps and takes a twelfth more iterations, which cost more.
 */
export const PRESSURE_TOLERANCE = 1e-2;
/** 1e-6 is too strict for a ball that is fixed all round, 1e-4 near eigenvalues that are real. */
export const LEAST_SQUARES = 1e-5;
export const MOST_ITERATIONS = 500;
/** Residuals that single precision still gives; below it products are in double precision. */
const SINGLE = 1e-4;
/**
 * Residual from which on a solve for positions is worth a new preconditioner where contacts have joined: with the old one such steps take 35
 * iterations, with a new one 20, and one Newton step less in three (4296 tetrahedra dropped). Velocities, which begin nearly right, are not.
 */
const WORTH = 0.02;
/** After a solve of so many iterations the preconditioner is made anew: 7 are usual, and it costs as much as 8. */
const STALE = 30;

export type Preconditioner = 'incomplete-cholesky' | 'jacobi';

export class PressureSolve {
  /** At the positions of the last `place`. */
  private readonly rings: RingOperator;
  readonly matrix: PressureMatrix;
  private readonly minres: Minres;
  private readonly force: Float64Array;
  /** P M⁻¹ of the force of a product, for who sweeps links over it in between. */
  readonly change: Float64Array;
  private readonly given: Float64Array;
  private readonly result: Float64Array;
  private isFactored = false;
  /** Whether contacts have joined since. */
  private isOutdated = false;
  /** Of the last solve. */
  private iterations = 0;
  private projection!: ContactProjection;
  private readonly options: MinresOptions & { tolerance: number; isWarm: boolean };
  /** Of the solve at hand. */
  private spare = 0;

  constructor(
    private readonly rest: TetraRest,
    pattern: PressurePattern,
    private readonly preconditioner: Preconditioner = 'incomplete-cholesky',
    memory = TetraMemory.onHeap(),
  ) {
    this.rings = new RingOperator(rest, memory);
    this.matrix = new PressureMatrix(rest, pattern, memory);
    this.minres = new Minres(rest.count, memory);
    this.force = memory.reals(3 * rest.count);
    this.change = memory.reals(3 * rest.count);
    this.given = memory.reals(rest.count);
    this.result = memory.reals(rest.count);
    this.options = {
      multiply: (x, y) => {
        if (this.options.tolerance < SINGLE) this.multiply(this.projection, x, y);
        else this.rings.multiply(this.projection, x, y);
      },
      precondition: (r, z) => this.precondition(r, z),
      tolerance: PRESSURE_TOLERANCE,
      leastSquares: LEAST_SQUARES,
      mostIterations: MOST_ITERATIONS,
      isWarm: false,
      onBegin: (residual) => {
        if (this.isOutdated && residual > WORTH) this.refresh();
      },
      isEnough: (residual) => this.isEnough(residual, this.spare),
    };
  }

  /** Takes the operators to positions x [m]. */
  place(x: Float64Array): void {
    this.rings.place(x);
  }

  /**
   * Takes the solve to the contacts; after `place`. `isFirst`: of a step; the preconditioner is made then and serves until the next one, as a step changes little, or until it does not.
   */
  prepare(projection: ContactProjection, isFirst = true): void {
    this.projection = projection;
    if (isFirst || this.iterations >= STALE) this.refresh();
  }

  /** After contacts have joined, of which the preconditioner knows nothing: solves that are far from their end make it anew. */
  outdate(): void {
    this.isOutdated = true;
  }

  /** For what is left of the step the preconditioner does as it is. */
  settle(): void {
    this.isOutdated = false;
  }

  private refresh(): void {
    this.matrix.assemble(this.rings, this.projection);
    this.isFactored = this.preconditioner === 'incomplete-cholesky' && this.matrix.factor();
    this.isOutdated = false;
  }

  /** Rate at which velocities v change one-ring volumes [m³/s]. */
  divergence(v: Float64Array, out: Float64Array): void {
    this.rings.divergence(v, out);
  }

  /**
   * Finds p̂ [Pa·s] with div(P M⁻¹ (−grad p̂)) = rate, and γ = −P M⁻¹ grad p̂ [m/s]. A rate that cannot be met is met in the
   * sense of least squares. `isWarm`: p̂ is nearly what `pressure` holds. `spare`: rate that may be left over in each ring, in volumes at
   * rest [1/s].
   */
  solve(
    projection: ContactProjection,
    rate: Float64Array,
    pressure: Float64Array,
    gamma: Float64Array,
    tolerance = PRESSURE_TOLERANCE,
    isWarm = false,
    spare = 0,
  ): MinresResult {
    this.spare = spare;
    this.options.tolerance = tolerance;
    this.options.isWarm = isWarm;
    const result = this.minres.solve(rate, pressure, this.options);
    this.iterations = result.iterations;
    this.writeForce(pressure, this.force);
    projection.applyInverseMass(this.force, gamma);
    return result;
  }

  /** Whether rates [m³/s] that are left over are at most so many volumes at rest [1/s] each. */
  isEnough(residual: Float64Array, spare: number): boolean {
    const { ringVolumes } = this.rest;
    if (!(spare > 0)) return false;
    for (let k = 0; k < residual.length; k++) if (!(Math.abs(residual[k]) <= spare * ringVolumes[k])) return false;
    return true;
  }

  private precondition(r: Float64Array, z: Float64Array): void {
    if (this.isFactored) this.matrix.solveFactors(r, z);
    else this.matrix.divideByDiagonal(r, z);
  }

  // The same in parts, for a solve over several bodies, whose vectors lie elsewhere.
  /** `change` ← P M⁻¹ divᵀ x. */
  beginProduct(x: Float64Array): void {
    this.given.set(x);
    this.writeForce(this.given, this.force);
    this.projection.applyInverseMass(this.force, this.change);
  }

  /** y ← div of `change`, and a share of A's diagonal times x. */
  endProduct(y: Float64Array, softness: number): void {
    const { given, result, matrix } = this;
    this.divergence(this.change, result);
    for (let k = 0; k < y.length; k++) y[k] = result[k] + softness * matrix.diagonal[k] * given[k];
  }

  preconditionPart(r: Float64Array, z: Float64Array): void {
    this.given.set(r);
    this.precondition(this.given, this.result);
    z.set(this.result);
  }

  /** Iterations of a solve that was done elsewhere. */
  noteIterations(iterations: number): void {
    this.iterations = iterations;
  }

  /** −grad p [N] of nodal pressures [Pa]. */
  writeForce(pressure: Float64Array, out: Float64Array): void {
    this.rings.writeForce(pressure, out);
  }

  /** A·x in double precision: div P M⁻¹ divᵀ x. */
  multiply(projection: ContactProjection, x: Float64Array, y: Float64Array): void {
    this.writeForce(x, this.force);
    projection.applyInverseMass(this.force, this.change);
    this.divergence(this.change, y);
  }
}
