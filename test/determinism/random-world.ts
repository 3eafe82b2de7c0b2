// Seeded random worlds whose bits are compared: crowds of small bodies, most of which touch themselves, thrown at each other,
// added, pushed and removed on the way. A run may forget what is no state: at random times it goes on from a snapshot.

import { box, createWorld, creature, icosphere, prepare, surface, torus, type World } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { hashOf, workersJoin } from '../threaded-world.js';

/** Bodies of 162 to 642 vertices, prepared once for all worlds. */
const SHAPES = [
  () => icosphere({ detail: 2, radius: 0.3 }),
  () => icosphere({ detail: 3, radius: 0.4 }),
  () => torus({ majorRadius: 0.3, minorRadius: 0.12, majorSegments: 28, minorSegments: 12 }),
  () => box({ size: [0.7, 0.3, 0.4], divisions: [8, 4, 5] }),
  () => creature({ vertices: 300 }),
  () => creature({ vertices: 500, size: 0.8 }),
];
const prepared = SHAPES.map((make, n) =>
  prepare(make(), surface({ regionSize: 1 + (n % 3), stiffness: 0.4 + 0.1 * n })),
);
/** Particles from which threads take part. */
const ENOUGH = 4200;

export interface RandomWorldRun {
  readonly threads: number;
  /** Seeds the times at which the run goes on from a snapshot; without it there are none. */
  readonly forgets?: number;
}

/** Hashes of a world's positions after each of its steps. */
export async function runRandomWorld(seed: number, steps: number, run: RandomWorldRun): Promise<string[]> {
  const random = seededRandom(seed);
  const forgetting = run.forgets === undefined ? undefined : seededRandom(run.forgets);
  const world = await openWorld(seed, run.threads);
  let particles = 0;
  while (particles < ENOUGH) particles += addBody(world, random);
  // A crowd that is all in each other at one place: more contacts than there is room for.
  if (random() < 0.3) for (let n = 0; n < 8; n++) addBody(world, random, [0.1 * random(), 0.8 + 0.1 * random(), 0]);
  if (run.threads > 1) await workersJoin(world);
  const hashes: string[] = [];
  for (let step = 0; step < steps; step++) {
    const chance = random();
    if (chance < 0.06) addBody(world, random);
    else if (chance < 0.12 && world.bodies.length > 4) {
      world.remove(world.bodies[Math.trunc(random() * world.bodies.length)]);
    } else if (chance < 0.18) {
      const body = world.bodies[Math.trunc(random() * world.bodies.length)];
      body.applyImpulse([0, body.mass * (4 - 12 * random()), 0]);
    }
    if (forgetting && forgetting() < 0.15) world.restore(world.snapshot());
    world.step();
    hashes.push(hashOf(world));
  }
  world.dispose();
  return hashes;
}

/** A floor or a glass that holds the crowd together. */
async function openWorld(seed: number, threads: number): Promise<World> {
  const world = await createWorld({ backend: 'wasm', threads });
  const colliders: Parameters<World['addCollider']>[0][] = [
    { shape: 'glass', radius: 1, height: 6, wall: 0.2, friction: 0.3 },
    { shape: 'plane', normal: [0, 1, 0], friction: 0.5 },
  ];
  world.addCollider(colliders[seed % colliders.length]);
  return world;
}

/** Throws a body at the middle; its particles. */
function addBody(world: World, random: () => number, place?: readonly [number, number, number]): number {
  const between = (low: number, high: number) => low + (high - low) * random();
  const position = place ?? [between(-0.4, 0.4), between(0.5, 2.5), between(-0.4, 0.4)];
  const body = world.add(prepared[Math.trunc(random() * prepared.length)], {
    ...{ position: [position[0], position[1], position[2]], spin: [between(-5, 5), between(-5, 5), 0] },
    velocity: [between(-2, 2), between(-12, 0), between(-2, 2)],
    ...{ selfContact: random() < 0.7, friction: random() },
  });
  return body.particleCount;
}
