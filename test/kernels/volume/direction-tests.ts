// The direction of a volume correction against double precision: the same for whatever computes it.

import { expect } from 'vitest';
import {
  type PreparedSurface,
  prepare,
  surface,
  type TriangleMesh,
  vertexAreas,
  vertexNormals,
} from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { writeDirection } from '../../../src/solvers/volume/direction.js';
import { writeTurnedPushes } from '../../../src/solvers/volume/outward.js';
import { VOLUME_DEFAULTS } from '../../../src/solvers/volume/settings.js';
import { smoothWeights, writeShares } from '../../../src/solvers/volume/weights.js';
import { MESH_SIZES, meshOfSize } from '../kernel-sizes.js';
import type { NamedTest, Soon } from '../named-test.js';
import { crossed } from '../sample-rotations.js';

export interface Field {
  positions: Float64Array;
  masses: Float64Array;
  normals: Float64Array;
  outward: Float64Array;
}

/** A mesh stretched, bent a little and moved away, with uneven masses. */
export function distorted(mesh: TriangleMesh, seed: number, offset = 0): Field {
  const random = seededRandom(seed);
  const positions = mesh.positions.map((x, k) => offset + x * [1.3, 0.8, 1.1][k % 3] + 0.05 * (random() - 0.5));
  const areas = vertexAreas(mesh);
  const normals = vertexNormals(positions, mesh.triangles);
  const outward = normals.map((n, k) => {
    const row = normals.subarray(k - (k % 3), k - (k % 3) + 3);
    return (n * areas[Math.trunc(k / 3)]) / Math.sqrt(row[0] ** 2 + row[1] ** 2 + row[2] ** 2);
  });
  return { positions, masses: areas.map((a) => a * (0.5 + random())), normals, outward };
}

/** Σ m d and Σ m x×d, relative to Σ m|d| and Σ m|x||d|. */
export function momentumOf({ positions, masses }: Field, direction: Float64Array): number {
  const sums = new Float64Array(6);
  let [scale, arm] = [0, 0];
  masses.forEach((m, i) => {
    const d = direction.subarray(3 * i, 3 * i + 3);
    const x = positions.subarray(3 * i, 3 * i + 3);
    const l = crossed(x, d);
    const size = m * Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2);
    scale += size;
    arm += size * Math.sqrt(x[0] ** 2 + x[1] ** 2 + x[2] ** 2);
    for (let c = 0; c < 3; c++) {
      sums[c] += m * d[c];
      sums[3 + c] += m * l[c];
    }
  });
  return sums.reduce((worst, s, c) => Math.max(worst, Math.abs(s) / (c < 3 ? scale : arm)), 0);
}

/** Regions turned about the normals of most vertices, and against those of some: pushes lean outwards there. */
const TURNS = [
  [0, 0, 0, 1],
  [0.6, 0, 0, 0.8],
];

/** Directions of particles in path order, none of them held, from the rotation of all regions and how far each was moved by its goal. */
export type DirectionOf = (
  prepared: PreparedSurface,
  rotation: readonly number[],
  positions: Float64Array,
  changes: Float64Array,
) => Soon<Float64Array>;

export function directionTests(test: NamedTest, directionOf: DirectionOf): void {
  for (const turn of TURNS) {
    for (const count of MESH_SIZES) {
      test(`of a mesh of ${count} vertices, regions turned by ${turn}, is that of double precision, and without momentum`, async () => {
        const prepared = prepare(meshOfSize(count), surface({ regionSize: 1 }));
        const { volume: rest } = prepared;
        const field = distorted(prepared.particles.mesh, 55);
        field.positions.forEach((x, k) => {
          field.positions[k] = Math.fround(x);
        });
        const masses = prepared.particles.massShares;
        const random = seededRandom(56);
        const changes = masses.map(() => Math.fround(random()));
        const found = await directionOf(prepared, turn, field.positions, changes);
        const weights = new Float64Array(count);
        writeShares(VOLUME_DEFAULTS, rest.pairs, field.positions, changes, weights);
        smoothWeights(rest.neighbours, new Uint8Array(count), weights, new Float64Array(count));
        const expected = new Float64Array(3 * count);
        const rotations = Float64Array.from({ length: 4 * count }, (_, k) => turn[k % 4]);
        const outward = new Float64Array(3 * count);
        writeTurnedPushes(rest, rest.pushes, rotations, field.normals, new Float64Array(count), outward);
        writeDirection(field.positions, masses, outward, weights, expected);
        // d is a difference of vectors of the size of a vertex area times its weight; sums over n particles lose ε·√n of that.
        const longest = Math.max(...expected.map(Math.abs));
        found.forEach((d, k) => {
          expect(Math.abs(d - expected[k])).toBeLessThan(2e-5 * longest);
        });
        expect(momentumOf({ ...field, masses }, found)).toBeLessThan(1e-5);
      });
    }
  }
}
