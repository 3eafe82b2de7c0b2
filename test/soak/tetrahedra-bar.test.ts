// A bar that bends by its weight, in three refinements: towards what another code finds, and away from what locks.

import { describe, expect, it } from 'vitest';
import type { DynamicsOptions } from '../../src/solvers/tetrahedra/dynamics.js';
import { found } from '../findings.js';
import { GRAVITY, makeDynamics, neo } from '../solvers/tetrahedra/test-dynamics.js';
import { kuhnBox } from '../solvers/tetrahedra/tetra-bodies.js';

/** Of Euler and Bernoulli's beam, 0.2 × 0.2 × 1 m, E = 1e7 Pa, 1000 kg/m³ [m]. */
const BEAM = 0.03675;
/** CalculiX 2.20, C3D20R, ν = 0.4999, NLGEOM: 0.9422, 0.9605, 0.9698 and 0.9791 of the beam's with 2, 3, 4 and 6 elements across. */
const CALCULIX = 0.9791;

/** How far the end sinks, in sags of the beam; `n` cubes across. */
function sag(n: number, timeStep: number, duration: number, options: Partial<DynamicsOptions> = {}): number {
  const mesh = kuhnBox(n, n, 5 * n, 0.2 / n);
  const bar = makeDynamics(mesh, { massDamping: 40, material: neo(1e7), kernels: true, ...options });
  const ends: number[] = [];
  for (let node = 0; node < bar.rest.count; node++) {
    const z = mesh.positions[3 * node + 2];
    if (z < 1e-9) bar.pinned[node] = 1;
    if (z > 1 - 1e-9) ends.push(node);
  }
  for (let step = 0; step < Math.round(duration / timeStep); step++) bar.step(timeStep, GRAVITY);
  const { positions } = bar;
  return -ends.reduce((sum, k) => sum + positions[3 * k + 1] - mesh.positions[3 * k + 1], 0) / ends.length / BEAM;
}

describe('a bar of one-rings', () => {
  it('comes near to CalculiX', () => {
    // Finer meshes in shorter steps: pressure comes to rest slowly where waves pass many elements in a step.
    const [coarse, middle, fine] = [sag(2, 1 / 240, 0.8), sag(4, 1 / 480, 0.5), sag(6, 1 / 720, 0.45)];
    // Linear elements err in the second order of their size.
    const limit = fine + (fine - middle) / (1.5 ** 2 - 1);
    found('bar', 'one-rings', { '2 across': coarse, '4 across': middle, '6 across': fine, limit });
    expect([coarse, middle, fine].map((share) => Number(share.toFixed(2)))).toEqual([0.36, 0.71, 0.87]);
    expect(Math.abs(limit / CALCULIX - 1)).toBeLessThan(0.03);
  });

  it('sinks six times as far as one of ν = 0.499, where the mesh is finer too', () => {
    const locked = { incompressible: false, massDamping: 20, material: neo(1e7, 0.499) };
    const times = sag(4, 1 / 480, 0.5) / sag(4, 1 / 30, 0.6, locked);
    found('bar', 'one-rings against ν = 0.499', { '4 across': times });
    expect(times).toBeGreaterThan(6);
  });
});
