// From a closed surface to tetrahedra, with a report of what came out.

import { expectNumber, expectPositive, showInput } from '../../math/expect.js';
import { expectKnownFields } from '../../math/known-fields.js';
import { boundsOf, signedVolume } from '../measure.js';
import type { Field } from '../remesh/polygonise.js';
import { type Deviation, measureDeviation } from '../repair/deviation.js';
import { WindingNumber } from '../repair/winding-number.js';
import { copyMesh, type TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import { findProblems } from '../validate.js';
import { measureTetrahedra, type TetraMeasures } from './measure-tetrahedra.js';
import { largestPiece } from './pieces.js';
import { stuff } from './stuff.js';
import { boundaryOf, type TetraBoundary, type TetraMesh } from './tetra-mesh.js';

/** How fine tetrahedra are to be. */
export interface TetrahedraliseOptions {
  /** About how many tetrahedra are wanted, 100 to 2 000 000; the default. */
  readonly count?: number;
  /** Edge of the cells along the surface [m], instead of a count. */
  readonly cell?: number;
  /** How often cells may double inwards, 0 to 6: 0 for the same size everywhere. */
  readonly grading?: number;
  /** Longest edge of cells wanted at a place inside [m]: finer where it matters. Along the surface all are alike. */
  readonly cellAt?: Field;
}

/** Options of `tetrahedralise` where none are given. */
export const TETRAHEDRALISE_DEFAULTS = Object.freeze({ count: 4000, grading: 2 });
/** Fewer than this do not hold a shape; more than that do not fit into memory beside their matrices. */
export const TETRA_COUNTS = [100, 2_000_000] as const;
/** More cells than this along a side would be some 10⁸ tetrahedra. */
const MOST_CELLS = 512;
/** A count is met to this share, or the nearest of so many tries. */
const COUNT_TOLERANCE = 0.05;
const COUNT_TRIES = 6;

/** Tetrahedra made of a closed surface, and how good they are. */
export interface Tetrahedralised extends TetraMesh {
  readonly boundary: TetraBoundary;
  /** Count, volume, dihedral angles. */
  readonly measures: TetraMeasures;
  /** Between the surface that was given and the boundary [m]. */
  readonly deviation: Deviation;
  /** Edge of the cells along the surface [m]. */
  readonly cell: number;
  /** Tetrahedra that were left out, as the cells were too large to join them to the rest. */
  readonly lostCount: number;
}

/**
 * Fills a closed surface with tetrahedra whose dihedral angles lie between 10.7° and 164.8°. Edges and corners sharper than
 * the cells are rounded. [LS07]
 * @throws RangeError where the surface is not closed, or thinner than the cells everywhere.
 * @example
 * ```ts
 * const { tetrahedra, measures } = tetrahedralise(icosphere(), { count: 300 });
 * ```
 */
export function tetrahedralise(given: TriangleMesh, options: TetrahedraliseOptions = {}): Tetrahedralised {
  expectKnownFields('tetrahedralise', options, ['count', 'cell', 'grading', 'cellAt']);
  const { count = TETRAHEDRALISE_DEFAULTS.count, grading = TETRAHEDRALISE_DEFAULTS.grading, cellAt } = options;
  expectNumber('count', count, ...TETRA_COUNTS);
  if (!Number.isInteger(grading) || grading < 0 || grading > 6) {
    throw new RangeError(`grading: expected an integer from 0 to 6, got ${showInput(grading)}`);
  }
  if (options.count !== undefined && options.cell !== undefined) {
    throw new RangeError('tetrahedralise: expected either count or cell, got both');
  }
  const mesh = copyMesh('mesh', given);
  const [problem] = findProblems(mesh);
  if (problem) throw new RangeError(`mesh: expected a closed surface, got ${problem.code} (${problem.message})`);
  const bounds = boundsOf(mesh.positions);
  const longest = Math.max(...[0, 1, 2].map((k) => bounds[1][k] - bounds[0][k]));
  const field = signedDistance(mesh);
  const make = (cell: number): TetraMesh => stuff(field, bounds, { cell, grading, cellAt });
  const smallest = longest / MOST_CELLS;
  let cell: number;
  let tetra: TetraMesh;
  if (options.cell !== undefined) {
    expectPositive('cell', options.cell);
    expectNumber('cell', options.cell, smallest, longest);
    cell = options.cell;
    tetra = make(cell);
  } else {
    [cell, tetra] = meetCount(make, count, signedVolume(mesh.positions, mesh.triangles), smallest, longest);
  }
  const { mesh: whole, lostCount } = largestPiece(tetra);
  if (whole.tetrahedra.length === 0) {
    throw new RangeError(`cell: expected cells smaller than the body is thick, got ${showInput(cell)}`);
  }
  const boundary = boundaryOf(whole);
  return {
    ...whole,
    boundary,
    measures: measureTetrahedra(whole),
    deviation: measureDeviation(mesh, boundary.mesh, cell),
    cell,
    lostCount,
  };
}

/** Signed distance to a closed surface [m], negative inside. */
export function signedDistance(mesh: TriangleMesh): Field {
  const tree = buildTriangleTree(mesh.positions, mesh.triangles);
  const nearest = new NearestPoint(tree);
  const winding = new WindingNumber(tree);
  return (x, y, z) => {
    nearest.find(x, y, z);
    return winding.at(x, y, z) > 0.5 ? -nearest.distance : nearest.distance;
  };
}

/** The cell size whose count is nearest to the wanted one. A cubic cell has twelve tetrahedra. */
function meetCount(
  make: (cell: number) => TetraMesh,
  wanted: number,
  volume: number,
  smallest: number,
  longest: number,
): [number, TetraMesh] {
  const within = (cell: number): number => Math.min(longest, Math.max(smallest, cell));
  let cell = within(cubeRoot((12 * volume) / wanted));
  let best: [number, TetraMesh] | undefined;
  let bestError = Infinity;
  for (let attempt = 0; attempt < COUNT_TRIES; attempt++) {
    const mesh = make(cell);
    const count = mesh.tetrahedra.length / 4;
    const error = Math.abs(count / wanted - 1);
    if (error < bestError) [best, bestError] = [[cell, mesh], error];
    if (error < COUNT_TOLERANCE) break;
    cell = within(count === 0 ? cell / 2 : cell * cubeRoot(count / wanted));
  }
  return best as [number, TetraMesh];
}

/** By Newton's method, to the same bits everywhere. */
function cubeRoot(value: number): number {
  let root = Math.max(1, value);
  // From above each step takes a third of the way at least: 200 cover all that doubles can hold to within a few digits.
  for (let step = 0; step < 200; step++) {
    const next = (2 * root + value / (root * root)) / 3;
    if (!(next < root)) break;
    root = next;
  }
  return root;
}
