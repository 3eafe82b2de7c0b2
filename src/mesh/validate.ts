// Says whether a mesh can be simulated, and names every reason why not.
// The contract: every edge has exactly two triangles that run along it in opposite directions, the triangles at every
// vertex are one fan, there is one component, it encloses a positive volume, every number is finite, no triangle is
// degenerate and no vertex is left over.

import { DEGENERATE_HEIGHT, findDegenerateTriangles } from './degenerate-triangles.js';
import { diagonalOf, measure, signedVolume, VOLUME_NOISE } from './measure.js';
import { findSelfIntersections } from './self-intersections.js';
import { analyseTopology, type MeshTopology, NO_COMPONENT } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Name of such a reason, for programs. */
export type MeshProblemCode =
  | 'empty'
  | 'index-out-of-range'
  | 'non-finite-vertex'
  | 'unreferenced-vertex'
  | 'degenerate-triangle'
  | 'open-edge'
  | 'non-manifold-edge'
  | 'non-manifold-vertex'
  | 'non-orientable'
  | 'inconsistent-winding'
  | 'inward-orientation'
  | 'several-components'
  | 'self-intersection';

/** Where a problem is: a vertex, an edge by its two vertices, a triangle, or two triangles that cross. */
export type MeshPlace =
  | { readonly vertex: number }
  | { readonly edge: readonly [number, number] }
  | { readonly triangle: number }
  | { readonly triangles: readonly [number, number] };

/** A reason why a mesh cannot be simulated, and where. */
export interface MeshProblem {
  readonly code: MeshProblemCode;
  /** One line with the total count. */
  readonly message: string;
  /** The first places, at most `PLACES_LISTED`. */
  readonly places: readonly MeshPlace[];
}

/** Whether a mesh can be simulated, and if not, why. */
export interface MeshValidation {
  readonly simulatable: boolean;
  /** Reasons against simulating it. */
  readonly problems: readonly MeshProblem[];
  /** Oddities that can be simulated. */
  readonly warnings: readonly MeshProblem[];
}

export const PLACES_LISTED = 20;

/** "1 edge has", "3 edges have": counts with their words. */
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

class ProblemList {
  readonly problems: MeshProblem[] = [];

  /** Adds a problem when there are places for it; `say` words the message from their number. */
  add(
    code: MeshProblemCode,
    items: ArrayLike<number>,
    place: (item: number) => MeshPlace,
    say: (count: number) => string,
  ): void {
    if (items.length === 0) return;
    const places = Array.from({ length: Math.min(items.length, PLACES_LISTED) }, (_, i) => place(items[i]));
    this.problems.push({ code, message: say(items.length), places });
  }
}

const atVertex = (vertex: number): MeshPlace => ({ vertex });
const atTriangle = (triangle: number): MeshPlace => ({ triangle });

function findNonFiniteVertices({ positions }: TriangleMesh): number[] {
  const found: number[] = [];
  for (let v = 0; 3 * v < positions.length; v++) {
    // A missing coordinate of an incomplete last vertex is undefined, which makes the sum NaN as well.
    const sum = positions[3 * v] - positions[3 * v] + (positions[3 * v + 1] - positions[3 * v + 1]);
    if (sum + (positions[3 * v + 2] - positions[3 * v + 2]) !== 0) found.push(v);
  }
  return found;
}

function findOutOfRange({ triangles }: TriangleMesh, vertexCount: number): number[] {
  const found: number[] = [];
  for (let t = 0; 3 * t < triangles.length; t++) {
    const inRange =
      triangles[3 * t] < vertexCount && triangles[3 * t + 1] < vertexCount && triangles[3 * t + 2] < vertexCount;
    if (!inRange) found.push(t);
  }
  return found;
}

function addEdgeProblems(list: ProblemList, topology: MeshTopology): void {
  const { edgeVertices, edgeTriangles, edgeTriangleOffsets } = topology.adjacency;
  const { clashingEdges, oneSided, patches } = topology.winding;
  const atEdge = (e: number): MeshPlace => ({ edge: [edgeVertices[2 * e], edgeVertices[2 * e + 1]] });
  list.add(
    'open-edge',
    topology.openEdges,
    atEdge,
    (n) => `${counted(n, 'edge has', 'edges have')} only one triangle: the surface is open there`,
  );
  list.add(
    'non-manifold-edge',
    topology.crowdedEdges,
    atEdge,
    (n) => `${counted(n, 'edge has', 'edges have')} more than two triangles`,
  );
  list.add(
    'non-manifold-vertex',
    topology.splitVertices,
    atVertex,
    (n) => `${counted(n, 'vertex joins', 'vertices join')} separate fans of triangles`,
  );
  const firstOfPatch = new Map<number, number>();
  for (let t = 0; t < patches.length; t++) {
    if (oneSided[patches[t]] && !firstOfPatch.has(patches[t])) firstOfPatch.set(patches[t], t);
  }
  list.add(
    'non-orientable',
    [...firstOfPatch.values()],
    atTriangle,
    (n) => `${counted(n, 'part is', 'parts are')} one-sided: no winding agrees everywhere, as on a Möbius strip`,
  );
  // In a one-sided part clashes cannot be mended, only moved, so they are no reason of their own.
  const mendable = clashingEdges.filter((e) => !oneSided[patches[edgeTriangles[edgeTriangleOffsets[e]]]]);
  list.add(
    'inconsistent-winding',
    mendable,
    atEdge,
    (n) => `${counted(n, 'edge has', 'edges have')} two triangles wound against each other`,
  );
}

/** Only a surface without border whose neighbours agree has an inside to face away from; of several parts each. */
function addOrientation(list: ProblemList, mesh: TriangleMesh, topology: MeshTopology, parts: boolean): void {
  if (!topology.closed || !topology.balanced) return;
  const { volume: all, area, bounds } = measure(mesh, topology);
  const noise = VOLUME_NOISE * area * diagonalOf(bounds);
  const volume = parts ? Math.min(...componentVolumes(mesh, topology)) : all;
  if (volume > noise) return;
  const message =
    volume < -noise
      ? `the surface faces inwards: its signed volume is ${Number(volume.toPrecision(6))} m³`
      : 'the surface encloses no volume';
  list.problems.push({ code: 'inward-orientation', message, places: [] });
}

/** Signed volume of each component [m³]. */
function componentVolumes({ positions, triangles }: TriangleMesh, topology: MeshTopology): number[] {
  const { triangleComponents, componentCount } = topology;
  return Array.from({ length: componentCount }, (_, component) => {
    const own = new Uint32Array(triangles.length);
    let end = 0;
    for (let t = 0; 3 * t < triangles.length; t++) {
      if (triangleComponents[t] !== component) continue;
      for (let k = 3 * t; k < 3 * t + 3; k++) own[end++] = triangles[k];
    }
    return signedVolume(positions, own.subarray(0, end));
  });
}

export interface ProblemOptions {
  readonly topology?: MeshTopology;
  /** Whether a body may be several closed parts. */
  readonly parts?: boolean;
}

/**
 * Checks everything; never throws, whatever the arrays hold.
 * @example
 * ```ts
 * const { simulatable, problems } = validate(icosphere());
 * ```
 */
export function validate(mesh: TriangleMesh, topology: MeshTopology = analyseTopology(mesh)): MeshValidation {
  const problems = findProblems(mesh, { topology });
  return { simulatable: problems.length === 0, problems, warnings: findWarnings(mesh) };
}

/** Every reason for which the mesh cannot be simulated; none for a closed, oriented, outward 2-manifold of one part, or of several. */
export function findProblems(mesh: TriangleMesh, options: ProblemOptions = {}): MeshProblem[] {
  const { topology = analyseTopology(mesh), parts = false } = options;
  const list = new ProblemList();
  const vertexCount = topology.adjacency.vertexCount;
  if (mesh.triangles.length === 0) {
    list.problems.push({ code: 'empty', message: 'the mesh has no triangles', places: [] });
  }
  const outOfRange = findOutOfRange(mesh, vertexCount);
  list.add(
    'index-out-of-range',
    outOfRange,
    atTriangle,
    (n) =>
      `${counted(n, 'triangle refers', 'triangles refer')} to vertices that do not exist (there are ${vertexCount})`,
  );
  const nonFinite = findNonFiniteVertices(mesh);
  list.add(
    'non-finite-vertex',
    nonFinite,
    atVertex,
    (n) => `${counted(n, 'vertex has a coordinate that is', 'vertices have coordinates that are')} not a finite number`,
  );
  list.add(
    'unreferenced-vertex',
    topology.looseVertices,
    atVertex,
    (n) => `${counted(n, 'vertex belongs', 'vertices belong')} to no triangle`,
  );
  list.add(
    'degenerate-triangle',
    findDegenerateTriangles(mesh),
    atTriangle,
    (n) =>
      `${counted(n, 'triangle has', 'triangles have')} no area (a repeated vertex, or flatter than ${DEGENERATE_HEIGHT} of the mesh's diagonal)`,
  );
  addEdgeProblems(list, topology);
  // Volumes need every number; indices out of range leave a hole in them just as well.
  if (nonFinite.length === 0 && outOfRange.length === 0) addOrientation(list, mesh, topology, parts);
  if (topology.componentCount > 1 && !parts) {
    const first = Array.from({ length: topology.componentCount }, () => -1);
    topology.triangleComponents.forEach((component, t) => {
      if (component !== NO_COMPONENT && first[component] < 0) first[component] = t;
    });
    list.add('several-components', first, atTriangle, (n) => `the mesh is ${n} separate parts, a body is one`);
  }
  return list.problems;
}

function findWarnings(mesh: TriangleMesh): MeshProblem[] {
  const { count, pairs, complete } = findSelfIntersections(mesh.positions, mesh.triangles);
  if (count === 0) return [];
  return [
    {
      code: 'self-intersection',
      message: `${complete ? '' : 'at least '}${counted(count, 'pair of triangles crosses', 'pairs of triangles cross')} each other`,
      places: pairs.slice(0, PLACES_LISTED).map((triangles) => ({ triangles })),
    },
  ];
}
