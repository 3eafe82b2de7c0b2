// Any mesh becomes a body that keeps its volume, or is refused with a named reason; a closed mesh passes as it is.
// The drop: every body, scaled to 1 m, falls 0.3 m onto a floor and rests for the remainder of 300 steps. Its volume stays
// within 0.01 %, the kernels' single precision giving some 1e-5 % of that.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  createWorld,
  findSelfIntersections,
  makeSimulatable,
  prepare,
  readMesh,
  type TriangleMesh,
  validate,
} from '../../src/index.js';
import { surface } from '../../src/solvers/surface/settings.js';
import { combine, cube, gridTorus, moved, randomTriangles, soup } from '../mesh/sample-meshes.js';
import { readSharedMesh, sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';

const STEPS = 300;

const listFiles = (folder: string) =>
  sharedMeshesAvailable
    ? readdirSync(sharedMeshPath(folder))
        .filter((name) => !name.endsWith('.bin'))
        .map((name) => `${folder}/${name}`)
    : [];

const read = (file: string) =>
  readMesh(readSharedMesh(file), file, { resolve: async (path) => readSharedMesh(`gltf/${path}`) });

/** Lowest corner at y = 0, diagonal 1 m. */
function normalise(mesh: TriangleMesh): TriangleMesh {
  const [low, high] = boundsOf(mesh.positions);
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return { ...mesh, positions: mesh.positions.map((value, i) => (value - low[i % 3]) / size) };
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

async function drop(mesh: TriangleMesh): Promise<void> {
  const world = await createWorld();
  try {
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
    const body = world.add(prepare(normalise(mesh), surface()), { position: [0, 0.3, 0] });
    expect(world.capabilities.backend).toBe('wasm');
    let worst = 0;
    for (let step = 0; step < STEPS; step++) {
      world.step();
      worst = Math.max(worst, Math.abs(body.volume() / body.restVolume - 1));
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
  ])('%s is dropped and keeps its volume', async (_, mesh) => {
    const { bodies } = await makeSimulatable(mesh, { vertices: 400 });
    for (const body of bodies) await drop(body.mesh);
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
    it(`${file} becomes a body and keeps its volume`, async () => {
      const mesh = await read(file);
      // As users get them; the bad ones with fewer vertices, to save time.
      const { bodies } = await makeSimulatable(mesh, file.startsWith('gltf') ? {} : { vertices: 400 });
      expect(bodies.length).toBe(1);
      const [body] = bodies;
      expect(validate(body.mesh).problems).toEqual([]);
      if (body.origin === 'cage') {
        expect(findSelfIntersections(body.mesh.positions, body.mesh.triangles).count).toBe(0);
        // Nothing that stands out of the cage is larger than a few percent of the body.
        expect(body.deviation?.lostShare).toBeLessThan(0.005);
      }
      if (body.vertexMap !== null) expectSeamsClosed(mesh, body.vertexMap);
      await drop(body.mesh);
    });
  }

  for (const file of listFiles('gltf')) {
    it(`${file} becomes bodies part by part`, async () => {
      const mesh = await read(file);
      const { bodies, bodyOfVertex } = await makeSimulatable(mesh, { parts: 'separate', vertices: 300 });
      for (const { mesh: body } of bodies) expect(validate(body).problems).toEqual([]);
      expect(Math.max(...bodyOfVertex)).toBe(bodies.length - 1);
    });
  }
});
