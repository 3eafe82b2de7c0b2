// What the frames of a body share: the factored matrix that stands for the energy's second derivatives, the answer to contact, and the
// arrays of the descent, all in one memory where kernels work on them.

import { CarriedSurface } from './carried-surface.js';
import { ContactPlanes } from './contact-planes.js';
import { ContactResponse } from './contact-response.js';
import { ElasticEnergy, MU } from './elastic-energy.js';
import type { HelperMesh } from './helper-mesh.js';
import { QuasiNewton } from './quasi-newton.js';
import { SolverRoom } from './solver-room.js';
import { SparseFactor } from './sparse-factor.js';
import { graphOf } from './sparse-graph.js';
import { analysePattern } from './sparse-symbolic.js';
import { VolumeResponse } from './volume-response.js';

/** Reaches for which the matrix is factored, as a geometric series: the frame's own is within its root of one of them. */
const LEAST_REACH = 0.2;
const REACH_RATIO = 1.5;
const HALF_RATIO = 1.224744871391589;

export class FrameSolver {
  readonly room: SolverRoom;
  readonly factor: SparseFactor;
  readonly response: ContactResponse;
  readonly volumeResponse: VolumeResponse;
  readonly descent: QuasiNewton;
  readonly carrier: CarriedSurface;
  /** Room for the planes of a frame's contact. */
  readonly planes: ContactPlanes;
  /** Room for the foundation's stiffness per helper vertex. */
  readonly springs: Float64Array;
  /** Room for the gradient of what is inside the body. */
  readonly inner: Float64Array;
  /** Room for the stiffness of contact per helper vertex, and for stiffness × normal. */
  readonly stiffness: Float64Array;
  readonly pushes: Float64Array;
  /** The helper mesh while it moves [half sizes]. */
  readonly x: Float64Array;
  /** Where in the matrix the ten pairs of each tetrahedron are, and each vertex itself. */
  readonly pairs: Uint32Array;
  private readonly diagonal: Uint32Array;
  /** The matrix of the bound mesh without its foundation, and the foundation's weight per vertex. */
  private base: Float64Array = new Float64Array(0);
  private held: Float64Array = new Float64Array(0);
  private factoredReach = 0;

  /** @param triangles of the surface. @param kernels whether they may be used: the bits are the same. */
  constructor(helper: HelperMesh, triangles: Uint32Array, kernels: boolean) {
    const { tetrahedra: t, positions } = helper;
    const count = positions.length / 3;
    const pairCount = 10 * (t.length / 4);
    const a = new Uint32Array(pairCount);
    const b = new Uint32Array(pairCount);
    for (let tet = 0, pair = 0; tet < t.length; tet += 4) {
      for (let i = 0; i < 4; i++) {
        for (let j = 0; j <= i; j++, pair++) {
          a[pair] = t[tet + i];
          b[pair] = t[tet + j];
        }
      }
    }
    const pattern = analysePattern(graphOf(count, a, b), positions);
    const planeCount = ContactPlanes.countFor(helper.carriers.length, triangles);
    const bytes =
      SparseFactor.roomFor(pattern) +
      ElasticEnergy.roomFor(t.length / 4) +
      QuasiNewton.roomFor(3 * count) +
      VolumeResponse.roomFor(3 * count) +
      ContactResponse.roomFor(count, pattern.firsts.length) +
      CarriedSurface.roomFor(helper, triangles) +
      ContactPlanes.roomFor(planeCount) +
      8 * 11 * count +
      96;
    this.room = new SolverRoom(kernels ? bytes : 0);
    this.factor = new SparseFactor(pattern, this.room);
    this.descent = new QuasiNewton(3 * count, this.room);
    this.x = this.room.numbers(3 * count);
    this.springs = this.room.numbers(count);
    this.inner = this.room.numbers(3 * count);
    this.stiffness = this.room.numbers(count);
    this.pushes = this.room.numbers(3 * count);
    this.carrier = new CarriedSurface(helper, triangles, this.room);
    this.planes = new ContactPlanes(planeCount, this.room);
    this.response = new ContactResponse(this.factor, this.carrier.corners, this.room);
    this.volumeResponse = new VolumeResponse(3 * count, this.response, this.carrier, this.room);
    this.pairs = a.map((i, pair) => this.factor.slotOf(i, b[pair]));
    this.diagonal = Uint32Array.from({ length: count }, (_, i) => this.factor.slotOf(i, i));
  }

  /** Takes the energy at rest, as it was bound: frames that a rig has bent are solved with the same matrix, which only guides their steps. */
  bind(elastic: ElasticEnergy, hold: Float64Array): void {
    this.factor.matrix.fill(0);
    elastic.addLaplacian(this.factor, this.pairs);
    this.base = this.factor.matrix.slice();
    this.held = hold.map((value, i) => value * elastic.masses[i]);
    this.factoredReach = 0;
  }

  /** Factors the matrix for a reach [half sizes], unless it is: the one that is near it in the series. */
  factorFor(reach: number): void {
    let near = LEAST_REACH;
    while (near * HALF_RATIO < reach) near *= REACH_RATIO;
    if (near === this.factoredReach) return;
    const { factor, diagonal, held } = this;
    factor.matrix.set(this.base);
    for (let i = 0; i < held.length; i++) factor.matrix[diagonal[i]] += (MU / (near * near)) * held[i];
    if (!factor.factor()) throw new RangeError('deformer: expected a helper mesh of positive volumes');
    this.response.forget(Float64Array.from(diagonal, (slot) => factor.matrix[slot]));
    this.factoredReach = near;
  }
}
