// The volume constraint by itself, in double precision and by the kernels; and among obstacles.

import { describe, expect, it } from 'vitest';
import { icosphere, type TriangleMesh, torus, VOLUME_DEFAULTS } from '../../../src/index.js';
import type { Shell } from '../../../src/solvers/model.js';
import { buildVolumeRest } from '../../../src/solvers/volume/rest.js';
import { VolumeConstraint, type VolumeObstacles } from '../../../src/solvers/volume/volume-constraint.js';
import type { PerBackend } from '../../both-backends.js';
import { KernelBody } from '../wasm-kernels.js';
import { conserveBy, conserveTests, type Masks, volumeError } from './conserve-tests.js';
import { particlesOf } from './particles-of.js';

/**
 * 6V sums up to 600 products with a rounding of 1e-16 each; the root is found to a few of them. In single precision the
 * positions themselves, 3 m from the origin, are rounded to 1.2e-7, and velocities and normals alike.
 */
const EXACTLY: PerBackend = { reference: 1e-12, wasm: 2e-6 };

function conserve(mesh: TriangleMesh, particles: Shell, masks: Masks & { obstacles?: VolumeObstacles } = {}): void {
  const none = new Uint8Array(particles.count);
  particles.anchored = masks.pinned !== undefined;
  new VolumeConstraint(buildVolumeRest(mesh), masks.settings ?? VOLUME_DEFAULTS).conserve(
    particles,
    masks.pinned ?? none,
    masks.colliding ?? none,
    masks.obstacles,
  );
}

describe('on reference', () => {
  conserveTests(it, EXACTLY.reference, conserve, false);
});

describe('on wasm', () => {
  const byKernels = conserveBy((prepared, settings, state) => new KernelBody(prepared, settings).conserved(...state));
  conserveTests(it, EXACTLY.wasm, byKernels, true);
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
