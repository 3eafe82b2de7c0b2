// Law: a rigid motion is no deformation: goals equal positions, damping leaves rigid velocities alone.
// Tolerance: a region sum of a few hundred products loses about 1e-15 of the body's size; 1e-12 allows for the solve. In
// single precision the same sums lose 1e-6 of the size (prefix sums of at most 128 terms, differences of a few of them), in
// the thin fingers of the creature ten times that.

import { describe, expect, it } from 'vitest';
import { creature, duck, prepare, surface, torus } from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, normalize, pointAt, scale, subtract, type Vec3 } from '../../src/math/vec3.js';
import { createDampingBuffers, dampVelocities } from '../../src/solvers/surface/damping.js';
import { SurfaceModel } from '../../src/solvers/surface/surface-model.js';
import { advance, BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';

/** In metres; the meshes are one to two metres large. */
const TOLERANCES: PerBackend = { reference: 1e-12, wasm: 1e-5 };

const meshes = {
  torus: torus({ majorSegments: 24, minorSegments: 12 }),
  duck: duck({ vertices: 500 }),
  creature: creature({ vertices: 900 }),
};

describe.each(Object.entries(meshes))('%s', (_, mesh) => {
  it.each([1, 2, 5])('has goals equal to its positions after any rigid motion, region size %i', (regionSize) => {
    const { surface: rest } = prepare(mesh, surface({ regionSize }));
    const elasticity = new SurfaceModel(rest, surface({ regionSize }).settings);
    const goals = new Float64Array(3 * rest.count);
    for (const angle of [0, 1, 2.5, Math.PI, -3]) {
      const turn = fromAxisAngle(normalize([1, -2, 0.5]), angle);
      const positions = new Float64Array(3 * rest.count);
      for (let i = 0; i < rest.count; i++) {
        positions.set(add(rotate(turn, pointAt(rest.mesh.positions, i)), [3, -1, 2]), 3 * i);
      }
      elasticity.writeGoals(positions, goals);
      let worst = 0;
      for (let k = 0; k < goals.length; k++) worst = Math.max(worst, Math.abs(goals[k] - positions[k]));
      expect(worst).toBeLessThan(1e-12);
    }
  });

  it('does not damp the velocities of a finite rotation', () => {
    // v = (R − I)(x − c)/Δt + u: the velocities that turn the body rigidly by a large angle in one step.
    const { surface: rest } = prepare(mesh, surface({ regionSize: 3 }));
    const timeStep = 0.005;
    const turn = fromAxisAngle(normalize([0.3, 1, -0.6]), 0.4);
    const centre: Vec3 = [0.1, 0.2, -0.3];
    const starts = rest.mesh.positions;
    const velocities = new Float64Array(starts.length);
    for (let i = 0; i < rest.count; i++) {
      const arm = subtract(pointAt(starts, i), centre);
      const moved = subtract(rotate(turn, arm), arm);
      velocities.set(add([1, -2, 3], [moved[0] / timeStep, moved[1] / timeStep, moved[2] / timeStep]), 3 * i);
    }
    const before = velocities.slice();
    dampVelocities(rest, starts, velocities, timeStep, 1, createDampingBuffers(rest.count));
    let worst = 0;
    for (let k = 0; k < velocities.length; k++) worst = Math.max(worst, Math.abs(velocities[k] - before[k]));
    expect(worst / 80).toBeLessThan(1e-12); // 80 m/s is the scale: 0.4 rad over 5 ms
  });

  describe.each(BOTH_BACKENDS)('on %s', (backend) => {
    const tolerance = TOLERANCES[backend];
    const still = { regionSize: 3, stiffness: 1, damping: 1 };

    it.each([0, 1, 2.5, Math.PI, -3])('rests after it was turned by %d', async (angle) => {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const body = world.add(prepare(mesh, surface(still)));
      const turn = fromAxisAngle(normalize([1, -2, 0.5]), angle);
      for (let i = 0; i < body.particleCount; i++) {
        body.positions.set(add(rotate(turn, pointAt(mesh.positions, i)), [3, -1, 2]), 3 * i);
      }
      body.changed();
      const before = body.positions.slice();
      await advance(world, 3);
      expect(worstDifference(body.positions, before)).toBeLessThan(3 * tolerance);
    });

    it('turns by a large angle in one step as it was told to', async () => {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const body = world.add(prepare(mesh, surface(still)));
      const turn = fromAxisAngle(normalize([0.3, 1, -0.6]), 0.4);
      const centre: Vec3 = body.centreOfMass();
      const expected = new Float64Array(body.positions.length);
      for (let i = 0; i < body.particleCount; i++) {
        const start = pointAt(body.positions, i);
        const end = add(add(centre, rotate(turn, subtract(start, centre))), [0.005, -0.01, 0.015]);
        expected.set(end, 3 * i);
        body.velocities.set(scale(subtract(end, start), 1 / world.timeStep), 3 * i);
      }
      body.changed();
      await advance(world);
      expect(worstDifference(body.positions, expected)).toBeLessThan(tolerance);
    });
  });
});

function worstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = 0;
  for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k] - b[k]));
  return worst;
}
