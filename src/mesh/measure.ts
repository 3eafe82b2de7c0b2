// Sizes of a mesh: volume, area, centre of mass, bounds, genus, and the small sums other code shares.
// Based on: the divergence theorem over triangles (B. Mirtich, Fast and accurate computation of polyhedral mass
// properties, 1996, for the solid's centre).

import type { Vec3 } from '../math/vec3.js';
import { analyseTopology, type MeshTopology } from './topology.js';
import { type Bounds, type TriangleMesh, triangleCount, vertexCount } from './triangle-mesh.js';

export { type BoundingSphere, boundingSphere } from './bounding-sphere.js';

/** Volume, area and extent of a mesh. */
export interface MeshMeasures {
  readonly vertices: number;
  readonly triangles: number;
  /**
   * Signed enclosed volume [m³], positive where triangles face outwards. A mesh that is not closed encloses nothing
   * by itself: then it is the volume of the cone over the surface with its tip in the origin.
   */
  readonly volume: number;
  /** Surface area [m²]. */
  readonly area: number;
  /** Of the enclosed solid, or of the surface where there is no volume to speak of [m]. */
  readonly centreOfMass: Vec3;
  /** Handles, summed over components; null unless the mesh is a closed, orientable manifold. */
  readonly genus: number | null;
  /** Sets of triangles joined by shared vertices. */
  readonly components: number;
  readonly bounds: Bounds;
}

/** Below this share of area × diagonal a volume is rounding: each summand carries an error near 1e-16 of that. */
export const VOLUME_NOISE = 1e-12;

/**
 * Lowest and highest corner over all finite coordinates; both in the origin when there are none.
 * @example
 * ```ts
 * const [low, high] = boundsOf(icosphere().positions);
 * ```
 */
export function boundsOf(positions: ArrayLike<number>): Bounds {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const value = positions[i + k];
      if (value - value !== 0) continue;
      if (value < low[k]) low[k] = value;
      if (value > high[k]) high[k] = value;
    }
  }
  for (let k = 0; k < 3; k++) if (low[k] > high[k]) low[k] = high[k] = 0;
  return [low, high];
}

export const centreOf = ([low, high]: Bounds): Vec3 => [
  low[0] + (high[0] - low[0]) / 2,
  low[1] + (high[1] - low[1]) / 2,
  low[2] + (high[2] - low[2]) / 2,
];

/** Length of the box's diagonal [m]: the extent that tolerances are relative to. */
export function diagonalOf([low, high]: Bounds): number {
  const x = high[0] - low[0];
  const y = high[1] - low[1];
  const z = high[2] - low[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Six times the volume, its first moments (times 24) and the vector area (times 2), relative to a point. */
function sumSolid(positions: ArrayLike<number>, triangles: ArrayLike<number>, [ox, oy, oz]: Vec3) {
  let sixVolume = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  let nx = 0;
  let ny = 0;
  let nz = 0;
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ax = positions[a] - ox;
    const ay = positions[a + 1] - oy;
    const az = positions[a + 2] - oz;
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const cx = uy * vz - uz * vy;
    const cy = uz * vx - ux * vz;
    const cz = ux * vy - uy * vx;
    const six = ax * cx + ay * cy + az * cz;
    sixVolume += six;
    mx += six * (3 * ax + ux + vx);
    my += six * (3 * ay + uy + vy);
    mz += six * (3 * az + uz + vz);
    nx += cx;
    ny += cy;
    nz += cz;
  }
  return { sixVolume, moments: [mx, my, mz] as const, twoArea: [nx, ny, nz] as const };
}

/** Area and area-weighted centroid of the surface. */
function sumSurface(positions: ArrayLike<number>, triangles: ArrayLike<number>) {
  let area = 0;
  const moment = [0, 0, 0];
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const piece = triangleArea(positions, a, b, c);
    area += piece;
    for (let k = 0; k < 3; k++) moment[k] += (piece / 3) * (positions[a + k] + positions[b + k] + positions[c + k]);
  }
  return { area, moment };
}

/** Area of the triangle whose corners start at the given places of `positions`. */
export function triangleArea(positions: ArrayLike<number>, a: number, b: number, c: number): number {
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const cx = uy * vz - uz * vy;
  const cy = uz * vx - ux * vz;
  const cz = ux * vy - uy * vx;
  return Math.sqrt(cx * cx + cy * cy + cz * cz) / 2;
}

/**
 * Signed volume [m³] of a closed mesh, summed about the centre of its bounds so that distance costs no digits.
 * @example
 * ```ts
 * const { positions, triangles } = box({ size: 2 });
 * console.log(signedVolume(positions, triangles)); // 8
 * ```
 */
export function signedVolume(positions: ArrayLike<number>, triangles: ArrayLike<number>): number {
  const [ox, oy, oz] = centreOf(boundsOf(positions));
  let sixVolume = 0;
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const [ax, ay, az] = [positions[a] - ox, positions[a + 1] - oy, positions[a + 2] - oz];
    sixVolume += ax * (uy * vz - uz * vy) + ay * (uz * vx - ux * vz) + az * (ux * vy - uy * vx);
  }
  return sixVolume / 6;
}

/**
 * A third of the areas of the triangles at each vertex [m²].
 * @example
 * ```ts
 * const areas = vertexAreas(icosphere()); // a third of the triangles around each vertex
 * ```
 */
export function vertexAreas(mesh: TriangleMesh): Float64Array {
  const { positions, triangles } = mesh;
  const areas = new Float64Array(positions.length / 3);
  for (let i = 0; i < triangles.length; i += 3) {
    const third = triangleArea(positions, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]) / 3;
    areas[triangles[i]] += third;
    areas[triangles[i + 1]] += third;
    areas[triangles[i + 2]] += third;
  }
  return areas;
}

/**
 * Sum over the triangles at each vertex of area × unit normal [m²]: not normalised, zero where they cancel.
 * @example
 * ```ts
 * const { positions, triangles } = icosphere();
 * const normals = vertexNormals(positions, triangles);
 * ```
 */
export function vertexNormals<Out extends Float32Array | Float64Array = Float64Array>(
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  out: Out = new Float64Array(positions.length) as Out,
): Out {
  out.fill(0);
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = (uy * vz - uz * vy) / 2;
    const ny = (uz * vx - ux * vz) / 2;
    const nz = (ux * vy - uy * vx) / 2;
    out[a] += nx;
    out[a + 1] += ny;
    out[a + 2] += nz;
    out[b] += nx;
    out[b + 1] += ny;
    out[b + 2] += nz;
    out[c] += nx;
    out[c + 1] += ny;
    out[c + 2] += nz;
  }
  return out;
}

/** Writes unit normals of the vertices, weighted by the areas of their triangles; upright where there are none. */
export function unitVertexNormals(
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  out: Float32Array,
): Float32Array {
  vertexNormals(positions, triangles, out);
  for (let k = 0; k + 2 < out.length; k += 3) {
    const length = Math.sqrt(out[k] ** 2 + out[k + 1] ** 2 + out[k + 2] ** 2);
    if (length > 0 && length < Infinity) {
      out[k] /= length;
      out[k + 1] /= length;
      out[k + 2] /= length;
    } else out.set([0, 1, 0], k);
  }
  return out;
}

/**
 * Mean over the sides of all triangles [m]: on a closed mesh every edge counts twice, so it is the edges' mean.
 * @example
 * ```ts
 * console.log(meanEdgeLength(icosphere({ detail: 3 }))); // [m]
 * ```
 */
export function meanEdgeLength(mesh: TriangleMesh): number {
  const { positions, triangles } = mesh;
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = 3 * triangles[i + k];
      const b = 3 * triangles[i + ((k + 1) % 3)];
      const x = positions[b] - positions[a];
      const y = positions[b + 1] - positions[a + 1];
      const z = positions[b + 2] - positions[a + 2];
      sum += Math.sqrt(x * x + y * y + z * z);
    }
  }
  return triangles.length > 0 ? sum / triangles.length : 0;
}

/** Handles of a closed, orientable manifold from its Euler characteristic, χ = Σ (2 − 2g); null for anything else. */
function genusOf(topology: MeshTopology, triangles: number): number | null {
  const { adjacency, winding } = topology;
  if (!topology.closed || !topology.manifold || winding.oneSided.includes(1)) return null;
  const used = adjacency.vertexCount - topology.looseVertices.length;
  return topology.componentCount - (used - adjacency.edgeCount + triangles) / 2;
}

/**
 * Measures a mesh whose indices are in range. `topology` spares the work where it is known already.
 * @example
 * ```ts
 * const { volume, area } = measure(box({ size: 2 }));
 * ```
 */
export function measure(mesh: TriangleMesh, topology: MeshTopology = analyseTopology(mesh)): MeshMeasures {
  const { positions, triangles } = mesh;
  const bounds = boundsOf(positions);
  const centre = centreOf(bounds);
  const solid = sumSolid(positions, triangles, centre);
  const surface = sumSurface(positions, triangles);
  const { twoArea, sixVolume } = solid;
  // From the bounds' centre to the origin: nothing in a closed mesh, whose vector area is zero.
  const shift = topology.balanced ? 0 : (centre[0] * twoArea[0] + centre[1] * twoArea[1] + centre[2] * twoArea[2]) / 6;
  const volume = sixVolume / 6 + shift;
  const { moments } = solid;
  let centreOfMass: Vec3 = centre;
  if (topology.balanced && Math.abs(volume) > VOLUME_NOISE * surface.area * diagonalOf(bounds)) {
    centreOfMass = [
      centre[0] + moments[0] / (4 * sixVolume),
      centre[1] + moments[1] / (4 * sixVolume),
      centre[2] + moments[2] / (4 * sixVolume),
    ];
  } else if (surface.area > 0) {
    const { area, moment } = surface;
    centreOfMass = [moment[0] / area, moment[1] / area, moment[2] / area];
  }
  return {
    vertices: vertexCount(mesh),
    triangles: triangleCount(mesh),
    volume,
    area: surface.area,
    centreOfMass,
    genus: genusOf(topology, triangleCount(mesh)),
    components: topology.componentCount,
    bounds,
  };
}
