// Law: a rigid motion is no deformation: goals equal positions, damping leaves rigid velocities alone.
// Tolerance: a region sum of a few hundred products loses about 1e-15 of the body's size; 1e-12 allows for the solve.

import { describe, expect, it } from 'vitest';
import { creature, duck, prepare, surface, torus } from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, normalize, pointAt, subtract, type Vec3 } from '../../src/math/vec3.js';
import { createDampingBuffers, dampVelocities } from '../../src/solvers/surface/damping.js';
import { SurfaceElasticity } from '../../src/solvers/surface/surface-elasticity.js';

const meshes = {
  torus: torus({ majorSegments: 24, minorSegments: 12 }),
  duck: duck({ vertices: 500 }),
  creature: creature({ vertices: 900 }),
};

describe.each(Object.entries(meshes))('%s', (_, mesh) => {
  it.each([1, 2, 5])('has goals equal to its positions after any rigid motion, region size %i', (regionSize) => {
    const { surface: rest } = prepare(mesh, surface({ regionSize }));
    const elasticity = new SurfaceElasticity(rest, surface({ regionSize }).settings);
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
});
