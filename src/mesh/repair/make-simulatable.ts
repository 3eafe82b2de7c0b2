// From any triangles to bodies that can be simulated: what can be mended is mended, and around the rest a cage is built.

import { expectKnownFields } from '../../math/known-fields.js';
import { diagonalOf, measure } from '../measure.js';
import { orient } from '../orient.js';
import { findSelfIntersections } from '../self-intersections.js';
import { expectMesh, type TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import { findProblems } from '../validate.js';
import { NO_VERTEX, WELD_DEFAULTS, weld } from '../weld.js';
import { buildCage } from './cage.js';
import { dropEnclosed, dropInnerFins, splitComponents } from './components.js';
import { type Deviation, measureDeviation } from './deviation.js';
import { faceOutwards } from './face-outwards.js';
import { fillHoles } from './fill-holes.js';
import { mendFlatTriangles } from './flat-triangles.js';
import { noteRemainingFaults } from './remaining-faults.js';
import { RepairError, RepairLog, type RepairStep } from './repair-report.js';
import { separateFaults } from './separate-faults.js';
import { refine, simplify } from './simplify.js';
import { follow, type TrackedMesh, trackMesh } from './tracked-mesh.js';
import { dropCopies, dropUnusable } from './usable-triangles.js';

/** What `makeSimulatable` is to aim at. */
export interface SimulatableOptions {
  /**
   * Wanted number of vertices of all bodies together. A finer mesh is simplified, a coarser one gets more vertices on the
   * same surface. Without it a mesh that can be mended keeps its own, and cages share `SIMULATABLE_DEFAULTS.cageVertices`.
   */
  readonly vertices?: number;
  /** Parts that are not connected: all in one body, or each a body of its own. */
  readonly parts?: 'joined' | 'separate';
  /** Vertices this close are in one place, as a share of the bounding box's diagonal. */
  readonly weldTolerance?: number;
}

/** Options of `makeSimulatable` where none are given. */
export const SIMULATABLE_DEFAULTS = {
  parts: 'joined',
  weldTolerance: WELD_DEFAULTS.tolerance,
  cageVertices: 1000,
} as const;

/** Fewest and most vertices that may be asked for. */
export const SIMULATABLE_VERTICES = [50, 200_000] as const;

/** Most bodies that parts may become. */
export const SIMULATABLE_BODIES = 250;

/** How a body came from the input: its own surface, mended or not, with fewer or more vertices, or a cage around it. */
export type SimulatableOrigin = 'unchanged' | 'mended' | 'simplified' | 'refined' | 'cage';

/** One body of it. */
export interface SimulatableBody {
  /** One closed, oriented, outward 2-manifold. */
  readonly mesh: TriangleMesh;
  readonly origin: SimulatableOrigin;
  /**
   * For each vertex of the input the vertex of `mesh` in its place, `NO_VERTEX` where there is none; null where the
   * surface is another one.
   */
  readonly vertexMap: Uint32Array | null;
  /** Where the surface is another one, how far it is from the input's. */
  readonly deviation: Deviation | null;
}

/** What `makeSimulatable` made of a mesh. */
export interface Simulatable {
  readonly bodies: readonly SimulatableBody[];
  /** The body that each vertex of the input belongs to. */
  readonly bodyOfVertex: Uint32Array;
  /** Everything that was done. */
  readonly steps: readonly RepairStep[];
}

/** A part is lost where it stands out of the body by more than this many edge lengths. */
const LOST = 0.75;

/** Mends all that can be mended without moving a vertex. */
function mend(mesh: TriangleMesh, tolerance: number, log: RepairLog): TrackedMesh {
  let tracked = dropUnusable(trackMesh(mesh), log);
  if (tracked.mesh.triangles.length === 0) throw new RepairError('empty', 'it has no usable triangles');
  const welded = weld(tracked.mesh, { tolerance });
  log.add(
    'merged-vertices',
    welded.merged,
    'vertex merged with another in its place',
    'vertices merged with others in their places',
  );
  tracked = follow(tracked, welded.mesh, welded.vertexMap);
  tracked = mendFlatTriangles(dropCopies(tracked, log), log);
  if (!hasArea(tracked.mesh)) throw new RepairError('no-area', 'its triangles have no area');
  return faceOutwards(separateFaults(dropInnerFins(tracked, log), log), log);
}

function hasArea(mesh: TriangleMesh): boolean {
  const { area, bounds } = measure(mesh);
  const size = diagonalOf(bounds);
  return mesh.triangles.length > 0 && Number.isFinite(area) && area > 1e-12 * size * size;
}

const isSimulatable = (mesh: TriangleMesh): boolean => findProblems(mesh).length === 0;

/**
 * The mesh with its seams welded, loose vertices left out and its winding outwards, which changes nothing that can be seen;
 * null where that does not make a body of it.
 * @example
 * ```ts
 * const joined = joinSeams(icosphere());
 * ```
 */
export function joinSeams(mesh: TriangleMesh, weldTolerance: number = WELD_DEFAULTS.tolerance): TriangleMesh | null {
  const log = new RepairLog();
  const used = dropUnusable(trackMesh(mesh), log);
  if (log.steps.some(({ code }) => code === 'dropped-broken')) return null;
  const { mesh: joined } = orient(weld(used.mesh, { tolerance: weldTolerance }).mesh);
  return isSimulatable(joined) ? joined : null;
}

/** Brings a closed mesh to the wanted number of vertices; null where it cannot be had that way. */
async function resize(tracked: TrackedMesh, vertices: number, log: RepairLog): Promise<SimulatableBody | null> {
  const { mesh } = tracked;
  const count = mesh.positions.length / 3;
  if (count < vertices) {
    const refined = refine(mesh, vertices);
    log.add('refined', vertices - count, 'vertex added on the surface', 'vertices added on the surface');
    // Added vertices come last, so that the others keep their numbers.
    return { mesh: refined, origin: 'refined', vertexMap: tracked.vertexMap, deviation: null };
  }
  // What crosses itself may go on to, but no more than before.
  const crossings = findSelfIntersections(mesh.positions, mesh.triangles).count;
  const simple = await simplify(mesh, vertices, crossings);
  if (simple === null || !isSimulatable(simple)) return null;
  const edge = Math.sqrt(measure(simple).area / (0.866 * vertices));
  const deviation = measureDeviation(mesh, simple, LOST * edge);
  log.add(
    'simplified',
    simple.positions.length / 3,
    'vertex left after simplifying',
    'vertices left after simplifying',
  );
  return { mesh: simple, origin: 'simplified', vertexMap: null, deviation };
}

/** One body from triangles that belong together. */
async function makeBody(
  tracked: TrackedMesh,
  vertices: number | undefined,
  cageVertices: number,
  unchanged: boolean,
  log: RepairLog,
): Promise<SimulatableBody> {
  const { mesh, vertexMap } = tracked;
  if (isSimulatable(mesh)) {
    const fits = vertices === undefined || vertices === mesh.positions.length / 3;
    if (fits) return { mesh, origin: unchanged ? 'unchanged' : 'mended', vertexMap, deviation: null };
    const resized = await resize(tracked, vertices, log);
    if (resized !== null) return resized;
  }
  noteRemainingFaults(mesh, log);
  const cage = await buildCage(mesh, vertices ?? cageVertices, log);
  if (!isSimulatable(cage.mesh)) throw new RepairError('no-cage', 'no sound cage was found around it');
  const deviation = measureDeviation(mesh, cage.mesh, LOST * cage.edge);
  return { mesh: cage.mesh, origin: 'cage', vertexMap: null, deviation };
}

/** The body of each input vertex; those whose triangles were left out go to the nearest one. */
function assignVertices(
  mesh: TriangleMesh,
  parts: readonly TrackedMesh[],
  bodies: readonly SimulatableBody[],
): Uint32Array {
  const owners = new Uint32Array(mesh.positions.length / 3).fill(bodies.length === 1 ? 0 : NO_VERTEX);
  if (bodies.length === 1) return owners;
  parts.forEach(({ vertexMap }, body) => {
    vertexMap.forEach((vertex, v) => {
      if (vertex !== NO_VERTEX) owners[v] = body;
    });
  });
  const trees = bodies.map((body) => new NearestPoint(buildTriangleTree(body.mesh.positions, body.mesh.triangles)));
  owners.forEach((owner, v) => {
    if (owner !== NO_VERTEX) return;
    let [best, distance] = [0, Infinity];
    trees.forEach((tree, body) => {
      const found = tree.find(mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]);
      if (found && tree.distance < distance) [best, distance] = [body, tree.distance];
    });
    owners[v] = best;
  });
  return owners;
}

function checkOptions(options: SimulatableOptions): void {
  expectKnownFields('makeSimulatable', options, ['vertices', 'parts', 'weldTolerance']);
  const { vertices, parts, weldTolerance } = options;
  const [least, most] = SIMULATABLE_VERTICES;
  if (vertices !== undefined && !(Number.isInteger(vertices) && vertices >= least && vertices <= most)) {
    throw new RangeError(`vertices must be a whole number from ${least} to ${most}, got ${vertices}`);
  }
  if (parts !== undefined && parts !== 'joined' && parts !== 'separate') {
    throw new RangeError(`parts must be 'joined' or 'separate', got ${parts}`);
  }
  if (weldTolerance !== undefined && !(weldTolerance >= 0 && weldTolerance < 1)) {
    throw new RangeError(`weldTolerance must be a number from 0 to 1, got ${weldTolerance}`);
  }
}

/**
 * Bodies of any triangle soup. A mesh that can be simulated as it is passes unchanged, with its own arrays. The same input
 * gives the same bits. Rejects with a `RepairError` whose `reason` says why where no body can be made.
 * @example
 * ```ts
 * const { bodies, steps } = await makeSimulatable(icosphere(), { vertices: 500 });
 * console.log(steps.map(({ message }) => message));
 * ```
 */
export async function makeSimulatable(mesh: TriangleMesh, options: SimulatableOptions = {}): Promise<Simulatable> {
  expectMesh('mesh', mesh);
  checkOptions(options);
  const { vertices } = options;
  const log = new RepairLog();
  const isSound = isSimulatable(mesh);
  let whole = trackMesh({ positions: mesh.positions, triangles: mesh.triangles });
  if (!isSound) {
    whole = mend(mesh, options.weldTolerance ?? SIMULATABLE_DEFAULTS.weldTolerance, log);
    if (options.parts !== 'separate') whole = dropEnclosed(whole, log);
    whole = fillHoles(whole, log);
  }
  const parts = options.parts === 'separate' ? splitComponents(whole) : [whole];
  if (parts.length > 1) log.add('split-bodies', parts.length, 'body', 'bodies, one for each part');
  const [least, most] = [SIMULATABLE_VERTICES[0], SIMULATABLE_BODIES];
  if (parts.length > most) throw new RepairError('many-parts', `it is ${parts.length} parts, more than ${most} bodies`);
  const areas = parts.map((part) => measure(part.mesh).area);
  const total = areas.reduce((sum, area) => sum + area, 0);
  const bodies: SimulatableBody[] = [];
  for (const [i, part] of parts.entries()) {
    if (parts.length > 1) log.body = i;
    const share = (all: number) => Math.max(least, Math.round((all * areas[i]) / total));
    const wanted = vertices === undefined ? undefined : share(vertices);
    bodies.push(await makeBody(part, wanted, share(SIMULATABLE_DEFAULTS.cageVertices), isSound, log));
    const percent = Math.ceil(1000 * (bodies[i].deviation?.lostShare ?? 0)) / 10;
    log.add('lost-parts', percent, '% of the surface stands out of the body', '% of the surface stand out of the body');
  }
  return { bodies, bodyOfVertex: assignVertices(mesh, parts, bodies), steps: log.steps };
}
