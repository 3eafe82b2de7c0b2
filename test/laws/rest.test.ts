// Law: what lies in a heap comes to rest. Friction and inner damping take energy and nothing gives any, so that the kinetic
// energy falls, by the requirement to 10⁻⁴ of its highest within 5 s, and stays there: at every single step, as a heap that
// twitches now and then would not show in a mean. Then the heap sleeps, where nothing moves at all.
//
// 10⁻⁴ in energy is a hundredth in speed: bodies that fell at 3 m/s creep at 3 cm/s on average.

import { describe, expect, it } from 'vitest';
import { box, icosphere, prepare, surface, type World } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { advance, BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const RESTING = 1e-4;
/** Steps of 5 ms in a second. */
const SECOND = 200;
/** On the reference, a step of which takes ten times as long, two layers: they fall, press each other and the walls all the same. */
const BODIES = { reference: 5, wasm: 10 };

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const brick = prepare(box({ size: [1, 0.5, 0.7], divisions: 4 }), surface({ regionSize: 3 }));
const HEAPS = [
  ['balls', [ball]],
  ['bricks', [brick]],
  ['balls and bricks', [ball, brick]],
] as const;

/** Bodies above a glass, three in a layer, off their regular places and spinning. */
async function heapOn(backend: TestedBackend, shapes: readonly (typeof ball)[], seed: number): Promise<World> {
  const random = seededRandom(seed);
  const world = await worldOn(backend);
  world.addCollider({ shape: 'glass', radius: 1.4, height: 5, wall: 0.1 });
  for (let n = 0; n < BODIES[backend]; n++) {
    const layer = Math.floor(n / 3);
    const angle = 2 * Math.PI * ((n % 3) / 3 + 0.19 * layer);
    const off = () => 0.1 * (random() - 0.5);
    const position = [0.65 * Math.cos(angle) + off(), 0.7 + 1.15 * layer, 0.65 * Math.sin(angle) + off()] as const;
    world.add(shapes[n % shapes.length], { position, spin: [random() - 0.5, random() - 0.5, random() - 0.5] });
  }
  return world;
}

const energyOf = (world: World): number => world.bodies.reduce((sum, body) => sum + body.kineticEnergy(), 0);

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  // Double precision takes seconds for a heap.
  const seeds = backend === 'wasm' ? [1, 2, 3, 4] : [1];
  it.each(HEAPS.flatMap(([name, shapes]) => seeds.map((seed) => [name, seed, shapes] as const)))(
    '%s fallen into a glass (seed %d) come to rest, stay there and sleep',
    async (_, seed, shapes) => {
      const world = await heapOn(backend, shapes, seed);
      let highest = 0;
      let highestAt = 0;
      for (let step = 0; step < highestAt + 7 * SECOND; step++) {
        await advance(world);
        const energy = energyOf(world);
        if (energy > highest) {
          highest = energy;
          highestAt = step;
        }
        if (step >= highestAt + 5 * SECOND) expect(energy / highest).toBeLessThan(RESTING);
      }
      expect(world.bodies.map(({ asleep }) => asleep)).toEqual(world.bodies.map(() => true));
      world.dispose();
    },
  );

  it('bodies of a heap fall asleep in one step, and one that is pushed wakes all of them', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    // A tower of three, and one that has nothing to do with them.
    const tower = [0, 1, 2].map((n) => world.add(brick, { position: [0, 0.26 + 0.51 * n, 0] }));
    const apart = world.add(brick, { position: [5, 0.25, 0] });
    const asleep = () => tower.filter((body) => body.asleep).length;
    for (let step = 0; step < 5 * SECOND && asleep() === 0; step++) await advance(world);
    expect(asleep()).toBe(3);
    for (let step = 0; step < SECOND && !apart.asleep; step++) await advance(world);
    expect(apart.asleep).toBe(true);
    tower[2].applyImpulse([0, 0, 1e-3 * tower[2].mass]);
    await advance(world);
    expect(asleep()).toBe(0);
    expect(apart.asleep).toBe(true);
    world.dispose();
  });

  it('a body that creeps more slowly than what counts as rest sleeps, however far it has got', async () => {
    // 1 cm/s on a floor without friction: a fall through its size makes 3.6 m/s, of which half a hundredth counts as rest.
    const speed = 0.01;
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0 });
    const low = world.add(brick, { position: [0, 0.25, 0], velocity: [speed, 0, 0], friction: 0 });
    const high = world.add(brick, { position: [0, 0.76, 0], velocity: [speed, 0, 0], friction: 0 });
    // Kept awake until it has nearly got as far for the second time as it may in half a second.
    const kept = Math.floor((1.9 * (0.5 * 0.005 * Math.sqrt(9.81 * Math.hypot(1, 0.5, 0.7)))) / speed / 0.005);
    for (let step = 0; step < kept; step++) {
      high.wake();
      await advance(world);
    }
    expect(low.asleep).toBe(false);
    await advance(world, 0.52 * SECOND);
    expect([low.asleep, high.asleep]).toEqual([true, true]);
    world.dispose();
  });

  it('a body whose pins have arrived sleeps, and wakes when they are led on', async () => {
    const world = await worldOn(backend);
    const body = world.add(brick, { position: [0, 3, 0] });
    const top = Array.from({ length: body.particleCount }, (_, vertex) => vertex).filter(
      (vertex) => body.positions[3 * vertex + 1] > 3.24,
    );
    const pin = body.pin(top, [{ time: 0 }, { time: 0.3, position: [0, 0.5, 0] }]);
    for (let step = 0; step < 0.3 * SECOND; step++) {
      await advance(world);
      expect(body.asleep).toBe(false);
    }
    for (let step = 0; step < 5 * SECOND && !body.asleep; step++) await advance(world);
    expect(body.asleep).toBe(true);
    const rested = body.centreOfMass()[1];
    expect(Math.abs(rested - 3.5)).toBeLessThan(0.1);
    pin.motion = [
      { time: world.time, position: [0, 0.5, 0] },
      { time: world.time + 0.3, position: [0, 1, 0] },
    ];
    // From the first step on.
    const held = body.positions[3 * top[0] + 1];
    await advance(world);
    expect(Math.abs(body.positions[3 * top[0] + 1] - held - 0.5 / 60)).toBeLessThan(1e-6);
    await advance(world, 0.4 * SECOND);
    expect(body.asleep).toBe(false);
    // All the way, but for its swinging.
    expect(Math.abs(body.centreOfMass()[1] - rested - 0.5)).toBeLessThan(0.1);
    world.dispose();
  });
});
