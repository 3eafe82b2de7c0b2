// Many bodies in one geometry: each where it is, as meshes of their own would show them.

import { BoxGeometry, BufferGeometry, MeshStandardMaterial, SphereGeometry } from 'three';
import { expect, it } from 'vitest';
import { createWorld, icosphere, prepare } from '../../src/index.js';
import { SoftInstances, SoftMesh } from '../../src/three/index.js';

const prepared = prepare(icosphere({ detail: 1, radius: 0.5 }));

async function bodies(count: number) {
  const world = await createWorld({ threads: 1 });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const all = Array.from({ length: count }, (_, n) => world.add(prepared, { position: [1.5 * n, 0.6 + 0.1 * n, 0] }));
  return { world, all };
}

it.each([
  ['the simulation mesh', {}],
  ['a finer mesh', { geometry: new SphereGeometry(0.5, 12, 8) }],
])('shows %s of each body as a mesh of its own does', async (_, options) => {
  const { world, all } = await bodies(3);
  const instances = new SoftInstances(all, new MeshStandardMaterial(), options);
  const single = all.map((body) => new SoftMesh(body, new MeshStandardMaterial(), options));
  for (let n = 0; n < 12; n++) world.advance(1 / 60);
  instances.update();
  for (const mesh of single) mesh.update();
  for (const name of ['position', 'normal'])
    expect([...instances.geometry.getAttribute(name).array]).toEqual(
      single.flatMap((mesh) => [...mesh.geometry.getAttribute(name).array]),
    );
  const [first] = single;
  const corners = first.geometry.index?.count ?? 0;
  expect(instances.geometry.index?.count).toBe(3 * corners);
  expect(instances.geometry.groups).toEqual([]);
  expect([0, corners / 3, corners - 1].map((face) => instances.instanceOf(face))).toEqual([0, 1, 2]);
  for (const mesh of single)
    expect(instances.geometry.boundingBox?.containsBox(mesh.geometry.boundingBox as never)).toBe(true);
  instances.dispose();
  world.dispose();
});

it('shares what does not move, and colours each', async () => {
  const { world, all } = await bodies(2);
  const geometry = new BoxGeometry(0.5, 0.5, 0.5);
  const instances = new SoftInstances(all, new MeshStandardMaterial(), { geometry });
  const uv = [...geometry.getAttribute('uv').array];
  expect([...instances.geometry.getAttribute('uv').array]).toEqual([...uv, ...uv]);
  instances.setColorAt(1, 0xff0000);
  const colours = instances.geometry.getAttribute('color').array;
  const half = colours.length / 2;
  expect([...colours.slice(0, 3), ...colours.slice(half, half + 3)]).toEqual([1, 1, 1, 1, 0, 0]);
  expect(instances.material.vertexColors).toBe(true);
  expect(() => instances.setColorAt(2, 0)).toThrow('index: expected an integer from 0 to 1, got 2');
  expect(() => new SoftInstances([])).toThrow('bodies: expected at least one, got none');
  const other = world.add(prepare(icosphere({ detail: 2 })));
  expect(() => new SoftInstances([...all, other])).toThrow('bodies: expected bodies of one prepared mesh');
  expect(() => new SoftInstances(all, undefined, { geometri: new BufferGeometry() } as never)).toThrow('did you mean');
  world.dispose();
});
