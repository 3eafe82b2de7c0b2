// Kernels do what the TypeScript does, to the bit: whole steps of bodies side by side, in all that a step can meet. And what kernels
// make quick enough to test: falls faster than a body's own waves.

import { describe, expect, it } from 'vitest';
import type { TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';
import type { ContactSource } from '../../../src/solvers/tetrahedra/contact-rows.js';
import type { DynamicsOptions, TetraDynamics } from '../../../src/solvers/tetrahedra/dynamics.js';
import { TETRA_KERNELS } from '../../../src/solvers/tetrahedra/kernels.js';
import { longestStep } from '../../../src/solvers/tetrahedra/longest-step.js';
import { corotated, extend, stVenantKirchhoff } from '../../../src/solvers/tetrahedra/materials.js';
import { FibreForce, FORCE_LENGTH, layFibres } from '../../../src/solvers/tetrahedra/muscle.js';
import { stepInParts } from '../../../src/solvers/tetrahedra/step-in-parts.js';
import { floorAt, GRAVITY, makeDynamics, neo, planes, totalVolume } from './test-dynamics.js';
import { ball, kuhnBox } from './tetra-bodies.js';

interface Case {
  readonly name: string;
  readonly mesh: TetraMesh;
  readonly options?: Partial<DynamicsOptions>;
  readonly speed?: number;
  readonly source?: ContactSource;
  readonly start?: (body: TetraDynamics) => void;
}

const box = kuhnBox(2, 5, 2, 0.1);
const muscle = (): FibreForce => {
  const force = new FibreForce({ strength: 4e4, fibres: layFibres(box, [0, 1, 0]), forceLength: FORCE_LENGTH });
  force.activate(0.8);
  return force;
};
/** Odd in number. */
const corner: TetraMesh = { ...box, tetrahedra: box.tetrahedra.slice(0, 4 * 117) };

const cases: Case[] = [
  { name: 'dropped', mesh: ball(0.25), speed: 3, source: floorAt(-0.5) },
  {
    name: 'crushed, elements nearly flat',
    mesh: ball(0.3),
    source: planes([
      { normal: [0, 1, 0], offset: -0.2, speed: 4 },
      { normal: [0, -1, 0], offset: -0.2, speed: 4 },
    ]),
  },
  {
    name: 'of other materials',
    mesh: ball(0.3),
    options: { material: extend(corotated(2e4, 0)) },
    speed: 3,
    source: floorAt(-0.5),
  },
  {
    name: 'that softens, where it is crushed',
    mesh: ball(0.3),
    options: { material: extend(stVenantKirchhoff(2e4, 0)) },
    source: planes([
      { normal: [0, 1, 0], offset: -0.3, speed: 2 },
      { normal: [0, -1, 0], offset: -0.3, speed: 2 },
    ]),
  },
  {
    name: 'compressible',
    mesh: ball(0.3),
    options: { incompressible: false, material: extend(stVenantKirchhoff(2e4, 1e4)) },
    source: floorAt(-0.48),
  },
  {
    name: 'compressible with a logarithm',
    mesh: ball(0.3),
    options: { incompressible: false, material: neo(5e4, 0.4) },
    source: floorAt(-0.45),
  },
  {
    name: 'pinned, with a muscle',
    mesh: box,
    options: { stiffnessDamping: 1e-3, massDamping: 1 },
    start: (body) => body.pinned.fill(1, 0, 9),
  },
  {
    name: 'odd in number, volume coming back slowly',
    mesh: corner,
    options: { recoveryTime: 0.05 },
    start: (body) => {
      for (let k = 0; k < body.positions.length; k++) body.positions[k] *= k % 3 === 1 ? 0.9 : 1.02;
    },
  },
  {
    name: 'turned inside out',
    mesh: ball(0.3),
    start: (body) => {
      for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= -0.3;
    },
  },
];

/** How many numbers of what outlives a step have other bits. */
function differences(a: TetraDynamics, b: TetraDynamics): number {
  const lists = [a, b].map(({ positions, velocities, pressure }) => [...positions, ...velocities, ...pressure]);
  return lists[0].filter((value, k) => !Object.is(value, lists[1][k])).length;
}

describe('kernels', () => {
  it('are there', () => {
    expect(TETRA_KERNELS.instantiate(1)).toBeDefined();
  });

  it.each(cases)('give the same bits: a body $name', ({ mesh, options, speed = 0, source, start, name }) => {
    const make = (kernels: boolean): TetraDynamics => {
      const extra = name.includes('muscle') ? { muscle: muscle() } : {};
      const body = makeDynamics(mesh, { ...options, ...extra, kernels });
      for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -speed;
      start?.(body);
      return body;
    };
    const [plain, quick] = [make(false), make(true)];
    for (let n = 0; n < 12; n++) {
      const [a, b] = [plain, quick].map((body) => body.step(1 / 240, GRAVITY, source));
      expect(b).toEqual(a);
      expect(differences(plain, quick)).toBe(0);
    }
    expect(plain.positions.every(Number.isFinite)).toBe(true);
  });
});

describe('falls faster than a body’s own waves', () => {
  // √(E/ρ) is 7 m/s; at 30 m/s half of ρv² is 27 times the shear modulus, and a fifth of the elements are inverted on the way. In as many
  // parts as worlds take them in. The fastest is damped by a millisecond: undamped it still swings so far after 0.6 s, at stretches of 2 to 4, that
  // 0 to 7 of 552 elements are inverted at any one time, by the chance of rounding (eight variants).
  it.each([
    [15, 0],
    [20, 0],
    [30, 1e-3],
  ])('keep one-rings at %d m/s in steps of 1/240 s, and untangle', (speed, stiffnessDamping) => {
    const body = makeDynamics(ball(0.25), { kernels: true, stiffnessDamping });
    for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -speed;
    const source = { ...floorAt(-0.5), leave: () => {} };
    const parts = Math.ceil(1 / 240 / longestStep(body.rest, speed));
    const motion = (): number =>
      body.velocities.reduce((sum, v, k) => sum + (body.masses[Math.trunc(k / 3)] * v * v) / 2, 0);
    const before = motion();
    let [error, most] = [0, 0];
    for (let n = 0; n < 144; n++) {
      error = Math.max(error, stepInParts(body, 1 / 240, parts, GRAVITY, source, () => {}).ringError);
      most = Math.max(most, motion());
    }
    expect(error).toBeLessThanOrEqual(1e-3);
    // Nothing is shot off: deforming takes more energy than its height gives on the way.
    expect(most).toBeLessThan(1.01 * before);
    expect(totalVolume(body).inverted).toBe(0);
  });

  it('halve parts that fail, and tell where each ends', () => {
    const body = makeDynamics(ball(0.25), { kernels: true });
    for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -100;
    const left: number[] = [];
    const ends: number[] = [];
    let most = 0;
    const source = { ...floorAt(-0.5), leave: (time: number) => left.push(time) };
    for (let n = 0; n < 3; n++) {
      ends.length = 0;
      stepInParts(body, 1 / 120, 2, GRAVITY, source, () => ends.push(left[left.length - 1]));
      most = Math.max(most, ends.length);
      expect(ends[ends.length - 1]).toBe(0);
      for (let i = 1; i < ends.length; i++) expect(ends[i]).toBeLessThan(ends[i - 1]);
    }
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThanOrEqual(32);
  });
});
