// Contact events: one per touching pair and step, from begin to end, with where, which way and how hard.

import { describe, expect, it } from 'vitest';
import { box, type ContactEvent, icosphere, prepare, surface, type World } from '../../src/index.js';
import { distance, length } from '../../src/math/vec3.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2, stiffness: 1 }));
/** Bounces several times. */
const hard = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 3, stiffness: 1, damping: 0 }));
const cube = prepare(box({ size: [1, 1, 1], divisions: [3, 3, 3] }), surface({ regionSize: 2 }));

/** The events of each step. */
function watch(world: World, steps: number): (readonly ContactEvent[])[] {
  return Array.from({ length: steps }, () => {
    world.step();
    return world.contactEvents();
  });
}

describe.each(BOTH_BACKENDS)('contact events on %s', (backend) => {
  it('begin, persist and end once for each impact', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, restitution: 0 });
    const body = world.add(ball, { position: [0, 0.8, 0], velocity: [0, -4, 0] });
    expect(world.contactEvents()).toEqual([]);
    let touching = false;
    let impacts = 0;
    for (const events of watch(world, 200)) {
      expect(events.length).toBeLessThan(2);
      for (const event of events) {
        expect([event.body, event.other]).toEqual([body, floor]);
        expect(event.phase).toBe(touching ? (event.phase === 'end' ? 'end' : 'persist') : 'begin');
        if (event.phase === 'begin') impacts++;
        expect(distance(event.normal, [0, 1, 0])).toBeLessThan(1e-6);
        // Inside the body's shadow on the floor.
        expect(distance(event.point, [0, 0, 0])).toBeLessThan(0.5);
        if (event.phase === 'end') expect(event.impulse).toEqual([0, 0, 0]);
        else expect(event.impulse[1]).toBeGreaterThanOrEqual(0);
      }
      if (touching) expect(events.length).toBe(1);
      touching = events.some(({ phase }) => phase !== 'end');
    }
    expect(impacts).toBeGreaterThan(0);
  });

  describe('over an advance', () => {
    /** Phases of all events of a second and a half, a list per frame, and the momentum that the ball got. */
    async function drop(takeFrame: (world: World) => void, frames: number) {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      world.add(hard, { position: [0, 0.8, 0], velocity: [0, -4, 0] });
      const phases: ContactEvent['phase'][][] = [];
      let momentum = 0;
      for (let frame = 0; frame < frames; frame++) {
        takeFrame(world);
        phases.push(world.contactEvents().map(({ phase }) => phase));
        for (const { impulse } of world.contactEvents()) momentum += impulse[1];
      }
      return { phases, momentum };
    }

    const count = (phases: string[][], wanted: string) => phases.flat().filter((phase) => phase === wanted).length;

    it('are as many beginnings and ends as by single steps, at any rate of frames', async () => {
      const single = await drop((world) => world.step(), 300);
      expect(count(single.phases, 'begin')).toBeGreaterThan(1);
      for (const rate of [240, 144, 60, 30]) {
        const { phases, momentum } = await drop((world) => world.advance(1 / rate), 1.5 * rate);
        expect(count(phases, 'begin'), `${rate} Hz`).toBe(count(single.phases, 'begin'));
        expect(count(phases, 'end'), `${rate} Hz`).toBe(count(single.phases, 'end'));
        // The last frame may lack a step, which is a hundredth of what there is.
        expect(Math.abs(momentum / single.momentum - 1)).toBeLessThan(0.01);
        // One history: what touches is told of in every frame, and nothing goes on that has not begun.
        let touching = false;
        for (const phase of phases.flat()) {
          expect(touching ? ['persist', 'end'] : ['begin'], `${rate} Hz`).toContain(phase);
          touching = phase !== 'end';
        }
        for (const frame of phases) expect(frame.filter((phase) => phase === 'persist').length).toBeLessThan(2);
      }
    });

    it('show a touch that begins and ends within one', async () => {
      const { phases } = await drop((world) => world.advance(0.25), 6);
      expect(phases.some((frame) => frame.includes('begin') && frame.includes('end'))).toBe(true);
    });

    it('go on without pressing where no step is taken, and are not told twice', async () => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      const body = world.add(cube, { position: [0, 0.5, 0] });
      while (!world.contactEvents().some(({ phase }) => phase === 'begin')) world.advance(0.005);
      expect(world.advance(0.001)).toBe(0);
      const shown = () => world.contactEvents().map(({ phase, impulse }) => ({ phase, impulse }));
      expect(shown()).toEqual([{ phase: 'persist', impulse: [0, 0, 0] }]);
      world.step();
      expect(shown().map(({ phase }) => phase)).toEqual(['persist']);
      world.remove(body);
      expect(world.advance(0.001)).toBe(0);
      expect(world.contactEvents()).toEqual([]);
    });
  });

  it('agree with what obstacles get, and come in the order of bodies and colliders', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const wall = world.addCollider({ shape: 'box', size: [1, 4, 9], position: [1, 0, 0] });
    // They lean against the wall.
    const bodies = [0, 1, 2].map((n) =>
      world.add(cube, { position: [0.02, 0.5, 2 * n - 2], velocity: [2, 0, 0], name: `cube${n}` }),
    );
    let both = 0;
    for (const events of watch(world, 60)) {
      const pairs = events.map(({ body, other }) => [bodies.indexOf(body), other === floor ? 0 : 1]);
      expect(pairs).toEqual([...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      if (pairs.length === 6) both++;
    }
    expect(both).toBeGreaterThan(0);
    for (const collider of [floor, wall]) {
      const sum = [0, 1, 2].map((c) =>
        world
          .contactEvents()
          .filter(({ other }) => other === collider)
          .reduce((total, { impulse }) => total - impulse[c], 0),
      );
      // Summed in the same order.
      sum.forEach((x, c) => {
        expect(Math.abs(x - collider.impulse[c])).toBeLessThan(1e-12 * length(collider.impulse) + 1e-300);
      });
    }
  });

  it('forget who was removed', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(cube, { position: [0, 0.5, 0] });
    watch(world, 20);
    expect(world.contactEvents().length).toBe(1);
    world.remove(floor);
    watch(world, 1);
    expect(world.contactEvents()).toEqual([]);
    world.remove(body);
    watch(world, 1);
    expect(world.contactEvents()).toEqual([]);
  });
});

describe.each(BOTH_BACKENDS)('between bodies, on %s', (backend) => {
  /** Free bodies keep momentum to rounding; so does what goes between them. */
  const KEPT = { reference: 1e-11, wasm: 1e-5 }[backend];

  it('tell the momentum that went from one to the other', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const a = world.add(ball, { position: [-0.6, 0, 0], velocity: [2, 0, 0] });
    const b = world.add(ball, { position: [0.6, 0.1, 0], density: 500 });
    const start = a.momentum();
    const got = [0, 0, 0];
    const phases: string[] = [];
    for (const events of watch(world, 200)) {
      for (const event of events) {
        expect([event.body, event.other]).toEqual([a, b]);
        phases.push(event.phase);
        event.impulse.forEach((x, c) => {
          got[c] += x;
        });
        if (event.phase !== 'end') expect(event.normal[0]).toBeLessThan(-0.9);
      }
    }
    expect([phases[0], phases.at(-1)]).toEqual(['begin', 'end']);
    // Both are free again; momentum is kept to rounding.
    a.momentum().forEach((x, c) => {
      expect(Math.abs(x - start[c] - got[c])).toBeLessThan(KEPT * length(start));
    });
    b.momentum().forEach((x, c) => {
      expect(Math.abs(x + got[c])).toBeLessThan(KEPT * length(start));
    });
  });

  it('persist while bodies sleep, and press on', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(cube, { position: [0, 0.5, 0] });
    watch(world, 600);
    expect(body.asleep).toBe(true);
    expect(world.contactEvents().map(({ phase }) => phase)).toEqual(['persist']);
    const weight = 9.81 * body.mass * world.timeStep;
    // A mean over half a second, in which its velocity changed by less than 15 cm/s: 0.15/(9.81 × 0.5).
    expect(Math.abs(floor.impulse[1] + weight)).toBeLessThan(0.03 * weight);
  });
});
