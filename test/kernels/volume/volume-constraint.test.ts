// The volume constraint by itself: exact volume, zero flux, untouched particles, untouched momentum.

import { describe, expect, it } from 'vitest';
import {
  icosphere,
  prepare,
  signedVolume,
  surface,
  type TriangleMesh,
  torus,
  VOLUME_DEFAULTS,
  vertexNormals,
} from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import type { Shell } from '../../../src/solvers/model.js';
import { buildVolumeRest } from '../../../src/solvers/volume/rest.js';
import type { VolumeSettings } from '../../../src/solvers/volume/settings.js';
import { VolumeConstraint, type VolumeObstacles } from '../../../src/solvers/volume/volume-constraint.js';
import { BOTH_BACKENDS, type PerBackend } from '../../both-backends.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { crossed } from '../sample-rotations.js';
import { KernelBody } from '../wasm-kernels.js';
import { particlesOf } from './particles-of.js';

/**
 * 6V sums up to 600 products with a rounding of 1e-16 each; the root is found to a few of them. In single precision the
 * positions themselves, 3 m from the origin, are rounded to 1.2e-7, and velocities and normals alike.
 */
const EXACTLY: PerBackend = { reference: 1e-12, wasm: 2e-6 };

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

interface Masks {
  pinned?: Uint8Array;
  colliding?: Uint8Array;
  obstacles?: VolumeObstacles;
  settings?: VolumeSettings;
}

/** The same by the kernels, which have the particles in path order. */
function conserveOnWasm(mesh: TriangleMesh, particles: Shell, masks: Masks = {}): void {
  const prepared = prepare(mesh, surface({ regionSize: 1 }));
  const { order } = prepared.particles;
  const vectors = (values: Float64Array) =>
    Float64Array.from({ length: values.length }, (_, k) => values[3 * order[Math.trunc(k / 3)] + (k % 3)]);
  const marks = (values?: Uint8Array) => Uint8Array.from(order, (vertex) => values?.[vertex] ?? 0);
  const found = new KernelBody(prepared, masks.settings ?? VOLUME_DEFAULTS).conserved(
    vectors(particles.positions),
    vectors(particles.velocities),
    Float64Array.from(order, (vertex) => particles.changes[vertex]),
    marks(masks.pinned),
    marks(masks.colliding),
  );
  order.forEach((vertex, place) => {
    particles.positions.set(found.positions.subarray(3 * place, 3 * place + 3), 3 * vertex);
    particles.velocities.set(found.velocities.subarray(3 * place, 3 * place + 3), 3 * vertex);
  });
}

function conserve(mesh: TriangleMesh, particles: Shell, masks: Masks = {}): void {
  const none = new Uint8Array(particles.count);
  particles.anchored = masks.pinned !== undefined;
  new VolumeConstraint(buildVolumeRest(mesh), masks.settings ?? VOLUME_DEFAULTS).conserve(
    particles,
    masks.pinned ?? none,
    masks.colliding ?? none,
    masks.obstacles,
  );
}

const volumeError = (mesh: TriangleMesh, { positions }: Shell): number =>
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

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const conserveOn = backend === 'wasm' ? conserveOnWasm : conserve;

  describe.each(meshes)('a distorted free %s', (_, mesh) => {
    it.each(Object.entries(settings))('has its volume, no flux and the momenta it had, weights %s', (_, chosen) => {
      const particles = distorted(mesh, 71);
      const before = momentaOf(particles);
      const scale = particles.masses.reduce((sum, m) => sum + m, 0);
      expect(volumeError(mesh, particles)).toBeGreaterThan(0.05);
      conserveOn(mesh, particles, { settings: chosen });
      expect(volumeError(mesh, particles)).toBeLessThan(EXACTLY[backend]);
      expect(fluxError(mesh, particles)).toBeLessThan(EXACTLY[backend]);
      // Centre of mass, linear and angular momentum, at 5 m from the origin with velocities of 2 m/s.
      momentaOf(particles).forEach((value, c) => {
        expect(Math.abs(value - before[c])).toBeLessThan(EXACTLY[backend] * 10 * scale);
      });
    });
  });

  describe('held particles', () => {
    const mesh = icosphere({ detail: 3 });
    const lowest = (share: number) =>
      Uint8Array.from({ length: 642 }, (_, i) => (mesh.positions[3 * i + 1] < share ? 1 : 0));

    it('do not move in contact, while the volume becomes exact', () => {
      const particles = distorted(mesh, 72);
      const colliding = lowest(-0.5);
      const before = particles.positions.slice();
      conserveOn(mesh, particles, { colliding });
      expect(volumeError(mesh, particles)).toBeLessThan(EXACTLY[backend]);
      expect(fluxError(mesh, particles)).toBeLessThan(EXACTLY[backend]);
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

    it('neither move nor change their velocity where pinned', () => {
      const particles = distorted(mesh, 73);
      const pinned = lowest(-0.3);
      const [positions, velocities] = [particles.positions.slice(), particles.velocities.slice()];
      conserveOn(mesh, particles, { pinned, colliding: lowest(-0.6) });
      expect(volumeError(mesh, particles)).toBeLessThan(EXACTLY[backend]);
      expect(fluxError(mesh, particles)).toBeLessThan(EXACTLY[backend]);
      particles.positions.forEach((x, k) => {
        if (pinned[Math.trunc(k / 3)] === 0) return;
        expect(x).toBe(positions[k]);
        expect(particles.velocities[k]).toBe(velocities[k]);
      });
    });

    it('are all that there is: then nothing changes', () => {
      const particles = distorted(mesh, 74);
      const before = particles.positions.slice();
      conserveOn(mesh, particles, { pinned: new Uint8Array(642).fill(1) });
      expect(particles.positions).toEqual(before);
      expect(particles.velocities.every(Number.isFinite)).toBe(true);
    });
  });

  describe('states beyond reach', () => {
    it.each([
      ['a point', [0, 0, 0]],
      ['a line', [1, 0, 0]],
      ['a plane', [1, 0, 1]],
      ['its mirror image', [-1, 1, 1]],
      ['a tenth of its size', [0.1, 0.1, 0.1]],
      ['ten times its size', [10, 10, 10]],
    ])('stay finite and move no particle by more than a tenth of the body: %s', (_, factors) => {
      for (const [, mesh] of meshes) {
        const particles = particlesOf(mesh);
        const { positions } = particles;
        for (let k = 0; k < positions.length; k++) positions[k] *= factors[k % 3];
        const before = positions.slice();
        conserveOn(mesh, particles);
        // The ball around the vertices is found to a per cent, and depends on their order.
        const { size } = backend === 'wasm' ? prepare(mesh, surface({ regionSize: 1 })).volume : buildVolumeRest(mesh);
        let furthest = 0;
        for (let k = 0; k < positions.length; k += 3) {
          const way = [0, 1, 2].map((c) => positions[k + c] - before[k + c]);
          furthest = Math.max(furthest, Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2));
        }
        expect(positions.every(Number.isFinite)).toBe(true);
        expect(particles.velocities.every(Number.isFinite)).toBe(true);
        expect(furthest).toBeLessThanOrEqual(0.1 * size * (1 + EXACTLY[backend]));
      }
    });
  });
});

/** A floor at a height: candidates below it are forbidden, velocities into it are taken from who is on it. */
const floorAt = (height: number, onFloor: Uint8Array): VolumeObstacles => ({
  forbid(candidates, held) {
    let marked = 0;
    for (let i = 0; i < held.length; i++) {
      if (held[i] !== 0 || candidates[3 * i + 1] >= height) continue;
      held[i] = 1;
      marked++;
    }
    return marked;
  },
  lift(displacement) {
    for (let i = 0; i < onFloor.length; i++) {
      if (onFloor[i] !== 0) displacement[3 * i + 1] = Math.max(0, displacement[3 * i + 1]);
    }
  },
  stop(velocities) {
    for (let i = 0; i < onFloor.length; i++) {
      if (onFloor[i] !== 0) velocities[3 * i + 1] = Math.max(0, velocities[3 * i + 1]);
    }
  },
});

describe('obstacles', () => {
  it.each([
    ['sphere', icosphere({ detail: 3 })],
    ['torus', torus({ majorSegments: 32, minorSegments: 14 })],
  ] as const)('are not entered: a %s pressed flat on a floor gets its volume above it', (_, mesh) => {
    const particles = particlesOf(mesh);
    const low = Math.min(...particles.positions.filter((_, k) => k % 3 === 1));
    const height = 0.5 * low;
    const colliding = new Uint8Array(particles.count);
    for (let i = 0; i < particles.count; i++) {
      particles.changes[i] = Math.max(0, height - particles.positions[3 * i + 1]);
      if (particles.positions[3 * i + 1] >= height) continue;
      particles.positions[3 * i + 1] = height;
      colliding[i] = 1;
    }
    expect(volumeError(mesh, particles)).toBeGreaterThan(0.05);
    const before = particles.positions.slice();
    conserve(mesh, particles, { colliding, obstacles: floorAt(height, colliding) });
    expect(volumeError(mesh, particles)).toBeLessThan(EXACTLY.reference);
    for (let i = 0; i < particles.count; i++) {
      expect(particles.positions[3 * i + 1]).toBeGreaterThanOrEqual(height);
      if (colliding[i] !== 0) expect(particles.positions[3 * i]).toBe(before[3 * i]);
    }
  });
});
