// Divergence, gradient and one-ring volumes: laws 1 to 3 of the specification.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import type { TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import { RingOperator } from '../../../src/solvers/tetrahedra/ring-operator.js';
import { writeRingSums, writeVolumes } from '../../../src/solvers/tetrahedra/ring-sums.js';
import { ball, dot, fiveBox, jitter, kuhnBox, norm, randomField } from './tetra-bodies.js';

const random = seededRandom(3);

/** At the mesh's positions; `rest`: the same tetrahedra, none inverted. */
function operatorsOf({ positions }: TetraMesh, rest: TetraMesh) {
  const count = positions.length / 3;
  const operator = new RingOperator(buildTetraRest(rest));
  operator.place(positions);
  return {
    count,
    divergence: (v: Float64Array) => {
      const out = new Float64Array(count);
      operator.divergence(v, out);
      return out;
    },
    force: (p: Float64Array) => {
      const out = new Float64Array(3 * count);
      operator.writeForce(p, out);
      return out;
    },
  };
}

function ringVolumes({ positions, tetrahedra }: TetraMesh): Float64Array {
  const volumes = new Float64Array(tetrahedra.length / 4);
  writeVolumes(positions, tetrahedra, volumes);
  const rings = new Float64Array(positions.length / 3);
  writeRingSums(tetrahedra, volumes, rings);
  return rings;
}

describe('one-ring operators', () => {
  const mesh = jitter(kuhnBox(3, 3, 3), 0.15, random);
  const { count, divergence, force } = operatorsOf(mesh, mesh);

  it('has a gradient that is minus the transpose of the divergence', () => {
    const [v, p] = [randomField(3 * count, random), randomField(count, random)];
    const [a, b] = [dot(force(p), v), dot(p, divergence(v))];
    expect(Math.abs(a - b)).toBeLessThan(1e-13 * norm(force(p)) * norm(v));
  });

  it('has a divergence that is the change of one-ring volumes, inverted tetrahedra or not', () => {
    for (const amount of [0.15, 0.8]) {
      const shaken = jitter(kuhnBox(3, 3, 3), amount, random);
      const v = randomField(3 * count, random);
      const moved = (s: number) => ({ ...shaken, positions: shaken.positions.map((x, k) => x + s * v[k]) });
      const step = 1e-3;
      const [ahead, behind] = [ringVolumes(moved(step)), ringVolumes(moved(-step))];
      const difference = ahead.map((x, k) => (x - behind[k]) / (2 * step));
      const exact = operatorsOf(shaken, kuhnBox(3, 3, 3)).divergence(v);
      // A volume is cubic in the step: the central difference errs by det(v)·step², some 1e-6 of the whole.
      const cubic = 1e-5;
      expect(norm(difference.map((x, k) => x - exact[k]))).toBeLessThan(cubic * norm(exact));
      // Richardson's combination with half the step has no error but rounding.
      const [nearer, nearerBehind] = [ringVolumes(moved(step / 2)), ringVolumes(moved(-step / 2))];
      const better = difference.map((x, k) => (4 * (nearer[k] - nearerBehind[k])) / (3 * step) - x / 3);
      expect(norm(better.map((x, k) => x - exact[k]))).toBeLessThan(1e-9 * norm(exact));
    }
  });

  it('gives V grad p for linear p inside', () => {
    const slope = [0.3, -1.1, 0.7];
    const p = new Float64Array(count);
    for (let n = 0; n < count; n++) for (let k = 0; k < 3; k++) p[n] += slope[k] * mesh.positions[3 * n + k];
    const f = force(p);
    const rest = buildTetraRest(mesh);
    const isOuter = new Uint8Array(count);
    for (const n of rest.boundary.nodes) isOuter[n] = 1;
    let inner = 0;
    for (let n = 0; n < count; n++) {
      if (isOuter[n]) continue;
      inner++;
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(-f[3 * n + k] - rest.ringVolumes[n] * slope[k])).toBeLessThan(1e-12);
      }
    }
    expect(inner).toBe(8);
  });

  it('has forces without a sum and without a torque', () => {
    const f = force(randomField(count, random));
    const sums = new Float64Array(6);
    for (let n = 0; n < count; n++) {
      const [x, y, z] = mesh.positions.subarray(3 * n);
      const [fx, fy, fz] = f.subarray(3 * n);
      [fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx].forEach((value, k) => {
        sums[k] += value;
      });
    }
    expect(norm(sums)).toBeLessThan(1e-12 * norm(f));
  });

  it('does not see rigid motions', () => {
    const v = new Float64Array(3 * count);
    for (let n = 0; n < count; n++) {
      const [x, y, z] = mesh.positions.subarray(3 * n);
      v.set([1 + 2 * z - 3 * y, 2 + 3 * x - z, 3 + y - 2 * x], 3 * n);
    }
    expect(norm(divergence(v))).toBeLessThan(1e-12 * norm(v));
  });
});

describe('null vectors', () => {
  it.each([
    ['Kuhn', kuhnBox(3, 3, 3), (i: number, j: number, k: number) => (i + j + k) % 4],
    ['five per cube', fiveBox(4), (i: number, j: number, k: number) => 2 * ((i + j) % 2) + ((j + k) % 2)],
  ])('are the colourings of %s', (_, mesh, colour) => {
    const { count, divergence, force } = operatorsOf(mesh, mesh);
    const colours = Array.from({ length: count }, (_, n) => {
      const [i, j, k] = mesh.positions.subarray(3 * n);
      return colour(i, j, k);
    });
    for (let t = 0; t < mesh.tetrahedra.length; t += 4) {
      expect(new Set([0, 1, 2, 3].map((k) => colours[mesh.tetrahedra[t + k]])).size).toBe(4);
    }
    const volumes = ringVolumes(mesh);
    const flow = divergence(randomField(3 * count, random));
    for (let c = 1; c < 4; c++) {
      const q = Float64Array.from(colours, (own) => (own === 0 ? 1 : own === c ? -1 : 0));
      expect(norm(force(q))).toBeLessThan(1e-14);
      expect(Math.abs(dot(q, volumes))).toBeLessThan(1e-12);
      expect(Math.abs(dot(q, flow))).toBeLessThan(1e-12 * norm(flow) * norm(q));
    }
  });

  it('weighs a stuffed ball as its volume', () => {
    const mesh = ball(0.2);
    const rest = buildTetraRest(mesh);
    const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
    expect(Math.abs(sum(rest.ringVolumes) / sum(rest.volumes) - 1)).toBeLessThan(1e-12);
    expect(Math.abs(sum(rest.massShares) - 1)).toBeLessThan(1e-12);
  });
});
