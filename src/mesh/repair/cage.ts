// A closed surface around any triangle soup, with about a wanted number of vertices.

import { boundsOf, centreOf, diagonalOf } from '../measure.js';
import { fair } from '../remesh/fair.js';
import type { Field } from '../remesh/polygonise.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type CageField, makeCageField } from './cage-field.js';
import { areaOf, boundCell, listPieces, surfaceOf } from './field-surface.js';
import { GapCloser } from './gap-closer.js';
import { RepairError, RepairLog } from './repair-report.js';
import { simplify } from './simplify.js';

/** Least half thickness of a part, in edge lengths of the cage: thinner ones its triangles could not follow. */
const RADIUS = 0.4;
/**
 * Tried in turn: where one ends in a surface that crosses itself or is pinched off, another does not. Cubes of the lattice
 * in edge lengths, and how wide crevices are filled and necks thickened, in radii.
 */
const ATTEMPTS = [
  { cell: 0.4, fill: 0 },
  { cell: 0.4, fill: 2 },
  { cell: 0.35, fill: 4 },
  { cell: 0.6, fill: 4 },
];
/** Most points of the lattice, 4 bytes each, and fewer for fewer vertices: they bound time and memory. */
const MOST_POINTS = 48e6;
const LEAST_POINTS = 2e6;
const POINTS_PER_VERTEX = 2000;
/** An edge may be too short by this factor; the simplifier makes up for it. */
const FITS = 1.25;
/** The cage's field has the slope of a distance, 1, and a little more at the rims of holes. */
const STEEPNESS = 1.5;
/** Smoothing of the dense surface, in sweeps: takes the traces of the lattice. */
const DENSE_SWEEPS = 12;

/** Equilateral triangles, two per vertex: area = vertices · edge² · √3/2. */
const edgeOf = (area: number, vertices: number) => Math.sqrt(area / (0.866 * vertices));

/** About the middle, of unit size: so that nothing overflows and every tolerance fits. */
function normalise(mesh: TriangleMesh) {
  const bounds = boundsOf(mesh.positions);
  const centre = centreOf(bounds);
  const size = diagonalOf(bounds);
  const inner = mesh.positions.map((value, i) => (value - centre[i % 3]) / size);
  const restore = (unit: TriangleMesh): TriangleMesh => ({
    positions: unit.positions.map((value, i) => value * size + centre[i % 3]),
    triangles: unit.triangles,
  });
  return { unit: { positions: inner, triangles: mesh.triangles }, size, restore };
}

/** A field, its surface as it is at first, and the edge length that gives the wanted number of vertices. */
interface Draft {
  readonly made: CageField;
  readonly surface: TriangleMesh;
  readonly edge: number;
}

/**
 * How large a cage is shows only when it is there: sheets have two sides, and needles become tubes. An edge that is too
 * short makes a surface with far too many triangles, so that it is lengthened until it fits.
 */
function draft(unit: TriangleMesh, vertices: number): Draft {
  const points = Math.min(MOST_POINTS, LEAST_POINTS + POINTS_PER_VERTEX * vertices);
  const finest = ATTEMPTS.reduce((least, { cell }) => Math.min(least, cell), 1);
  let edge = edgeOf(areaOf(unit), vertices);
  for (;;) {
    edge = boundCell(unit, finest * edge, points) / finest;
    const [radius, cell] = [RADIUS * edge, ATTEMPTS[0].cell * edge];
    const made = makeCageField(unit, radius);
    const surface = surfaceOf(made.field, unit, radius + cell, cell, STEEPNESS);
    const fitting = edgeOf(areaOf(surface), vertices);
    if (fitting <= FITS * edge) return { made, surface, edge };
    edge = fitting;
  }
}

/** One dense surface of all pieces; crevices up to twice `fill` wide are filled. */
function unite(
  field: Field,
  surface: TriangleMesh,
  { radius, cell, fill }: { radius: number; cell: number; fill: number },
  log: RepairLog,
): TriangleMesh {
  let { pieces, specks } = listPieces(surface);
  if (pieces.length === 0) throw new RepairError('no-cage', 'nothing of it is large enough for a cage');
  if (pieces.length > 1) {
    const closed = new GapCloser(field, surface, radius, cell).close();
    if (closed === null) {
      throw new RepairError('parts-apart', `it is ${pieces.length} parts that are too far apart to be one body`);
    }
    const gap = 200 * closed.reach;
    log.add('joined-parts', pieces.length, 'part joined', `parts joined over gaps of up to ${gap} % of the size`);
    ({ pieces, specks } = listPieces(closed.surface));
  } else if (fill > 0) {
    const closer = new GapCloser(field, surface, radius, cell);
    const filled = listPieces(closer.shrink(closer.grow(fill), fill));
    if (filled.pieces.length === 1) ({ pieces, specks } = filled);
  }
  log.add('dropped-specks', specks, 'speck left out', 'specks left out');
  return pieces[0];
}

export interface Cage {
  readonly mesh: TriangleMesh;
  /** Length of an edge [m]. */
  readonly edge: number;
}

/** The mesh is welded, finite and without flat triangles. Throws a RepairError. */
export async function buildCage(mesh: TriangleMesh, vertices: number, log: RepairLog): Promise<Cage> {
  const { unit, size, restore } = normalise(mesh);
  const { made, surface, edge } = draft(unit, vertices);
  const radius = RADIUS * edge;
  for (const [i, attempt] of ATTEMPTS.entries()) {
    const tried = new RepairLog();
    tried.body = log.body;
    const [cell, fill] = [attempt.cell * edge, attempt.fill * radius];
    const rough = i === 0 ? surface : surfaceOf(made.field, unit, radius + cell, cell, STEEPNESS);
    const around = unite(made.field, rough, { radius, cell, fill }, tried);
    const dense = fair(around, DENSE_SWEEPS);
    const cage = await simplify(dense, vertices);
    if (cage === null) continue;
    log.steps.push(...tried.steps);
    const by = `thickened by up to ${Number((100 * made.offset).toPrecision(2))} % of the size`;
    log.add('built-cage', cage.positions.length / 3, 'vertex in a cage around it', 'vertices in a cage around it');
    log.add('thickened-parts', made.thickenedCount, `thin triangle ${by}`, `thin triangles ${by}`);
    return { mesh: restore(cage), edge: edge * size };
  }
  throw new RepairError('no-cage', `no sound cage of about ${vertices} vertices was found around it`);
}
