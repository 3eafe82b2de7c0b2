// Input that moves: the helper mesh, built once on the bound mesh, is carried along by the surface. A rigid fit takes what is rigid;
// the rest is min |W u − r|² + ε |L u|², L the normalised Laplacian of the helper mesh's graph: squared (a bi-Laplacian), as the
// plain one inverts tetrahedra by the hundred in a strong twist. Built anew per frame, octrees would make the surface pop.

import { writeMatrix } from '../math/quaternion.js';
import type { DeformerBody } from './deformer-body.js';
import { sixVolumeOf } from './elastic-energy.js';
import { type ObjectFrame, toOwnFrame } from './object-frame.js';
import { fitRigid } from './rigid-fit.js';
import { SparseFactor } from './sparse-factor.js';
import { graphOf } from './sparse-graph.js';
import { analysePattern } from './sparse-symbolic.js';

/** Difference from a rigid motion that is rounding [half sizes]. */
const RIGID = 1e-9;
/** Weight of smoothness: a strong twist leaves a residual of 0.002 of 1.08, which the surface keeps as an offset. */
const SMOOTHNESS = 1e-2;
/** Least volume of a carried tetrahedron, as a share of its own: below, it is about to turn inside out. */
const LEAST_VOLUME = 0.02;
/** Halvings of the displacement before the helper mesh stays as it was bound. */
const HALVINGS = 6;

export interface FollowedInput {
  readonly frame: ObjectFrame;
  /** The input and the helper mesh in the body's own frame [half sizes]. */
  readonly surface: Float64Array;
  readonly rest: Float64Array;
  /** Whether the helper mesh went only a part of the way, as it would have folded. */
  readonly folds: boolean;
}

export class InputFollower {
  private factor: SparseFactor | undefined;

  constructor(private readonly body: DeformerBody) {}

  /** @param input vertices [m], as many as the bound mesh has. */
  follow(input: Float64Array): FollowedInput {
    const { bound, frame: boundFrame, helper } = this.body;
    const frame = this.fitFrame(input, boundFrame);
    const surface = toOwnFrame(frame, input);
    let most = 0;
    for (let i = 0; i < bound.length; i++) most = Math.max(most, Math.abs(surface[i] - bound[i]));
    if (most < RIGID) return { frame, surface: bound, rest: helper.positions, folds: false };
    const shift = this.solveShift(surface);
    const rest = new Float64Array(shift.length);
    let share = 1;
    for (let n = 0; n <= HALVINGS; n++, share /= 2) {
      if (n === HALVINGS) share = 0;
      for (let i = 0; i < rest.length; i++) rest[i] = helper.positions[i] + share * shift[i];
      if (!this.foldsAt(rest)) break;
    }
    return { frame, surface, rest, folds: share < 1 };
  }

  private fitFrame(input: Float64Array, { scale }: ObjectFrame): ObjectFrame {
    const { rotation: q, fromCentre, toCentre } = fitRigid(this.body.bound, input);
    const r = new Float64Array(9);
    writeMatrix(q, r);
    const [x, y, z] = fromCentre;
    const centre = [
      toCentre[0] - scale * (r[0] * x + r[1] * y + r[2] * z),
      toCentre[1] - scale * (r[3] * x + r[4] * y + r[5] * z),
      toCentre[2] - scale * (r[6] * x + r[7] * y + r[8] * z),
    ] as const;
    return { rotation: r, centre, scale };
  }

  private solveShift(surface: Float64Array): Float64Array {
    const { helper, bound } = this.body;
    const { tetrahedra, carriers, weights } = helper;
    this.factor ??= buildFollower(this.body);
    const shift = new Float64Array(helper.positions.length);
    for (let v = 0; v < carriers.length; v++) {
      for (let k = 0; k < 4; k++) {
        const corner = 3 * tetrahedra[4 * carriers[v] + k];
        for (let c = 0; c < 3; c++) shift[corner + c] += weights[4 * v + k] * (surface[3 * v + c] - bound[3 * v + c]);
      }
    }
    this.factor.solve(shift, shift);
    return shift;
  }

  private foldsAt(rest: Float64Array): boolean {
    const { tetrahedra, positions } = this.body.helper;
    for (let t = 0; t < tetrahedra.length / 4; t++) {
      const least = LEAST_VOLUME * sixVolumeOf(positions, tetrahedra, t);
      if (!(sixVolumeOf(rest, tetrahedra, t) > least)) return true;
    }
    return false;
  }
}

/** The factor of WᵀW + ε LᵀL. */
function buildFollower({ helper }: DeformerBody): SparseFactor {
  const { tetrahedra: t, carriers, weights, positions } = helper;
  const count = positions.length / 3;
  const [edgeA, edgeB]: number[][] = [[], []];
  for (let i = 0; i < t.length; i += 4) {
    for (let j = 0; j < 4; j++) {
      for (let k = 0; k < j; k++) {
        edgeA.push(t[i + j]);
        edgeB.push(t[i + k]);
      }
    }
  }
  const graph = graphOf(count, edgeA, edgeB);
  const [a, b, values]: number[][] = [[], [], []];
  const add = (i: number, j: number, value: number): void => {
    a.push(i);
    b.push(j);
    values.push(value);
  };
  for (let i = 0; i < count; i++) {
    // Row i of L: 1 at i, −1/n at each of its n neighbours; its outer product, lower half.
    const around = [i, ...graph.neighbours.subarray(graph.starts[i], graph.starts[i + 1])];
    const share = -1 / (around.length - 1);
    for (let j = 0; j < around.length; j++) {
      for (let k = 0; k <= j; k++)
        add(around[j], around[k], SMOOTHNESS * (j === 0 ? 1 : share) * (k === 0 ? 1 : share));
    }
  }
  for (let v = 0; v < carriers.length; v++) {
    const corners = t.subarray(4 * carriers[v], 4 * carriers[v] + 4);
    for (let j = 0; j < 4; j++) {
      for (let k = 0; k <= j; k++) add(corners[j], corners[k], weights[4 * v + j] * weights[4 * v + k]);
    }
  }
  const factor = new SparseFactor(analysePattern(graphOf(count, a, b), positions));
  for (let n = 0; n < a.length; n++) factor.matrix[factor.slotOf(a[n], b[n])] += values[n];
  if (!factor.factor()) throw new RangeError('deformer: expected a surface that holds its helper mesh');
  return factor;
}
