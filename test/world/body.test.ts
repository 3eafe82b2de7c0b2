// A body as the user holds it: placing, measures, forces, settings, broken states.

import { describe, expect, it } from 'vitest';
import {
  box,
  DEFORMATIONS,
  icosphere,
  MeshError,
  prepare,
  surface,
  type Vec3,
  type WorldOptions,
} from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, cross, length, pointAt, subtract } from '../../src/math/vec3.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';

/** A few roundings of numbers of order 1. */
const ROUNDINGS: PerBackend = { reference: 1e-12, wasm: 1e-6 };
/** [kg m/s] The body weighs 6000 kg, its momenta are up to 600. */
const MOMENTUM_ROUNDINGS: PerBackend = { reference: 1e-9, wasm: 6e-4 };
const cube = prepare(box({ size: [1, 2, 3], divisions: [2, 4, 6] }), surface({ regionSize: 2 }));
const far = (a: Vec3, b: Vec3) => length(subtract(a, b));

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const createWorld = (options: WorldOptions = {}) => worldOn(backend, options);
  const ROUNDING = ROUNDINGS[backend];
  const MOMENTUM_ROUNDING = MOMENTUM_ROUNDINGS[backend];

  async function emptySpace() {
    return createWorld({ gravity: [0, 0, 0] });
  }

  describe('a body', () => {
    it('is placed by rotation about its mesh’s origin, then position', async () => {
      const world = await emptySpace();
      const rotation = fromAxisAngle([0, 0, 1], 0.7);
      const body = world.add(cube, { position: [1, 2, 3], rotation });
      for (let i = 0; i < body.particleCount; i++) {
        const expected = add([1, 2, 3], rotate(rotation, pointAt(cube.mesh.positions, i)));
        expect(far(pointAt(body.positions, i), expected)).toBeLessThan(ROUNDING);
      }
      // A turned body is at rest: nothing moves it.
      const before = body.positions.slice();
      for (let step = 0; step < 10; step++) world.step();
      body.positions.forEach((x, k) => {
        expect(Math.abs(x - before[k])).toBeLessThan(10 * ROUNDING);
      });
    });

    it('has the mass of its density and volume, spread over all vertices', async () => {
      const body = (await emptySpace()).add(cube, { density: 500 });
      expect(Math.abs(body.mass - 3000)).toBeLessThan(1e-9);
      expect(body.masses.every((m) => m > 0)).toBe(true);
      expect(Math.abs(body.restVolume - 6)).toBeLessThan(ROUNDING);
      expect(Math.abs(body.volume() - 6)).toBeLessThan(ROUNDING);
      expect(body.particleCount).toBe(cube.mesh.positions.length / 3);
    });

    it('has the momenta and the energy of its velocity and spin', async () => {
      const velocity: Vec3 = [1, -2, 3];
      const spin: Vec3 = [0, 4, 0];
      const body = (await emptySpace()).add(cube, { position: [5, 0, 0], velocity, spin });
      expect(far(body.centreOfMass(), [5, 0, 0])).toBeLessThan(ROUNDING);
      velocity.forEach((v, c) => {
        expect(Math.abs(body.momentum()[c] / body.mass - v)).toBeLessThan(ROUNDING);
      });
      let [inertia, energy] = [0, 0];
      for (let i = 0; i < body.particleCount; i++) {
        const [x, , z] = subtract(pointAt(body.positions, i), [5, 0, 0]);
        inertia += body.masses[i] * (x * x + z * z);
        energy +=
          0.5 *
          body.masses[i] *
          length(add(velocity, cross(spin, subtract(pointAt(body.positions, i), [5, 0, 0])))) ** 2;
      }
      const expected = add([0, 4 * inertia, 0], cross([5, 0, 0], body.momentum()));
      expect(far(body.angularMomentum(), expected) / length(expected)).toBeLessThan(ROUNDING);
      expect(Math.abs(body.kineticEnergy() / energy - 1)).toBeLessThan(ROUNDING);
    });

    it('keeps the numbering of its mesh', async () => {
      // Every vertex of a moving body is its mesh’s vertex moved, whatever the order the solver works in.
      const world = await emptySpace();
      const body = world.add(cube, { velocity: [1, 0, 0] });
      for (let step = 0; step < 20; step++) world.step();
      body.positions.forEach((x, k) => {
        expect(Math.abs(x - cube.mesh.positions[k] - (k % 3 === 0 ? 0.1 : 0))).toBeLessThan(ROUNDING);
      });
    });
  });

  describe('impulses and forces', () => {
    it('on the whole body change its velocity everywhere alike', async () => {
      const world = await emptySpace();
      const body = world.add(cube);
      body.applyImpulse([600, 0, -1200]);
      for (let k = 0; k < body.velocities.length; k++) {
        expect(Math.abs(body.velocities[k] - [600, 0, -1200][k % 3] / 6000)).toBeLessThan(ROUNDING);
      }
    });

    it('add up to force × time over many steps, in long ones too', async () => {
      for (const timeStep of [0.002, 0.005, 0.01]) {
        const world = await createWorld({ gravity: [0, 0, 0], timeStep });
        const body = world.add(cube);
        for (let step = 0; step < 20; step++) {
          body.applyForce([0, 0, 900]);
          world.step();
        }
        expect(far(body.momentum(), [0, 0, 900 * 20 * timeStep])).toBeLessThan(MOMENTUM_ROUNDING);
        expect(length(body.angularMomentum())).toBeLessThan(MOMENTUM_ROUNDING);
      }
    });

    it('at a point give the torque of the surface’s nearest point', async () => {
      const world = await emptySpace();
      const body = world.add(cube, { position: [0, 10, 0] });
      // Nearest surface point to (5, 10.3, 0.2) is (0.5, 10.3, 0.2), inside a triangle.
      body.applyImpulse([0, 0, 60], [5, 10.3, 0.2]);
      expect(far(body.momentum(), [0, 0, 60])).toBeLessThan(MOMENTUM_ROUNDING);
      expect(far(body.angularMomentum(), cross([0.5, 10.3, 0.2], [0, 0, 60]))).toBeLessThan(MOMENTUM_ROUNDING);
      for (let step = 0; step < 20; step++) world.step();
      expect(far(body.momentum(), [0, 0, 60])).toBeLessThan(MOMENTUM_ROUNDING);
      expect(far(body.angularMomentum(), cross([0.5, 10.3, 0.2], [0, 0, 60]))).toBeLessThan(10 * MOMENTUM_ROUNDING);
    });

    it('setMotion replaces the motion', async () => {
      const body = (await emptySpace()).add(cube, { velocity: [9, 9, 9], spin: [9, 9, 9] });
      body.setMotion([1, 2, 3]);
      body.velocities.forEach((v, k) => {
        expect(v).toBe([1, 2, 3][k % 3]);
      });
    });
  });

  describe('settings', () => {
    const stretched = async () => {
      const world = await emptySpace();
      const body = world.add(cube);
      for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.2;
      body.changed();
      return { world, body, start: body.positions.slice() };
    };

    it('change while the world runs: no stiffness, then some', async () => {
      const { world, body, start } = await stretched();
      body.settings = { ...body.settings, stiffness: 0, damping: 0, volume: false };
      for (let step = 0; step < 10; step++) world.step();
      expect(body.positions).toEqual(start);
      body.settings = { ...body.settings, stiffness: 0.9, damping: 0.5 };
      for (let step = 0; step < 200; step++) world.step();
      const width = Math.max(...body.positions.filter((_, k) => k % 3 === 0)) * 2;
      expect(Math.abs(width - 1)).toBeLessThan(1e-3);
    });

    it('switch the volume constraint off and on', async () => {
      const { world, body } = await stretched();
      body.settings = { ...body.settings, volume: false };
      world.step();
      expect(Math.abs(body.volume() / 6 - 1)).toBeGreaterThan(0.01);
      body.settings = { ...body.settings, volume: surface().settings.volume };
      world.step();
      expect(Math.abs(body.volume() / 6 - 1)).toBeLessThan(ROUNDING);
    });

    it('take effect on the volume constraint in use', async () => {
      const { world, body } = await stretched();
      const other = await stretched();
      world.step();
      other.world.step();
      expect(body.positions).toEqual(other.body.positions);
      body.settings = {
        ...body.settings,
        volume: { globalShare: 1, innerShare: 0, innerStiffness: [0.01, 0.1], target: 1 },
      };
      world.step();
      other.world.step();
      const difference = Float64Array.from(body.positions).reduce(
        (most, x, k) => Math.max(most, Math.abs(x - other.body.positions[k])),
        0,
      );
      expect(difference).toBeGreaterThan(1e-6);
    });

    it('do not change the prepared body, nor its other copies', async () => {
      const { world, body } = await stretched();
      const copy = world.add(cube);
      body.settings = { ...body.settings, stiffness: 0.1 };
      expect(copy.settings.stiffness).toBe(0.9);
      expect(cube.solver.settings.stiffness).toBe(0.9);
    });

    it('refuse another region size', async () => {
      const { body } = await stretched();
      for (const change of [{ regionSize: 3 }, { regionRadius: 0.2 }]) {
        expect(() => {
          body.settings = { ...body.settings, ...change };
        }).toThrow(RangeError);
      }
      expect(body.settings.regionSize).toBe(2);
    });
  });

  describe('deform', () => {
    it.each(DEFORMATIONS)('%s does what it says about the centre of mass, and stops the body', async (state) => {
      const body = (await emptySpace()).add(cube, { position: [1, 2, 3], spin: [1, 2, 3], velocity: [1, 0, 0] });
      const before = body.positions.slice();
      const [cx, cy, cz] = body.centreOfMass();
      body.deform(state, 5);
      const expected: Record<string, (p: Vec3) => Vec3> = {
        none: (p) => p,
        mirror: ([x, y, z]) => [2 * cx - x, y, z],
        flatten: ([x, , z]) => [x, cy, z],
        line: ([x]) => [x, cy, cz],
        point: () => [cx, cy, cz],
      };
      for (let i = 0; i < body.particleCount; i++) {
        const p = pointAt(body.positions, i);
        if (state === 'random') {
          const half = 0.5 * cube.volume.size;
          for (let c = 0; c < 3; c++) expect(Math.abs(p[c] - [cx, cy, cz][c])).toBeLessThanOrEqual(half);
        } else
          expect(far(p, expected[state](pointAt(before, i)))).toBeLessThan({ reference: 1e-14, wasm: 5e-7 }[backend]);
        if (state !== 'none') expect(pointAt(body.velocities, i)).toEqual([0, 0, 0]);
      }
    });

    it('point remembers how the body was turned when it was added', async () => {
      const world = await emptySpace();
      const rotation = fromAxisAngle([0.6, 0, 0.8], 2.5);
      const body = world.add(cube, { position: [1, 2, 3], rotation });
      const before = body.positions.slice();
      body.deform('point');
      for (let step = 0; step < 300; step++) world.step();
      // All directions but the previous rotation are lost in a point; a body that forgot it would come back about 1 m off.
      const worst = Float64Array.from(body.positions).reduce(
        (most, x, k) => Math.max(most, Math.abs(x - before[k])),
        0,
      );
      expect(worst).toBeLessThan(0.1);
    });

    it('random depends on the seed alone', async () => {
      const [a, b, c] = await Promise.all(
        [1, 1, 2].map(async (seed) => {
          const body = (await emptySpace()).add(cube);
          body.deform('random', seed);
          return body.positions;
        }),
      );
      expect(a).toEqual(b);
      expect(a).not.toEqual(c);
    });
  });

  describe('refused, by name,', () => {
    it.each([0, -1, Number.NaN, Infinity])('is a density of %d', async (density) => {
      const world = await emptySpace();
      expect(() => world.add(cube, { density })).toThrow(`density: expected a positive number, got ${density}`);
      expect(world.bodies).toEqual([]);
    });

    it.each([
      [{ regionSize: 0 }, 'regionSize: expected an integer from 1 to 16, got 0'],
      [{ regionSize: 17 }, 'regionSize: expected an integer from 1 to 16, got 17'],
      [{ regionSize: 2.5 }, 'regionSize: expected an integer from 1 to 16, got 2.5'],
      [{ regionRadius: 0 }, 'regionRadius: expected a number above 0, up to 1, got 0'],
      [{ regionRadius: 1.1 }, 'regionRadius: expected a number above 0, up to 1, got 1.1'],
      [{ regionSize: 2, regionRadius: 0.2 }, 'regionRadius: expected either regionSize or regionRadius, got both'],
      [{ stiffness: -0.1 }, 'stiffness: expected a number from 0 to 1, got -0.1'],
      [{ stiffness: Number.NaN }, 'stiffness: expected a number from 0 to 1, got NaN'],
      [{ damping: 1.5 }, 'damping: expected a number from 0 to 1, got 1.5'],
      [{ volume: { globalShare: 2 } }, 'volume.globalShare: expected a number from 0 to 1, got 2'],
      [{ volume: { innerShare: -1 } }, 'volume.innerShare: expected a number from 0 to 1, got -1'],
      [
        { volume: { innerStiffness: [0.1, 3] as const } },
        'volume.innerStiffness: expected two numbers from 0 to 1, got [0.1, 3]',
      ],
    ])('is the solver %o', (options, message) => {
      expect(() => surface(options)).toThrow(RangeError);
      expect(() => surface(options)).toThrow(message);
    });

    it('is a mesh with a hole', () => {
      const { positions, triangles } = icosphere({ detail: 1 });
      expect(() => prepare({ positions, triangles: triangles.slice(3) })).toThrow(MeshError);
    });
  });
});
