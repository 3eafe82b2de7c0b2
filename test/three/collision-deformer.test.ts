// The deformer as a modifier of three.js meshes: where the mesh is and as it is skinned, with dents, in the order of its vertices.

import { AnimationMixer, Group, Mesh, MeshBasicMaterial, SkinnedMesh, SphereGeometry, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { expect, it } from 'vitest';
import { CollisionDeformer } from '../../src/three/index.js';
import { sampleRig } from '../mesh/io/sample-rig.js';

const PREVIEW = { tolerance: 1e-3, depth: 3 } as const;

const verticesOf = ({ geometry }: Mesh): Vector3[] =>
  Array.from({ length: geometry.attributes.position.count }, (_, v) =>
    new Vector3().fromBufferAttribute(geometry.attributes.position, v),
  );

it('shows a mesh with a seam where it is, and dents it', async () => {
  const ball = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial());
  const parent = new Group().add(ball);
  parent.position.set(0, 5, 0);
  const deformer = new CollisionDeformer(ball, PREVIEW);
  expect(ball.visible).toBe(false);
  const rest = verticesOf(ball).map((point) => point.setY(point.y + 5));
  verticesOf(deformer).forEach((point, v) => {
    expect(point.distanceTo(rest[v])).toBeLessThan(1e-6);
  });
  const presser = { shape: 'sphere', radius: 0.5, position: [0, 6.2, 0] } as const;
  const report = deformer.update({ colliders: [presser] });
  expect(report).toMatchObject({ touched: true, depthAfter: 0 });
  const dented = verticesOf(deformer);
  // Single precision of numbers up to 6.
  for (const point of dented) expect(point.distanceTo(new Vector3(0, 6.2, 0))).toBeGreaterThan(0.5 - 1e-6);
  // The seam stays closed: its two sides have the same places.
  const key = ({ x, y, z }: Vector3) => [x, y, z].map((value) => value.toFixed(5)).join();
  expect(new Set(dented.map(key)).size).toBe(16 * 11 + 2);
  // Moved with its parent, a collider far away leaves it alone.
  parent.position.x = 3;
  expect(deformer.update({ colliders: [presser] }).touched).toBe(false);
  expect(Math.abs((deformer.geometry.boundingBox?.min.x ?? 0) - 2)).toBeLessThan(1e-5);
  // The same frame from a worker, after others: the same bits.
  parent.position.x = 0;
  const array = (deformer.geometry.attributes.position.array as Float32Array).slice();
  await deformer.updateInWorker({ colliders: [presser] });
  const again = verticesOf(deformer);
  expect(again).toEqual(dented);
  expect(array).not.toEqual(deformer.geometry.attributes.position.array);
  deformer.dispose();
  expect(ball.visible).toBe(true);
});

it('follows a skinned mesh', async () => {
  const { scene, animations } = await new GLTFLoader().parseAsync((await sampleRig()).slice().buffer, '');
  const arm = scene.getObjectByProperty('isSkinnedMesh', true) as SkinnedMesh;
  expect(arm).toBeInstanceOf(SkinnedMesh);
  const deformer = new CollisionDeformer(arm, PREVIEW);
  const mixer = new AnimationMixer(scene);
  mixer.clipAction(animations[0]).play();
  mixer.setTime(0.9);
  deformer.update({ colliders: [] });
  const point = new Vector3();
  verticesOf(deformer).forEach((shown, v) => {
    arm.getVertexPosition(v, point).applyMatrix4(arm.matrixWorld);
    expect(shown.distanceTo(point)).toBeLessThan(1e-6);
  });
  deformer.dispose();
});

it('refuses a surface that is open', () => {
  const open = new Mesh(new SphereGeometry(1, 8, 6, 0, Math.PI), new MeshBasicMaterial());
  expect(() => new CollisionDeformer(open)).toThrow(/^mesh: expected a closed surface, but/);
});
