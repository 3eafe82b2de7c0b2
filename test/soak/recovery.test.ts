// Recovery from anything: meshes × broken states × settings × seeds, free and on a floor, and every built-in scene with all of its
// bodies broken. Requirement: back within 400 steps, in a crowd within 800. Back is a body whose edges are strained by 2 % at most
// and whose volume is off by 0.01 % at most; on a floor and in scenes, where bodies are strained by their weight, by others and by what
// goes on, by 2 % more than without having been broken: in scenes, than those of an unbroken one at the same moment. And nothing
// ordinary counts as broken.

import { describe, expect, it } from 'vitest';
import {
  type Body,
  boundsOf,
  box,
  capsule,
  creature,
  cylinder,
  DEFORMATIONS,
  duck,
  icosphere,
  prepare,
  readMesh,
  surface,
  type TriangleMesh,
  torus,
  uvSphere,
  type World,
} from '../../src/index.js';
import { buildScene, checkScene, findScene, playScene, scenes } from '../../src/scenes/index.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';
import { type DeformingMotion, lyingAlongX, press, stretch } from '../deforming-motions.js';
import { edgeStrainRms } from '../edge-strain.js';
import { found } from '../findings.js';
import { readSharedMesh, sharedMeshesAvailable } from '../shared-meshes.js';
import { tally } from './tally.js';

const STRAIN = 0.02;
const VOLUME = 1e-4;
const SEEDS = Array.from({ length: Number(process.env.ISOCHORE_SOAK_SEEDS ?? 11) }, (_, n) => n + 1);
const BROKEN = DEFORMATIONS.filter((state) => state !== 'none');
const SETTINGS = [
  { regionRadius: 0.3 },
  { regionSize: 3 },
  { regionSize: 2, stiffness: 0.3, damping: 0.1 },
  { regionSize: 5, stiffness: 1, volume: { globalShare: 1 } },
];

const GENERATED: Readonly<Record<string, TriangleMesh>> = {
  box: box({ divisions: 8 }),
  bar: box({ size: [3, 0.7, 0.7], divisions: [12, 4, 4] }),
  ball: icosphere({ detail: 2 }),
  globe: uvSphere({ segments: 16 }),
  torus: torus({ majorSegments: 24, minorSegments: 12 }),
  capsule: capsule({ segments: 12 }),
  cylinder: cylinder({ segments: 16 }),
  duck: duck({ vertices: 500 }),
  creature: creature({ vertices: 800 }),
};
const REAL = ['eight_315.off', 'spot_829.obj', 'armadillo_1000.obj'];

async function meshOf(name: string): Promise<TriangleMesh> {
  return GENERATED[name] ?? (await readMesh(readSharedMesh(`closed/${name}`), name));
}

const isBack = (body: Body, before: number): boolean =>
  edgeStrainRms(body) <= before + STRAIN &&
  (!body.settings.volume || Math.abs(body.volume() / body.restVolume - 1) <= VOLUME);

/** After how many steps all bodies are back; asked every tenth, null where they are not within so many. */
function stepsBack(world: World, bodies: readonly Body[], before: readonly number[], steps: number): number | null {
  for (let step = 1; step <= steps; step++) {
    world.step();
    if (step % 10 === 0 && bodies.every((body, n) => isBack(body, before[n]))) return step;
  }
  return null;
}

/**
 * The same on a floor. Who has come to lie otherwise than before may rest on bent limbs, more strained than it was standing: without its
 * weight, for the last hundred steps, it has to be as little strained as one that floats.
 */
function stepsBackOnFloor(world: World, body: Body, before: number): number | null {
  const steps = stepsBack(world, [body], [before], 300);
  if (steps !== null) return steps;
  const { gravity } = world;
  world.gravity = [0, 0, 0];
  const further = stepsBack(world, [body], [0], 100);
  world.gravity = gravity;
  return further === null ? null : 300 + further;
}

/** What did not come back. On a floor it has come to rest before, once for all that happens to it. */
async function failuresOf(backend: TestedBackend, name: string, onFloor: boolean): Promise<string[]> {
  const mesh = await meshOf(name);
  const failures: string[] = [];
  let [starts, longest] = [0, 0];
  for (const settings of SETTINGS) {
    const world = await worldOn(backend, { gravity: [0, onFloor ? -9.81 : 0, 0] });
    const body = world.add(prepare(mesh, surface(settings)));
    if (onFloor) {
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: boundsOf(mesh.positions)[0][1] });
      for (let step = 0; step < 150; step++) world.step();
    }
    const before = onFloor ? edgeStrainRms(body) : 0;
    const settled = world.snapshot();
    for (const state of BROKEN) {
      for (const seed of SEEDS) {
        world.restore(settled);
        body.deform(state, seed);
        tally('broken starts', 1);
        starts++;
        const steps = onFloor ? stepsBackOnFloor(world, body, before) : stepsBack(world, [body], [0], 400);
        longest = Math.max(longest, steps ?? 400);
        if (steps !== null) continue;
        failures.push(`${JSON.stringify(settings)} ${state} ${seed}: strain ${edgeStrainRms(body)}`);
      }
    }
    world.dispose();
  }
  const place = onFloor ? 'on a floor' : 'free';
  found('recovery', `${backend}, ${name}, ${place}`, { starts, 'not back': failures.length, longest });
  return failures;
}

/** Thrown at a floor, turning. */
const drop = (speed: number): Pick<DeformingMotion, 'start' | 'steps'> => ({
  steps: 300,
  start(world, prepared) {
    world.gravity = [0, -9.81, 0];
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const body = world.add(prepared, { position: [0, 0.05 - boundsOf(prepared.mesh.positions)[0][1], 0] });
    body.setMotion([0, -speed, 0], [1, 2, 0]);
    return body;
  },
});

const ORDINARY = {
  'dropped at 5 m/s': drop(5),
  'dropped at 20 m/s': drop(20),
  pressed: press(0.3),
  stretched: stretch(3),
};

/** Ordinary motions in which a body counted as broken. */
async function countedIn(backend: TestedBackend, name: string): Promise<string[]> {
  const mesh = await meshOf(name);
  const counted: string[] = [];
  for (const settings of SETTINGS) {
    const prepared = prepare(lyingAlongX(mesh), surface(settings));
    for (const [done, motion] of Object.entries(ORDINARY)) {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const body = motion.start(world, prepared);
      for (let step = 0; step < motion.steps; step++) world.step();
      tally('ordinary motions', 1);
      if (body.recoveries > 0) counted.push(`${JSON.stringify(settings)} ${done}: ${body.recoveries} times`);
      world.dispose();
    }
  }
  const motions = SETTINGS.length * Object.keys(ORDINARY).length;
  found('recovery', `${backend}, ${name}, ordinary`, { motions, broken: counted.length });
  return counted;
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const names = [...Object.keys(GENERATED), ...(sharedMeshesAvailable ? REAL : [])];
  it(`has ${sharedMeshesAvailable ? 'real meshes too' : 'generated meshes only: ../shared/meshes is absent'}`, () => {
    expect(names.length).toBe(sharedMeshesAvailable ? 12 : 9);
  });

  it.each(names.flatMap((name) => [false, true].map((onFloor) => ({ name, onFloor }))))(
    '$name recovers from everything, on a floor: $onFloor',
    async ({ name, onFloor }) => {
      expect(await failuresOf(backend, name, onFloor)).toEqual([]);
    },
    3_600_000,
  );

  it.each(names)(
    '%s counts as broken in no ordinary motion',
    async (name) => {
      expect(await countedIn(backend, name)).toEqual([]);
    },
    3_600_000,
  );
});

describe.each(scenes.map(({ name }) => name))('scene %s, on wasm', (name) => {
  const build = () => {
    const scene = findScene(name);
    if (!scene) throw new Error(`${name} is no built-in scene`);
    return buildScene(checkScene(scene.make()), { backend: 'wasm' });
  };

  it.each(BROKEN)('recovers from %s', async (state) => {
    const { world, bodies } = await build();
    const unbroken = await build();
    for (let step = 0; step < 300; step++) for (const one of [world, unbroken.world]) one.step();
    bodies.forEach((body, n) => {
      body.deform(state, n + 1);
      tally('broken starts', 1);
    });
    const isCrowd = bodies.length >= 6;
    const most = isCrowd ? 800 : 400;
    let left: string[] = [];
    let longest = most;
    for (let step = 1; step <= most; step++) {
      for (const one of [world, unbroken.world]) one.step();
      if (step % 10 !== 0) continue;
      // A crowd packs anew: none is more strained than the worst of the unbroken one at that moment.
      const strains = unbroken.bodies.map(edgeStrainRms);
      const worst = Math.max(...strains);
      const limits = strains.map((own) => (isCrowd ? worst : own));
      left = bodies.flatMap((body, n) =>
        isBack(body, limits[n]) ? [] : [`${body.name} ${edgeStrainRms(body).toFixed(3)} (${limits[n].toFixed(3)})`],
      );
      if (left.length > 0) continue;
      longest = step;
      break;
    }
    found('recovery', `scene ${name}, ${state}`, { starts: 1, 'not back': left.length > 0 ? 1 : 0, longest });
    expect(left).toEqual([]);
    for (const one of [world, unbroken.world]) one.dispose();
  });

  // The bodies of `recover` start broken.
  it.skipIf(name === 'recover')('counts none of its bodies as broken while it is left alone', async () => {
    const scene = checkScene(findScene(name)?.make());
    let counted: string[] = [];
    for await (const { last, bodies } of playScene(scene, { backend: 'wasm' })) {
      if (last) counted = bodies.filter(({ recoveries }) => recoveries > 0).map((body) => body.name);
    }
    tally('ordinary scenes', 1);
    expect(counted).toEqual([]);
  });
});
