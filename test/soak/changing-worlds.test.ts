// Worlds of all solvers that change all the time: bodies are added, taken away, broken, thrown, grabbed and cut, and snapshots are gone
// back to, for a million steps or for ISOCHORE_SOAK_MINUTES. Nothing may become non-finite, no volume stay lost, no handle of a body that
// has gone work, and going on from a snapshot gives the same bits.

import { expect, it } from 'vitest';
import {
  type Body,
  box,
  createWorld,
  icosphere,
  lattice,
  octree,
  type Prepared,
  prepare,
  surface,
  tetrahedra,
  torus,
  type World,
} from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { boundsOf, centreOf } from '../../src/mesh/measure.js';
import { hashOf } from '../threaded-world.js';
import { tally } from './tally.js';

const STEPS = 1_000_000;
const MINUTES = Number(process.env.ISOCHORE_SOAK_MINUTES ?? 600);
/** Steps of one world, and of a stretch in which it is left alone. */
const WORLD = 1000;
const STRETCH = 50;
const MOST_BODIES = 8;
const HOUR = 3_600_000;

const KINDS: readonly (() => { prepared: Prepared; isCuttable?: boolean; isElement?: boolean })[] = [
  () => ({ prepared: prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 3 })) }),
  () => ({ prepared: prepare(torus({ majorSegments: 18, minorSegments: 9 }), surface({ regionSize: 2 })) }),
  () => ({ prepared: prepare(box({ divisions: 6 }), lattice({ resolution: 5 })) }),
  () => ({ prepared: prepare(box({ divisions: 4 }), octree({ cells: 2, levels: 1 })), isCuttable: true }),
  () => ({
    prepared: prepare(icosphere({ detail: 1, radius: 0.5 }), tetrahedra({ cells: 3, youngsModulus: 2e4 })),
    isElement: true,
  }),
];
type Kind = ReturnType<(typeof KINDS)[number]>;
const STATES = ['mirror', 'flatten', 'random'] as const;

function isSound(world: World): boolean {
  return world.bodies.every(({ positions, velocities }) =>
    [positions, velocities].every((numbers) => numbers.every(Number.isFinite)),
  );
}

/** One change of the world; says what it was. */
function change(world: World, kinds: readonly Kind[], of: Map<Body, Kind>, random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const between = (low: number, high: number) => low + (high - low) * random();
  const { bodies } = world;
  const body = pick(bodies) as Body | undefined;
  const act = random();
  if (!body || (act < 0.35 && bodies.length < MOST_BODIES)) {
    const kind = pick(kinds);
    of.set(world.add(kind.prepared, { position: [between(-2, 2), between(1, 5), between(-2, 2)] }), kind);
    return 'added';
  }
  if (act < 0.5 || bodies.length >= MOST_BODIES) {
    world.remove(body);
    return 'taken away';
  }
  if (act < 0.7) {
    body.applyImpulse([between(-500, 500), between(0, 900), between(-500, 500)]);
    return 'thrown';
  }
  if (act < 0.85 && !of.get(body)?.isElement) {
    body.deform(pick(STATES), Math.floor(random() * 1000));
    return 'broken';
  }
  if (of.get(body)?.isCuttable && body.parts.length < 3) {
    const point = centreOf(boundsOf(body.positions));
    try {
      body.cut({ plane: { point, normal: [between(-1, 1), between(-1, 1), between(-1, 1)] } });
      return 'cut';
    } catch (error) {
      // What cannot be cut so is refused, and nothing has happened.
      expect((error as Error).name).toBe('CutFailure');
    }
  }
  return 'left alone';
}

async function runWorld(seed: number, kinds: readonly Kind[]): Promise<void> {
  const random = seededRandom(seed);
  const world = await createWorld({ threads: 1 + (seed % 2) });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const [done, of] = [[] as string[], new Map<Body, Kind>()];
  for (let step = 0; step < WORLD; step += STRETCH) {
    done.push(change(world, kinds, of, random));
    // Between a cut and the next step a snapshot does not go on with the same bits (ARCHITECTURE, Limits): after it.
    world.step();
    const kept = world.snapshot();
    for (let n = 0; n < STRETCH; n++) world.step();
    tally('steps of changing worlds', STRETCH + 1);
    expect(isSound(world), `seed ${seed}: ${done.join(', ')}`).toBe(true);
    if (step % (4 * STRETCH) !== 0) continue;
    const hash = hashOf(world);
    world.restore(kept);
    for (let n = 0; n < STRETCH; n++) world.step();
    tally('steps of changing worlds', STRETCH);
    expect(hashOf(world), `seed ${seed}, from a snapshot: ${done.join(', ')}`).toBe(hash);
  }
  world.dispose();
  tally('changing worlds', 1);
}

it(
  'stay finite and repeatable',
  async () => {
    const kinds = KINDS.map((make) => make());
    const end = performance.now() + 60_000 * MINUTES;
    const first = Number(process.env.ISOCHORE_SOAK_SEED ?? 1);
    for (let n = 0; n * WORLD < STEPS && performance.now() < end; n++) await runWorld(first + n, kinds);
  },
  24 * HOUR,
);
