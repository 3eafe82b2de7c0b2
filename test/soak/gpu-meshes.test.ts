// Laws on the GPU about what bodies are made of: those of test/laws, where tolerances are derived, with bodies small enough for software adapters.

import { describe, expect } from 'vitest';
import { asVisibleMesh, box, makeSimulatable, prepare, surface, type TriangleMesh, uvSphere } from '../../src/index.js';
import { findSelfIntersections } from '../../src/mesh/self-intersections.js';
import { type DeformingMotion, press, stretch, twist } from '../deforming-motions.js';
import { gpuTests, gpuWorld } from '../gpu/gpu-world.js';
import { dropMesh } from '../laws/dropped-mesh.js';
import { gradedSphere } from '../laws/graded-sphere.js';
import { runRandomScene } from '../laws/random-scene.js';
import { combine, cube, gridTorus, moved, randomTriangles, soup } from '../mesh/sample-meshes.js';
import { roughnessOf } from '../roughness.js';

const SEEDS = [1, 2, 3, 4];
const MESHES: readonly (readonly [string, TriangleMesh])[] = [
  ['a soup of a torus', soup(gridTorus(24, 12))],
  ['two cubes that overlap', combine(cube(), moved(cube(), [0.5, 0.4, 0.3]))],
  ['random triangles', randomTriangles(80, 0.7, 1)],
];
const bar = box({ size: [4, 1, 1], divisions: [16, 4, 4] });
const MOTIONS: readonly (readonly [string, TriangleMesh, DeformingMotion])[] = [
  ['a bar stretched to twice its length', bar, stretch(2)],
  ['a bar turned by half a turn', bar, twist(180)],
  ['a cube pressed to half its height', box({ divisions: 6 }), press(0.5)],
];
const gpuIt = gpuTests(MESHES.length + MOTIONS.length + SEEDS.length + 3);

/** |V/V₀ − 1| in every step. */
const VOLUME = 5e-5;

describe('any mesh', () => {
  for (const [name, mesh] of MESHES) {
    gpuIt(`${name} is dropped, keeps its volume and stays whole`, async () => {
      const { bodies } = await makeSimulatable(mesh, { vertices: 250 });
      expect(bodies.length).toBe(1);
      await dropMesh(await gpuWorld(), 100, bodies[0].mesh, asVisibleMesh(mesh));
    });
  }
});

gpuIt('a sphere with edges from 0.1 mm to 0.1 m falls and keeps its volume', async () => {
  const world = await gpuWorld();
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.5 });
  const ball = prepare(gradedSphere(2.5), surface({ regionSize: 2, damping: 0.5 }));
  const body = world.add(ball, { position: [0, 0.7, 0], spin: [0, 0, 3] });
  for (let step = 0; step < 60; step++) {
    world.step();
    await world.sync();
    expect(body.positions.every(Number.isFinite)).toBe(true);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME);
  }
  expect(body.contactCount).toBeGreaterThan(0);
  world.dispose();
});

describe('how far a dropped ball flattens', () => {
  const material = { regionRadius: 0.3, stiffness: 0.9, damping: 0.3 };
  const spread = (values: number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (high - low) / (high + low);
  };

  /** Height of a ball of radius 1 at its flattest after it hits the floor at 5 m/s. */
  async function lowestHeight(segments: number, timeStep: number): Promise<number> {
    const world = await gpuWorld({ timeStep });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const ball = prepare(uvSphere({ segments }), surface(material));
    const body = world.add(ball, { position: [0, 1, 0], velocity: [0, -5, 0] });
    let lowest = Infinity;
    for (let time = 0; time < 0.6; time += timeStep) {
      world.step();
      await world.sync();
      let top = -Infinity;
      for (let k = 1; k < body.positions.length; k += 3) top = Math.max(top, body.positions[k]);
      lowest = Math.min(lowest, top);
      if (top > lowest + 0.1) break;
    }
    world.dispose();
    return lowest;
  }

  gpuIt('depends neither on the number of vertices', async () => {
    const heights = [];
    for (const segments of [12, 24, 48]) heights.push(await lowestHeight(segments, 0.005));
    expect(spread(heights), `heights ${heights}`).toBeLessThan(0.05);
  });

  gpuIt('nor on the step', async () => {
    const heights = [];
    for (const timeStep of [0.0025, 0.005, 0.01]) heights.push(await lowestHeight(24, timeStep));
    expect(spread(heights), `heights ${heights}`).toBeLessThan(0.05);
    expect(heights[0]).toBeLessThan(1.8);
  });
});

describe('a smooth motion leaves the surface smooth', () => {
  for (const [name, mesh, motion] of MOTIONS) {
    gpuIt(name, async () => {
      const world = await gpuWorld({ gravity: [0, 0, 0] });
      const body = motion.start(world, prepare(mesh, surface({ regionSize: 3, stiffness: 0.9, damping: 0.3 })));
      let worst = 0;
      for (let step = 0; step < motion.steps; step++) {
        world.step();
        await world.sync();
        worst = Math.max(worst, Math.abs(body.volume() / body.restVolume - 1));
      }
      const { rms, idealRms } = roughnessOf(mesh, body.positions, motion.held(body));
      console.info(`${name}: ${rms - idealRms}° above the ideal, volume off by ${worst}`);
      expect(rms - idealRms).toBeLessThan(3);
      expect(worst).toBeLessThan(VOLUME);
      expect(findSelfIntersections(body.positions, mesh.triangles).count).toBe(0);
      world.dispose();
    });
  }
});

describe('whatever is thrown together', () => {
  for (const seed of SEEDS) {
    // Bodies that start deep in each other are not taken apart here: how far they overlap is not asked.
    gpuIt(`random scene ${seed} stays sane`, async () => {
      const outcome = await runRandomScene(seed, 120, () => gpuWorld());
      console.info(JSON.stringify(outcome));
      expect(outcome.notFinite).toBe(0);
      expect(outcome.deepest).toBeLessThan(1e-3);
      expect(outcome.volumeError).toBeLessThan(1e-3);
    });
  }
});
