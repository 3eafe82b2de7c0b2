// The momenta of a body in pieces: each part of the matter, with the surface that hangs on it, keeps its own through a step. With one
// rigid field for all, what one part's frames lost another would get: thrown apart, five parts had ten times their energy after 1.4 s.

import {
  addLinearField,
  createLinearField,
  findRigidField,
  fitLinearField,
  type LinearField,
} from '../linear-fields.js';
import { createRigidMotion, type RigidMotion } from '../rigid-motion.js';
import type { PieceVolumes } from './piece-volumes.js';
import type { RegionRest } from './region-rest.js';
import { isRigid, RigidPart } from './rigid-part.js';
import type { Skin } from './skin.js';
import { MOMENTUM_STRIDE, motionOf, moveByField, sumMomenta } from './surface-momentum.js';

/** Vectors of some vertices or nodes, as three lists side by side: those of each part are views of them. */
class Gathered {
  readonly starts: Float64Array;
  readonly velocities: Float64Array;
  readonly positions: Float64Array;

  constructor(readonly members: Uint32Array) {
    this.starts = new Float64Array(3 * members.length);
    this.velocities = new Float64Array(3 * members.length);
    this.positions = new Float64Array(3 * members.length);
  }

  take(from: Float64Array, to: Float64Array): void {
    const { members } = this;
    for (let n = 0, k = 0; n < members.length; n++, k += 3) {
      const at = 3 * members[n];
      to[k] = from[at];
      to[k + 1] = from[at + 1];
      to[k + 2] = from[at + 2];
    }
  }

  give(from: Float64Array, to: Float64Array): void {
    const { members } = this;
    for (let n = 0, k = 0; n < members.length; n++, k += 3) {
      const at = 3 * members[n];
      to[at] = from[k];
      to[at + 1] = from[k + 1];
      to[at + 2] = from[k + 2];
    }
  }

  /** Moves them by a field, and hands velocities and positions back. */
  move(
    [starts, velocities, positions]: readonly [Float64Array, Float64Array, Float64Array],
    shift: ArrayLike<number>,
    field: LinearField,
    timeStep: number,
  ): void {
    this.take(starts, this.starts);
    this.take(velocities, this.velocities);
    moveByField(this.starts, this.velocities, this.positions, shift, field, timeStep);
    this.give(this.velocities, velocities);
    this.give(this.positions, positions);
  }
}

interface PartMotion {
  readonly nodes: Gathered;
  readonly surface: Gathered;
  readonly masses: Float64Array;
  readonly kept: RigidMotion;
  /** Whether momentum goes through its pins. */
  isAnchored: boolean;
  /** Where its nodes do not say how it is turned; and where the surface was at the start of the step [m]. */
  readonly rigid: RigidPart | undefined;
  readonly places: Float64Array;
}

interface PlacedAndMoving {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/** Where the nodes or the vertices started, their velocities, and where they are. */
type Moving = readonly [starts: Float64Array, velocities: Float64Array, positions: Float64Array];

export class PartMotions {
  private readonly parts: PartMotion[];
  private readonly vertexParts: Uint32Array;
  private readonly momenta = new Float64Array(MOMENTUM_STRIDE);
  private readonly now = createRigidMotion();
  private readonly field = createLinearField();
  private readonly shift = new Float64Array(3);
  /** 1 for vertices that pins hold, of the step that was measured last. */
  pinned: Uint8Array | undefined;

  /** @param points of the surface at rest, as nodes have theirs, four numbers each [m]. */
  constructor(
    { parts: partOf, partCount, positions }: RegionRest,
    { offsets, nodes, massShares }: Skin,
    points: Float64Array,
  ) {
    const nodesOf: number[][] = Array.from({ length: partCount }, () => []);
    const verticesOf: number[][] = Array.from({ length: partCount }, () => []);
    partOf.forEach((part, node) => {
      nodesOf[part].push(node);
    });
    // All that carries a vertex is one part.
    this.vertexParts = Uint32Array.from(massShares, (_, i) => partOf[nodes[offsets[i]]]);
    this.vertexParts.forEach((part, i) => {
      verticesOf[part].push(i);
    });
    this.parts = nodesOf.map((own, part) => {
      const members = Uint32Array.from(verticesOf[part]);
      const masses = Float64Array.from(members, (i) => massShares[i]);
      const surfaceRest = gather(points, 4, members);
      const nodesRest = gather(positions, 3, own);
      const isTurnedByNodes = !isRigid(nodesRest, surfaceRest, masses);
      return {
        nodes: new Gathered(Uint32Array.from(own)),
        surface: new Gathered(members),
        masses,
        kept: createRigidMotion(),
        isAnchored: false,
        rigid: isTurnedByNodes ? undefined : new RigidPart(surfaceRest, nodesRest, masses),
        places: new Float64Array(3 * members.length),
      };
    });
  }

  isRigid(part: number): boolean {
    return this.parts[part].rigid !== undefined;
  }

  /** Measures the momenta that are to be kept. */
  measure(starts: Float64Array, velocities: Float64Array, pinned?: Uint8Array): void {
    this.pinned = pinned;
    for (const part of this.parts) {
      const { surface, masses, kept } = part;
      part.isAnchored = pinned !== undefined && surface.members.some((i) => pinned[i] !== 0);
      surface.take(starts, surface.starts);
      surface.take(velocities, surface.velocities);
      this.sum(surface, masses, kept);
      if (part.rigid) part.places.set(surface.starts);
    }
  }

  /** Gives nodes and surface of each part the rigid field that restores its momenta, and turns its regions by it. */
  restore(nodes: Moving, vertices: Moving, quaternions: Float64Array, timeStep: number, restScale: number): void {
    const { now, field, shift } = this;
    for (const { nodes: own, surface, masses, kept, isAnchored, rigid, places } of this.parts) {
      // Matter without a surface moves on as it does.
      if (masses.length === 0) continue;
      if (rigid) {
        const rotation = rigid.move(
          places,
          quaternions.subarray(4 * own.members[0], 4 * own.members[0] + 4),
          kept,
          restScale,
          timeStep,
          surface,
          own,
        );
        own.give(own.velocities, nodes[1]);
        own.give(own.positions, nodes[2]);
        surface.give(surface.velocities, vertices[1]);
        surface.give(surface.positions, vertices[2]);
        for (const node of own.members) quaternions.set(rotation, 4 * node);
        continue;
      }
      surface.take(vertices[0], surface.starts);
      surface.take(vertices[1], surface.velocities);
      this.sum(surface, masses, now);
      for (let c = 0; c < 3; c++) {
        shift[c] = kept.centre[c] - now.centre[c];
        now.centre[c] = kept.centre[c];
      }
      findRigidField(isAnchored ? kept : now, kept, field);
      own.move(nodes, shift, field, timeStep);
      surface.move(vertices, shift, field, timeStep);
      turnRegions(quaternions, own.members, field, timeStep);
    }
  }

  /**
   * Gives rigid parts their shapes back whose volumes are lost: pressed from all sides, as in a pile, nothing of them is free to make
   * room (parts of 9 to 76 voxels were off by 20 to 100 % for some steps). Neighbours meet the whole of them in the next step. Those that
   * pins hold stay where these are. Returns the vertices of these.
   */
  straighten(
    shell: PlacedAndMoving,
    nodes: PlacedAndMoving,
    quaternions: Float64Array,
    restScale: number,
    volumes: PieceVolumes,
  ): number[] {
    const moved: number[] = [];
    this.parts.forEach(({ nodes: own, surface, masses, kept, isAnchored, rigid }, part) => {
      if (!rigid || isAnchored || masses.length === 0 || volumes.areKept(part, shell.positions, restScale)) return;
      moved.push(...surface.members);
      surface.take(shell.positions, surface.starts);
      surface.take(shell.velocities, surface.velocities);
      this.sum(surface, masses, kept);
      surface.positions.set(surface.starts);
      const at = 4 * own.members[0];
      const rotation = rigid.straighten(quaternions.subarray(at, at + 4), kept, restScale, surface, own);
      own.give(own.velocities, nodes.velocities);
      own.give(own.positions, nodes.positions);
      surface.give(surface.velocities, shell.velocities);
      surface.give(surface.positions, shell.positions);
      for (const node of own.members) quaternions.set(rotation, 4 * node);
    });
    return moved;
  }

  /** The part of the matter that a vertex hangs on. */
  partOf(vertex: number): number {
    return this.vertexParts[vertex];
  }

  /**
   * Adds to values of each part's nodes, and of its vertices where they are given, the linear field in space that is nearest to what
   * its vertices are changed by. `size` is the body's [m].
   */
  addLinear(
    vertices: Float64Array,
    changes: Float64Array,
    nodes: { readonly positions: Float64Array; readonly values: Float64Array },
    size: number,
    vertexValues?: Float64Array,
  ): void {
    const { field } = this;
    for (const { nodes: own, surface, masses } of this.parts) {
      if (masses.length === 0) continue;
      surface.take(vertices, surface.starts);
      surface.take(changes, surface.velocities);
      fitLinearField(surface.starts, surface.velocities, masses, size, field);
      own.take(nodes.positions, own.starts);
      own.take(nodes.values, own.velocities);
      addLinearField(field, own.starts, own.velocities);
      own.give(own.velocities, nodes.values);
      if (!vertexValues) continue;
      surface.take(vertexValues, surface.velocities);
      addLinearField(field, surface.starts, surface.velocities);
      surface.give(surface.velocities, vertexValues);
    }
  }

  private sum({ starts, velocities }: Gathered, masses: Float64Array, out: RigidMotion): void {
    if (masses.length === 0) return;
    sumMomenta(starts, velocities, masses, this.momenta);
    motionOf(this.momenta, starts, out);
  }
}

/** x, y, z of some points, which are `stride` numbers apart. */
function gather(points: Float64Array, stride: number, members: ArrayLike<number>): Float64Array {
  const out = new Float64Array(3 * members.length);
  for (let n = 0; n < members.length; n++) {
    for (let c = 0; c < 3; c++) out[3 * n + c] = points[stride * members[n] + c];
  }
  return out;
}

/**
 * Turns regions as a field turns what they carry. Where nodes say how a region is turned that is found anew from them; a part of one
 * node, or of some in a line, spins by this alone.
 */
function turnRegions(quaternions: Float64Array, members: Uint32Array, { gradient }: LinearField, timeStep: number) {
  const half = 0.5 * timeStep;
  const [x, y, z] = [half * gradient[7], half * gradient[2], half * gradient[3]];
  for (let n = 0; n < members.length; n++) {
    const k = 4 * members[n];
    const [a, b, c, w] = [quaternions[k], quaternions[k + 1], quaternions[k + 2], quaternions[k + 3]];
    const qx = a + x * w + y * c - z * b;
    const qy = b + y * w + z * a - x * c;
    const qz = c + z * w + x * b - y * a;
    const qw = w - x * a - y * b - z * c;
    const length = Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
    quaternions[k] = qx / length;
    quaternions[k + 1] = qy / length;
    quaternions[k + 2] = qz / length;
    quaternions[k + 3] = qw / length;
  }
}
