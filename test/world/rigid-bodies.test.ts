// Two-way coupling with a rigid-body engine, here Rapier's: a box falls on a soft cushion, which stops it. In each step the
// engine moves its box, the collider goes there with it, and the box gets what the cushion did to the collider.

import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, it } from 'vitest';
import { box, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

beforeAll(() => RAPIER.init());

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('a soft cushion stops a falling rigid box, and momentum is accounted for', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const rubber = prepare(
      box({ size: [1.2, 0.5, 1.2], divisions: [8, 4, 8] }),
      surface({ regionSize: 3, stiffness: 0.6 }),
    );
    const cushion = world.add(rubber, { position: [0, 0.25, 0], density: 300 });
    const plate = world.addCollider({ shape: 'box', size: [0.4, 0.4, 0.4], position: [0, 1.3, 0] });

    const rigid = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
    rigid.timestep = world.timeStep;
    const falling = rigid.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 1.3, 0).setRotation({ x: 0.05, y: 0, z: 0.05, w: 0.9975 }),
    );
    rigid.createCollider(RAPIER.ColliderDesc.cuboid(0.2, 0.2, 0.2).setDensity(300), falling);
    const mass = falling.mass();

    let given = 0;
    let pressed = 0;
    let lowest = Infinity;
    const seconds = (end: number, each: () => void = () => {}) => {
      while (world.time < end - 1e-9) {
        rigid.step();
        const { x, y, z } = falling.translation();
        const turned = falling.rotation();
        plate.moveTo([x, y, z], [turned.x, turned.y, turned.z, turned.w]);
        world.step();
        const [impulse, torque] = [plate.impulse, plate.torque];
        falling.applyImpulse({ x: impulse[0], y: impulse[1], z: impulse[2] }, true);
        falling.applyTorqueImpulse({ x: torque[0], y: torque[1], z: torque[2] }, true);
        given += impulse[1];
        lowest = Math.min(lowest, y);
        // All that moves the box is gravity and the cushion. Rapier adds up in single precision: 6e-8 of some 5 m/s a step.
        const expected = given - mass * 9.81 * world.time;
        expect(Math.abs(mass * falling.linvel().y - expected)).toBeLessThan(3e-5 * mass);
        expect(world.penetration(cushion)).toBeLessThan(1e-5);
        each();
      }
    };
    seconds(3);
    // It fell 0.6 m: at 3.4 m/s. It sank in, by less than the cushion is high, and now lies on it, near 0.5 + 0.2 m.
    expect(lowest).toBeLessThan(0.68);
    expect(lowest).toBeGreaterThan(0.4);
    expect(Math.abs(falling.translation().y - 0.7)).toBeLessThan(0.03);
    seconds(4, () => {
      pressed -= floor.impulse[1];
      // At rest but for the push that answers the next step's gravity, Δt·g = 5 cm/s.
      expect(Math.abs(falling.linvel().y)).toBeLessThan(0.1);
    });
    // The floor carries both: over a second, to what the last trembling of a few cm/s moves.
    const weight = 9.81 * (mass + cushion.mass);
    expect(Math.abs(pressed - weight)).toBeLessThan(0.01 * weight);
    expect(Math.abs(cushion.volume() / cushion.restVolume - 1)).toBeLessThan(2e-5);
    rigid.free();
  });
});
