// Everything worth knowing about a mesh before simulating it, as plain data that survives JSON.

import { groupCoincidentVertices } from './coincident-vertices.js';
import { findDegenerateTriangles } from './degenerate-triangles.js';
import { measure } from './measure.js';
import { analyseTopology } from './topology.js';
import type { Bounds, TriangleMesh } from './triangle-mesh.js';
import { type MeshProblem, validate } from './validate.js';

/** What `isochore inspect` tells of a mesh. */
export interface MeshInspection {
  vertices: number;
  triangles: number;
  /** There are triangles and every edge has exactly two. */
  closed: boolean;
  /** No edge has more than two triangles and the triangles at every vertex are one fan; a border is allowed. */
  manifold: boolean;
  /** Neighbouring triangles wind the same way everywhere; whether outwards is said by `inward-orientation`. */
  oriented: boolean;
  /** Sets of triangles joined by shared vertices. */
  components: number;
  /** Null unless the mesh is a closed, orientable manifold. */
  genus: number | null;
  /** Signed [m³]; of an open surface, that of the cone to the origin; null where coordinates are not finite. */
  volume: number | null;
  /** [m²] */
  area: number | null;
  bounds: Bounds;
  /** Vertices in exactly the same place as an earlier one. */
  duplicateVertices: number;
  degenerateTriangles: number;
  simulatable: boolean;
  /** Reasons against simulating it, then warnings, which do not count against it. */
  problems: MeshProblem[];
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * Never throws; every number in the result is finite or null.
 * @example
 * ```ts
 * const { closed, genus, volume, problems } = inspectMesh(torus());
 * ```
 */
export function inspectMesh(mesh: TriangleMesh): MeshInspection {
  const topology = analyseTopology(mesh);
  const measures = measure(mesh, topology);
  const { simulatable, problems, warnings } = validate(mesh, topology);
  const heads = groupCoincidentVertices(mesh.positions);
  let duplicateVertices = 0;
  for (let v = 0; v < heads.length; v++) if (heads[v] !== v) duplicateVertices++;
  return {
    vertices: Math.floor(measures.vertices),
    triangles: Math.floor(measures.triangles),
    closed: topology.closed,
    manifold: topology.manifold,
    oriented: topology.winding.clashingEdges.length === 0,
    components: measures.components,
    genus: measures.genus,
    volume: finiteOrNull(measures.volume),
    area: finiteOrNull(measures.area),
    bounds: measures.bounds,
    duplicateVertices,
    degenerateTriangles: findDegenerateTriangles(mesh).length,
    simulatable,
    problems: [...problems, ...warnings],
  };
}
