// The solver as a value, and what it makes of tetrahedra.

import { describe, expect, it } from 'vitest';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import { materialOf, TETRAHEDRA_DEFAULTS, type TetrahedraOptions } from '../../../src/solvers/tetrahedra/settings.js';
import { tetrahedra } from '../../../src/solvers/tetrahedra/tetrahedra-solver.js';
import { kuhnBox } from './tetra-bodies.js';

describe('tetrahedra()', () => {
  it('fills in the defaults', () => {
    expect(tetrahedra().settings).toEqual(TETRAHEDRA_DEFAULTS);
    const { settings } = tetrahedra({ poissonRatio: 0.3, damping: { mass: 2 } });
    const { stiffness } = TETRAHEDRA_DEFAULTS.damping as { stiffness: number };
    expect(settings).toEqual({ ...TETRAHEDRA_DEFAULTS, poissonRatio: 0.3, damping: { mass: 2, stiffness } });
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
    [{ material: 'steel' }, 'material: expected one of neo-hookean, corotated, st-venant-kirchhoff or {'],
    [
      { fibres: 'w' },
      'fibres: expected an object, a function of x, y, z, a Float64Array of three numbers per tetrahedron or false, got',
    ],
    [
      { fibres: { axis: [0, 0, 0] } },
      'fibres.axis: expected a direction [x, y, z] with a length above 0, got [0, 0, 0]',
    ],
    [{ cells: 3.5 }, 'cells: expected an integer from 1 to 64, got 3.5'],
    [{ activation: 2 }, 'activation: expected a number from 0 to 1, got 2'],
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
