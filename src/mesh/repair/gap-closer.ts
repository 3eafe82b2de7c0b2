// Fills the gaps between the pieces of a surface, and crevices: everything is grown, and the whole is shrunk again.
// Based on: the closing of J. Serra, Image analysis and mathematical morphology, 1982, on distance fields.

import type { Field } from '../remesh/polygonise.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import { listPieces, surfaceOf } from './field-surface.js';

/** Parts that are apart are grown by this many diagonals to join them; those still apart at the first are no body. */
const JOINS = [0.08, 0.04, 0.02, 0.01];
/** A grown surface is smooth: cubes of this share of the growth follow it. */
const GROWN_CELL = 0.4;
/**
 * Where gaps are filled the field is steep, but within a radius of others that have the slope of a distance, and a radius
 * is less than a third of what a block of the lattice reaches.
 */
const STEEPNESS = 2;
/** How fast a filling thickens away from the pieces: slower leaves grooves along them, and slits through thin sheets. */
const THICKENING = 3;

export class GapCloser {
  private readonly nearest: NearestPoint;

  /** `surface` is the zero surface of the field, in pieces. */
  constructor(
    private readonly field: Field,
    private readonly surface: TriangleMesh,
    private readonly radius: number,
    private readonly cell: number,
  ) {
    this.nearest = new NearestPoint(buildTriangleTree(surface.positions, surface.triangles));
  }

  /** All pieces, grown by `reach`. */
  grow(reach: number): TriangleMesh {
    const cell = Math.max(this.cell, GROWN_CELL * reach);
    const grown: Field = (x, y, z) => {
      this.nearest.find(x, y, z);
      const { distance } = this.nearest;
      return (this.isBehind(x, y, z) ? -distance : distance) - reach;
    };
    return surfaceOf(grown, this.surface, reach + cell, cell);
  }

  /** Whether a point is inside by the nearest triangle: where that errs, far from any surface, it makes but a cavity. */
  private isBehind(x: number, y: number, z: number): boolean {
    const { positions: p, triangles } = this.surface;
    const t = 3 * this.nearest.triangle;
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [dx, dy, dz] = [x - p[a], y - p[a + 1], z - p[a + 2]];
    return dx * (uy * vz - uz * vy) + dy * (uz * vx - ux * vz) + dz * (ux * vy - uy * vx) < 0;
  }

  /** What was grown by `reach`, shrunk by as much; what it fills is made as thick as any other part. */
  shrink(grown: TriangleMesh, reach: number): TriangleMesh {
    const around = new NearestPoint(buildTriangleTree(grown.positions, grown.triangles));
    const shrunk: Field = (x, y, z) => {
      const value = this.field(x, y, z);
      // Filled are places outside the pieces, but not far.
      if (value <= 0 || value > reach + this.cell) return value;
      this.nearest.find(x, y, z);
      around.find(x, y, z);
      const isInside = this.nearest.distance < reach;
      const filled = (isInside ? -around.distance : around.distance) + reach;
      // The pieces themselves stay as they are: growing and shrinking are only as exact as their lattices.
      return Math.min(value, filled - Math.min(this.radius, THICKENING * Math.max(0, value - filled)));
    };
    return surfaceOf(shrunk, this.surface, this.cell, this.cell, STEEPNESS);
  }

  /** One piece of all, grown as little as that takes, and by how much; null where they are too far apart. */
  close(): { surface: TriangleMesh; reach: number } | null {
    // The widest first, which is coarse and quick, for parts that nothing joins.
    const [widest, ...others] = JOINS;
    const last = listPieces(this.grow(widest)).pieces;
    if (last.length !== 1) return null;
    for (const reach of [...others.reverse(), widest]) {
      const [grown, ...apart] = reach === widest ? last : listPieces(this.grow(reach)).pieces;
      if (apart.length > 0) continue;
      const surface = this.shrink(grown, reach);
      // Shrinking may part them again where they only just met.
      if (listPieces(surface).pieces.length === 1) return { surface, reach };
    }
    return null;
  }
}
