// Law: Coulomb's. A block on an incline of angle θ stays where tan θ < μ and slides with a = g (sin θ − μ cos θ) beyond.
//
// The plane stays level and gravity is tilted, which is the same and needs no placing: the block settles under level
// gravity for a second, is let go, and is measured over the second after the next, when its shear oscillation is damped.
//
// Tolerances: sliding, every particle in contact has Coulomb's force exactly and inner forces sum to zero, so that the
// acceleration of the centre is the law's up to trembling: the share of the weight carried by friction is the same every
// step. Over a second it is off by 1e-7 m/s² in double precision and 2e-5 in single (positions resolve 1e-5 sizes per
// second); 1e-4 m/s² is a hundred-thousandth of g. At rest nothing holds the block but friction at particles: it shears
// by some millimetres while it settles and must then stand: 1 % of its size in all, and nothing in the last second.

import { describe, expect, it } from 'vitest';
import { box, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const FRICTION = 0.5; // the friction angle is atan 0.5 = 26.57°
const GRAVITY = 9.81;
/** Steps of 5 ms in a second. */
const SECOND = 200;
const SIZE = 1;
const block = prepare(box({ size: [SIZE, SIZE / 2, SIZE], divisions: 4 }), surface({ regionSize: 3 }));

interface Slide {
  /** Way down the incline in the first second after the tilt, and in the second [m]. */
  readonly ways: readonly [number, number];
  /** Mean acceleration over the second second [m/s²]. */
  readonly acceleration: number;
}

async function tilt(backend: TestedBackend, degrees: number, friction: number): Promise<Slide> {
  const angle = (degrees * Math.PI) / 180;
  const world = await worldOn(backend, { gravity: [0, -GRAVITY, 0] });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction });
  const body = world.add(block, { position: [0, SIZE / 4, 0] });
  const run = () => {
    for (let step = 0; step < SECOND; step++) world.step();
    return { way: body.centreOfMass()[0], speed: body.momentum()[0] / body.mass };
  };
  const settled = run();
  world.gravity = [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0];
  body.wake();
  const [middle, end] = [run(), run()];
  world.dispose();
  return {
    ways: [middle.way - settled.way, end.way - middle.way],
    acceleration: (end.speed - middle.speed) / (SECOND * 0.005),
  };
}

describe.each(BOTH_BACKENDS)('on %s, a block on an incline', (backend) => {
  it.each([15, 25])('sticks at %d°, below the friction angle', async (degrees) => {
    const { ways } = await tilt(backend, degrees, FRICTION);
    expect(Math.abs(ways[0])).toBeLessThan(0.01 * SIZE);
    expect(Math.abs(ways[1])).toBeLessThan(1e-3 * SIZE);
  });

  it.each([28, 32, 40])('slides at %d° with g (sin θ − μ cos θ)', async (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const { acceleration } = await tilt(backend, degrees, FRICTION);
    const law = GRAVITY * (Math.sin(angle) - FRICTION * Math.cos(angle));
    expect(Math.abs(acceleration - law)).toBeLessThan(1e-4);
  });

  it('slides as in free fall along the incline where there is no friction', async () => {
    const { acceleration } = await tilt(backend, 15, 0);
    expect(Math.abs(acceleration - GRAVITY * Math.sin((15 * Math.PI) / 180))).toBeLessThan(1e-4);
  });
});
