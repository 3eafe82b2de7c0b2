// Bodies and planes for the laws of the step.

import type { TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';
import type { ContactSource } from '../../../src/solvers/tetrahedra/contact-rows.js';
import { type DynamicsOptions, TetraDynamics } from '../../../src/solvers/tetrahedra/dynamics.js';
import { extend, type Material, neoHookean } from '../../../src/solvers/tetrahedra/materials.js';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';

export const DENSITY = 1000;
export const GRAVITY = [0, -9.8, 0];
export const WEIGHTLESS = [0, 0, 0];

/** A half-space n·x < offset that moves along n. */
export interface Plane {
  readonly normal: readonly [number, number, number];
  offset: number;
  speed: number;
}

export const planes = (list: readonly Plane[]): ContactSource => ({
  list: (x, _, timeStep, rows) => {
    list.forEach(({ normal: [a, b, c], offset, speed }, obstacle) => {
      for (let n = 0; 3 * n < x.length; n++) {
        const gap = a * x[3 * n] + b * x[3 * n + 1] + c * x[3 * n + 2] - offset - speed * timeStep;
        if (gap < 0.3) rows.add(n, obstacle, a, b, c, gap, speed);
      }
    });
  },
});

export const floorAt = (height: number): ContactSource => planes([{ normal: [0, 1, 0], offset: height, speed: 0 }]);

/** Of Young's modulus [Pa]: without λ for bodies that keep their volume otherwise, or by Poisson's ratio. */
export function neo(youngs: number, poisson?: number): Material {
  if (poisson === undefined) return extend(neoHookean(youngs / 3, 0));
  const mu = youngs / (2 * (1 + poisson));
  return extend(neoHookean(mu, (youngs * poisson) / ((1 + poisson) * (1 - 2 * poisson))));
}

/** By kernels unless said, which have the bits of the TypeScript (`kernels.test`) in a third of its time. */
export function makeDynamics(mesh: TetraMesh, options: Partial<DynamicsOptions> = {}): TetraDynamics {
  const rest = buildTetraRest(mesh);
  return new TetraDynamics(rest, {
    material: neo(5e4),
    mass: DENSITY * sum(rest.volumes),
    incompressible: true,
    massDamping: 0,
    stiffnessDamping: 0,
    tolerance: 1e-3,
    recoveryTime: 0,
    kernels: true,
    ...options,
  });
}

export const sum = (list: Float64Array): number => list.reduce((a, b) => a + b, 0);

export function totalVolume({ positions, rest }: TetraDynamics): { volume: number; inverted: number } {
  const { tetrahedra } = rest.mesh;
  let [volume, inverted] = [0, 0];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [o, a, b, c] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[t + k]);
    const d = (p: number, k: number) => positions[p + k] - positions[o + k];
    const six =
      d(a, 0) * (d(b, 1) * d(c, 2) - d(b, 2) * d(c, 1)) +
      d(a, 1) * (d(b, 2) * d(c, 0) - d(b, 0) * d(c, 2)) +
      d(a, 2) * (d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0));
    volume += six / 6;
    if (!(six > 0)) inverted++;
  }
  return { volume, inverted };
}

export function heightOf({ positions }: TetraDynamics): number {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 1; k < positions.length; k += 3) {
    low = Math.min(low, positions[k]);
    high = Math.max(high, positions[k]);
  }
  return high - low;
}

export function kineticEnergy({ velocities, masses }: TetraDynamics): number {
  return velocities.reduce((energy, v, k) => energy + (masses[Math.floor(k / 3)] * v * v) / 2, 0);
}

/** Σ m v and Σ m x×v. */
export function momentumOf({ positions: x, velocities: v, masses }: TetraDynamics): number[] {
  const total = [0, 0, 0, 0, 0, 0];
  for (let n = 0, k = 0; n < masses.length; n++, k += 3) {
    const m = masses[n];
    for (let c = 0; c < 3; c++) {
      const [p, q] = [(c + 1) % 3, (c + 2) % 3];
      total[c] += m * v[k + c];
      total[3 + c] += m * (x[k + p] * v[k + q] - x[k + q] * v[k + p]);
    }
  }
  return total;
}
