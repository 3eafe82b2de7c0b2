// Bodies that are simulated by another surface than the one they were made of (tetrahedra) are baked by the one that they were made of, and
// those of solid files by their boundary. What they do is known: they fly on without changing shape.

import { expect, it } from 'vitest';
import { bakeScene } from '../../src/bake/index.js';
import { generateShape, type TetraMesh, tetrahedralise } from '../../src/mesh/index.js';
import { checkScene } from '../../src/scenes/index.js';

const FPS = 50;
const VELOCITY = [1, 0.5, -0.25];
const SOLVER = { type: 'tetrahedra', cells: 3, damping: { mass: 0, stiffness: 0 } };
const flying = (mesh: unknown) =>
  checkScene({
    isochore: 1,
    steps: 8,
    gravity: [0, 0, 0],
    bodies: [{ name: 'flyer', mesh, position: [0, 1, 0], velocity: VELOCITY, solver: SOLVER }],
  });

async function expectFlight(track: Awaited<ReturnType<typeof bakeScene>>['tracks'][number]): Promise<void> {
  const [first, last] = [await track.frame(0), await track.frame(track.frameCount - 1)];
  expect(last.length).toBe(track.mesh.positions.length);
  const seconds = (track.frameCount - 1) / FPS;
  last.forEach((x, k) => {
    expect(Math.abs(x - first[k] - seconds * VELOCITY[k % 3])).toBeLessThan(1e-5);
    expect(Math.abs(first[k] - track.mesh.positions[k] - (k % 3 === 1 ? 1 : 0))).toBeLessThan(1e-5);
  });
}

it('writes the surface that a body of tetrahedra was made of, in its order', async () => {
  const shape = { shape: 'box', divisions: 4 } as const;
  const { tracks } = await bakeScene(flying(shape), { fps: FPS });
  const given = generateShape(shape);
  expect(tracks[0].mesh.positions).toEqual(given.positions);
  expect(tracks[0].mesh.triangles).toEqual(given.triangles);
  await expectFlight(tracks[0]);
});

it('writes the boundary of a solid file, which has no looks', async () => {
  const solid: TetraMesh = tetrahedralise(generateShape({ shape: 'box', divisions: 2 }), { count: 100 });
  const loadLook = () => Promise.reject(new Error('not asked for'));
  const { tracks } = await bakeScene(flying('box.msh'), { fps: FPS, loadMesh: async () => solid, loadLook });
  expect(tracks[0].drawn).toBeUndefined();
  await expectFlight(tracks[0]);
});
