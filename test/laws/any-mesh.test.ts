// Any mesh becomes a body that keeps its volume, or is refused with a named reason; a closed mesh passes as it is. And the
// visible mesh stays whole on its body: what was in one place stays in one place, to 1e-6 of the size, and nothing spikes.
// The drop: every body, scaled to 1 m, falls 0.3 m onto a floor and rests for the remainder of 200 steps, of which the fall takes 50, its visible mesh,
// seams and all, following. Its volume stays within 0.01 %, the kernels' single precision giving some 1e-5 % of that. Both
// laws are held by the same drop: nine tenths of the time go into the repair before it.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  asVisibleMesh,
  type Body,
  boundsOf,
  createWorld,
  findSelfIntersections,
  groupCoincidentVertices,
  makeSimulatable,
  prepare,
  readMesh,
  readVisibleMesh,
  type Skin,
  type TriangleMesh,
  type VisibleMesh,
  validate,
} from '../../src/index.js';
import { surface } from '../../src/solvers/surface/surface.js';
import { worstDistance } from '../embedding/visible-meshes.js';
import { combine, cube, gridTorus, moved, randomTriangles, soup } from '../mesh/sample-meshes.js';
import { readSharedMesh, sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';

const STEPS = 200;
/** Of the size, which is 1 m. */
const TOGETHER = 1e-6;
/**
 * What stands out of the body's box, of the size. Offsets turn and stretch with the surface: at rest a cage is within 3 % of
 * what it is around, pressed on its side it may be stretched to three times that.
 */
const OUTSTANDING = 0.1;

const listFiles = (folder: string) =>
  sharedMeshesAvailable
    ? readdirSync(sharedMeshPath(folder))
        .filter((name) => !name.endsWith('.bin'))
        .map((name) => `${folder}/${name}`)
    : [];

const resolve = async (path: string) => readSharedMesh(`gltf/${path}`);
const read = (file: string) => readMesh(readSharedMesh(file), file, { resolve });

/** Maps positions so that the lowest corner of a body is in the origin and its diagonal 1 m. */
function normaliserOf({ positions }: TriangleMesh): <M extends TriangleMesh>(mesh: M) => M {
  const [low, high] = boundsOf(positions);
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return (mesh) => ({ ...mesh, positions: mesh.positions.map((value, i) => (value - low[i % 3]) / size) });
}

/** Vertices in one place are one vertex of the body, so that no seam can open. */
function expectSeamsClosed({ positions, triangles }: TriangleMesh, vertexMap: Uint32Array): void {
  const known = new Map<string, number>();
  let open = 0;
  for (const v of new Set(triangles)) {
    const place = positions.subarray(3 * v, 3 * v + 3).join(' ');
    if (vertexMap[v] !== (known.get(place) ?? vertexMap[v])) open++;
    known.set(place, vertexMap[v]);
  }
  expect(open).toBe(0);
}

/** Throws where a skin has come apart or stands out of its body. */
function expectWhole(skin: Skin, body: Body, heads: Uint32Array): void {
  skin.update();
  const [low, high] = boundsOf(body.positions);
  let [apart, outside] = [0, 0];
  skin.positions.forEach((value, k) => {
    const head = skin.positions[3 * heads[Math.trunc(k / 3)] + (k % 3)];
    // Not Math.max: what is no number must show.
    if (!(Math.abs(value - head) <= apart)) apart = Math.abs(value - head);
    outside = Math.max(outside, value - high[k % 3], low[k % 3] - value);
  });
  expect(apart).toBeLessThan(TOGETHER);
  expect(outside).toBeLessThan(OUTSTANDING);
  expect(skin.normals.every(Number.isFinite)).toBe(true);
}

/** Drops a body, and the mesh that is seen of it. */
async function drop(mesh: TriangleMesh, seen: VisibleMesh = asVisibleMesh(mesh)): Promise<void> {
  const normalise = normaliserOf(mesh);
  const visible = normalise(seen);
  const world = await createWorld();
  try {
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
    // Few rings: a region of a given radius has many on a fine mesh, and takes longer.
    const body = world.add(prepare(normalise(mesh), surface({ regionSize: 3 })));
    expect(world.capabilities.backend).toBe('wasm');
    const skin = body.embed(visible);
    expect(worstDistance(skin.positions, visible.positions)).toBeLessThan(TOGETHER);
    for (let k = 1; k < body.positions.length; k += 3) body.positions[k] += 0.3;
    body.changed();
    const heads = groupCoincidentVertices(visible.positions, 1e-7);
    let worst = 0;
    for (let step = 0; step < STEPS; step++) {
      world.step();
      worst = Math.max(worst, Math.abs(body.volume() / body.restVolume - 1));
      if (step % 50 === 49) expectWhole(skin, body, heads);
    }
    expect(body.positions.every(Number.isFinite)).toBe(true);
    expect(worst).toBeLessThan(1e-4);
  } finally {
    world.dispose();
  }
}

describe('any mesh', () => {
  it.each<[string, TriangleMesh]>([
    ['a soup of a torus', soup(gridTorus(24, 12))],
    ['two cubes that overlap', combine(cube(), moved(cube(), [0.5, 0.4, 0.3]))],
    ['random triangles', randomTriangles(80, 0.7, 1)],
  ])('%s is dropped, keeps its volume and stays whole', async (_, mesh) => {
    const { bodies } = await makeSimulatable(mesh, { vertices: 250 });
    expect(bodies.length).toBe(1);
    await drop(bodies[0].mesh, asVisibleMesh(mesh));
  });

  it.skipIf(!sharedMeshesAvailable)('has files to try (../shared/meshes absent: skipped)', () => {
    expect([...listFiles('bad'), ...listFiles('gltf')].length).toBe(26);
    expect(listFiles('closed').length).toBe(16);
  });

  for (const file of listFiles('closed')) {
    it(`${file} passes unchanged and keeps its volume`, async () => {
      const mesh = await read(file);
      const { bodies, steps } = await makeSimulatable(mesh);
      expect(steps).toEqual([]);
      expect(bodies[0].origin).toBe('unchanged');
      // The very arrays.
      expect(bodies[0].mesh.positions).toBe(mesh.positions);
      expect(bodies[0].mesh.triangles).toBe(mesh.triangles);
      await drop(bodies[0].mesh);
    });
  }

  for (const file of [...listFiles('bad'), ...listFiles('gltf')]) {
    it(`${file} becomes a body, keeps its volume and stays whole`, async () => {
      const mesh = await read(file);
      // As users get them; the bad ones with fewer vertices, to save time: the bounds below are of the body's size, whatever its cage.
      const { bodies } = await makeSimulatable(mesh, file.startsWith('gltf') ? {} : { vertices: 250 });
      expect(bodies.length).toBe(1);
      const [body] = bodies;
      expect(validate(body.mesh).problems).toEqual([]);
      if (body.origin === 'cage') {
        expect(findSelfIntersections(body.mesh.positions, body.mesh.triangles).count).toBe(0);
        // Nothing that stands out of the cage is larger than a few percent of the body.
        expect(body.deviation?.lostShare).toBeLessThan(0.005);
      }
      if (body.vertexMap !== null) expectSeamsClosed(mesh, body.vertexMap);
      await drop(body.mesh, await readVisibleMesh(readSharedMesh(file), file, { resolve }));
    });
  }

  for (const file of listFiles('gltf')) {
    it(`${file} becomes bodies part by part`, async () => {
      const mesh = await read(file);
      const { bodies, bodyOfVertex } = await makeSimulatable(mesh, { parts: 'separate', vertices: 150 });
      for (const { mesh: body } of bodies) expect(validate(body).problems).toEqual([]);
      expect(Math.max(...bodyOfVertex)).toBe(bodies.length - 1);
    });
  }
});
