// The volume constraint over an elasticity that is not ours: springs along the edges of the mesh, nothing else. A ball of
// them, dropped on a floor, keeps its volume to rounding with the constraint and visibly not without.

import { describe, expect, it } from 'vitest';
import { Obstacle } from '../../../src/contact/obstacles/obstacle.js';
import {
  liftOff,
  markPenetrating,
  resolveObstacles,
  stopApproaching,
} from '../../../src/contact/obstacles/obstacle-contact.js';
import { createParticleContacts } from '../../../src/contact/particle-contacts.js';
import { buildAdjacency, icosphere, signedVolume, VOLUME_DEFAULTS } from '../../../src/index.js';
import { type Model, movePositions, type Shell } from '../../../src/solvers/model.js';
import { buildVolumeRest } from '../../../src/solvers/volume/rest.js';
import { VolumeConstraint } from '../../../src/solvers/volume/volume-constraint.js';
import { particlesOf } from './particles-of.js';

const TIME_STEP = 0.001;
const mesh = icosphere({ detail: 2, radius: 0.5 });

/** Explicit damped springs: F = (k·(l − l₀) + c·l̇) along each edge. */
class Springs implements Pick<Model, 'match' | 'damp' | 'reset'> {
  private readonly edges = buildAdjacency(mesh).edgeVertices;
  private readonly lengths = new Float64Array(this.edges.length / 2);

  constructor(
    private readonly stiffness: number,
    private readonly damping: number,
  ) {
    for (let e = 0; e < this.lengths.length; e++) this.lengths[e] = this.stretch(mesh.positions, e).length;
  }

  private stretch(points: Float64Array, e: number) {
    const [a, b] = [3 * this.edges[2 * e], 3 * this.edges[2 * e + 1]];
    const along = [0, 1, 2].map((c) => points[b + c] - points[a + c]);
    return { a, b, along, length: Math.sqrt(along[0] ** 2 + along[1] ** 2 + along[2] ** 2) };
  }

  match(particles: Shell, timeStep: number): void {
    const { positions, velocities, masses, changes } = particles;
    const before = velocities.slice();
    for (let e = 0; e < this.lengths.length; e++) {
      const { a, b, along, length } = this.stretch(positions, e);
      const speed = along.reduce((sum, d, c) => sum + (d / length) * (before[b + c] - before[a + c]), 0);
      const force = this.stiffness * (length - this.lengths[e]) + this.damping * speed;
      for (let c = 0; c < 3; c++) {
        const impulse = (timeStep * force * along[c]) / length;
        velocities[a + c] += impulse / masses[a / 3];
        velocities[b + c] -= impulse / masses[b / 3];
      }
    }
    for (let i = 0; i < changes.length; i++) {
      const change = [0, 1, 2].map((c) => timeStep * (velocities[3 * i + c] - before[3 * i + c]));
      changes[i] = Math.sqrt(change[0] ** 2 + change[1] ** 2 + change[2] ** 2);
    }
    movePositions(particles, timeStep);
  }

  damp(): void {}
  reset(): void {}
}

/** Drops the ball at 2 m/s from just above the floor; the largest volume error and how deep the ball was pressed. */
function drop(withVolume: boolean): { volumeError: number; lowest: number; contacts: number; positions: Float64Array } {
  const rest = buildVolumeRest(mesh);
  const particles = particlesOf(mesh);
  const { positions, starts, velocities, count } = particles;
  const floor = [new Obstacle({ shape: 'plane', normal: [0, 1, 0], offset: -0.52, friction: 0.3 })];
  const contacts = createParticleContacts(count);
  const pinned = new Uint8Array(count);
  const springs = new Springs(1e6, 1000);
  const volume = new VolumeConstraint(rest, VOLUME_DEFAULTS);
  for (let k = 1; k < velocities.length; k += 3) velocities[k] = -2;
  let [volumeError, lowest, touched] = [0, Infinity, 0];
  for (let step = 0; step < 400; step++) {
    starts.set(positions);
    for (let k = 1; k < velocities.length; k += 3) velocities[k] -= 9.81 * TIME_STEP;
    movePositions(particles, TIME_STEP);
    springs.match(particles, TIME_STEP);
    resolveObstacles(floor, positions, starts, velocities, pinned, TIME_STEP, contacts);
    if (withVolume) {
      volume.conserve(particles, pinned, contacts.colliding, {
        forbid: (candidates, held) => markPenetrating(floor, candidates, 1e-6, held),
        lift: (displacement) => liftOff(contacts, displacement),
        stop: (speeds) => stopApproaching(contacts, speeds),
      });
    }
    volumeError = Math.max(volumeError, Math.abs(signedVolume(positions, mesh.triangles) / rest.volume - 1));
    touched = Math.max(
      touched,
      contacts.colliding.reduce((sum, mark) => sum + mark, 0),
    );
    const tops = positions.filter((_, k) => k % 3 === 1);
    lowest = Math.min(lowest, Math.max(...tops) - Math.min(...tops));
  }
  return { volumeError, lowest, contacts: touched, positions };
}

describe('a ball of springs dropped on a floor', () => {
  const [kept, free] = [drop(true), drop(false)];

  it('is pressed flat and stays whole in both cases', () => {
    for (const { lowest, contacts, positions } of [kept, free]) {
      expect(positions.every(Number.isFinite)).toBe(true);
      expect(contacts).toBeGreaterThan(5);
      expect(lowest).toBeLessThan(0.97);
      expect(lowest).toBeGreaterThan(0.2);
    }
  });

  it('keeps its volume at every step with the constraint', () => {
    expect(kept.volumeError).toBeLessThan(1e-9);
  });

  it('loses more than 1 % without it', () => {
    expect(free.volumeError).toBeGreaterThan(0.01);
  });
});
