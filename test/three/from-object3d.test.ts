// Objects of three.js made soft: every geometry of its own with seams, poses, mirrors, several materials and parts.

import {
  Bone,
  Box3,
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  Scene,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  TorusKnotGeometry,
  Uint16BufferAttribute,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import type { Skin } from '../../src/embedding/skin.js';
import { createWorld, surface, type World } from '../../src/index.js';
import { groupCoincidentVertices } from '../../src/mesh/coincident-vertices.js';
import { fromObject3D, type SoftMesh } from '../../src/three/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const SHAPES: readonly (readonly [string, BufferGeometry])[] = [
  ['SphereGeometry', new SphereGeometry(0.5, 32, 16)],
  ['BoxGeometry', new BoxGeometry(1, 0.8, 0.6)],
  ['TorusKnotGeometry', new TorusKnotGeometry(0.5, 0.16, 96, 16)],
  ['CapsuleGeometry', new CapsuleGeometry(0.3, 0.6, 8, 24)],
];

const bakedPositions = (soft: SoftMesh<Material | Material[]>): Float64Array =>
  (soft.skin as Skin).embedding.visible.positions as Float64Array;

/** Largest distance of two visible vertices that had one place at rest. */
function widestCrack(soft: SoftMesh<Material | Material[]>): { crack: number; seams: number } {
  const { position } = soft.geometry.attributes;
  const heads = groupCoincidentVertices(bakedPositions(soft), 1e-6);
  let [crack, seams] = [0, 0];
  heads.forEach((head, i) => {
    if (head === i) return;
    seams++;
    const [a, b] = [head, i].map((v) => new Vector3().fromBufferAttribute(position, v));
    crack = Math.max(crack, a.distanceTo(b));
  });
  return { crack, seams };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each(SHAPES)('%s falls to the floor in one piece', async (_, geometry) => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
    const material = new MeshBasicMaterial();
    const original = new Mesh(geometry, material);
    original.position.set(0, 1.2, 0);
    original.rotation.set(0.3, 0, 0.4);
    const soft = await fromObject3D(original, world, { vertices: 400 });
    expect(soft.bodies.length).toBe(1);
    expect(soft.meshes.length).toBe(1);
    const [mesh] = soft.meshes;
    expect(mesh.material).toBe(material);
    expect(mesh.geometry.attributes.uv.count).toBe(mesh.geometry.attributes.position.count);
    // At rest every original vertex is where the original has it, and has its texture coordinates.
    const shown = new Set<string>();
    const round = (value: number) => Math.round(value * 1e4);
    const key = (p: Vector3, u: number, v: number) => [p.x, p.y, p.z, u, v].map(round).join();
    const { position, uv } = mesh.geometry.attributes;
    for (let i = 0; i < position.count; i++) {
      // Rounding may fall to either side of a step: both count.
      const p = new Vector3().fromBufferAttribute(position, i);
      for (const e of [-3e-6, 0, 3e-6]) shown.add(key(p.clone().addScalar(e), uv.getX(i), uv.getY(i)));
    }
    let found = 0;
    for (let i = 0; i < geometry.attributes.position.count; i++) {
      const p = original.getVertexPosition(i, new Vector3()).applyMatrix4(original.matrixWorld);
      if (shown.has(key(p, geometry.attributes.uv.getX(i), geometry.attributes.uv.getY(i)))) found++;
    }
    // Where two coordinates round to different sides at once a vertex goes uncounted: rare.
    expect(found / geometry.attributes.position.count).toBeGreaterThan(0.98);
    const restVolume = soft.bodies[0].volume();
    for (let step = 0; step < 150; step++) world.step();
    soft.update();
    const { crack, seams } = widestCrack(mesh);
    expect(seams).toBeGreaterThan(10);
    // 1e-6 of a size of about 1.
    expect(crack).toBeLessThan(1e-6);
    expect(Math.abs(soft.bodies[0].volume() / restVolume - 1)).toBeLessThan(1e-4);
    const { boundingBox } = mesh.geometry;
    // Visible vertices between those of the simulation may dip into the floor by the sagitta of an edge.
    expect(boundingBox?.min.y).toBeGreaterThan(-0.05);
    // It has fallen at least a little below where it began; it may be on its way up again.
    expect(boundingBox?.max.y).toBeLessThan(1.7);
    soft.dispose();
    expect(world.bodies.length).toBe(0);
    world.dispose();
  });
});

describe('fromObject3D', () => {
  const withWorld = async (use: (world: World) => Promise<void>) => {
    const world = await createWorld({ backend: 'reference' });
    await use(world);
    world.dispose();
  };

  it('takes the triangles of a whole tree as one body, where they are in the world', () =>
    withWorld(async (world) => {
      const root = new Scene();
      const model = new Group();
      model.name = 'model';
      model.position.set(10, 0, 0);
      model.scale.setScalar(2);
      root.add(model);
      const [body, head] = [new Mesh(new SphereGeometry(1)), new Mesh(new BoxGeometry(1, 1, 1))];
      head.position.y = 1.2;
      head.name = 'head';
      model.add(body, head);
      const soft = await fromObject3D(model, world, { vertices: 500, density: 500 });
      expect(world.bodies.length).toBe(1);
      expect(world.bodies[0].name).toBe('model');
      expect(soft.meshes.map((mesh) => mesh.name)).toEqual(['', 'head']);
      const { boundingBox } = soft.meshes[1].geometry;
      // From 1.2 − 0.5 to 1.2 + 0.5, twice, in single precision.
      expect(Math.abs((boundingBox?.min.y as number) - 1.4)).toBeLessThan(1e-6);
      expect(Math.abs((boundingBox?.max.x as number) - 11)).toBeLessThan(2e-6);
      // The union of a sphere of radius 2 and what stands out of it of a cube of 2: between the two.
      const sphere = (4 / 3) * Math.PI * 8;
      expect(world.bodies[0].restVolume).toBeGreaterThan(sphere);
      expect(world.bodies[0].restVolume).toBeLessThan(sphere + 8);
    }));

  it('makes a body of each part when asked, and splits a mesh that has several', () =>
    withWorld(async (world) => {
      const [a, b] = [-1, 1].map((x) => new SphereGeometry(0.5, 16, 12).translate(x, 0, 0));
      const both = new BufferGeometry();
      for (const name of ['position', 'normal', 'uv']) {
        const attribute = a.attributes[name].clone();
        attribute.array = new Float32Array([...a.attributes[name].array, ...b.attributes[name].array]);
        Object.assign(attribute, { count: 2 * a.attributes[name].count });
        both.setAttribute(name, attribute);
      }
      const { count } = a.attributes.position;
      both.setIndex([...(a.index?.array ?? []), ...Array.from(b.index?.array ?? [], (v) => v + count)]);
      const soft = await fromObject3D(new Mesh(both), world, { parts: 'separate', vertices: 200, name: 'pair' });
      expect(soft.bodies.map(({ name }) => name)).toEqual(['pair 1', 'pair 2']);
      expect(soft.meshes.length).toBe(2);
      const centres = soft.meshes.map((mesh) => mesh.geometry.boundingSphere?.center.x as number).sort((x, y) => x - y);
      expect(Math.abs(centres[0] + 1)).toBeLessThan(1e-6);
      expect(Math.abs(centres[1] - 1)).toBeLessThan(1e-6);
    }));

  it('shows mirrored meshes from outside, with their normals outwards', () =>
    withWorld(async (world) => {
      const mirrored = new Mesh(new SphereGeometry(1, 24, 16));
      mirrored.scale.set(-1, 1, 1);
      const soft = await fromObject3D(mirrored, world, { vertices: 200 });
      const { position, normal } = soft.meshes[0].geometry.attributes;
      const index = soft.meshes[0].geometry.index as NonNullable<BufferGeometry['index']>;
      for (let t = 0; t < index.count; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(position, index.getX(t + k)));
        const outward = b.clone().sub(a).cross(c.clone().sub(a)).dot(a);
        expect(outward).toBeGreaterThanOrEqual(-1e-9);
        const n = new Vector3().fromBufferAttribute(normal, index.getX(t));
        expect(n.dot(a)).toBeGreaterThan(0.99);
      }
    }));

  it('keeps several materials apart', () =>
    withWorld(async (world) => {
      const materials = Array.from({ length: 6 }, () => new MeshBasicMaterial());
      const soft = await fromObject3D(new Mesh(new BoxGeometry(1, 1, 1), materials), world, { vertices: 200 });
      const { groups, index } = soft.meshes[0].geometry;
      expect(soft.meshes[0].material).toBe(materials);
      expect(groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(index?.count);
      // The first group is the side at x = +½.
      const { position } = soft.meshes[0].geometry.attributes;
      for (let k = groups[0].start; k < groups[0].start + groups[0].count; k++)
        expect(Math.abs(position.getX(index?.getX(k) as number) - 0.5)).toBeLessThan(1e-6);
    }));

  it('takes a skinned mesh in its pose, below parents that are turned and scaled', () =>
    withWorld(async (world) => {
      const geometry = new CylinderGeometry(0.3, 0.3, 2, 24, 16);
      const { position } = geometry.attributes;
      const weights = Array.from({ length: position.count }, (_, i) => (position.getY(i) + 1) / 2);
      geometry.setAttribute(
        'skinIndex',
        new Uint16BufferAttribute(
          weights.flatMap(() => [0, 1, 0, 0]),
          4,
        ),
      );
      geometry.setAttribute(
        'skinWeight',
        new Float32BufferAttribute(
          weights.flatMap((w) => [1 - w, w, 0, 0]),
          4,
        ),
      );
      const [hip, head] = [new Bone(), new Bone()];
      hip.position.y = -1;
      head.position.y = 1;
      const figure = new SkinnedMesh(geometry);
      figure.add(hip.add(head));
      figure.updateMatrixWorld(true);
      figure.bind(new Skeleton([hip, head]));
      const parent = new Group().add(figure);
      parent.scale.setScalar(3);
      parent.rotation.z = 0.5;
      parent.position.x = 7;
      head.rotation.x = 0.8;
      const soft = await fromObject3D(parent, world, { vertices: 300 });
      // three.js' own box of the posed mesh, vertex by vertex.
      const expected = new Box3().setFromObject(figure, true);
      const { boundingBox, attributes } = soft.meshes[0].geometry;
      expect(boundingBox?.min.distanceTo(expected.min)).toBeLessThan(1e-5);
      expect(boundingBox?.max.distanceTo(expected.max)).toBeLessThan(1e-5);
      // The lid's normals, up at rest, turn with the head, by 0.8 about x, and with the parent.
      const up = new Vector3(0, Math.cos(0.8), Math.sin(0.8)).applyEuler(parent.rotation);
      const steepest = Math.min(
        ...Array.from({ length: attributes.normal.count }, (_, i) => {
          return up.angleTo(new Vector3().fromBufferAttribute(attributes.normal, i));
        }),
      );
      expect(steepest).toBeLessThan(1e-3);
    }));

  it('splits triangles that are too large to bend, unless told not to', () =>
    withWorld(async (world) => {
      const cube = () => new Mesh(new BoxGeometry(1, 1, 1));
      const plain = await fromObject3D(cube(), world, { vertices: 300, refine: false });
      expect(plain.meshes[0].geometry.attributes.position.count).toBe(24);
      const refined = await fromObject3D(cube(), world, { vertices: 300 });
      const { count } = refined.meshes[0].geometry.attributes.position;
      expect(count).toBeGreaterThan(300);
    }));

  // The sphere's seam is sin 2π apart in its last digits.
  it.each<[string, BufferGeometry]>([
    ['a cube', new BoxGeometry(1, 1, 1)],
    ['a coarse sphere', new SphereGeometry(1, 7, 5)],
    ['a coarse capsule', new CapsuleGeometry(0.4, 1, 3, 7)],
  ])('splits the triangles of %s alike on both sides of a seam', (_, geometry) =>
    withWorld(async (world) => {
      const refined = await fromObject3D(new Mesh(geometry), world, { vertices: 300 });
      const [mesh] = refined.meshes;
      expect(mesh.geometry.attributes.position.count).toBeGreaterThan(2 * geometry.attributes.position.count);
      expect(widestCrack(mesh)).toEqual({ crack: 0, seams: expect.any(Number) });
      const index = mesh.geometry.index as NonNullable<BufferGeometry['index']>;
      const heads = groupCoincidentVertices(bakedPositions(mesh));
      const sides = new Map<string, number>();
      for (let t = 0; t < index.count; t += 3) {
        const corners = [0, 1, 2].map((k) => heads[index.getX(t + k)]);
        // At poles there are triangles with two corners in one place.
        if (new Set(corners).size < 3) continue;
        corners.forEach((corner, k) => {
          const side = `${corner},${corners[(k + 1) % 3]}`;
          sides.set(side, (sides.get(side) ?? 0) + 1);
        });
      }
      // Closed: every side of a triangle is met by one that runs the other way.
      for (const [side, times] of sides) {
        expect(times).toBe(1);
        expect(sides.get(side.split(',').reverse().join())).toBe(1);
      }
    }),
  );

  it('prepares a model once: again, elsewhere and cloned it shares what was prepared, and has bodies of its own', () =>
    withWorld(async (world) => {
      const model = new Group();
      model.add(new Mesh(new SphereGeometry(0.5, 16, 12), new MeshBasicMaterial()));
      const first = await fromObject3D(model, world, { vertices: 200, solver: surface({ stiffness: 0.5 }) });
      model.position.set(3, 1, 0);
      model.rotation.z = 1;
      const second = await fromObject3D(model, world, { vertices: 200, solver: surface({ stiffness: 0.5 }) });
      const third = second.clone();
      const others = [
        await fromObject3D(model, world, { vertices: 200, solver: surface({ stiffness: 0.6 }) }),
        await fromObject3D(model, world, { vertices: 220, solver: surface({ stiffness: 0.5 }) }),
      ];
      expect(world.bodies.length).toBe(5);
      for (const one of [second, third]) expect(one.bodies[0].prepared).toBe(first.bodies[0].prepared);
      for (const one of others) expect(one.bodies[0].prepared).not.toBe(first.bodies[0].prepared);
      expect(third.bodies[0].centreOfMass()).toEqual(second.bodies[0].centreOfMass());
      first.bodies[0].centreOfMass().forEach((x, c) => {
        expect(Math.abs(second.bodies[0].centreOfMass()[c] - x - [3, 1, 0][c])).toBeLessThan(0.01);
      });
      model.children[0].scale.x = 2;
      const longer = await fromObject3D(model, world, { vertices: 200, solver: surface({ stiffness: 0.5 }) });
      expect(longer.bodies[0].restVolume / first.bodies[0].restVolume).toBeGreaterThan(1.9);
      third.dispose();
      expect(world.bodies.length).toBe(5);
      second.update();
      expect(second.meshes[0].geometry.boundingBox?.min.x).toBeGreaterThan(2);
    }));

  it('leaves the world as it was when it refuses', () =>
    withWorld(async (world) => {
      await expect(fromObject3D(new Group(), world)).rejects.toThrow(
        'object: expected a mesh with triangles, got none',
      );
      const flat = new Mesh(new BufferGeometry().setFromPoints([new Vector3(), new Vector3(), new Vector3()]));
      await expect(fromObject3D(flat, world)).rejects.toThrow();
      const sphere = new Mesh(new SphereGeometry(1));
      await expect(fromObject3D(sphere, world, { vertices: 3 })).rejects.toThrow('vertices must be a whole number');
      expect(world.bodies.length).toBe(0);
    }));

  it('takes the solver that it is given', () =>
    withWorld(async (world) => {
      const solver = surface({ regionSize: 2, stiffness: 0.5 });
      const soft = await fromObject3D(new Mesh(new SphereGeometry(1)), world, { vertices: 200, solver });
      expect(soft.bodies[0].settings.stiffness).toBe(0.5);
    }));
});
