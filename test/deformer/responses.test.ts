// The answers to contact and volume against the matrix that they stand for: A + Σ cᵢ nᵢnᵢᵀ + K qqᵀ, multiplied out entry by entry.

import { describe, expect, it } from 'vitest';
import { buildBody } from '../../src/deformer/deformer-body.js';
import { DEFORMER_DEFAULTS } from '../../src/deformer/settings.js';
import { seededRandom } from '../../src/math/random.js';
import { greatestApart, SMALL_DEPTH, smallSphere } from './scenes.js';

const body = buildBody(smallSphere(), { ...DEFORMER_DEFAULTS, depth: SMALL_DEPTH });
const { solver, helper } = body;
const count = helper.positions.length / 3;
const random = seededRandom(11);
solver.factorFor(0.7);
const right = Float64Array.from({ length: 3 * count }, () => random() - 0.5);

/** A x, every entry of its lower half once. */
function multiply(x: Float64Array): Float64Array {
  const out = new Float64Array(x.length);
  const done = new Set<number>();
  const { tetrahedra: t } = helper;
  for (let tet = 0, pair = 0; tet < t.length; tet += 4) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j <= i; j++, pair++) {
        const slot = solver.pairs[pair];
        if (done.has(slot)) continue;
        done.add(slot);
        const [a, b] = [3 * t[tet + i], 3 * t[tet + j]];
        for (let k = 0; k < 3; k++) {
          out[a + k] += solver.factor.matrix[slot] * x[b + k];
          if (i !== j) out[b + k] += solver.factor.matrix[slot] * x[a + k];
        }
      }
    }
  }
  return out;
}

/** Contacts at every third helper vertex that carries the surface, as far as `share` of them. */
function press(share: number) {
  const stiffness = new Float64Array(count);
  const pushes = new Float64Array(3 * count);
  [...new Set(solver.carrier.corners)].forEach((i, n) => {
    if (n % 3 !== 0 || random() > share) return;
    const [x, y, z] = [random() - 0.5, random() - 0.5, random() - 0.5];
    const size = Math.sqrt(x * x + y * y + z * z);
    stiffness[i] = 1000 * random();
    pushes.set(
      [x, y, z].map((value) => (stiffness[i] * value) / size),
      3 * i,
    );
  });
  expect(solver.response.press(stiffness, pushes)).toBe(true);
  /** Adds C x. */
  return (x: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < count; i++) {
      if (stiffness[i] === 0) continue;
      const n = [...pushes.subarray(3 * i, 3 * i + 3)].map((value) => value / stiffness[i]);
      const along = n[0] * x[3 * i] + n[1] * x[3 * i + 1] + n[2] * x[3 * i + 2];
      for (let k = 0; k < 3; k++) out[3 * i + k] += stiffness[i] * along * n[k];
    }
  };
}

// Numbers up to 1000 and a condition below 1e5: a few hundred roundings.
const ROUNDING = 1e-10;

describe.each([0, 0.2, 1])('with contacts at a share of %s', (share) => {
  it('solves with the stiffness of contact', () => {
    const addContacts = press(share);
    const x = new Float64Array(right.length);
    solver.response.solve(right, x);
    const product = multiply(x);
    addContacts(x, product);
    expect(greatestApart(product, right)).toBeLessThan(ROUNDING);
  });

  it('solves with the stiffness of the volume besides, in place', () => {
    const addContacts = press(share);
    const { carrier, volumeResponse } = solver;
    carrier.begin(helper.positions, body.bound);
    carrier.carry(helper.positions, carrier.carried);
    volumeResponse.press(12);
    const x = right.slice();
    volumeResponse.solve(x, x);
    const q = new Float64Array(x.length);
    expect(carrier.writeVolumeGradient()).toBeGreaterThan(3);
    for (let i = 0; i < carrier.forces.length; i++) carrier.forces[i] /= 6;
    carrier.giveBack(q);
    const along = q.reduce((sum, value, i) => sum + value * x[i], 0);
    const product = multiply(x).map((value, i) => value + 12 * along * q[i]);
    addContacts(x, product);
    expect(greatestApart(product, right)).toBeLessThan(ROUNDING);
  });
});
