// The consumer: creates a world, adds a body, steps; all else only observes.

import { box, createWorld, prepare, surface } from 'isochore';
import { hashOf, threadsJoin, wakesThreads } from './observe.js';

/**
 * @param options those of `createWorld`, and `divisions` of a cube of 6 n² + 2 particles: 28 make a world large enough for
 * threads.
 */
export async function simulate({ divisions = 28, ...options }) {
  const world = await createWorld({ backend: 'wasm', timeStep: 0.004, ...options });
  const prepared = prepare(box({ size: [1, 1, 1], divisions }), surface({ regionSize: 2, damping: 0.3 }));
  await threadsJoin(world, prepared);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
  const body = world.add(prepared, { position: [0, 0.55, 0], velocity: [0, -4, 0], spin: [1, 2, 3] });
  let threadedSteps = 0;
  for (let step = 0; step < 20; step++) if (wakesThreads(() => world.step())) threadedSteps++;
  const hash = await hashOf(body.positions, body.velocities);
  const outcome = { hash, capabilities: world.capabilities, threadedSteps, contacts: body.contactCount };
  world.dispose();
  return outcome;
}
