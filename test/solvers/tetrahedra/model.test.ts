// The solver as a value, and the model that the world would hold: particles are the boundary's nodes.

import { describe, expect, it } from 'vitest';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import {
  materialOf,
  TETRAHEDRA_DEFAULTS,
  type TetrahedraOptions,
  tetrahedra,
} from '../../../src/solvers/tetrahedra/settings.js';
import { TetrahedraModel } from '../../../src/solvers/tetrahedra/tetrahedra-model.js';
import { DENSITY, floorAt, sum } from './test-dynamics.js';
import { ball, kuhnBox, norm } from './tetra-bodies.js';

describe('tetrahedra()', () => {
  it('fills in the defaults', () => {
    expect(tetrahedra()).toEqual({ type: 'tetrahedra', settings: TETRAHEDRA_DEFAULTS });
    const { settings } = tetrahedra({ poissonRatio: 0.3, damping: { mass: 2 } });
    expect(settings).toEqual({ ...TETRAHEDRA_DEFAULTS, poissonRatio: 0.3, damping: { mass: 2, stiffness: 0 } });
    expect(Object.isFrozen(settings) && Object.isFrozen(settings.damping)).toBe(true);
  });

  it('means Young’s modulus and Poisson’s ratio by its materials', () => {
    // A small uniaxial stretch with free sides: stress over strain is E, contraction over stretch is ν.
    for (const material of ['neo-hookean', 'corotated', 'st-venant-kirchhoff'] as const) {
      const made = materialOf(tetrahedra({ youngsModulus: 2e4, poissonRatio: 0.3, material }).settings);
      const [e, out] = [1e-6, new Float64Array(3)];
      made.writeGradient([1 + e, 1 - 0.3 * e, 1 - 0.3 * e], out);
      expect(Math.abs(out[0] / e / 2e4 - 1)).toBeLessThan(1e-5);
      expect(Math.abs(out[1] / e)).toBeLessThan(0.1);
    }
  });

  it.each([
    [{ youngsModulus: 0 }, 'youngsModulus: expected a number from 1 to 10000000000, got 0'],
    [{ poissonRatio: 0.5 }, "poissonRatio: expected 'incompressible' or a number from 0 to 0.499, got 0.5"],
    [{ material: 'steel' }, 'material: expected one of neo-hookean, corotated, st-venant-kirchhoff or'],
    [{ material: { energy: 1 } }, 'got an object of energy'],
    [{ damping: { mas: 1 } }, 'damping: unknown option mas, did you mean mass?'],
    [{ damping: { stiffness: -1 } }, 'damping.stiffness: expected a number from 0 to 1, got -1'],
    [{ tolerance: 1 }, 'tolerance: expected a number from 0.000001 to 0.1, got 1'],
    [{ youngModulus: 1 }, 'tetrahedra: unknown option youngModulus, did you mean youngsModulus?'],
  ])('refuses %j', (options, message) => {
    expect(() => tetrahedra(options as TetrahedraOptions)).toThrow(message);
  });
});

describe('rest', () => {
  it('refuses tetrahedra without volume, nodes without one and paint that does not fit', () => {
    const { positions, tetrahedra: corners } = kuhnBox(1, 1, 1);
    const turned = corners.slice();
    [turned[4], turned[5]] = [turned[5], turned[4]];
    expect(() => buildTetraRest({ positions, tetrahedra: turned })).toThrow('expected positive volumes');
    expect(() => buildTetraRest({ positions: Float64Array.of(...positions, 9, 9, 9), tetrahedra: corners })).toThrow(
      'tetrahedra: expected every node in one, got none at node 8',
    );
    expect(() => buildTetraRest({ positions, tetrahedra: corners }, { density: [1] })).toThrow(
      'density: expected a factor for each of 6 tetrahedra, got 1',
    );
  });
});

describe('TetrahedraModel', () => {
  const mesh = ball(0.25);
  const make = () => {
    const rest = buildTetraRest(mesh);
    const model = new TetrahedraModel(rest, tetrahedra().settings, { mass: DENSITY * sum(rest.volumes) });
    const { positions } = rest.boundary.mesh;
    const count = positions.length / 3;
    const particles = {
      count,
      positions: positions.slice(),
      starts: positions.slice(),
      velocities: new Float64Array(3 * count),
      masses: new Float64Array(count).fill(1),
      changes: new Float64Array(count),
      anchored: false,
    };
    return { model, particles };
  };

  it('moves its particles as the step moves its nodes, and bounces off what it knows of', () => {
    const { model, particles } = make();
    model.contacts = floorAt(-0.52);
    const timeStep = 1 / 240;
    let lowest = 0;
    for (let n = 0; n < 50; n++) {
      particles.starts.set(particles.positions);
      for (let k = 1; k < particles.velocities.length; k += 3) particles.velocities[k] -= 9.8 * timeStep;
      model.accelerate([0, -9.8 * timeStep, 0]);
      model.match(particles, timeStep);
      model.takeOver(particles);
      for (let k = 1; k < particles.positions.length; k += 3) lowest = Math.min(lowest, particles.positions[k]);
    }
    expect(lowest).toBeGreaterThan(-0.52 - 1e-8);
    expect(lowest).toBeLessThan(-0.519);
    expect(model.report?.ringError).toBeLessThan(1e-3);
    model.rest.boundary.nodes.forEach((node, i) => {
      expect(model.dynamics.positions[3 * node]).toBe(particles.positions[3 * i]);
    });
  });

  it('takes the inside along where a body is placed anew', () => {
    const { model, particles } = make();
    // A quarter turn about z, and a shift.
    const placed = particles.positions.map((_, k) => {
      const [x, y, z] = particles.positions.subarray(k - (k % 3));
      return [3 - y, x + 1, z - 2][k % 3];
    });
    model.replace(particles, placed, new Float64Array(placed.length));
    const error = model.dynamics.positions.map((value, k) => {
      const [x, y, z] = mesh.positions.subarray(k - (k % 3));
      return value - [3 - y, x + 1, z - 2][k % 3];
    });
    expect(norm(error)).toBeLessThan(1e-12);
  });

  it('changes its settings and holds what is pinned', () => {
    const { model, particles } = make();
    model.settings = tetrahedra({ youngsModulus: 1e6, damping: { mass: 3 } }).settings;
    expect(model.dynamics.options.massDamping).toBe(3);
    model.pin(0, true);
    const before = particles.positions.slice(0, 3);
    model.accelerate([0, -1, 0]);
    for (let k = 4; k < particles.velocities.length; k += 3) particles.velocities[k] = -1;
    model.match(particles, 1 / 240);
    for (let c = 0; c < 3; c++) expect(particles.positions[c]).toBe(before[c]);
    expect(particles.positions[4]).not.toBe(particles.starts[4]);
  });
});
