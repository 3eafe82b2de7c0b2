// The parts of a mesh: which there are, which lie wholly inside others, and each on its own.

import { boundsOf, diagonalOf } from '../measure.js';
import { analyseTopology, NO_COMPONENT } from '../topology.js';
import type { Bounds, TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree } from '../triangle-tree.js';
import { NearestPoint } from '../triangle-tree-nearest.js';
import type { RepairLog } from './repair-report.js';
import { keepTriangles, type TrackedMesh } from './tracked-mesh.js';
import { WindingNumber } from './winding-number.js';

/** More parts than this are not compared with each other. */
const MOST_COMPARED = 400;

interface Component {
  readonly triangles: Uint32Array;
  readonly bounds: Bounds;
  readonly closed: boolean;
}

function listComponents(mesh: TriangleMesh): Component[] {
  const { triangleComponents, componentCount, openEdges, adjacency } = analyseTopology(mesh);
  const lists: number[][] = Array.from({ length: componentCount }, () => []);
  triangleComponents.forEach((component, t) => {
    if (component === NO_COMPONENT) return;
    lists[component].push(mesh.triangles[3 * t], mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]);
  });
  const open = new Uint8Array(componentCount);
  for (const e of openEdges) open[triangleComponents[adjacency.edgeTriangles[adjacency.edgeTriangleOffsets[e]]]] = 1;
  return lists.map((list, component) => {
    const points = new Float64Array(3 * list.length);
    list.forEach((v, i) => {
      points.set(mesh.positions.subarray(3 * v, 3 * v + 3), 3 * i);
    });
    return { triangles: Uint32Array.from(list), bounds: boundsOf(points), closed: !open[component] };
  });
}

const contains = ([low, high]: Bounds, [innerLow, innerHigh]: Bounds, touch: number) =>
  [0, 1, 2].every((k) => low[k] - touch <= innerLow[k] && innerHigh[k] <= high[k] + touch);

/** Samples keep this far from a triangle's corners, in shares of the way to its middle: parts may touch in vertices. */
const INSET = 0.05;

/** This close to a surface, in diagonals, a sample is on it. */
const TOUCH = 1e-6;

/** A closed part that may hold others. */
class Container {
  private readonly nearest: NearestPoint;
  private readonly winding: WindingNumber;

  constructor(
    positions: Float64Array,
    triangles: Uint32Array,
    private readonly touch: number,
  ) {
    const tree = buildTriangleTree(positions, triangles);
    this.nearest = new NearestPoint(tree);
    this.winding = new WindingNumber(tree);
  }

  /** Whether a point is inside or on the surface. */
  holds(x: number, y: number, z: number): boolean {
    return this.winding.at(x, y, z) > 0.75 || (this.nearest.find(x, y, z) && this.nearest.distance <= this.touch);
  }
}

/** Whether triangles are inside a container, at their middles and near all corners. */
function isInside(positions: Float64Array, t: Uint32Array, outer: Container): boolean {
  for (let i = 0; i < t.length; i += 3) {
    const at = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
    const [x, y, z] = [0, 1, 2].map((k) => (positions[at[0] + k] + positions[at[1] + k] + positions[at[2] + k]) / 3);
    if (!outer.holds(x, y, z)) return false;
    for (const corner of at) {
      const [cx, cy, cz] = [x, y, z].map((value, k) => INSET * value + (1 - INSET) * positions[corner + k]);
      if (!outer.holds(cx, cy, cz)) return false;
    }
  }
  return true;
}

/** Drops parts that lie inside a closed one, or on it: nobody sees them, and a body is solid. */
export function dropEnclosed(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const { mesh } = tracked;
  const components = listComponents(mesh);
  if (components.length < 2 || components.length > MOST_COMPARED) return tracked;
  const touch = TOUCH * diagonalOf(boundsOf(mesh.positions));
  const containers = new Map<Component, Container>();
  const containerOf = (component: Component): Container => {
    const known = containers.get(component) ?? new Container(mesh.positions, component.triangles, touch);
    containers.set(component, known);
    return known;
  };
  // One after the other: of two that hold each other one stays.
  const kept = new Set(components);
  for (const inner of components) {
    for (const outer of kept) {
      if (outer === inner || !outer.closed || !contains(outer.bounds, inner.bounds, touch)) continue;
      if (!isInside(mesh.positions, inner.triangles, containerOf(outer))) continue;
      kept.delete(inner);
      break;
    }
  }
  const dropped = components.length - kept.size;
  log.add('dropped-enclosed', dropped, 'part inside another left out', 'parts inside others left out');
  if (dropped === 0) return tracked;
  return keepTriangles(
    tracked,
    [...kept].flatMap(({ triangles }) => [...triangles]),
  );
}

/** Drops open patches that hang on a closed surface by edges with more than two triangles, where they lie in or on it. */
export function dropInnerFins(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const { positions, triangles } = tracked.mesh;
  const { adjacency, openEdges, crowdedEdges, winding } = analyseTopology(tracked.mesh);
  if (crowdedEdges.length === 0 || openEdges.length === 0) return tracked;
  const open = new Uint8Array(winding.patchCount);
  for (const e of openEdges) open[winding.patches[adjacency.edgeTriangles[adjacency.edgeTriangleOffsets[e]]]] = 1;
  const isFin = (i: number) => open[winding.patches[Math.floor(i / 3)]] === 1;
  const surface = triangles.filter((_, i) => !isFin(i));
  const rest = analyseTopology({ positions, triangles: surface });
  if (!rest.closed) return tracked;
  const container = new Container(positions, surface, TOUCH * diagonalOf(boundsOf(positions)));
  const kept = triangles.filter((_, i) => {
    const t = i - (i % 3);
    return !isFin(i) || !isInside(positions, triangles.subarray(t, t + 3), container);
  });
  const dropped = (triangles.length - kept.length) / 3;
  log.add('dropped-enclosed', dropped, 'triangle inside left out', 'triangles inside left out');
  return dropped === 0 ? tracked : keepTriangles(tracked, kept);
}

/** Each component as a mesh of its own. */
export function splitComponents(tracked: TrackedMesh): TrackedMesh[] {
  return listComponents(tracked.mesh).map(({ triangles }) => keepTriangles(tracked, triangles));
}
