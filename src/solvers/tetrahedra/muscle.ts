// Muscle fibres: a tension along a direction at rest, as strong as the fibre's activation and its length allow.
// Based on: J. Teran et al., Creating and simulating skeletal muscle from the visible human data set, 2005 (active part of the
// fibre's tension; the passive part is the material's).

import { expectNumber, expectVector, showInput } from '../../math/expect.js';
import type { TetraMesh } from '../../mesh/tetrahedralise/tetra-mesh.js';
import type { TetraRest } from './rest.js';
import { PAIRS, type StiffnessMatrix } from './stiffness-matrix.js';

/** Share of its greatest tension that an active fibre has at a stretch (1 at rest), and how that changes with it. */
export interface ForceLength {
  share(stretch: number): number;
  slope(stretch: number): number;
}

/** Fibres pull between half and one and a half times their length at rest, where they are strongest. */
const REACH = 0.5;

/** A parabola from 1 at rest down to 0 at half and one and a half times the length. */
export const FORCE_LENGTH: ForceLength = Object.freeze({
  share: (stretch: number): number => Math.max(0, 1 - ((stretch - 1) / REACH) ** 2),
  slope: (stretch: number): number => (Math.abs(stretch - 1) < REACH ? (-2 * (stretch - 1)) / (REACH * REACH) : 0),
});

export interface MuscleSettings {
  /** Tension of a fully active fibre at its best length, per area at rest [Pa]. */
  readonly strength: number;
  /** Direction of the fibres of each tetrahedron at rest, three numbers each; (0, 0, 0) for none. */
  readonly fibres: Float64Array;
  readonly forceLength: ForceLength;
}

/** About what skeletal muscle does: 0.3 MPa. */
export const MUSCLE_STRENGTH = 3e5;

/** Fibres along one axis, or in the direction that a map gives for each tetrahedron's middle; each of length 1 or 0. */
export function layFibres(
  mesh: TetraMesh,
  direction: ArrayLike<number> | ((x: number, y: number, z: number) => ArrayLike<number>),
): Float64Array {
  const { positions, tetrahedra } = mesh;
  const fibres = new Float64Array((3 * tetrahedra.length) / 4);
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    const middle = [0, 0, 0];
    for (let k = 0; k < 12; k++) middle[k % 3] += positions[3 * tetrahedra[4 * t + Math.floor(k / 3)] + (k % 3)] / 4;
    const given = typeof direction === 'function' ? direction(middle[0], middle[1], middle[2]) : direction;
    expectVector('fibres', given);
    const length = Math.sqrt(given[0] ** 2 + given[1] ** 2 + given[2] ** 2);
    if (length > 0) for (let k = 0; k < 3; k++) fibres[3 * t + k] = given[k] / length;
  }
  return fibres;
}

/** The fibres' part of the forces; `activation` may be changed between steps. */
export class FibreForce {
  /** Of each tetrahedron, 0…1. */
  readonly activation: Float64Array;
  /** T₀ [Pa]; may be changed between steps. */
  strength: number;
  private readonly d = new Float64Array(3);
  private readonly block = new Float64Array(9);

  constructor(private readonly settings: MuscleSettings) {
    this.activation = new Float64Array(settings.fibres.length / 3);
    this.strength = settings.strength;
  }

  /** The same activation, 0…1, for all fibres, or one value per tetrahedron. */
  activate(value: number | ArrayLike<number>): void {
    if (typeof value === 'number') {
      expectNumber('activation', value, 0, 1);
      this.activation.fill(value);
      return;
    }
    if (value?.length !== this.activation.length) {
      throw new RangeError(
        `activation: expected a number or one for each of ${this.activation.length} tetrahedra, got ${showInput(value)}`,
      );
    }
    for (let t = 0; t < value.length; t++) expectNumber(`activation[${t}]`, value[t], 0, 1);
    this.activation.set(value);
  }

  /**
   * Energy per volume [J/m³] of the tension: its integral from rest, by Simpson's rule over 64 parts. Used by tests and
   * reports, not by the step.
   */
  energy(deformation: Float64Array, t: number): number {
    const tension = this.activation[t] * this.strength;
    if (tension === 0 || !this.writeFibre(deformation, t)) return 0;
    const { d } = this;
    const stretch = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const part = (stretch - 1) / 64;
    let sum = 0;
    for (let k = 0; k <= 64; k++) {
      const weight = k === 0 || k === 64 ? 1 : k % 2 === 1 ? 4 : 2;
      sum += weight * this.settings.forceLength.share(1 + k * part);
    }
    return (tension * sum * part) / 3;
  }

  /** Adds V⁰·T(|Fd|)·(Fd/|Fd|)⊗d to the stress [N·m]. */
  addStress(deformation: Float64Array, t: number, volume: number, stress: Float64Array): void {
    const tension = this.activation[t] * this.strength;
    if (tension === 0 || !this.writeFibre(deformation, t)) return;
    const { d } = this;
    const { fibres, forceLength } = this.settings;
    const stretch = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(stretch > 0)) return;
    const pull = (volume * tension * forceLength.share(stretch)) / stretch;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) stress[3 * i + j] += pull * d[i] * fibres[3 * t + j];
  }

  /** Adds factor·V⁰ (d·∇Nₐ)(d·∇N_b) (T′ ff + T/|Fd| (1 − ff)) to K; where positive, T′ counts only where the tension grows. */
  addStiffness(
    deformation: Float64Array,
    t: number,
    rest: TetraRest,
    positive: boolean,
    matrix: StiffnessMatrix,
    factor: number,
  ): void {
    const tension = this.activation[t] * this.strength;
    if (tension === 0 || !this.writeFibre(deformation, t)) return;
    const { d } = this;
    const { fibres, forceLength } = this.settings;
    const stretch = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(stretch > 0)) return;
    const across = (tension * forceLength.share(stretch)) / stretch;
    const slope = tension * forceLength.slope(stretch);
    const along = positive ? Math.max(0, slope) : slope;
    const { gradients, volumes } = rest;
    for (let pair = 0; pair < 10; pair++) {
      const [a, b] = PAIRS[pair];
      let [onA, onB] = [0, 0];
      for (let k = 0; k < 3; k++) {
        onA += fibres[3 * t + k] * gradients[12 * t + 3 * a + k];
        onB += fibres[3 * t + k] * gradients[12 * t + 3 * b + k];
      }
      const scale = factor * volumes[t] * onA * onB;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const ff = (d[i] * d[j]) / (stretch * stretch);
          this.block[3 * i + j] = scale * (along * ff + across * ((i === j ? 1 : 0) - ff));
        }
      }
      matrix.add(t, pair, this.block);
    }
  }

  /** d = F·fibre; false where the tetrahedron has none. */
  private writeFibre(f: Float64Array, t: number): boolean {
    const { fibres } = this.settings;
    const [x, y, z] = [fibres[3 * t], fibres[3 * t + 1], fibres[3 * t + 2]];
    if (x === 0 && y === 0 && z === 0) return false;
    for (let i = 0; i < 3; i++) this.d[i] = f[3 * i] * x + f[3 * i + 1] * y + f[3 * i + 2] * z;
    return true;
  }
}
