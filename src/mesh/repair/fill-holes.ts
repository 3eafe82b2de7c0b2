// Closes small holes with triangles between the vertices of their rims.
// Based on: P. Liepa, Filling holes in meshes, 2003 (of all triangulations the one with the flattest folds, then the least
// area, by dynamic programming; his refinement and fairing are left out, as holes with long rims go to the cage).

import { cross, distance, dot, length, pointAt, subtract, type Vec3 } from '../../math/vec3.js';
import { boundsOf, diagonalOf, triangleArea } from '../measure.js';
import { findSelfIntersections } from '../self-intersections.js';
import { analyseTopology } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { RepairLog } from './repair-report.js';
import type { TrackedMesh } from './tracked-mesh.js';

/** Longest rim [edges]: the search is cubic, and a lid without inner vertices cannot follow a large hole's shape. */
const LONGEST_RIM = 64;
/** Largest lid, as a share of its closed component: more is a bowl or a sheet, and not a hole. */
const LARGEST_LID = 0.2;
/** Triangles of a lid are at least this share of the diagonal high; flatter ones would be degenerate. */
const LEAST_HEIGHT = 1e-9;

interface Rim {
  readonly component: number;
  /** Against the direction of the triangles at the rim, so that a lid over it faces outwards. */
  readonly vertices: number[];
  /** Third corner of the triangle across each edge of the rim. */
  readonly apexes: number[];
}

/** Rims that pass through every vertex once, and the area and number of triangles of each component. */
function findRims(mesh: TriangleMesh): { rims: Rim[]; areas: Float64Array; counts: Uint32Array } {
  const { adjacency, openEdges, triangleComponents, componentCount } = analyseTopology(mesh);
  const areas = new Float64Array(componentCount);
  const counts = new Uint32Array(componentCount);
  triangleComponents.forEach((component, t) => {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * mesh.triangles[3 * t + k]);
    areas[component] += triangleArea(mesh.positions, a, b, c);
    counts[component]++;
  });
  const next = new Map<number, number>();
  const apexes = new Map<number, number>();
  const components = new Map<number, number>();
  const crossed = new Set<number>();
  for (const e of openEdges) {
    const [low, high] = [adjacency.edgeVertices[2 * e], adjacency.edgeVertices[2 * e + 1]];
    const i = adjacency.edgeTriangleOffsets[e];
    const [from, to] = adjacency.edgeDirections[i] > 0 ? [high, low] : [low, high];
    const t = 3 * adjacency.edgeTriangles[i];
    if (next.has(from)) crossed.add(from);
    next.set(from, to);
    components.set(from, triangleComponents[t / 3]);
    apexes.set(from, mesh.triangles[t] + mesh.triangles[t + 1] + mesh.triangles[t + 2] - from - to);
  }
  const rims: Rim[] = [];
  const seen = new Set<number>();
  for (const start of next.keys()) {
    const vertices: number[] = [];
    let v: number | undefined = start;
    let simple = true;
    while (v !== undefined && !seen.has(v)) {
      seen.add(v);
      vertices.push(v);
      if (crossed.has(v)) simple = false;
      v = next.get(v);
    }
    if (v === start && simple && vertices.length >= 3) {
      const component = components.get(start) as number;
      rims.push({ component, vertices, apexes: vertices.map((vertex) => apexes.get(vertex) as number) });
    }
  }
  return { rims, areas, counts };
}

const normalOf = (a: Vec3, b: Vec3, c: Vec3): Vec3 => cross(subtract(b, a), subtract(c, a));

/** 0 for two triangles in one plane to 2 for one folded onto the other. */
function foldOf(m: Vec3, n: Vec3): number {
  const lengths = length(m) * length(n);
  return lengths > 0 ? 1 - dot(m, n) / lengths : 2;
}

/** Triangles over a rim, three places in it each, and their area; null where every triangulation has a flat one. */
function coverRim({ positions }: TriangleMesh, rim: Rim, least: number): { places: number[]; area: number } | null {
  const count = rim.vertices.length;
  const pointOf = (v: number) => pointAt(positions, v);
  const points = rim.vertices.map(pointOf);
  // Of the triangles behind the rim's edges, seen like those of the lid.
  const outer = rim.vertices.map((_, i) => normalOf(points[(i + 1) % count], points[i], pointOf(rim.apexes[i])));
  const at = (i: number, j: number) => i * count + j;
  const folds = new Float64Array(count * count);
  const areas = new Float64Array(count * count);
  const tips = new Int32Array(count * count).fill(-1);
  for (let span = 2; span < count; span++) {
    for (let i = 0; i + span < count; i++) {
      const k = i + span;
      let [bestFold, bestArea, best] = [Infinity, Infinity, -1];
      for (let j = i + 1; j < k; j++) {
        const normal = normalOf(points[i], points[j], points[k]);
        const size = length(normal);
        const longest = Math.max(
          ...[
            [i, j],
            [j, k],
            [k, i],
          ].map(([p, q]) => distance(points[p], points[q])),
        );
        if (!(size > least * longest)) continue;
        const beyond = (p: number, q: number) => {
          if (q === p + 1) return outer[p];
          const tip = tips[at(p, q)];
          return normalOf(points[p], points[tip], points[q]);
        };
        if ((j > i + 1 && tips[at(i, j)] < 0) || (k > j + 1 && tips[at(j, k)] < 0)) continue;
        let fold = Math.max(
          folds[at(i, j)],
          folds[at(j, k)],
          foldOf(normal, beyond(i, j)),
          foldOf(normal, beyond(j, k)),
        );
        if (span === count - 1) fold = Math.max(fold, foldOf(normal, outer[count - 1]));
        const area = areas[at(i, j)] + areas[at(j, k)] + size / 2;
        if (fold < bestFold || (fold === bestFold && area < bestArea)) [bestFold, bestArea, best] = [fold, area, j];
      }
      folds[at(i, k)] = bestFold;
      areas[at(i, k)] = bestArea;
      tips[at(i, k)] = best;
    }
  }
  if (tips[at(0, count - 1)] < 0) return null;
  const places: number[] = [];
  const pending: [number, number][] = [[0, count - 1]];
  for (let span = pending.pop(); span; span = pending.pop()) {
    const [i, k] = span;
    if (k < i + 2) continue;
    const j = tips[at(i, k)];
    places.push(i, j, k);
    pending.push([i, j], [j, k]);
  }
  return { places, area: areas[at(0, count - 1)] };
}

/** Fills holes whose rim is short and whose lid is small and crosses nothing. Vertices stay as they are. */
export function fillHoles(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const { mesh } = tracked;
  const { rims, areas, counts } = findRims(mesh);
  const least = LEAST_HEIGHT * diagonalOf(boundsOf(mesh.positions));
  const edges = new Set<string>();
  const lids: Uint32Array[] = [];
  for (const rim of rims) {
    // A polygon alone is a sheet: its lid would only be its other side.
    const isPolygon = counts[rim.component] <= rim.vertices.length - 2;
    if (isPolygon || rim.vertices.length > LONGEST_RIM) continue;
    const cover = coverRim(mesh, rim, least);
    if (cover === null || cover.area > LARGEST_LID * (areas[rim.component] + cover.area)) continue;
    lids.push(Uint32Array.from(cover.places, (place) => rim.vertices[place]));
  }
  // A lid's diagonal that exists already would have four triangles.
  const key = (a: number, b: number) => (a < b ? `${a},${b}` : `${b},${a}`);
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) edges.add(key(mesh.triangles[i + k], mesh.triangles[i + ((k + 1) % 3)]));
  }
  const fitting = lids.filter((lid) => addsNoEdgeTwice(lid, edges, key));
  const sound = fitting.length > 0 ? withoutCrossing(mesh, fitting) : [];
  log.add('filled-holes', sound.length, 'hole filled', 'holes filled');
  if (sound.length === 0) return tracked;
  const triangles = Uint32Array.from([...mesh.triangles, ...sound.flatMap((lid) => [...lid])]);
  return { ...tracked, mesh: { positions: mesh.positions, triangles } };
}

/** Whether the inner edges of a lid are new; they are noted where they are. */
function addsNoEdgeTwice(lid: Uint32Array, edges: Set<string>, key: (a: number, b: number) => string): boolean {
  const uses = new Map<string, number>();
  for (let i = 0; i < lid.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const edge = key(lid[i + k], lid[i + ((k + 1) % 3)]);
      uses.set(edge, (uses.get(edge) ?? 0) + 1);
    }
  }
  const inner = [...uses].filter(([, count]) => count === 2).map(([edge]) => edge);
  if (inner.some((edge) => edges.has(edge))) return false;
  for (const edge of inner) edges.add(edge);
  return true;
}

/** The lids whose triangles cross no triangle of the surface and of each other. */
function withoutCrossing(mesh: TriangleMesh, lids: readonly Uint32Array[]): Uint32Array[] {
  const first = mesh.triangles.length / 3;
  const owner: number[] = lids.flatMap((lid, i) => new Array<number>(lid.length / 3).fill(i));
  const all = Uint32Array.from([...mesh.triangles, ...lids.flatMap((lid) => [...lid])]);
  const crossing = new Set<number>();
  for (const [a, b] of findSelfIntersections(mesh.positions, all).pairs) {
    // A pair's higher triangle is the later one; only lids come later than the surface.
    if (b >= first) crossing.add(owner[b - first]);
    if (a >= first) crossing.add(owner[a - first]);
  }
  return lids.filter((_, i) => !crossing.has(i));
}
