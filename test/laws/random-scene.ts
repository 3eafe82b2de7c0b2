// Seeded random scenes: bodies of sizes over three decades and speeds up to 100 m/s, some started inside each other, over
// floors of every kind.

import {
  box,
  type ColliderOptions,
  capsule,
  icosphere,
  prepare,
  type Quaternion,
  surface,
  type TriangleMesh,
  torus,
  type Vec3,
  type World,
} from '../../src/index.js';
import { normalizeQuaternion } from '../../src/math/quaternion.js';
import { seededRandom } from '../../src/math/random.js';
import { boundsOf, diagonalOf } from '../../src/mesh/measure.js';
import { worldOn } from '../both-backends.js';

/** Sizes of bodies [m]. */
const SMALLEST = 0.03;
const LARGEST = 30;
/** [m/s] */
const FASTEST = 100;
/** Edge and thickness of floors that have any [m]: wide enough that nothing gets to the rim. */
const FLOOR = 2000;
const THICKNESS = 1;

const SHAPES: readonly ((size: number) => TriangleMesh)[] = [
  (size) => icosphere({ detail: 2, radius: size / 2 }),
  (size) => box({ size, divisions: 4 }),
  (size) => box({ size: [size, size / 4, size / 2], divisions: [6, 2, 3] }),
  (size) => torus({ majorRadius: 0.35 * size, minorRadius: 0.15 * size, majorSegments: 18, minorSegments: 8 }),
  (size) => capsule({ radius: size / 6, height: size, segments: 10 }),
];

const FLOORS: readonly ColliderOptions[] = [
  { shape: 'plane', normal: [0, 1, 0] },
  { shape: 'box', size: [FLOOR, THICKNESS, FLOOR], position: [0, -THICKNESS / 2, 0] },
  {
    shape: 'mesh',
    mesh: box({ size: [FLOOR, THICKNESS, FLOOR], divisions: [8, 1, 8] }),
    position: [0, -THICKNESS / 2, 0],
  },
];

/** What came of a scene; shares are of the body's size and volume. */
export interface SceneOutcome {
  readonly seed: number;
  readonly bodyCount: number;
  /** Steps with a coordinate or velocity that is no number. */
  readonly notFinite: number;
  /** Furthest that a vertex lay below the floor's surface at any step, in sizes of its body. */
  readonly deepest: number;
  /** Largest |V/V₀ − 1| at the end, and at any step. */
  readonly volumeError: number;
  readonly worstVolumeError: number;
  /** Deepest that a vertex lies in another body at the end, in sizes of its own. */
  readonly overlap: number;
  /** Largest speed of a centre at the end [m/s]. */
  readonly speed: number;
}

const onWasm = (): Promise<World> => worldOn('wasm');

export async function runRandomScene(seed: number, steps: number, makeWorld = onWasm): Promise<SceneOutcome> {
  const random = seededRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const world = await makeWorld();
  const floor = FLOORS[seed % FLOORS.length];
  world.addCollider({ ...floor, friction: random() });
  const sizes: number[] = [];
  const bodyCount = 2 + Math.trunc(6 * random());
  let [lastPlace, lastSize]: [Vec3, number] = [[0, 5, 0], 0];
  for (let n = 0; n < bodyCount; n++) {
    const size = SMALLEST * (LARGEST / SMALLEST) ** random();
    const mesh = SHAPES[Math.trunc(SHAPES.length * random())](size);
    const speed = FASTEST * random() ** 2;
    const turn = normalizeQuaternion([between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)] as Quaternion);
    // Every third starts where the one before is, more or less inside it; none starts in the floor.
    const reach = n % 3 === 2 ? 0.4 * (size + lastSize) : 20;
    const place: Vec3 = [
      lastPlace[0] + between(-reach, reach),
      Math.max(size, lastPlace[1] + between(-reach, reach)),
      lastPlace[2] + between(-reach, reach),
    ];
    world.add(prepare(mesh, randomSolver(random)), {
      position: place,
      rotation: turn,
      velocity: [between(-speed, speed) / 2, -speed * random(), between(-speed, speed) / 2],
      spin: [between(-5, 5), between(-5, 5), between(-5, 5)],
      friction: random(),
      restitution: random() < 0.3 ? random() : 0,
      selfContact: random() < 0.3,
    });
    sizes.push(diagonalOf(boundsOf(mesh.positions)));
    [lastPlace, lastSize] = [place, size];
  }
  let [notFinite, deepest, worstVolumeError] = [0, 0, 0];
  for (let step = 0; step < steps; step++) {
    world.step();
    await world.sync();
    world.bodies.forEach((body, n) => {
      if (!(body.positions.every(Number.isFinite) && body.velocities.every(Number.isFinite))) notFinite++;
      let low = 0;
      for (let k = 1; k < body.positions.length; k += 3) low = Math.min(low, body.positions[k]);
      deepest = Math.max(deepest, -low / sizes[n]);
      worstVolumeError = Math.max(worstVolumeError, Math.abs(body.volume() / body.restVolume - 1));
    });
  }
  const outcome = {
    seed,
    bodyCount,
    notFinite,
    deepest,
    volumeError: Math.max(...world.bodies.map((body) => Math.abs(body.volume() / body.restVolume - 1))),
    worstVolumeError,
    overlap: Math.max(...world.bodies.map((body, n) => world.penetration(body) / sizes[n])),
    speed: Math.max(...world.bodies.map((body) => Math.hypot(...body.momentum()) / body.mass)),
  };
  world.dispose();
  return outcome;
}

function randomSolver(random: () => number): Parameters<typeof prepare>[1] {
  const regionSize = 1 + Math.trunc(4 * random());
  return surface({ regionSize, stiffness: 0.3 + 0.7 * random(), damping: random() });
}
