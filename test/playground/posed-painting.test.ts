// The brush on posed bodies: what it paints is what their deformer gets, also where the file has seams.

import { expect, it } from 'vitest';
import { Painting } from '../../apps/playground/src/program/painting.js';
import { readMesh } from '../../src/mesh/index.js';
import { buildScene, checkScene, poseScene } from '../../src/scenes/index.js';
import { seamedBall } from '../bake/seamed-ball.js';

const BRUSH = { map: 'collision', factor: 0, strength: 1, radius: 0.4, erase: false };

it('paints where bodies hold and collide, and nothing of the kind on others', async () => {
  const ball = await seamedBall();
  const loadMesh = () => readMesh(ball.bytes, 'ball.glb');
  const scene = checkScene({
    isochore: 1,
    bodies: [
      {
        ...{ name: 'posed', mesh: 'ball.glb', solver: { type: 'deformer', cells: 4 } },
        maps: { hold: [{ ball: { centre: [0, -0.4, 0], radius: 0.2 }, value: 3 }] },
      },
      { name: 'simulated', mesh: { shape: 'box' }, position: [3, 0, 0] },
    ],
  });
  const { world, bodies, posed } = await buildScene(scene, { loadMesh });
  const painting = new Painting(BRUSH);
  painting.posed = posed;
  expect(bodies[0].particleCount).toBe(ball.placeCount);
  painting.dab(bodies[0], 0, [0, 0.4, 0]);
  painting.brush = { ...BRUSH, map: 'hold', factor: 5 };
  painting.dab(bodies[0], 0, [0, 0.4, 0]);
  painting.dab(bodies[1], 1, [3, 0.5, 0]);
  const applied = checkScene(painting.applyTo(scene));
  expect(applied.bodies[1].maps).toBeUndefined();
  const [{ settings, mesh }] = await poseScene(applied, { loadMesh });
  const { hold = [], collision = [] } = settings?.maps ?? {};
  const heights = Array.from({ length: ball.placeCount }, (_, v) => mesh.positions[3 * v + 1]);
  const [top, bottom] = [heights.indexOf(Math.max(...heights)), heights.indexOf(Math.min(...heights))];
  expect([collision[top], collision[bottom]]).toEqual([0, 1]);
  // What the scene says stays where the brush has not been.
  expect([hold[top], hold[bottom]]).toEqual([5, 3]);
  world.dispose();
});
