// Thin plates that fall on a floor: their energy never rises above what they start with, flat and tilted, and they come to rest.
// Nothing feeds them: gravity keeps kinetic + potential energy constant, impact, friction and damping take from it. The explicit
// step of free fall keeps it to ½ g Δt v, less than a hundredth of m g h here, from below; so the bound is the start itself and
// rounding (1e-3 in single precision).

import { describe, expect, it } from 'vitest';
import { box, prepare, type Quaternion, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';

const GRAVITY = 9.81;
const turned = (angle: number): Quaternion => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each([
    [0.01, 0],
    [0.01, 0.1],
    [0.02, 0.7],
  ])(
    'a plate of 1 × %f × 1 m, tilted by %f, gains no energy and rests within five seconds',
    async (thickness, tilt) => {
      const divisions = backend === 'wasm' ? 16 : 8;
      const mesh = box({ size: [1, thickness, 1], divisions: [divisions, 1, divisions] });
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
      const body = world.add(prepare(mesh, surface({ regionSize: 3 })), {
        position: [0, 0.5 + Math.sin(tilt) / 2 + thickness / 2, 0],
        rotation: turned(tilt),
      });
      const energy = () => GRAVITY * body.mass * body.centreOfMass()[1] + body.kineticEnergy();
      const start = energy();
      let most = 0;
      for (let step = 0; step < 1000 && !body.asleep; step++) {
        await advance(world);
        most = Math.max(most, energy());
      }
      expect(most / start).toBeLessThan(1 + 1e-3);
      expect(body.asleep).toBe(true);
      world.dispose();
    },
  );
});
