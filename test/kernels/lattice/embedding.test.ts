// The surface in the lattice, and the lattice after the surface.

import { describe, expect, it } from 'vitest';
import { box, lattice } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { interpolate } from '../../../src/solvers/lattice/embedding.js';
import { createFollowBuffers, followSurface } from '../../../src/solvers/lattice/following.js';
import { buildLatticeRest, type LatticeRest } from '../../../src/solvers/lattice/rest.js';
import { latticeShapes } from './lattice-shapes.js';

const restOf = (mesh: (typeof latticeShapes)[number][1], resolution: number): LatticeRest =>
  buildLatticeRest(mesh, lattice({ resolution }).settings);

/** A linear field at points. */
const linear = (points: Float64Array): Float64Array =>
  points.map((_, k) => {
    const [x, y, z] = points.subarray(k - (k % 3), k - (k % 3) + 3);
    return [1 + 2 * x - y, 0.5 * y + 3 * z, -2 - x + y - z][k % 3];
  });

const worstDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0);

describe.each(latticeShapes)('the surface of the %s', (_, mesh, resolution) => {
  const rest = restOf(mesh, resolution);
  const { embedding, lattice: body, massShares } = rest;

  it('is carried by weights between 0 and 1 that sum to 1', () => {
    for (let i = 0; i < rest.count; i++) {
      const weights = embedding.weights.subarray(8 * i, 8 * i + 8);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
      expect(Math.abs(weights.reduce((sum, w) => sum + w, 0) - 1)).toBeLessThan(4e-15);
    }
  });

  it('stands where the mesh does, and follows linear fields exactly', () => {
    const out = new Float64Array(3 * rest.count);
    interpolate(embedding, body.positions, out);
    expect(worstDifference(out, mesh.positions) / rest.size).toBeLessThan(4e-15);
    interpolate(embedding, linear(body.positions), out);
    expect(worstDifference(out, linear(mesh.positions)) / rest.size).toBeLessThan(1e-14);
  });

  it('shares its mass among its carriers', () => {
    const total = embedding.loads.reduce((sum, load) => sum + load, 0);
    expect(Math.abs(total - massShares.reduce((sum, m) => sum + m, 0))).toBeLessThan(1e-13);
    expect(embedding.loads.every((load) => load > 0)).toBe(true);
  });

  it('takes the lattice with it: a shift at once, anything else step by step', () => {
    const random = seededRandom(6);
    const positions = body.positions.slice();
    const velocities = new Float64Array(positions.length);
    const wanted = new Float64Array(3 * rest.count);
    const buffers = createFollowBuffers(embedding);
    const shifted = mesh.positions.map((x, k) => x + [1, -2, 3][k % 3]);
    followSurface(embedding, shifted, wanted, positions, velocities, buffers);
    const out = new Float64Array(3 * rest.count);
    interpolate(embedding, positions, out);
    expect(worstDifference(out, shifted) / rest.size).toBeLessThan(1e-14);
    expect(velocities.every((v) => v === 0)).toBe(true);
    // Lattice particles that carry nothing stay.
    const carriers = new Set(embedding.carriers);
    for (let a = 0; a < body.count; a++) {
      if (!carriers.has(a)) expect(positions[3 * a]).toBe(body.positions[3 * a]);
    }
    // Whatever the velocities wanted: what is missing, in the norm of the masses, becomes less with every call.
    for (let k = 0; k < wanted.length; k++) wanted[k] = random() - 0.5;
    const missing = () => {
      interpolate(embedding, velocities, out);
      return out.reduce((sum, v, k) => sum + massShares[Math.trunc(k / 3)] * (wanted[k] - v) ** 2, 0);
    };
    let before = missing();
    for (let call = 0; call < 4; call++) {
      followSurface(embedding, shifted, wanted, positions, velocities, buffers);
      const after = missing();
      expect(after).toBeLessThan(before * (1 + 1e-12) + 1e-25);
      before = after;
    }
  });
});

it('comes to what the lattice can do, where a surface moves as a lattice could', () => {
  // Every vertex of this cube is a lattice particle: any motion of the surface can be followed, and is.
  const rest = restOf(box({ divisions: 6 }), 6);
  const random = seededRandom(7);
  const wanted = rest.mesh.positions.map((x) => x + 0.2 * random());
  const positions = rest.lattice.positions.slice();
  const velocities = new Float64Array(positions.length);
  followSurface(rest.embedding, wanted, wanted, positions, velocities, createFollowBuffers(rest.embedding));
  const out = new Float64Array(wanted.length);
  interpolate(rest.embedding, positions, out);
  expect(worstDifference(out, wanted)).toBeLessThan(1e-14);
  interpolate(rest.embedding, velocities, out);
  expect(worstDifference(out, wanted)).toBeLessThan(1e-14);
});
