// Closed pieces of the surface that are too small for matter of their own: debris was given to a neighbour, on whose nodes they hang. Jammed
// between larger pieces nothing of them is free to keep their volume with, and no part of the matter is theirs to be given its shape
// back: a piece of three voxels was off by a third for some steps. They get theirs alone, nearest to where they are, with their momenta.

import { createRigidMotion } from '../rigid-motion.js';
import { heaviest } from './fading-offsets.js';
import { isKept, type Piece } from './piece-volumes.js';
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

export class Crumbs {
  private readonly crumbs: readonly Crumb[];
  private readonly momenta = new Float64Array(MOMENTUM_STRIDE);
  private readonly motion = createRigidMotion();

  /** @param rest of the surface's vertices [m]. */
  constructor(pieces: readonly Piece[], rest: Float64Array, skin: Skin) {
    this.crumbs = pieces.map((piece) => {
      const masses = skin.massShares.slice(piece.first, piece.end);
      const surface = rest.slice(3 * piece.first, 3 * piece.end);
      const rigid = new RigidPart(surface, NO_NODES.positions, masses);
      return { piece, masses, rigid, carrier: heaviest(skin, piece.first) };
    });
  }

  get count(): number {
    return this.crumbs.length;
  }

  /** Gives those their shapes back whose volumes are lost, but where pins hold them; adds their vertices to `moved`. */
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
  }
}
