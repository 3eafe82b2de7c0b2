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
//
// On a soft slab the block lies with vertices between vertices, and both give way: it shears further, up to 3 % of its size
// near the limit, and must then stand as well. Sliding, it drags a hollow along, which costs a tenth of what the law leaves
// of gravity 1.4° beyond the friction angle.

import { describe, expect, it } from 'vitest';
import { box, prepare, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

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
  const run = async () => {
    await advance(world, SECOND);
    return { way: body.centreOfMass()[0], speed: body.momentum()[0] / body.mass };
  };
  const settled = await run();
  world.gravity = [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0];
  body.wake();
  const middle = await run();
  const end = await run();
  world.dispose();
  return {
    ways: [middle.way - settled.way, end.way - middle.way],
    acceleration: (end.speed - middle.speed) / (SECOND * 0.005),
  };
}

const softBlock = prepare(box({ size: [SIZE, SIZE / 2, SIZE], divisions: [4, 2, 4] }), surface({ regionSize: 2 }));
const slab = prepare(box({ size: [3 * SIZE, SIZE / 2, 2 * SIZE], divisions: [12, 2, 8] }), surface({ regionSize: 3 }));

/** Where the block is after each of three seconds on a soft slab [m], and how fast [m/s]; never asleep. */
async function tiltSlab(backend: TestedBackend, degrees: number): Promise<{ ways: number[]; speeds: number[] }> {
  const angle = (degrees * Math.PI) / 180;
  const world = await worldOn(backend, { gravity: [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0] });
  const base = world.add(slab, { position: [0.7 * SIZE, 0, 0], friction: FRICTION });
  const vertices = Array.from({ length: base.particleCount }, (_, vertex) => vertex);
  base.pin(vertices.filter((vertex) => base.positions[3 * vertex + 1] < -0.24 * SIZE));
  // Off the slab's lines of vertices, a centimetre above.
  const body = world.add(softBlock, { position: [0.07 * SIZE, 0.51 * SIZE, 0.035 * SIZE], friction: FRICTION });
  const ways: number[] = [];
  const speeds: number[] = [];
  for (let step = 1; step <= 3 * SECOND; step++) {
    body.wake();
    await advance(world);
    if (step % SECOND !== 0) continue;
    ways.push(body.centreOfMass()[0] - 0.07 * SIZE);
    speeds.push(body.momentum()[0] / body.mass);
  }
  world.dispose();
  return { ways, speeds };
}

describe.each(BOTH_BACKENDS)('on %s, a block on a soft slab', (backend) => {
  it.each([15, 22, 25])('sticks at %d°, and does not creep', async (degrees) => {
    const { ways } = await tiltSlab(backend, degrees);
    expect(Math.abs(ways[0])).toBeLessThan(0.04 * SIZE);
    // Less than half a millimetre per second.
    expect(Math.abs(ways[2] - ways[1])).toBeLessThan(5e-4 * SIZE);
  });

  it('slides at 28° with g (sin θ − μ cos θ)', async () => {
    const { speeds } = await tiltSlab(backend, 28);
    const angle = (28 * Math.PI) / 180;
    const law = GRAVITY * (Math.sin(angle) - FRICTION * Math.cos(angle));
    expect(Math.abs(speeds[1] - speeds[0] - law)).toBeLessThan(0.15 * law);
  });
});

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
