// Closed pieces of the surface that are too small for matter of their own: debris was given to a neighbour, on whose nodes they hang. Jammed
// between larger pieces nothing of them is free to keep their volume with, and no part of the matter is theirs to be given its shape
// back: a piece of three voxels was off by a third for some steps. They get theirs alone, nearest to where they are, with their momenta.
// Pieces up to some voxels across may be jammed as well (one of 29 voxels was off by 3 % for a step, one of 76 by 10 % for two): these bend, and become as
// large as they were.

import { createRigidMotion } from '../rigid-motion.js';
import { LEAST_PART_VOXELS } from './debris.js';
import { heaviest } from './fading-offsets.js';
import { isKept, type Piece, resize } from './piece-volumes.js';
import { RigidPart } from './rigid-part.js';
import type { Skin } from './skin.js';
import { MOMENTUM_STRIDE, motionOf, sumMomenta } from './surface-momentum.js';

interface Crumb {
  readonly piece: Piece;
  readonly masses: Float64Array;
  readonly rigid: RigidPart;
  /** The node that carries most of its first vertex: it says about how it is turned. */
  readonly carrier: number;
}

const NO_NODES = { positions: new Float64Array(0), velocities: new Float64Array(0) };

/** Pieces of fewer voxels than this are small: six across. */
const SMALL = 216;

export class Crumbs {
  private readonly crumbs: readonly Crumb[];
  private readonly small: readonly Piece[];
  private readonly momenta = new Float64Array(MOMENTUM_STRIDE);
  private readonly motion = createRigidMotion();

  /**
   * @param pieces of parts that move by their nodes.
   * @param voxel its volume [m³].
   * @param rest of the surface's vertices [m].
   */
  constructor(
    pieces: readonly Piece[],
    voxel: number,
    rest: Float64Array,
    private readonly skin: Skin,
  ) {
    const isBelow = ({ sixVolume }: Piece, voxels: number): boolean => sixVolume < 6 * voxels * voxel;
    this.small = pieces.filter((piece) => isBelow(piece, SMALL) && !isBelow(piece, LEAST_PART_VOXELS));
    this.crumbs = pieces
      .filter((piece) => isBelow(piece, LEAST_PART_VOXELS))
      .map((piece) => {
        const masses = skin.massShares.slice(piece.first, piece.end);
        const surface = rest.slice(3 * piece.first, 3 * piece.end);
        const rigid = new RigidPart(surface, NO_NODES.positions, masses);
        return { piece, masses, rigid, carrier: heaviest(skin, piece.first) };
      });
  }

  /** Gives those their shapes or their sizes back whose volumes are lost, but where pins hold them; adds their vertices to `moved`. */
  straighten(
    shell: { readonly positions: Float64Array; readonly velocities: Float64Array },
    quaternions: Float64Array,
    restScale: number,
    pinned: Uint8Array | undefined,
    moved: number[],
  ): void {
    const { momenta, motion } = this;
    for (const { piece, masses, rigid, carrier } of this.crumbs) {
      const { first, end } = piece;
      if (isKept(piece, shell.positions, restScale) || pinned?.subarray(first, end).some((one) => one !== 0)) continue;
      const positions = shell.positions.subarray(3 * first, 3 * end);
      const velocities = shell.velocities.subarray(3 * first, 3 * end);
      sumMomenta(positions, velocities, masses, momenta);
      motionOf(momenta, positions, motion);
      const turned = quaternions.subarray(4 * carrier, 4 * carrier + 4);
      rigid.straighten(turned, motion, restScale, { positions, velocities }, NO_NODES);
      for (let i = first; i < end; i++) moved.push(i);
    }
    for (const piece of this.small) {
      const { first, end } = piece;
      if (isKept(piece, shell.positions, restScale) || pinned?.subarray(first, end).some((one) => one !== 0)) continue;
      resize(piece, shell.positions, this.skin.massShares, restScale);
      for (let i = first; i < end; i++) moved.push(i);
    }
  }
}
