// Isosurface stuffing: fills the inside of a field with tetrahedra of bounded dihedral angles. Lattice points next to the
// surface are moved onto it, other edges that it crosses are cut.
// Based on: F. Labelle, J. Shewchuk, Isosurface stuffing, 2007.

import type { Field } from '../remesh/polygonise.js';
import type { Bounds } from '../triangle-mesh.js';
import { type Background, buildBackground } from './background.js';
import { Octree } from './octree.js';
import { type CutLattice, fillTetrahedron } from './stencils.js';
import { sixVolume, type TetraMesh } from './tetra-mesh.js';

/**
 * A lattice point moves onto the surface where an edge at it is cut nearer than this, in lengths of that edge. With these
 * the paper proves dihedral angles from 10.7° to 164.8°, the widest least angle.
 */
const LONG_REACH = 0.24999;
const SHORT_REACH = 0.41189;
/** The proven bounds [°]. */
export const ANGLE_BOUNDS = [10.7, 164.8] as const;
/** Steps of bracketing on a cut edge: a half each at worst, so to 1/4000 of the edge; usually to rounding. */
const ROOT_STEPS = 12;

export interface StuffOptions {
  /** Edge of the cells along the surface [m]. */
  readonly cell: number;
  /** How often cells may double inwards. */
  readonly grading: number;
  /** Longest edge of cells wanted at a place inside [m]. */
  readonly cellAt?: Field;
}

/** `field`: signed distance [m], negative inside, the inside being within `bounds`. */
export function stuff(field: Field, bounds: Bounds, options: StuffOptions): TetraMesh {
  const { cell, grading, cellAt } = options;
  const [low, high] = bounds;
  const cells = Math.max(...[0, 1, 2].map((k) => (high[k] - low[k]) / cell)) + 4;
  let depth = 2;
  while (1 << depth < cells) depth++;
  const extent = (1 << depth) * cell;
  const origin = [0, 1, 2].map((k) => (low[k] + high[k]) / 2 - extent / 2) as [number, number, number];
  const octree = new Octree({ field, origin, cell, depth, grading, cellAt });
  const at = (n: number, axis: number): number => origin[axis] + (n * cell) / 2;
  const background = buildBackground(
    octree,
    (level, x, y, z) => level === depth || field(at(x, 0), at(y, 1), at(z, 2)) < 0,
  );
  const positions: number[] = [];
  for (let i = 0; i < background.points.length; i++) positions.push(at(background.points[i], i % 3));
  const values = new Float64Array(positions.length / 3);
  for (let p = 0; p < values.length; p++) {
    values[p] = -field(positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]);
  }
  return fill(new Cuts(background, positions, values, field), background);
}

/** Where the surface cuts the edges of a lattice. Nodes beyond the lattice's points are cuts. */
class Cuts implements CutLattice {
  readonly signs: Int8Array;
  readonly isOdd: Uint8Array;
  private readonly nodes = new Map<number, number>();
  private readonly pointCount: number;

  constructor(
    private readonly background: Background,
    readonly positions: number[],
    private readonly values: Float64Array,
    private readonly field: Field,
  ) {
    this.pointCount = values.length;
    this.signs = Int8Array.from(values, (value) => Math.sign(value));
    this.isOdd = new Uint8Array(values.length);
    const { points } = background;
    for (let p = 0; p < values.length; p++) {
      this.isOdd[p] = ((points[3 * p] >> 1) + (points[3 * p + 1] >> 1) + (points[3 * p + 2] >> 1)) & 1;
    }
    this.cutEdges();
    this.warp();
  }

  isLong(a: number, b: number): boolean {
    // Short edges lead from even to odd coordinates.
    const { points } = this.background;
    return ((points[3 * a] ^ points[3 * b]) & 1) === 0;
  }

  cut(a: number, b: number): number {
    return this.nodes.get(a * this.pointCount + b) as number;
  }

  private cutEdges(): void {
    const { tetrahedra } = this.background;
    const { signs, nodes, pointCount, positions } = this;
    for (let t = 0; t < tetrahedra.length; t += 4) {
      for (let i = 0; i < 4; i++) {
        for (let j = 0; j < 4; j++) {
          const [a, b] = [tetrahedra[t + i], tetrahedra[t + j]];
          if (!(signs[a] > 0 && signs[b] < 0) || nodes.has(a * pointCount + b)) continue;
          const share = this.findRoot(a, b);
          nodes.set(a * pointCount + b, positions.length / 3);
          for (let k = 0; k < 3; k++) {
            positions.push(positions[3 * a + k] + share * (positions[3 * b + k] - positions[3 * a + k]));
          }
        }
      }
    }
  }

  /** Share of the way from a to b at which the surface lies: false position with halved ends (the Illinois rule). */
  private findRoot(a: number, b: number): number {
    const { positions: p, values, field } = this;
    let [low, high] = [0, 1];
    let [atLow, atHigh] = [values[a], values[b]];
    let share = 0;
    let last = 0;
    for (let step = 0; step < ROOT_STEPS; step++) {
      share = low + ((high - low) * atLow) / (atLow - atHigh);
      const [x, y, z] = [0, 1, 2].map((k) => p[3 * a + k] + share * (p[3 * b + k] - p[3 * a + k]));
      const value = -field(x, y, z);
      if (Math.abs(value) < 1e-9 * (values[a] - values[b])) break;
      if (value > 0) {
        [low, atLow] = [share, value];
        if (last > 0) atHigh /= 2;
      } else {
        [high, atHigh] = [share, value];
        if (last < 0) atLow /= 2;
      }
      last = value;
    }
    return share;
  }

  /** Moves points that a cut is too near to onto the nearest such cut; their other cuts are then none any more. */
  private warp(): void {
    const { nodes, pointCount, positions, signs } = this;
    const cutsAt = new Map<number, [other: number, node: number][]>();
    const note = (p: number, other: number, node: number): void => {
      const list = cutsAt.get(p);
      if (list) list.push([other, node]);
      else cutsAt.set(p, [[other, node]]);
    };
    for (const [key, node] of nodes) {
      const [a, b] = [Math.floor(key / pointCount), key % pointCount];
      note(a, b, node);
      note(b, a, node);
    }
    const apart = (p: number, q: number): number => {
      const x = positions[3 * p] - positions[3 * q];
      const y = positions[3 * p + 1] - positions[3 * q + 1];
      const z = positions[3 * p + 2] - positions[3 * q + 2];
      return Math.sqrt(x * x + y * y + z * z);
    };
    for (const p of [...cutsAt.keys()].sort((a, b) => a - b)) {
      let nearest = Infinity;
      let target = -1;
      for (const [other, node] of cutsAt.get(p) as [number, number][]) {
        if (signs[other] === 0) continue;
        const distance = apart(p, node);
        const reach = this.isLong(p, other) ? LONG_REACH : SHORT_REACH;
        if (distance >= reach * apart(p, other) || distance >= nearest) continue;
        nearest = distance;
        target = node;
      }
      if (target < 0) continue;
      signs[p] = 0;
      // The lengths of edges above are the lattice's: an end that moved has no cuts left.
      for (let k = 0; k < 3; k++) positions[3 * p + k] = positions[3 * target + k];
    }
  }
}

/** The tetrahedra of all inner parts, over the nodes that they use. */
function fill(cuts: Cuts, background: Background): TetraMesh {
  const { tetrahedra: lattice } = background;
  const { positions } = cuts;
  const numbers = new Map<number, number>();
  const used: number[] = [];
  const tetrahedra: number[] = [];
  const corners = [0, 0, 0, 0];
  for (let t = 0; t < lattice.length; t += 4) {
    for (let k = 0; k < 4; k++) corners[k] = lattice[t + k];
    fillTetrahedron(cuts, corners, (...given) => {
      const isTurned = sixVolume(positions, given, 0) < 0;
      const [a, b, c, d] = given;
      for (const node of isTurned ? [a, b, d, c] : [a, b, c, d]) {
        let number = numbers.get(node);
        if (number === undefined) {
          number = used.length / 3;
          numbers.set(node, number);
          used.push(positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]);
        }
        tetrahedra.push(number);
      }
    });
  }
  return { positions: Float64Array.from(used), tetrahedra: Uint32Array.from(tetrahedra) };
}
