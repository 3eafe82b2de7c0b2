// What bodies and meshes of a model share: prepared bodies, and the geometries that are shown on them. Kept for as long as the model's own
// geometries live, so that the same model is prepared once.

import { type BufferAttribute, type BufferGeometry, Matrix4, type Mesh, type SkinnedMesh } from 'three';
import { meanEdgeLength } from '../mesh/measure.js';
import type { Simulatable } from '../mesh/repair/make-simulatable.js';
import { makeSimulatable, type SimulatableOptions } from '../mesh/repair/make-simulatable.js';
import type { RepairStep } from '../mesh/repair/repair-report.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { defaultSolver } from '../solvers/built-in.js';
import { prepare } from '../solvers/prepare.js';
import type { Prepared, Solver } from '../solvers/solver.js';
import { type PlainGeometry, readPlainGeometry, selectTriangles, toBufferGeometry } from './plain-geometry.js';
import { refineGeometry } from './refine-geometry.js';

export interface ModelOptions extends SimulatableOptions {
  readonly solver?: Solver;
  /** Whether visible triangles that are too large to bend with the simulation are split. */
  readonly refine?: boolean;
}

export const MODEL_DEFAULTS = {
  /** Particles in all. */
  vertices: 1000,
  refine: true,
  /** Regions of a third of the body. */
  regionRadius: 0.3,
};

/** Visible edges may be this many times as long as those of the simulation. */
const LONGEST_EDGE = 1.5;

/** A geometry to be shown on a body, with the look of a mesh of the model: places in the lists of these. */
export interface ShownGeometry {
  readonly source: number;
  readonly body: number;
  readonly geometry: BufferGeometry;
}

/** Who mends and prepares: this thread, or the world in a worker that the bodies are for. */
export interface ModelMaker<P extends { readonly mesh: TriangleMesh }> {
  makeSimulatable(mesh: TriangleMesh, options: SimulatableOptions): Promise<Simulatable>;
  prepare(mesh: TriangleMesh, solver: Solver): P | Promise<P>;
}

/** On this thread, for worlds on it. */
export const MAKER: ModelMaker<Prepared> = {
  makeSimulatable,
  prepare: (mesh, solver) => prepare(mesh, solver) as Prepared,
};

export interface SoftModel<P = Prepared> {
  readonly prepared: readonly P[];
  readonly shown: readonly ShownGeometry[];
  /** What was done to the triangles. */
  readonly steps: readonly RepairStep[];
}

/** By who made it and the first geometry of a model, then by all that it was made of. */
const models = new WeakMap<object, WeakMap<BufferGeometry, Map<string, Promise<SoftModel<never>>>>>();

/** The model of some meshes in a frame: made now, or when they were last asked for. */
export function softModel<P extends { readonly mesh: TriangleMesh }>(
  sources: readonly Mesh[],
  toFrame: Matrix4,
  options: ModelOptions,
  maker: ModelMaker<P>,
): Promise<SoftModel<P>> {
  const placed = sources.map((mesh) => ({ mesh, matrix: new Matrix4().multiplyMatrices(toFrame, mesh.matrixWorld) }));
  const key = keyOf(placed, options);
  if (key === undefined || sources.length === 0) return buildModel(placed, options, maker);
  const [{ geometry }] = sources;
  const made = (models.get(maker) ?? new WeakMap()) as WeakMap<BufferGeometry, Map<string, Promise<SoftModel<P>>>>;
  models.set(maker, made as WeakMap<BufferGeometry, Map<string, Promise<SoftModel<never>>>>);
  const known = made.get(geometry) ?? new Map<string, Promise<SoftModel<P>>>();
  made.set(geometry, known);
  const model = known.get(key) ?? buildModel(placed, options, maker);
  known.set(key, model);
  // What failed is tried again.
  model.catch(() => known.delete(key));
  return model;
}

interface PlacedMesh {
  readonly mesh: Mesh;
  readonly matrix: Matrix4;
}

/** Digits of a place that count: where an object is turned, the same model has other last bits. */
const PLACE_DIGITS = 9;

/** What a model is made of; undefined where it is in a pose of its own. */
function keyOf(placed: readonly PlacedMesh[], { solver, ...options }: ModelOptions): string | undefined {
  const isPosed = ({ mesh }: PlacedMesh): boolean =>
    (mesh as Partial<SkinnedMesh>).isSkinnedMesh === true ||
    mesh.morphTargetInfluences?.some((share) => share !== 0) === true;
  if (placed.some(isPosed)) return undefined;
  const meshes = placed.map(({ mesh: { geometry }, matrix }) => [
    geometry.uuid,
    ...Object.values(geometry.attributes).map((attribute) => (attribute as BufferAttribute).version ?? 0),
    geometry.getIndex()?.version ?? 0,
    ...matrix.elements.map((x) => Number(x.toPrecision(PLACE_DIGITS)).toFixed(PLACE_DIGITS)),
  ]);
  return JSON.stringify([meshes, options, solver && [solver.type, solver.settings, solverNumber(solver)]]);
}

/** Solvers of the same name and settings may differ all the same: those of a user's own. What is said of their settings tells them apart. */
const solverNumbers = new WeakMap<object, number>();
let lastSolver = 0;

function solverNumber(solver: Solver): number {
  const number = solverNumbers.get(solver.fields) ?? ++lastSolver;
  solverNumbers.set(solver.fields, number);
  return number;
}

async function buildModel<P extends { readonly mesh: TriangleMesh }>(
  placed: readonly PlacedMesh[],
  options: ModelOptions,
  maker: ModelMaker<P>,
): Promise<SoftModel<P>> {
  const { solver, refine = MODEL_DEFAULTS.refine, vertices, parts, weldTolerance } = options;
  const plains = placed.map(({ mesh, matrix }) => readPlainGeometry(mesh, matrix));
  const soup = joinTriangles(plains);
  if (soup.triangles.length === 0) throw new RangeError('object: expected a mesh with triangles, got none');
  const simulatable = await maker.makeSimulatable(soup, {
    vertices: vertices ?? MODEL_DEFAULTS.vertices,
    parts,
    weldTolerance,
  });
  const chosen = solver ?? defaultSolver({ regionRadius: MODEL_DEFAULTS.regionRadius });
  const prepared = await Promise.all(simulatable.bodies.map(({ mesh }) => maker.prepare(mesh, chosen as Solver)));
  const shown: ShownGeometry[] = [];
  let firstVertex = 0;
  plains.forEach((plain, source) => {
    const owners = simulatable.bodyOfVertex.subarray(firstVertex, firstVertex + plain.positions.length / 3);
    firstVertex += owners.length;
    prepared.forEach(({ mesh }, body) => {
      const own = selectTriangles(plain, (t) => owners[plain.triangles[3 * t]] === body);
      if (own.triangles.length === 0) return;
      const seen = refine ? refineGeometry(own, LONGEST_EDGE * meanEdgeLength(mesh)) : own;
      shown.push({ source, body, geometry: toBufferGeometry(seen) });
    });
  });
  return { prepared, shown, steps: simulatable.steps };
}

function joinTriangles(plains: readonly PlainGeometry[]): TriangleMesh {
  const positions = new Float64Array(plains.reduce((sum, plain) => sum + plain.positions.length, 0));
  const triangles = new Uint32Array(plains.reduce((sum, plain) => sum + plain.triangles.length, 0));
  let [at, corner] = [0, 0];
  for (const plain of plains) {
    positions.set(plain.positions, at);
    for (const vertex of plain.triangles) triangles[corner++] = vertex + at / 3;
    at += plain.positions.length;
  }
  return { positions, triangles };
}
