// The surface of one body as its nodes carry it: placed by them in a step, followed by them after it. All loops over vertices and
// their influences are here; they read and write arrays alone, so that kernels can take their place.

import type { LinearField } from '../linear-fields.js';
import type { RigidMotion } from '../rigid-motion.js';
import { BLEND_STRIDE, carryPoints, writeBlends, writeChanges } from './carrying.js';
import {
  buildFollowMatrix,
  FOLLOW_STRIDE,
  type FollowMatrix,
  followMoves,
  gatherMissing,
  longestDifference,
  solveMoves,
} from './following.js';
import { type KernelSkin, orderSkin } from './kernel-skin.js';
import type { OctreeDynamics } from './octree-dynamics.js';
import type { Skin } from './skin.js';
import { findVelocities, MOMENTUM_STRIDE, motionOf, moveByField, sumMomenta } from './surface-momentum.js';

/** Of the vertices, three numbers each. */
export interface SurfaceArrays {
  /** Where the nodes have the surface [m], and how they move it [m/s]. */
  readonly carried: Float64Array;
  readonly carriedVelocities: Float64Array;
  /** Where they had it at the start of the step [m]. */
  readonly starts: Float64Array;
}

export const createSurfaceArrays = (vertexCount: number): SurfaceArrays => ({
  carried: new Float64Array(3 * vertexCount),
  carriedVelocities: new Float64Array(3 * vertexCount),
  starts: new Float64Array(3 * vertexCount),
});

/** What the surface hangs on, as loops over it need it. */
class SurfaceBinding {
  /** p⁰ relative to the centre that the nodes' rest positions are relative to [m], and 1. */
  readonly points: Float64Array;
  private made: FollowMatrix | undefined;
  private ordered: KernelSkin | undefined;

  constructor(
    readonly skin: Skin,
    /** Of the vertices [m]. */
    rest: Float64Array,
    readonly centre: Float64Array,
  ) {
    const count = skin.massShares.length;
    this.points = new Float64Array(4 * count).fill(1);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 3; c++) this.points[4 * i + c] = rest[3 * i + c] - centre[c];
    }
  }

  /** Made when first asked for: what is only cut further never is. */
  get matrix(): FollowMatrix {
    this.made ??= buildFollowMatrix(this.skin);
    return this.made;
  }

  /** As kernels walk the influences. */
  get walk(): KernelSkin {
    this.ordered ??= orderSkin(this.skin, this.points);
    return this.ordered;
  }
}

const bindings = new WeakMap<Skin, SurfaceBinding>();

/** What a skin hangs on: one for all bodies of the same rest data. */
export function bindingOf(skin: Skin, rest: Float64Array, centre: Float64Array): SurfaceBinding {
  const known = bindings.get(skin);
  if (known?.centre.every((x, c) => x === centre[c])) return known;
  const binding = new SurfaceBinding(skin, rest, centre);
  bindings.set(skin, binding);
  return binding;
}

export class OctreeSurface {
  readonly carried: Float64Array;
  readonly carriedVelocities: Float64Array;
  readonly starts: Float64Array;
  protected readonly momenta: Float64Array = new Float64Array(MOMENTUM_STRIDE);
  private readonly blends: Float64Array;
  private readonly missing: Float64Array;
  private readonly passMoves: Float64Array;
  private readonly moves: Float64Array;

  constructor(
    readonly binding: SurfaceBinding,
    protected readonly dynamics: OctreeDynamics,
    arrays: SurfaceArrays = createSurfaceArrays(binding.skin.massShares.length),
  ) {
    const nodeCount = binding.skin.loads.length;
    this.carried = arrays.carried;
    this.carriedVelocities = arrays.carriedVelocities;
    this.starts = arrays.starts;
    this.blends = new Float64Array(BLEND_STRIDE * nodeCount);
    this.missing = new Float64Array(FOLLOW_STRIDE * nodeCount);
    this.passMoves = new Float64Array(FOLLOW_STRIDE * nodeCount);
    this.moves = new Float64Array(FOLLOW_STRIDE * nodeCount);
  }

  get skin(): Skin {
    return this.binding.skin;
  }

  /** Writes where the nodes have the surface, whose frames are up to date. */
  place(out: Float64Array): void {
    const { dynamics, blends } = this;
    const { skin, points } = this.binding;
    const { rest, positions, frames, origin, pulls } = dynamics;
    writeBlends(rest.positions, positions, frames, origin, pulls, blends);
    carryPoints(skin, points, blends, origin, out);
  }

  /** Places the surface where it starts a step, and writes how far the last pull moved each vertex [m]. */
  placeStarts(changes: Float64Array): void {
    this.place(this.starts);
    writeChanges(this.skin, this.blends, changes);
  }

  /** Measures momenta of the vertices about their centre of mass, for a body of mass 1. */
  measure(positions: Float64Array, velocities: Float64Array, out: RigidMotion): void {
    sumMomenta(positions, velocities, this.skin.massShares, this.momenta);
    motionOf(this.momenta, positions, out);
  }

  /** Finds the velocities that took the surface from `starts` to where it is carried, and their momenta. */
  measureCarried(timeStep: number, out: RigidMotion): void {
    const { starts, carried, carriedVelocities } = this;
    findVelocities(starts, carried, timeStep, carriedVelocities);
    sumMomenta(starts, carriedVelocities, this.skin.massShares, this.momenta);
    motionOf(this.momenta, starts, out);
  }

  /** Moves the surface from its shifted starts, with a field added to its velocities. */
  move(shift: ArrayLike<number>, field: LinearField, timeStep: number): void {
    moveByField(this.starts, this.carriedVelocities, this.carried, shift, field, timeStep);
  }

  /** Moves the nodes so that they carry the surface to where it is, and `carried` with them. */
  follow(positions: Float64Array, velocities: Float64Array): void {
    const { missing, moves, carried, carriedVelocities, dynamics } = this;
    const { skin, matrix } = this.binding;
    gatherMissing(skin, velocities, positions, carriedVelocities, carried, missing);
    solveMoves(matrix, skin.loads, missing, this.passMoves, moves);
    for (let k = 0, row = 0; k < dynamics.positions.length; k += 3, row += FOLLOW_STRIDE) {
      for (let c = 0; c < 3; c++) {
        dynamics.velocities[k + c] += moves[row + c];
        dynamics.positions[k + c] += moves[row + 3 + c];
      }
    }
    followMoves(skin, moves, 3, carried);
  }

  /** How far the shell is from where it is carried, after `follow`: the longest distance of particles that are not held [m]. */
  longestStray(positions: Float64Array, held: Uint8Array): number {
    return longestDifference(positions, this.carried, held);
  }

  /** Lets the velocities that are carried follow what the last `follow` did to the nodes; only another `follow` asks for them. */
  followVelocities(): void {
    followMoves(this.skin, this.moves, 0, this.carriedVelocities);
  }
}
