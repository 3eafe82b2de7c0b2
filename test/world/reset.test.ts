// Putting a body back, and elsewhere.

import { describe, expect, it } from 'vitest';
import { icosphere, lattice, octree, prepare, type Solver, surface } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

/** Of positions some metres from the origin, and of velocities that they give. */
const ROUNDING = { reference: 1e-14, wasm: 1e-6 };
const SOLVERS: Readonly<Record<string, Solver>> = {
  surface: surface({ regionSize: 2 }) as unknown as Solver,
  lattice: lattice({ resolution: 6, regionSize: 1 }) as unknown as Solver,
  octree: octree({ cells: 4, levels: 1 }) as unknown as Solver,
};
const mesh = icosphere({ detail: 2, radius: 0.5 });

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each(Object.keys(SOLVERS))(
    'a body of %s goes back to where it was added, and then does the same again',
    async (name) => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      const body = world.add(prepare(mesh, SOLVERS[name]), {
        position: [1, 1, 0],
        rotation: [0, 1, 0, 0],
        velocity: [0, -4, 0],
      });
      const start = Array.from(body.positions);
      for (let step = 0; step < 60; step++) world.step();
      body.reset();
      expect(Array.from(body.positions)).toEqual(start);
      expect(body.kineticEnergy()).toBe(0);
      expect(Array.from(body.interpolated)).toEqual(start);
      // From there it does what a body does that is added there.
      body.reset({ position: [0, 0.55, 0], velocity: [1, -2, 0] });
      const fresh = world.add(body.prepared, { position: [3, 0.55, 0], rotation: [0, 1, 0, 0], velocity: [1, -2, 0] });
      for (let step = 0; step < 20; step++) world.step();
      expect(body.contactCount).toBeGreaterThan(0);
      const apart = body.positions.map((x, k) => Math.abs(x + (k % 3 === 0 ? 3 : 0) - fresh.positions[k]));
      // Other digits 3 m further, and contact amplifies their rounding.
      expect(Math.max(...apart)).toBeLessThan(backend === 'wasm' ? 1e-4 : 1e-9);
    },
  );

  it('a body that is taken elsewhere keeps its shape and its motion, turned with it', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(mesh, SOLVERS.surface), { velocity: [2, 0, 0], spin: [0, 0, 3] });
    world.step();
    const [energy, strain] = [body.kineticEnergy(), edgeStrainRms(body)];
    body.teleport([7, 8, 9], [0, 0, Math.SQRT1_2, Math.SQRT1_2]);
    body.centreOfMass().forEach((x, c) => {
      expect(Math.abs(x - [7, 8, 9][c])).toBeLessThan(20 * ROUNDING[backend]);
    });
    const [x, y] = body.momentum().map((p) => p / body.mass);
    expect(Math.abs(x)).toBeLessThan(20 * ROUNDING[backend]);
    expect(Math.abs(y - 2)).toBeLessThan(20 * ROUNDING[backend]);
    expect(Math.abs(body.kineticEnergy() / energy - 1)).toBeLessThan(100 * ROUNDING[backend]);
    expect(Math.abs(edgeStrainRms(body) - strain)).toBeLessThan(100 * ROUNDING[backend]);
    expect(Array.from(body.interpolated)).toEqual(Array.from(body.positions));
  });
});
