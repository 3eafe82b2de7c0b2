// The volume constraint by itself: exact volume, zero flux, untouched particles, untouched momentum; the same for whatever computes it.

import { expect } from 'vitest';
import {
  icosphere,
  type PreparedSurface,
  prepare,
  signedVolume,
  surface,
  type TriangleMesh,
  VOLUME_DEFAULTS,
  vertexNormals,
} from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import type { Shell } from '../../../src/solvers/model.js';
import { buildVolumeRest } from '../../../src/solvers/volume/rest.js';
import type { VolumeSettings } from '../../../src/solvers/volume/settings.js';
import { kernelMeshes } from '../kernel-meshes.js';
import type { NamedTest, Soon } from '../named-test.js';
import { crossed } from '../sample-rotations.js';
import { particlesOf } from './particles-of.js';

/** Stretched, dented and moving anyhow; `changes` as an elasticity would report them. */
function distorted(mesh: TriangleMesh, seed: number): Shell {
  const particles = particlesOf(mesh);
  const random = seededRandom(seed);
  const { positions, velocities, changes } = particles;
  for (let k = 0; k < positions.length; k++) {
    positions[k] = positions[k] * [1.15, 0.75, 1][k % 3] + 0.02 * (random() - 0.5) + 3;
    velocities[k] = 4 * random() - 2;
  }
  for (let i = 0; i < changes.length; i++) changes[i] = positions[3 * i] > 3 ? random() : 0.1;
  // Numbers that every backend can hold, so that what stays is the same to the bit.
  for (const values of [positions, velocities]) values.set(values.map(Math.fround));
  return particles;
}

export interface Masks {
  pinned?: Uint8Array;
  colliding?: Uint8Array;
  settings?: VolumeSettings;
}

/** Gives particles their volume back, and takes the flux out of their velocities. */
export type Conserve = (mesh: TriangleMesh, particles: Shell, masks?: Masks) => Soon<void>;

/** What kernels make of positions, velocities and changes, pinned and colliding particles, in path order. */
export type KernelConserve = (
  prepared: PreparedSurface,
  settings: VolumeSettings,
  state: readonly [Float64Array, Float64Array, Float64Array, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>],
) => Soon<{ positions: Float64Array; velocities: Float64Array }>;

/** The same by kernels, which have the particles in path order. */
export const conserveBy =
  (conserved: KernelConserve): Conserve =>
  async (mesh, particles, masks = {}) => {
    const prepared = prepare(mesh, surface({ regionSize: 1 }));
    const { order } = prepared.particles;
    const vectors = (values: Float64Array) =>
      Float64Array.from({ length: values.length }, (_, k) => values[3 * order[Math.trunc(k / 3)] + (k % 3)]);
    const marks = (values?: Uint8Array) => Uint8Array.from(order, (vertex) => values?.[vertex] ?? 0);
    const changes = Float64Array.from(order, (vertex) => particles.changes[vertex]);
    const state = [vectors(particles.positions), vectors(particles.velocities), changes] as const;
    const held = [marks(masks.pinned), marks(masks.colliding)] as const;
    const found = await conserved(prepared, masks.settings ?? VOLUME_DEFAULTS, [...state, ...held]);
    order.forEach((vertex, place) => {
      particles.positions.set(found.positions.subarray(3 * place, 3 * place + 3), 3 * vertex);
      particles.velocities.set(found.velocities.subarray(3 * place, 3 * place + 3), 3 * vertex);
    });
  };

export const volumeError = (mesh: TriangleMesh, { positions }: Shell): number =>
  Math.abs(signedVolume(positions, mesh.triangles) / signedVolume(mesh.positions, mesh.triangles) - 1);

/** |Σ v·n̄| relative to Σ |v·n̄|. */
function fluxError(mesh: TriangleMesh, { positions, velocities }: Shell): number {
  const normals = vertexNormals(positions, mesh.triangles);
  let [flux, scale] = [0, 0];
  normals.forEach((n, k) => {
    flux += n * velocities[k];
    scale += Math.abs(n * velocities[k]);
  });
  return Math.abs(flux) / scale;
}

/** Σ m x, Σ m v and Σ m x×v. */
function momentaOf({ masses, positions, velocities }: Shell): Float64Array {
  const sums = new Float64Array(9);
  masses.forEach((m, i) => {
    const [x, v] = [positions.subarray(3 * i, 3 * i + 3), velocities.subarray(3 * i, 3 * i + 3)];
    [...x, ...v, ...crossed(x, v)].forEach((value, c) => {
      sums[c] += m * value;
    });
  });
  return sums;
}

const settings: Record<string, VolumeSettings> = {
  default: VOLUME_DEFAULTS,
  global: { ...VOLUME_DEFAULTS, globalShare: 1 },
  local: { ...VOLUME_DEFAULTS, globalShare: 0, innerShare: 0 },
  'inner pairs alone': { ...VOLUME_DEFAULTS, globalShare: 0, innerShare: 1 },
};

const meshes = kernelMeshes.filter(([, mesh]) => mesh.positions.length > 3 * 8);

/** @param exactly relative error of volumes, fluxes and momenta. @param isSingle whether `conserve` is a kernel's. */
export function conserveTests(test: NamedTest, exactly: number, conserve: Conserve, isSingle: boolean): void {
  for (const [name, mesh] of meshes) {
    for (const [weights, chosen] of Object.entries(settings))
      test(`a distorted free ${name} has its volume, no flux and the momenta it had, weights ${weights}`, async () => {
        const particles = distorted(mesh, 71);
        const before = momentaOf(particles);
        const scale = particles.masses.reduce((sum, m) => sum + m, 0);
        expect(volumeError(mesh, particles)).toBeGreaterThan(0.05);
        await conserve(mesh, particles, { settings: chosen });
        expect(volumeError(mesh, particles)).toBeLessThan(exactly);
        expect(fluxError(mesh, particles)).toBeLessThan(exactly);
        // Centre of mass, linear and angular momentum, at 5 m from the origin with velocities of 2 m/s.
        momentaOf(particles).forEach((value, c) => {
          expect(Math.abs(value - before[c])).toBeLessThan(exactly * 10 * scale);
        });
      });
  }

  const mesh = icosphere({ detail: 3 });
  const lowest = (share: number) =>
    Uint8Array.from({ length: 642 }, (_, i) => (mesh.positions[3 * i + 1] < share ? 1 : 0));

  test('held particles do not move in contact, while the volume becomes exact', async () => {
    const particles = distorted(mesh, 72);
    const colliding = lowest(-0.5);
    const before = particles.positions.slice();
    await conserve(mesh, particles, { colliding });
    expect(volumeError(mesh, particles)).toBeLessThan(exactly);
    expect(fluxError(mesh, particles)).toBeLessThan(exactly);
    let [held, moved] = [0, 0];
    particles.positions.forEach((x, k) => {
      if (colliding[Math.trunc(k / 3)] !== 0) {
        expect(x).toBe(before[k]);
        held++;
      } else if (x !== before[k]) moved++;
    });
    expect(held).toBeGreaterThan(300);
    expect(moved).toBeGreaterThan(1000);
  });

  test('held particles neither move nor change their velocity where pinned', async () => {
    const particles = distorted(mesh, 73);
    const pinned = lowest(-0.3);
    const [positions, velocities] = [particles.positions.slice(), particles.velocities.slice()];
    await conserve(mesh, particles, { pinned, colliding: lowest(-0.6) });
    expect(volumeError(mesh, particles)).toBeLessThan(exactly);
    expect(fluxError(mesh, particles)).toBeLessThan(exactly);
    particles.positions.forEach((x, k) => {
      if (pinned[Math.trunc(k / 3)] === 0) return;
      expect(x).toBe(positions[k]);
      expect(particles.velocities[k]).toBe(velocities[k]);
    });
  });

  test('held particles are all that there is: then nothing changes', async () => {
    const particles = distorted(mesh, 74);
    const before = particles.positions.slice();
    await conserve(mesh, particles, { pinned: new Uint8Array(642).fill(1) });
    expect(particles.positions).toEqual(before);
    expect(particles.velocities.every(Number.isFinite)).toBe(true);
  });

  for (const [state, factors] of [
    ['a point', [0, 0, 0]],
    ['a line', [1, 0, 0]],
    ['a plane', [1, 0, 1]],
    ['its mirror image', [-1, 1, 1]],
    ['a tenth of its size', [0.1, 0.1, 0.1]],
    ['ten times its size', [10, 10, 10]],
  ] as const) {
    test(`states beyond reach stay finite and move no particle by more than a tenth of the body: ${state}`, async () => {
      for (const [, mesh] of meshes) {
        const particles = particlesOf(mesh);
        const { positions } = particles;
        for (let k = 0; k < positions.length; k++) positions[k] *= factors[k % 3];
        const before = positions.slice();
        await conserve(mesh, particles);
        // The ball around the vertices is found to a per cent, and depends on their order.
        const { size } = isSingle ? prepare(mesh, surface({ regionSize: 1 })).volume : buildVolumeRest(mesh);
        let furthest = 0;
        for (let k = 0; k < positions.length; k += 3) {
          const way = [0, 1, 2].map((c) => positions[k + c] - before[k + c]);
          furthest = Math.max(furthest, Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2));
        }
        expect(positions.every(Number.isFinite)).toBe(true);
        expect(particles.velocities.every(Number.isFinite)).toBe(true);
        expect(furthest).toBeLessThanOrEqual(0.1 * size * (1 + exactly));
      }
    });
  }
}
