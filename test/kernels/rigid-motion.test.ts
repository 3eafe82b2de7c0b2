// Momentum of particles, and the rigid field that restores it.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../../src/solvers/rigid-motion.js';
import { crossed } from './sample-rotations.js';

const measured = (positions: Float64Array, velocities: Float64Array, masses: Float64Array) =>
  measureRigidMotion(positions, velocities, masses, createRigidMotion());

function cloud(seed: number, offset = 0) {
  const random = seededRandom(seed);
  const count = 40;
  const positions = Float64Array.from({ length: 3 * count }, () => offset + random());
  const velocities = Float64Array.from({ length: 3 * count }, () => random() - 0.5);
  return { positions, velocities, masses: Float64Array.from({ length: count }, () => 0.5 + random()) };
}

describe('measureRigidMotion', () => {
  it('has the closed form of a dumb-bell', () => {
    // 2 kg at x = 0 and 1 kg at x = 3: centre 1, inertia 2·1² + 1·2² = 6 about y and z; turning at ω = 2 about z while moving
    // at (5, 0, 0).
    const positions = Float64Array.of(0, 7, 0, 3, 7, 0);
    const velocities = Float64Array.of(5, -2, 0, 5, 4, 0);
    const { mass, centre, linear, angular, inertia } = measured(positions, velocities, Float64Array.of(2, 1));
    expect(mass).toBe(3);
    expect([...centre]).toEqual([1, 7, 0]);
    expect([...linear]).toEqual([15, 0, 0]);
    expect([...angular]).toEqual([0, 0, 12]);
    expect([...inertia].map((x) => x + 0)).toEqual([0, 0, 0, 6, 0, 6]);
  });

  it('has angular momentum I·ω for a rigid spin, anywhere', () => {
    const { positions, masses } = cloud(111, 100);
    const omega = [0.3, -0.7, 1.1];
    const { centre } = measured(positions, positions, masses);
    const velocities = new Float64Array(positions.length);
    for (let k = 0; k < positions.length; k += 3) {
      crossed(
        omega,
        [0, 1, 2].map((c) => positions[k + c] - centre[c]),
      ).forEach((v, c) => {
        velocities[k + c] = v + [1, 2, 3][c];
      });
    }
    const { angular, inertia: i, linear, mass } = measured(positions, velocities, masses);
    const rows = [
      [i[0], i[1], i[2]],
      [i[1], i[3], i[4]],
      [i[2], i[4], i[5]],
    ];
    rows.forEach((row, c) => {
      const expected = row[0] * omega[0] + row[1] * omega[1] + row[2] * omega[2];
      // 100 m away positions are rounded by 1e-14 m.
      expect(Math.abs(angular[c] - expected)).toBeLessThan(1e-11);
      expect(Math.abs(linear[c] / mass - [1, 2, 3][c])).toBeLessThan(1e-12);
    });
  });
});

describe('restoreRigidMotion', () => {
  it('gives back linear and angular momentum by a rigid field, and changes nothing else', () => {
    const { positions, velocities, masses } = cloud(112);
    const kept = measured(positions, velocities, masses);
    const random = seededRandom(113);
    const disturbed = velocities.map((v) => v + random());
    const before = disturbed.slice();
    restoreRigidMotion(positions, disturbed, masses, kept);
    const after = measured(positions, disturbed, masses);
    for (let c = 0; c < 3; c++) {
      expect(Math.abs(after.linear[c] - kept.linear[c])).toBeLessThan(1e-12);
      expect(Math.abs(after.angular[c] - kept.angular[c])).toBeLessThan(1e-12);
    }
    // A rigid field keeps all distances: (δvᵢ − δvⱼ)·(xᵢ − xⱼ) = 0.
    let worst = 0;
    for (let i = 0; i < 40; i++) {
      for (let j = 0; j < i; j++) {
        let stretch = 0;
        for (let c = 0; c < 3; c++) {
          const [p, q] = [3 * i + c, 3 * j + c];
          stretch += (disturbed[p] - before[p] - disturbed[q] + before[q]) * (positions[p] - positions[q]);
        }
        worst = Math.max(worst, Math.abs(stretch));
      }
    }
    expect(worst).toBeLessThan(1e-13);
  });

  it('changes nothing where nothing is missing', () => {
    const { positions, velocities, masses } = cloud(114);
    const before = velocities.slice();
    restoreRigidMotion(positions, velocities, masses, measured(positions, velocities, masses));
    expect(velocities).toEqual(before);
  });

  it.each(['point', 'line'])('stays finite on a %s', (kind) => {
    const { positions, velocities, masses } = cloud(115);
    const kept = measured(positions, velocities, masses);
    const collapsed = positions.map((x, k) => (kind === 'line' && k % 3 === 0 ? x : 2));
    restoreRigidMotion(collapsed, velocities, masses, kept);
    expect(velocities.every((v) => Number.isFinite(v))).toBe(true);
    const after = measured(collapsed, velocities, masses);
    for (let c = 0; c < 3; c++) expect(Math.abs(after.linear[c] - kept.linear[c])).toBeLessThan(1e-9);
  });
});
