// Inputs of every size at which four lanes, blocks of 128 and chunks of 512 begin, end or are left over.

import { type PreparedSurface, prepare, surface, type TriangleMesh } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import type { Regions } from '../../src/solvers/surface/regions.js';
import { measureRegions, type SurfaceRest } from '../../src/solvers/surface/rest.js';
import { meshOf, tetrahedron } from '../mesh/sample-meshes.js';

export const SIZES = [0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 255, 256, 257, 4097];
/** No closed mesh has fewer than four vertices. */
export const MESH_SIZES = SIZES.filter((size) => size >= 4);

/** A closed mesh of exactly so many vertices: two poles and rings between them, dented a little. */
export function meshOfSize(count: number): TriangleMesh {
  if (count === 4) return tetrahedron();
  const random = seededRandom(count);
  const between = count - 2;
  // As square as it goes, but at least three to a ring.
  let around = between;
  for (let n = 3; n * n <= 4 * between; n++) if (between % n === 0) around = n;
  const rings = between / around;
  const points = [0, -1, 0];
  const corners: number[] = [];
  const at = (ring: number, n: number) => 1 + ring * around + (n % around);
  for (let ring = 0; ring < rings; ring++) {
    const latitude = Math.PI * ((ring + 1) / (rings + 1) - 0.5);
    for (let n = 0; n < around; n++) {
      const longitude = (2 * Math.PI * n) / around;
      const radius = 1 + 0.05 * (random() - 0.5);
      points.push(
        radius * Math.cos(latitude) * Math.sin(longitude),
        radius * Math.sin(latitude),
        radius * Math.cos(latitude) * Math.cos(longitude),
      );
    }
  }
  points.push(0, 1, 0);
  const top = count - 1;
  for (let n = 0; n < around; n++) {
    corners.push(0, at(0, n + 1), at(0, n));
    for (let ring = 0; ring + 1 < rings; ring++) {
      corners.push(at(ring, n), at(ring, n + 1), at(ring + 1, n));
      corners.push(at(ring, n + 1), at(ring + 1, n + 1), at(ring + 1, n));
    }
    corners.push(at(rings - 1, n), at(rings - 1, n + 1), top);
  }
  return meshOf(points, corners);
}

/**
 * Particles without a surface, of any number: every region is a few intervals of neighbours in order, so that region sums
 * meet every way of beginning and ending. (Their normals are lost, and rest normals stand in.)
 */
export function looseParticles(count: number, seed: number): PreparedSurface {
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(n * random());
  const positions = Float64Array.from({ length: 3 * count }, () => 2 * random() - 1);
  const unitNormals = new Float64Array(3 * count);
  for (let k = 0; k < unitNormals.length; k += 3) unitNormals.set([0.6, 0, 0.8], k);
  const massShares = new Float64Array(count).fill(1 / Math.max(1, count));
  const regions = randomRegions(count, below);
  const regionMasses = massShares.map((m, i) => m / regions.sizes[i]);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const mesh = { positions, triangles: new Uint32Array(0) };
  const rest: SurfaceRest = {
    count,
    order,
    pathStarts: Uint32Array.of(0, count),
    mesh,
    positions,
    massShares,
    areas: new Float64Array(count).fill(1),
    unitNormals,
    rings: 1,
    stiffnessScale: 1,
    regions,
    regionMasses,
    ...measureRegions(positions, unitNormals, regionMasses, regions),
  };
  // The volume constraint and contact have no part in this.
  const { volume, contact } = prepare(tetrahedron(), surface());
  const triangles = mesh.triangles;
  const pairs = { partners: order, lengths: new Float64Array(count), depths: new Float64Array(count) };
  const solver = surface({ volume: false });
  return {
    mesh,
    solver,
    particles: rest,
    surface: rest,
    kernels: rest,
    volume: { ...volume, triangles, pairs },
    parts: [{ first: 0, count, volume: { ...volume, triangles, pairs } }],
    contact,
    maps: {},
  };
}

/** Up to three intervals for each particle, one of them its own neighbourhood. */
function randomRegions(count: number, below: (n: number) => number): Regions {
  const sizes = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const begins: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < count; i++) {
    const members = new Set<number>([i]);
    for (const centre of [i, below(count), below(count)]) {
      const reach = 3 + below(10);
      for (let j = Math.max(0, centre - reach); j < Math.min(count, centre + reach); j++) members.add(j);
    }
    const sorted = [...members].sort((a, b) => a - b);
    sizes[i] = sorted.length;
    sorted.forEach((j, n) => {
      if (n === 0 || sorted[n - 1] !== j - 1) begins.push(j);
      if (n === sorted.length - 1 || sorted[n + 1] !== j + 1) ends.push(j + 1);
    });
    offsets[i + 1] = begins.length;
  }
  return { count, sizes, offsets, begins: Uint32Array.from(begins), ends: Uint32Array.from(ends) };
}
