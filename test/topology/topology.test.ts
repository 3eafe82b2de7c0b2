// A body that comes apart into two closed parts and becomes one again, in contact: each part keeps its own volume, and all that
// holds or shows the body follows.

import { describe, expect, it } from 'vitest';
import { type Body, icosphere, prepare, surface, type World } from '../../src/index.js';
import { BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';
import { hashOf } from '../threaded-world.js';
import { bar, whole } from './halves.js';

/** |V/V₀ − 1| of each part: the promise of the backends, see both-backends.ts. */
const VOLUME: PerBackend = { reference: 1e-9, wasm: 2e-5 };

const run = (world: World, steps: number, each: () => void = () => {}): void => {
  for (let n = 0; n < steps; n++) {
    world.step();
    each();
  }
};

const volumeError = (body: Body): number =>
  Math.max(...body.parts.map((part) => Math.abs(part.volume() / part.restVolume - 1)));

/** A bar over a floor, a ball that falls on its middle. */
async function drop(backend: TestedBackend) {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const body = world.add(prepare(whole(), bar()), { position: [0, 0.6, 0], name: 'bar' });
  const ball = world.add(prepare(icosphere({ detail: 2, radius: 0.4 }), surface()), { position: [0.05, 1.6, 0] });
  return { world, body, ball };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('each part keeps its volume while the bar comes apart under a ball and becomes one again', async () => {
    const { world, body, ball } = await drop(backend);
    let worst = 0;
    const look = () => {
      worst = Math.max(worst, volumeError(body), volumeError(ball));
    };
    run(world, 100, look);
    expect(body.parts.length).toBe(1);
    const momentum = body.momentum();
    body.set({ split: 1 });
    world.step();
    expect(body.parts.map((part) => part.restVolume)).toEqual([1, 1].map((v) => expect.closeTo(v, 12)));
    expect(body.topologyVersion).toBe(1);
    void momentum;
    run(world, 200, look);
    const apart = world.contactEvents().length;
    expect(apart).toBeGreaterThan(0);
    body.set({ split: 0 });
    run(world, 100, look);
    expect(body.parts.length).toBe(1);
    expect(body.topologyVersion).toBe(2);
    console.log(backend, worst, body.positions.length, hashOf(world), body.centreOfMass(), ball.centreOfMass(), body.recoveries);
    expect(worst).toBeLessThan(VOLUME[backend]);
  });
});
