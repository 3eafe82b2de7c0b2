// Obstacles from three.js' objects: the shapes that they are, where they are, and following them.

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  PlaneGeometry,
  Raycaster,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { expect, it } from 'vitest';
import { createWorld, icosphere, prepare, surface } from '../../src/index.js';
import { colliderFrom } from '../../src/three/index.js';

const world = () => createWorld({ backend: 'reference' });

it.each([
  ['a box', new BoxGeometry(1, 2, 3), [1, 2, 3], { shape: 'box', size: [1, 4, 9] }],
  ['a sphere', new SphereGeometry(2, 15, 9), [3, 3, 3], { shape: 'sphere', radius: 6 }],
  ['a capsule', new CapsuleGeometry(0.5, 2), [2, 2, 2], { shape: 'capsule', radius: 1, height: 6 }],
  ['a cylinder', new CylinderGeometry(0.5, 0.5, 2), [2, 3, 2], { shape: 'cylinder', radius: 1, height: 6 }],
] as const)('%s becomes one, with its scale', async (_, geometry, scale, expected) => {
  const mesh = new Mesh(geometry);
  mesh.scale.fromArray(scale);
  const { colliders } = colliderFrom(mesh, await world());
  expect(colliders.map(({ shape }) => shape)).toEqual([expected]);
});

it.each([
  ['a flattened sphere', new SphereGeometry(1, 12, 8), [1, 0.5, 1]],
  ['half a sphere', new SphereGeometry(1, 12, 8, 0, Math.PI), [1, 1, 1]],
  ['a cone', new CylinderGeometry(0, 1, 2, 12), [1, 1, 1]],
  ['a box that was moved', new BoxGeometry(1, 1, 1).translate(0.2, 0, 0), [1, 1, 1]],
  ['a cylinder that was moved', new CylinderGeometry(1, 1, 2, 12).translate(0.2, 0, 0), [1, 1, 1]],
  ['a ring', new TorusGeometry(1, 0.3, 8, 16), [1, 1, 1]],
] as const)('%s becomes its triangles', async (_, geometry, scale) => {
  const mesh = new Mesh(geometry);
  mesh.scale.fromArray(scale);
  const { colliders } = colliderFrom(mesh, await world());
  expect(colliders[0].shape.shape).toBe('mesh');
});

it('a level of several meshes holds a ball, is where its parents put it, and hits rays', async () => {
  const level = new Group();
  const floor = new Mesh(new PlaneGeometry(4, 4, 2, 2));
  floor.rotation.x = -Math.PI / 2;
  const ring = new Mesh(new TorusGeometry(1, 0.3, 8, 16));
  ring.position.set(0, 5, 0);
  level.add(floor, ring);
  level.position.set(10, 1, 0);
  const here = await world();
  const made = colliderFrom(level, here, { friction: 0.7, name: 'level' });
  expect(made.colliders.map(({ name, friction }) => [name, friction])).toEqual([
    ['level', 0.7],
    ['level', 0.7],
  ]);
  const hit = here.raycast([10.1, 3, 0.1], [0, -1, 0], { colliders: true });
  expect(hit && 'collider' in hit && hit.collider).toBe(made.colliders[0]);
  expect(Math.abs((hit?.distance ?? 0) - 2)).toBeLessThan(1e-9);
  const ball = here.add(prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 })), {
    position: [10, 1.6, 0],
  });
  for (let step = 0; step < 60; step++) here.step();
  expect(ball.centreOfMass()[1]).toBeGreaterThan(1.3);
  made.dispose();
  expect(here.colliders).toEqual([]);
});

it('follows a mesh that moves, and pushes what is in its way', async () => {
  const here = await createWorld({ backend: 'reference', gravity: [0, 0, 0] });
  const mesh = new Mesh(new BoxGeometry(1, 1, 1));
  mesh.position.x = -1.1;
  const made = colliderFrom(mesh, here);
  const ball = here.add(prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 })));
  for (let step = 0; step < 40; step++) {
    mesh.position.x += 0.01;
    made.update();
    here.step();
  }
  expect(made.colliders[0].position).toEqual([mesh.position.x, 0, 0]);
  expect(ball.centreOfMass()[0]).toBeGreaterThan(0.1);
  expect(here.penetration(ball)).toBeLessThan(1e-6);
});

it('says what is missing', async () => {
  const here = await world();
  expect(() => colliderFrom(new Group(), here)).toThrow('object: expected a mesh with triangles, got none');
  expect(() => colliderFrom(new Mesh(new BufferGeometry()), here)).toThrow('expected a mesh with triangles');
  expect(() => colliderFrom(new Mesh(new BoxGeometry()), here, { frition: 1 } as never)).toThrow('friction');
});

it.each([
  ['as it is made', (_plane: PlaneGeometry, mesh: Mesh) => void mesh.rotateX(-Math.PI / 2)],
  ['turned before', (plane: PlaneGeometry) => void plane.rotateX(-Math.PI / 2)],
])('a plane that was raised, %s, becomes a heightfield with the heights of its triangles', async (_, turn) => {
  const plane = new PlaneGeometry(4, 6, 4, 3);
  const position = plane.getAttribute('position');
  for (let v = 0; v < position.count; v++) position.setZ(v, 0.1 * (v % 7));
  const mesh = new Mesh(plane);
  turn(plane, mesh);
  mesh.scale.setScalar(2);
  mesh.position.set(1, 2, 3);
  const one = await world();
  const { colliders } = colliderFrom(mesh, one);
  expect(colliders[0].shape.shape).toBe('heightfield');
  // What a ray of three.js meets, a ray at the obstacle meets too.
  for (const [x, z] of [
    [0.3, 2.2],
    [-1.9, 5.1],
    [4.2, -1.3],
    [1, 3],
  ]) {
    const [seen] = new Raycaster(new Vector3(x, 20, z), new Vector3(0, -1, 0)).intersectObject(mesh);
    const hit = one.raycast([x, 20, z], [0, -1, 0], { colliders: true });
    expect(Math.abs((hit?.point[1] ?? 99) - seen.point.y)).toBeLessThan(1e-6);
  }
});

it('a plane that is flat, stands or has lost its grid stays its triangles', async () => {
  const one = await world();
  const raised = (): PlaneGeometry => {
    const plane = new PlaneGeometry(2, 2, 2, 2);
    plane.getAttribute('position').setZ(4, 0.5);
    return plane;
  };
  const flat = new Mesh(new PlaneGeometry(2, 2, 2, 2).rotateX(-Math.PI / 2));
  const wall = new Mesh(raised());
  const bent = new Mesh(raised().rotateX(-Math.PI / 2));
  bent.geometry.getAttribute('position').setX(4, 0.4);
  for (const mesh of [flat, wall, bent]) expect(colliderFrom(mesh, one).colliders[0].shape.shape).toBe('mesh');
});
