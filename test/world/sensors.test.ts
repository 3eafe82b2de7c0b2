// Sensors: colliders that report who is in them, and change nothing.

import { describe, expect, it } from 'vitest';
import { box, icosphere, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));

describe.each(BOTH_BACKENDS)('a sensor on %s', (backend) => {
  it('tells when a body comes and goes, and moves nothing', async () => {
    const fall = async (sensed: boolean) => {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const sensor = sensed ? world.addCollider({ shape: 'box', size: [2, 1, 2], sensor: true }) : undefined;
      const body = world.add(ball, { position: [0, 3, 0], velocity: [0, -5, 0] });
      const phases: string[] = [];
      const heights: number[] = [];
      for (let step = 0; step < 240; step++) {
        world.step();
        for (const { phase, other, impulse } of world.contactEvents()) {
          if (other !== sensor) continue;
          if (phases.at(-1) !== phase) {
            phases.push(phase);
            heights.push(body.centreOfMass()[1]);
          }
          expect(impulse).toEqual([0, 0, 0]);
        }
      }
      return { phases, heights, end: Array.from(body.positions), sensor, deep: world.penetration(body) };
    };
    const [sensed, free] = [await fall(true), await fall(false)];
    expect(sensed.phases).toEqual(['begin', 'persist', 'end']);
    // It comes with its lower end at 0.5 m and goes with its upper end at −0.5 m, within a step.
    expect(Math.abs(sensed.heights[0] - 1)).toBeLessThan(0.03);
    expect(Math.abs(sensed.heights[2] + 1)).toBeLessThan(0.03);
    expect(sensed.end).toEqual(free.end);
    expect(sensed.sensor?.impulse.map(Math.abs)).toEqual([0, 0, 0]);
    expect(sensed.deep).toBe(0);
  });

  it('that moves finds a body asleep and lets it sleep; groups count', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.5 });
    const body = world.add(prepare(box({ divisions: 3 }), surface({ regionSize: 2 })), { group: 2 });
    for (let step = 0; step < 400 && !body.asleep; step++) world.step();
    expect(body.asleep).toBe(true);
    const options = { shape: 'sphere', radius: 0.2, sensor: true } as const;
    const sensor = world.addCollider({ ...options, position: [5, 0, 0] });
    world.addCollider({ ...options, collidesWith: 4 });
    sensor.moveTo([0.5, 0.5, 0.5]);
    world.step();
    const events = world.contactEvents().map(({ phase, other }) => [phase, other]);
    expect(events).toEqual([
      ['persist', floor],
      ['begin', sensor],
    ]);
    expect(body.asleep).toBe(true);
  });
});

it('wants true or false', async () => {
  const world = await worldOn('reference');
  expect(() => world.addCollider({ shape: 'sphere', radius: 1, sensor: 1 as never })).toThrow(
    'sensor: expected true or false, got 1',
  );
});
