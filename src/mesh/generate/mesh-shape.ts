// Meshes a blended shape with a wanted number of vertices and sets it on the floor.

import type { Vec3 } from '../../math/vec3.js';
import { boundsOf, triangleArea } from '../measure.js';
import { evenOut } from '../remesh/even-out.js';
import { type Field, polygonise } from '../remesh/polygonise.js';
import { findSelfIntersections } from '../self-intersections.js';
import type { Bounds, TriangleMesh } from '../triangle-mesh.js';
import type { BlendedShape } from './blended-shape.js';

export interface MeshShapeOptions {
  readonly vertices: number;
  /** Height of the result [m]. */
  readonly size: number;
  /** Box around the shape, in the shape's own units. */
  readonly bounds: Bounds;
}

/**
 * Cubes of the lattice in wanted edge lengths, tried in turn: by chance a lattice can bridge a gap narrower than its
 * cubes, or triangles can fold over in a deep crease; a finer start ends differently.
 */
const CELLS = [1, 0.85, 0.7, 0.6];
/** Distances are exact to first order only: tapers and flat ellipsoids make the field steeper than 1. */
const STEEPNESS = 1.5;
/** Shorter edges at beaks, fingers and ears. */
const ADAPTIVITY = 1;
/** Least radius of a part in wanted edge lengths; thinner ones would be flattened to nothing by the triangles. */
const THINNEST = 0.75;

/**
 * `model` builds the shape with no part thinner than a given radius: at low vertex counts thin parts are made thicker
 * until the triangles can follow them.
 */
export function meshShape(model: (thinnest: number) => BlendedShape, options: MeshShapeOptions): TriangleMesh {
  const { vertices, size, bounds } = options;
  const coarse = (bounds[1][1] - bounds[0][1]) / 32;
  const area = areaOf(polygonise(model(0).toField(), bounds, coarse, { steepness: STEEPNESS }));
  // Equilateral triangles, two per vertex: area = vertices · edge² · √3/2.
  const edge = Math.sqrt(area / (vertices * 0.866));
  const field = model(THINNEST * edge).toField();
  const project = projectionOnto(field, edge);
  for (const cell of CELLS) {
    const rough = polygonise(field, bounds, cell * edge, { steepness: STEEPNESS });
    if (!isSphereLike(rough)) continue;
    const even = evenOut(rough, { vertices, project, adaptivity: ADAPTIVITY });
    if (findSelfIntersections(even.positions, even.triangles, 1).count === 0) return placeOnFloor(even, size);
  }
  throw new Error(`no sound mesh with ${vertices} vertices was found for the shape`);
}

/** One piece without holes through it, by Euler's formula V − E + F = 2 with E = 3F/2. */
function isSphereLike({ positions, triangles }: TriangleMesh): boolean {
  return positions.length / 3 - triangles.length / 6 === 2;
}

/** Two Newton steps along the gradient, ending early when the point is close enough for triangles of length `edge`. */
function projectionOnto(field: Field, edge: number): (point: Vec3) => Vec3 {
  const delta = 0.01 * edge;
  return ([x, y, z]) => {
    for (let step = 0; step < 2; step++) {
      const value = field(x, y, z);
      if (Math.abs(value) < 1e-3 * edge) break;
      const gx = (field(x + delta, y, z) - value) / delta;
      const gy = (field(x, y + delta, z) - value) / delta;
      const gz = (field(x, y, z + delta) - value) / delta;
      const square = gx * gx + gy * gy + gz * gz;
      if (!(square > 1e-6)) break;
      // Never further than half an edge: where parts meet, the gradient points nowhere in particular.
      const limit = (0.5 * edge) / Math.sqrt(square);
      const move = Math.min(limit, Math.max(-limit, value / square));
      x -= move * gx;
      y -= move * gy;
      z -= move * gz;
    }
    return [x, y, z];
  };
}

function areaOf({ positions, triangles }: TriangleMesh): number {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    area += triangleArea(positions, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
  }
  return area;
}

/** Scaled to the height `size`, standing on y = 0, its box centred in x and z. */
function placeOnFloor({ positions, triangles }: TriangleMesh, size: number): TriangleMesh {
  const [low, high] = boundsOf(positions);
  const factor = size / (high[1] - low[1]);
  const shift = [-(low[0] + high[0]) / 2, -low[1], -(low[2] + high[2]) / 2];
  return { positions: positions.map((x, i) => (x + shift[i % 3]) * factor), triangles };
}
