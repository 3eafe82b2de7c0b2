// A worker with a program of its own: a tide that pulls at all bodies, things that come and go in the worker, and another world.

import { createWorld, icosphere, prepare, surface } from '../../src/index.js';
import { hostWorld } from '../../src/worker/index.js';

const soft = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionRadius: 0.3, stiffness: 0.7 }));
let [steps, stopAt] = [0, Number.POSITIVE_INFINITY];

const there = () => host.world ?? Promise.reject(new Error('no world yet'));

const host = hostWorld({
  beforeStep(world) {
    for (const body of world.bodies) body.applyForce([100 * Math.sin(world.time), 0, 0]);
    if (world.stepCount + 1 === stopAt) host.pause();
  },
  afterStep(_, count) {
    steps += count;
  },
  frame: (world) => ({ steps, time: world.time, isRunning: host.isRunning }),
  calls: {
    double: (x: number) => 2 * x,
    async refuse() {
      throw new RangeError('refuse: expected nothing');
    },
    stopAt(step: number) {
      stopAt = step;
    },
    async addBall(name: string) {
      const world = await there();
      const body = world.add(soft, { name, position: [0, 3, 0] });
      world.attach(body, [0, 1], world.addCollider({ shape: 'sphere', radius: 0.1, name: 'hook' }));
    },
    async removeBalls() {
      const world = await there();
      for (const thing of [...world.bodies, ...world.colliders]) world.remove(thing);
    },
    async openOther() {
      const world = await createWorld({ timeStep: 0.01, backend: 'reference' });
      world.add(soft, { name: 'other', position: [0, 5, 0] });
      host.replaceWorld(world);
    },
  },
});
