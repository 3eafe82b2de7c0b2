// three.js with a world in a worker: loaded models, levels and grips by the same calls.

import { BoxGeometry, Group, Mesh, MeshStandardMaterial, PlaneGeometry, TorusKnotGeometry } from 'three';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, icosphere, surface } from '../../src/index.js';
import { ColliderView, colliderFrom, fromObject3D, SoftInstances, SoftMesh } from '../../src/three/index.js';
import { createWorkerWorld, type WorkerWorld } from '../../src/worker/index.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await createWorkerWorld({ threads: 1 });
});
afterAll(() => world.dispose());

it('makes a model soft in the worker as on this thread, once, on the meshes of a level', async () => {
  const level = new Mesh(new BoxGeometry(8, 1, 8));
  level.position.y = -0.5;
  const model = new Group().add(new Mesh(new TorusKnotGeometry(0.5, 0.16, 48, 8), new MeshStandardMaterial()));
  model.position.y = 0.9;
  const options = { vertices: 150, solver: surface({ stiffness: 0.6 }) };
  const direct = await createWorld({ threads: 1 });
  const [soft, twin] = [await fromObject3D(model, world, options), await fromObject3D(model, direct, options)];
  const floors = [colliderFrom(level, world), colliderFrom(level, direct)];
  await world.step(80);
  for (let n = 0; n < 80; n++) direct.step();
  soft.update();
  twin.update();
  const shown = soft.meshes[0].geometry.getAttribute('position');
  expect([...shown.array]).toEqual([...twin.meshes[0].geometry.getAttribute('position').array]);
  expect(soft.steps).toEqual(twin.steps);
  const again = await fromObject3D(model, world, options);
  expect(again.bodies[0].prepared).toBe(soft.bodies[0].prepared);
  const clone = soft.clone();
  expect(clone.bodies[0].prepared).toBe(soft.bodies[0].prepared);
  expect(world.bodies).toHaveLength(3);
  // One moves with what it was made of, another stays where it is.
  level.position.y = -1.5;
  floors[0].update();
  await world.step(1);
  expect(floors[0].colliders[0].position).toEqual([0, -1.5, 0]);
  const view = new ColliderView(world);
  expect(view.children).toHaveLength(1);
  for (const one of [soft, again, clone, twin]) one.dispose();
  floors[0].dispose();
  await world.step();
  expect([world.bodies.length, world.colliders.length]).toEqual([0, 0]);
  view.update();
  expect(view.children).toHaveLength(0);
  direct.dispose();
});

it('shows bodies by meshes and instances, and landscapes as heightfields', async () => {
  const hills = new PlaneGeometry(10, 10, 8, 8);
  const position = hills.getAttribute('position');
  for (let v = 0; v < position.count; v++) position.setZ(v, 0.2 * Math.cos(position.getX(v)) + 0.1 * position.getY(v));
  const land = new Mesh(hills);
  land.rotation.x = -Math.PI / 2;
  const { colliders } = colliderFrom(land, world);
  expect(colliders[0].shape.shape).toBe('heightfield');
  const prepared = await world.prepare(icosphere({ detail: 1, radius: 0.4 }));
  const bodies = [-1, 0, 1].map((x) => world.add(prepared, { position: [1.5 * x, 0.8, 0] }));
  const instances = new SoftInstances(bodies);
  const mesh = new SoftMesh(bodies[1], new MeshStandardMaterial(), { geometry: new BoxGeometry(0.3, 0.3, 0.3) });
  for (let n = 0; n < 60; n++) await world.advance(1 / 60);
  instances.update();
  mesh.update();
  // They lie on the hills: none fell through.
  for (const body of bodies) expect((await body.centreOfMass())[1]).toBeGreaterThan(0);
  expect(instances.geometry.boundingBox?.min.y).toBeGreaterThan(-0.6);
  const [x] = await bodies[1].centreOfMass();
  expect(Math.abs((mesh.geometry.boundingSphere?.center.x ?? 99) - x)).toBeLessThan(0.05);
});
