// The direction of a volume correction: outwards, by weight, and without momentum.

import { describe, expect, it } from 'vitest';
import { prepare, signedVolume, surface, vertexAreas, vertexNormals } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { writeDirection } from '../../../src/solvers/volume/direction.js';
import { writeTurnedPushes } from '../../../src/solvers/volume/outward.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { MESH_SIZES, meshOfSize } from '../kernel-sizes.js';
import { crossed } from '../sample-rotations.js';
import { KernelBody } from '../wasm-kernels.js';

interface Field {
  positions: Float64Array;
  masses: Float64Array;
  normals: Float64Array;
  outward: Float64Array;
}

/** A mesh stretched, bent a little and moved away, with uneven masses. */
function distorted(mesh: (typeof kernelMeshes)[number][1], seed: number, offset = 0): Field {
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
function momentumOf({ positions, masses }: Field, direction: Float64Array): number {
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

const weightings: Record<string, (i: number, random: () => number) => number> = {
  even: () => 1,
  random: (_, random) => random(),
  'with holes': (i, random) => (i % 3 === 0 ? 0 : random()),
};

describe.each(kernelMeshes)('direction on the %s', (name, mesh) => {
  it.each(Object.entries(weightings))('has no linear and no angular momentum, weights %s', (_, weigh) => {
    const random = seededRandom(52);
    for (const offset of [0, 100]) {
      const field = distorted(mesh, 51, offset);
      const weights = field.masses.map((_, i) => weigh(i, random));
      const direction = new Float64Array(field.positions.length).fill(9);
      writeDirection(field.positions, field.masses, field.outward, weights, direction);
      // Rounding of the sums and of a 3×3 solve, whose condition for two free corners of a tetrahedron costs digits.
      const tolerance = mesh.positions.length > 24 ? 1e-12 : 1e-9;
      expect(momentumOf(field, direction)).toBeLessThan(tolerance);
      weights.forEach((w, i) => {
        if (w === 0) expect([...direction.subarray(3 * i, 3 * i + 3)].every((d) => d === 0)).toBe(true);
      });
    }
  });

  it('makes the body grow', () => {
    const field = distorted(mesh, 53);
    const direction = new Float64Array(field.positions.length);
    writeDirection(
      field.positions,
      field.masses,
      field.outward,
      new Float64Array(field.masses.length).fill(1),
      direction,
    );
    const flux = direction.reduce((sum, d, k) => sum + d * field.normals[k], 0);
    expect(flux, name).toBeGreaterThan(0);
    const grown = field.positions.map((x, k) => x + 1e-6 * direction[k]);
    expect(signedVolume(grown, mesh.triangles)).toBeGreaterThan(signedVolume(field.positions, mesh.triangles));
  });
});

it('is zero without weights', () => {
  const field = distorted(kernelMeshes[4][1], 54);
  const direction = new Float64Array(field.positions.length).fill(1);
  writeDirection(field.positions, field.masses, field.outward, new Float64Array(field.masses.length), direction);
  expect(direction.every((d) => d === 0)).toBe(true);
});

it('is the outward direction itself where that has no momentum: even weights on a sphere', () => {
  const mesh = kernelMeshes[1][1]; // octahedron: outward ∝ x, equal masses
  const masses = new Float64Array(6).fill(2);
  const direction = new Float64Array(18);
  writeDirection(mesh.positions, masses, mesh.positions, new Float64Array(6).fill(0.25), direction);
  direction.forEach((d, k) => {
    expect(Math.abs(d - 0.25 * mesh.positions[k])).toBeLessThan(1e-15);
  });
});

/** About the normals of most vertices, and against those of some: pushes lean outwards there. */
const turns = [
  [0, 0, 0, 1],
  [0.6, 0, 0, 0.8],
];

describe.each(turns)('direction on wasm, regions turned by %d, %d, %d, %d', (...turn) => {
  it.each(MESH_SIZES)('of a mesh of %i vertices is that of double precision, and without momentum', (count) => {
    const prepared = prepare(meshOfSize(count), surface({ regionSize: 1 }));
    const { mesh } = prepared.particles;
    const field = distorted(mesh, 55);
    field.positions.forEach((x, k) => {
      field.positions[k] = Math.fround(x);
    });
    const masses = prepared.particles.massShares;
    const random = seededRandom(56);
    const body = new KernelBody(prepared);
    body.turn(turn);
    const none = new Uint8Array(count);
    const changes = masses.map(() => Math.fround(random()));
    const [weights] = body.weights(field.positions, changes, none, none);
    const found = body.direction() as Float64Array;
    const expected = new Float64Array(3 * count);
    const rotations = Float64Array.from({ length: 4 * count }, (_, k) => turn[k % 4]);
    const outward = new Float64Array(3 * count);
    writeTurnedPushes(
      prepared.volume,
      prepared.volume.pushes,
      rotations,
      field.normals,
      new Float64Array(count),
      outward,
    );
    writeDirection(field.positions, masses, outward, weights, expected);
    // d is a difference of vectors of the size of a vertex area times its weight; sums over n particles lose ε·√n of that.
    const longest = Math.max(...expected.map(Math.abs));
    found.forEach((d, k) => {
      expect(Math.abs(d - expected[k])).toBeLessThan(2e-5 * longest);
    });
    expect(momentumOf({ ...field, masses }, found)).toBeLessThan(1e-5);
  });
});

describe('direction on wasm', () => {
  it('is none where nobody may move', () => {
    const prepared = prepare(kernelMeshes[4][1], surface({ regionSize: 1 }));
    const body = new KernelBody(prepared);
    const { count, mesh } = prepared.particles;
    const all = new Uint8Array(count).fill(1);
    body.weights(mesh.positions, new Float64Array(count), all, all);
    expect(body.direction()).toBeUndefined();
  });
});
