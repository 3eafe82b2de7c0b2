// From what a user gives (a surface or a solid mesh, and what is painted on it) to the tetrahedra of a body, the nodes of its
// boundary first.

import { boundsOf } from '../../mesh/measure.js';
import { boundaryOf, type TetraMesh } from '../../mesh/tetrahedralise/tetra-mesh.js';
import { tetrahedralise } from '../../mesh/tetrahedralise/tetrahedralise.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { buildTriangleTree } from '../../mesh/triangle-tree.js';
import { NearestPoint } from '../../mesh/triangle-tree-nearest.js';
import type { CheckedMaps, MapName } from '../maps.js';
import { STIFFNESS_FACTORS } from './rest.js';

/** A solid body before it has rest data. */
export interface Solid {
  /** Nodes of the boundary first, as its mesh has them. */
  readonly mesh: TetraMesh;
  /** What is painted, by tetrahedron and by vertex of the boundary. */
  readonly paint: { readonly stiffness?: Float64Array; readonly density?: Float64Array };
  readonly shellMaps: CheckedMaps;
  /** Factor on the damping of all of it. */
  readonly dampingScale: number;
}

/** Fills a closed surface with `cells` along its longest side; what is painted on it reaches as far as its nearest point does. */
export function fillSurface(surface: TriangleMesh, cells: number, maps: CheckedMaps): Solid {
  const [low, high] = boundsOf(surface.positions);
  const cell = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / cells;
  const mesh = boundaryFirst(tetrahedralise(surface, { cell }));
  const names = Object.keys(maps) as MapName[];
  const nearest = new NearestPoint(buildTriangleTree(surface.positions, surface.triangles));
  const at = (point: ArrayLike<number>, map: Float64Array): number => {
    nearest.find(point[0], point[1], point[2]);
    const corners = surface.triangles.subarray(3 * nearest.triangle, 3 * nearest.triangle + 3);
    const { weights } = nearest;
    return weights[0] * map[corners[0]] + weights[1] * map[corners[1]] + weights[2] * map[corners[2]];
  };
  return paintSolid(mesh, names, maps, at);
}

/** Takes a solid mesh, painted by node. */
export function takeSolid(given: TetraMesh, maps: CheckedMaps): Solid {
  const { order, mesh } = reorder(given);
  const names = Object.keys(maps) as MapName[];
  const factors = new Map(names.map((name) => [maps[name], Float64Array.from(order, (n) => maps[name]?.[n] ?? 1)]));
  return paintSolid(mesh, names, maps, (_, map, nodes) => {
    const values = factors.get(map) as Float64Array;
    return nodes.reduce((sum, n) => sum + values[n], 0) / nodes.length;
  });
}

type MapAt = (point: ArrayLike<number>, map: Float64Array, nodes: readonly number[]) => number;

function paintSolid(mesh: TetraMesh, names: readonly MapName[], maps: CheckedMaps, at: MapAt): Solid {
  const { positions, tetrahedra } = mesh;
  const middle = [0, 0, 0];
  const byTetra = (map: Float64Array): Float64Array =>
    Float64Array.from({ length: tetrahedra.length / 4 }, (_, t) => {
      const nodes = Array.from(tetrahedra.subarray(4 * t, 4 * t + 4));
      for (let c = 0; c < 3; c++) middle[c] = nodes.reduce((sum, n) => sum + positions[3 * n + c], 0) / 4;
      return Math.min(STIFFNESS_FACTORS[1], Math.max(STIFFNESS_FACTORS[0], at(middle, map, nodes)));
    });
  const { nodes } = boundaryOf(mesh);
  const shellMaps: Partial<Record<MapName, Float64Array>> = {};
  for (const name of names) {
    const map = maps[name] as Float64Array;
    shellMaps[name] = Float64Array.from(nodes, (n) => at(positions.subarray(3 * n, 3 * n + 3), map, [n]));
  }
  const { damping } = maps;
  return {
    mesh,
    paint: {
      stiffness: maps.stiffness && byTetra(maps.stiffness),
      density: maps.density && byTetra(maps.density),
    },
    shellMaps,
    dampingScale: damping ? damping.reduce((sum, factor) => sum + factor, 0) / damping.length : 1,
  };
}

const boundaryFirst = (mesh: TetraMesh): TetraMesh => reorder(mesh).mesh;

/** The nodes of the boundary first, then those inside, both in the order that they had; `order` is the node at each place. */
function reorder({ positions, tetrahedra }: TetraMesh): { mesh: TetraMesh; order: Uint32Array } {
  const { nodes } = boundaryOf({ positions, tetrahedra });
  const count = positions.length / 3;
  const order = new Uint32Array(count);
  const placeOf = new Int32Array(count).fill(-1);
  let place = 0;
  const put = (node: number): void => {
    order[place] = node;
    placeOf[node] = place++;
  };
  nodes.forEach(put);
  for (let n = 0; n < count; n++) if (placeOf[n] < 0) put(n);
  const moved = new Float64Array(positions.length);
  for (let k = 0; k < moved.length; k++) moved[k] = positions[3 * order[Math.trunc(k / 3)] + (k % 3)];
  return { mesh: { positions: moved, tetrahedra: tetrahedra.map((n) => placeOf[n]) }, order };
}
