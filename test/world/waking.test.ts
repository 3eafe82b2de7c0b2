// What a user changes about a sleeping body, or about what it lies on, wakes it.

import { describe, expect, it } from 'vitest';
import { type Body, box, type Collider, type Pin, prepare, surface, type World } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const cube = prepare(box({ size: 1, divisions: 2 }), surface({ regionSize: 2, damping: 0.9 }));

interface Sleeper {
  readonly world: World;
  readonly floor: Collider;
  readonly body: Body;
  readonly pin: Pin;
}

/** A cube that lies on a floor, with one vertex of its top pinned, and sleeps. */
async function makeSleeper(backend: (typeof BOTH_BACKENDS)[number]): Promise<Sleeper> {
  const world = await worldOn(backend);
  const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
  const body = world.add(cube, { position: [0, 0.5, 0] });
  const pin = body.pin(
    body.select({
      box: [
        [0.4, 0.4, 0.4],
        [1, 1, 1],
      ],
    }),
  );
  for (let step = 0; step < 1000 && !body.asleep; step++) world.step();
  expect(body.asleep).toBe(true);
  return { world, floor, body, pin };
}

/** What is changed, and whether the cube then goes somewhere else. */
const CHANGES: [what: string, change: (sleeper: Sleeper) => void, moves?: 'moves'][] = [
  ['settings of the body', ({ body }) => (body.settings = { ...body.settings, stiffness: 0.02 })],
  ['some settings of the body', ({ body }) => body.set({ stiffness: 0.02 })],
  ['the friction of the body', ({ body }) => body.set({ friction: 0 })],
  ['what the floor touches', ({ floor }) => (floor.collidesWith = 0), 'moves'],
  ['the group of the floor', ({ floor }) => (floor.group = 0), 'moves'],
  ['the friction of the floor', ({ floor }) => (floor.friction = 0)],
  ['the restitution of the floor', ({ floor }) => (floor.restitution = 1)],
  [
    'the motion of a pin, with a key that is over',
    ({ pin }) => (pin.motion = [{ time: 0, position: [0, 1, 0] }]),
    'moves',
  ],
];

describe.each(BOTH_BACKENDS)('on %s a sleeper is woken by', (backend) => {
  it.each(CHANGES.map(([what, change, moves]) => ({ what, change, moves })))('$what', async ({ change, moves }) => {
    const sleeper = await makeSleeper(backend);
    const { world, body } = sleeper;
    const before = body.centreOfMass();
    change(sleeper);
    world.step();
    expect(body.asleep).toBe(false);
    for (let step = 0; step < 40; step++) world.step();
    const way = Math.hypot(...body.centreOfMass().map((x, k) => x - before[k]));
    // It hangs by its pin, or follows it.
    if (moves) expect(way).toBeGreaterThan(0.02);
    world.dispose();
  });

  it('nothing that was only read', async () => {
    const { world, floor, body, pin } = await makeSleeper(backend);
    expect([floor.friction, body.settings.stiffness, pin.motion.length]).toEqual([0.5, 0.9, 0]);
    for (let step = 0; step < 5; step++) world.step();
    expect(body.asleep).toBe(true);
  });
});
