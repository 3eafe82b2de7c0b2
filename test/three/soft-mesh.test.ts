// Soft meshes in a three.js scene: what is shown, culled and hit is where the body is.

import { BufferGeometry, Matrix4, MeshBasicMaterial, Raycaster, SphereGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createWorld, icosphere, octree, prepare, surface } from '../../src/index.js';
import { SoftMesh, type SoftSource } from '../../src/three/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const MATERIAL = new MeshBasicMaterial();

/** A proxy of a body, as a page holds it whose world runs in a worker. */
function movingSource(double = false): SoftSource & { move(by: number): void } {
  const mesh = icosphere({ detail: 3 });
  const positions = double ? mesh.positions.slice() : Float32Array.from(mesh.positions);
  return {
    mesh,
    positions,
    move: (by) => {
      for (let k = 0; k < positions.length; k += 3) positions[k] += by;
    },
  };
}

const rayAt = (x: number): Raycaster => new Raycaster(new Vector3(x, 0, 10), new Vector3(0, 0, -1));

describe('a soft mesh of a simulation mesh', () => {
  it.each([true, false])('shows where the vertices are, with smooth normals (double precision: %s)', (double) => {
    const source = movingSource(double);
    const soft = new SoftMesh(source, MATERIAL);
    source.move(3);
    soft.update();
    const { position, normal } = soft.geometry.attributes;
    expect(position.array === source.positions).toBe(!double);
    for (let i = 0; i < position.count; i++) {
      const at = new Vector3().fromBufferAttribute(position, i).sub(new Vector3(3, 0, 0));
      // A sphere's normal is its radius; that of its facets, weighted by their areas, is off by less than 1°.
      expect(at.angleTo(new Vector3().fromBufferAttribute(normal, i))).toBeLessThan(Math.PI / 180);
    }
  });

  it('has bounding volumes that hold all of it, closely', () => {
    const source = movingSource();
    const soft = new SoftMesh(source, MATERIAL);
    source.move(5);
    soft.update();
    const { boundingBox, boundingSphere } = soft.geometry;
    const exact = new BufferGeometry().setAttribute('position', soft.geometry.attributes.position.clone());
    exact.computeBoundingBox();
    exact.computeBoundingSphere();
    expect(boundingBox).toEqual(exact.boundingBox);
    // The slack of a millionth for the shader's rounding.
    expect(boundingSphere?.center.distanceTo(exact.boundingSphere?.center as Vector3)).toBeLessThan(1e-6);
    const radius = exact.boundingSphere?.radius as number;
    expect(boundingSphere?.radius).toBeGreaterThanOrEqual(radius);
    expect(boundingSphere?.radius).toBeLessThan(radius * 1.00001);
  });

  it('is hit by rays where it is, and not where it was', () => {
    const source = movingSource();
    const soft = new SoftMesh(source, MATERIAL);
    expect(rayAt(0).intersectObject(soft).length).toBeGreaterThan(0);
    source.move(5);
    soft.update();
    expect(rayAt(0).intersectObject(soft)).toEqual([]);
    const [hit] = rayAt(5).intersectObject(soft);
    // The facets of 642 vertices lie up to 1 % inside the unit sphere.
    expect(Math.abs(hit.point.z - 1)).toBeLessThan(0.01);
  });

  it('shows other positions when it is given some', () => {
    const source = movingSource();
    const soft = new SoftMesh(source, MATERIAL);
    soft.update(source.mesh.positions.map((x) => 2 * x));
    expect(soft.geometry.boundingBox?.max.y).toBe(2);
    soft.update();
    expect(soft.geometry.boundingBox?.max.y).toBe(1);
  });
});

describe.each(BOTH_BACKENDS)('without saying what to show, on %s,', (backend) => {
  it.each([undefined, new SphereGeometry(1, 12, 8)])(
    'shows between steps after advance, the last after a step (%#)',
    async (geometry) => {
      const world = await worldOn(backend);
      const body = world.add(prepare(icosphere({ detail: 2 }), surface({ regionSize: 2 })), { velocity: [10, 0, 0] });
      const soft = new SoftMesh(body, MATERIAL, { geometry });
      const middle = () => ((soft.geometry.boundingBox?.min.x ?? 0) + (soft.geometry.boundingBox?.max.x ?? 0)) / 2;
      // Two steps of 5 ms at 10 m/s, and a half: shown a step behind.
      world.advance(0.0125);
      soft.update();
      // Single precision of coordinates of about a metre.
      expect(Math.abs(middle() - 0.075)).toBeLessThan(1e-6);
      soft.update(body.positions);
      expect(Math.abs(middle() - 0.1)).toBeLessThan(1e-6);
      world.step();
      soft.update();
      expect(Math.abs(middle() - 0.15)).toBeLessThan(1e-6);
      world.dispose();
    },
  );
});

describe('a soft mesh without a material', () => {
  it('has a standard one, and the type knows its colour', () => {
    expect(new SoftMesh(movingSource()).material.color.getHex()).toBe(0xffffff);
  });
});

describe('a soft mesh of another geometry', () => {
  it.each(BOTH_BACKENDS)('follows a body on %s with its seams closed and its texture coordinates', async (backend) => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(prepare(icosphere({ detail: 3 }), surface({ regionRadius: 0.3 })), {
      position: [0, 1.05, 0],
    });
    const geometry = new SphereGeometry(1, 40, 30);
    const soft = new SoftMesh(body, MATERIAL, { geometry });
    expect(soft.geometry.attributes.uv).toBe(geometry.attributes.uv);
    expect(soft.geometry.index).toBe(geometry.index);
    for (let step = 0; step < 60; step++) world.step();
    soft.update();
    const { position } = soft.geometry.attributes;
    // The seam: first and last vertex of each row are one place.
    for (let row = 0; row <= 30; row++) {
      const ends = [41 * row, 41 * row + 40].map((i) => new Vector3().fromBufferAttribute(position, i));
      expect(ends[0].distanceTo(ends[1])).toBeLessThan(2e-6);
    }
    // It lies on the floor: vertices of the body do, to 0.1 % of its size, and the finer sphere stands out by 1 %.
    expect(Math.abs(soft.geometry.boundingBox?.min.y as number)).toBeLessThan(0.03);
    expect(soft.geometry.boundingBox?.max.y).toBeLessThan(2);
    expect(geometry.attributes.position.getY(0)).toBe(1);
    soft.dispose();
    world.dispose();
  });

  it.each([true, false])(
    'outlives a memory that grows between an update and a picture (embedded: %s)',
    async (embedded) => {
      const world = await worldOn('wasm');
      const body = world.add(prepare(icosphere({ detail: 2 }), surface({})));
      const soft = new SoftMesh(body, MATERIAL, embedded ? { geometry: new SphereGeometry(1, 16, 12) } : {});
      const { position } = soft.geometry.attributes;
      const [before, copy] = [position.array, position.clone()];
      world.add(prepare(icosphere({ detail: 5 }), surface({ regionSize: 1 })));
      // Else there was nothing to outlive.
      expect(before.length).toBe(0);
      expect(position.array).toEqual(copy.array);
      expect(position.array.length).toBe(3 * position.count);
      world.dispose();
    },
  );

  it('is cloned as another mesh of the same body', () => {
    const source = movingSource();
    const soft = new SoftMesh(source, MATERIAL, { geometry: new SphereGeometry(1, 8, 6) });
    soft.name = 'ball';
    const twin = soft.clone();
    expect(twin.name).toBe('ball');
    expect(twin.geometry).not.toBe(soft.geometry);
    source.move(4);
    twin.update();
    expect(Math.abs((twin.geometry.boundingSphere?.center.x as number) - 4)).toBeLessThan(1e-5);
    expect(twin.matrixWorld).toEqual(new Matrix4());
  });

  it('refuses a geometry without vertices', () => {
    const make = () => new SoftMesh(movingSource(), MATERIAL, { geometry: new BufferGeometry() });
    expect(make).toThrow('geometry: expected vertices, got none');
  });
});

it('shows the interpolated positions of a world that advances', async () => {
  const world = await createWorld({ backend: 'reference', timeStep: 0.01 });
  const body = world.add(prepare(icosphere({ detail: 1 }), surface({})), { velocity: [1, 0, 0] });
  const soft = new SoftMesh(body, MATERIAL);
  world.advance(0.025);
  soft.update(body.interpolated);
  // A quarter… half a step behind the two steps taken.
  expect(Math.abs((soft.geometry.boundingSphere?.center.x as number) - 0.015)).toBeLessThan(1e-6);
  world.dispose();
});

it('is cut with its body: texture coordinates go on across no seam, faces have a material of their own', async () => {
  const world = await worldOn('wasm', { gravity: [0, 0, 0] });
  const body = world.add(prepare(icosphere({ detail: 2 }), octree({ cells: 3, levels: 1 })));
  const geometry = new SphereGeometry(1, 24, 16);
  const soft = new SoftMesh(body, [MATERIAL, new MeshBasicMaterial()], { geometry });
  const before = soft.geometry.getIndex()?.count as number;
  body.cut({ plane: { point: [0.2, 0, 0], normal: [1, 0.3, 0] } });
  world.step();
  soft.update();
  const { position, normal, uv } = soft.geometry.attributes;
  const index = soft.geometry.getIndex();
  if (!index) throw new Error('no index');
  expect(index.count).toBeGreaterThan(before);
  expect(position.count).toBe(uv.count);
  expect(soft.geometry.groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
  const [skin, faces] = soft.geometry.groups;
  expect(skin.count + faces.count).toBe(index.count);
  let [widest, tilt] = [0, 0];
  for (let k = 0; k < skin.count; k++) {
    const [i, j] = [index.getX(k), index.getX(k % 3 === 2 ? k - 2 : k + 1)];
    widest = Math.max(widest, Math.abs(uv.getX(i) - uv.getX(j)), Math.abs(uv.getY(i) - uv.getY(j)));
    const [at, up] = [position, normal].map((list) => new Vector3().fromBufferAttribute(list, i));
    tilt = Math.max(tilt, at.angleTo(up));
  }
  // A step of the sphere's grid, and a half of it at the poles.
  expect(widest).toBeLessThan(1 / 16 + 1e-6);
  // Normals are the sphere's own, turned with the surface, which has just begun to open.
  expect(tilt).toBeLessThan((5 * Math.PI) / 180);
  world.dispose();
});
