// The kernel tests of the surface solver and the volume constraint, test/kernels, asked of the shaders, by the tolerances of the kernels that
// are in single precision too. The roots of cubics, in double precision there, are in single here.

import { describe, expect } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { dampingTests } from '../kernels/surface/damping-tests.js';
import { goalsTests } from '../kernels/surface/goals-tests.js';
import { type RotateAll, rotationTests, SINGLE } from '../kernels/surface/rotation-tests.js';
import { conserveBy, conserveTests } from '../kernels/volume/conserve-tests.js';
import { cubicRootTests, type Row, SINGLE_ROOTS, volumeCubicTests } from '../kernels/volume/cubic-tests.js';
import { directionTests } from '../kernels/volume/direction-tests.js';
import { weightsTests } from '../kernels/volume/weights-tests.js';
import { evaluateRows, GpuKernelBody } from './gpu-kernels.js';
import { gpuTests } from './gpu-world.js';

const gpuIt = gpuTests(10 + 34 + 30 + 12 + 6 + 12 + 24 + 1 + 25);

const ROTATE = `
fn evaluate(i: u32) {
  let at = GIVEN * i;
  let a = mat3x3f(given[at], given[at + 1u], given[at + 2u], given[at + 3u], given[at + 4u], given[at + 5u], given[at + 6u], given[at + 7u], given[at + 8u]);
  let previous = vec4f(given[at + 10u], given[at + 11u], given[at + 12u], given[at + 13u]);
  let q = nearestRotation(a, given[at + 9u], previous);
  for (var c = 0u; c < 4u; c++) { found[FOUND * i + c] = q[c]; }
}
`;

const rotateAll: RotateAll = async (matrices, previous, moments) => {
  const given = new Float32Array(14 * moments.length);
  moments.forEach((moment, i) => {
    given.set([...matrices.subarray(9 * i, 9 * i + 9), moment, ...previous.subarray(4 * i, 4 * i + 4)], 14 * i);
  });
  const sizes = { givenWords: 14, foundWords: 4 };
  return Float64Array.from(await evaluateRows(['chunk', 'rotation'], ROTATE, { given, ...sizes }));
};

/**
 * Where Newton's method gives up, the kernels look for eigenvectors in double precision. The shaders have single for that too: some five more
 * roundings of 6e-8 beside the previous rotation's share of 1e-6, which decides how a line is turned about itself. Measured 0.36.
 */
const ROTATIONS = { ...SINGLE, smallestTurn: 0.5 };

describe('the nearest rotation', () => {
  rotationTests(gpuIt, ROTATIONS, rotateAll, true);
});

describe('goals', () => {
  goalsTests(gpuIt, (prepared, positions, rotation) =>
    GpuKernelBody.of(prepared, (body) => body.goals(positions, rotation)),
  );
});

describe('damping', () => {
  dampingTests(gpuIt, (prepared, starts, velocities, share, timeStep) =>
    GpuKernelBody.of(prepared, (body) => body.damped(starts, velocities, share, timeStep)),
  );
});

describe('the cubic of the volume', () => {
  volumeCubicTests(gpuIt, (prepared, positions, direction) =>
    GpuKernelBody.of(prepared, (body) => body.cubic(positions, direction)),
  );
});

const SOLVE = `
fn evaluate(i: u32) {
  let at = GIVEN * i;
  let c = vec4f(given[at], given[at + 1u], given[at + 2u], given[at + 3u]);
  found[i] = cubicRoot(c, given[at + 4u], given[at + 5u]);
}
`;

const solveAll = (rows: readonly Row[]): Promise<Float32Array> =>
  evaluateRows(['cubic-root'], SOLVE, { given: Float32Array.from(rows.flat()), givenWords: 6, foundWords: 1 });

describe('the root of a cubic', () => {
  cubicRootTests(gpuIt, SINGLE_ROOTS, solveAll);
});

describe('weights', () => {
  weightsTests(gpuIt, (prepared, settings, ...shell) =>
    GpuKernelBody.of(prepared, (body) => body.weights(...shell), settings),
  );
});

describe('the direction of a volume correction', () => {
  directionTests(gpuIt, (prepared, rotation, positions, changes) =>
    GpuKernelBody.of(prepared, (body) => body.direction(rotation, positions, changes)),
  );

  gpuIt('is none where nobody may move', async () => {
    const prepared = prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 }));
    const { count, mesh } = prepared.particles;
    const all = new Uint8Array(count).fill(1);
    const direction = await GpuKernelBody.of(prepared, (body) =>
      body.direction([0, 0, 0, 1], mesh.positions, new Float64Array(count), all),
    );
    expect(direction.every((d) => d === 0)).toBe(true);
  });
});

describe('the volume constraint', () => {
  // See EXACTLY in test/kernels/volume/volume-constraint.test.ts.
  const byShaders = conserveBy((prepared, settings, state) =>
    GpuKernelBody.of(prepared, (body) => body.conserved(...state), settings),
  );
  conserveTests(gpuIt, 2e-6, byShaders, true);
});
