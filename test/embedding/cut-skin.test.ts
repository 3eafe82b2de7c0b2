// A visible mesh is cut with its body: nothing of it is lost, every piece stays on its side, and faces close it.

import { describe, expect, it } from 'vitest';
import { icosphere, octree, prepare, type Skin, type TriangleMesh, torus, type Vec3 } from '../../src/index.js';
import { triangleArea } from '../../src/mesh/measure.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const cage = icosphere({ detail: 2 });
/** Another mesh than the simulation's, a little outside of it in places. */
const fine = icosphere({ detail: 3, radius: 1.01 });
const PLANE = { point: [0.1, 0, 0] as Vec3, normal: [1, 0.2, 0.1] as Vec3 };

const areaOf = ({ positions, triangles }: TriangleMesh, keeps: (t: number) => boolean = () => true): number => {
  let sum = 0;
  for (let t = 0; 3 * t < triangles.length; t++) {
    const [a, b, c] = triangles.subarray(3 * t, 3 * t + 3);
    if (keeps(t)) sum += triangleArea(positions, 3 * a, 3 * b, 3 * c);
  }
  return sum;
};

/** How much longer than at rest an edge of what is shown is, at most. */
function longestStretch({ embedding: { visible }, positions }: Skin): number {
  let most = 0;
  const length = (x: ArrayLike<number>, a: number, b: number): number =>
    Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
  visible.triangles.forEach((a, k) => {
    const b = visible.triangles[k % 3 === 2 ? k - 2 : k + 1];
    most = Math.max(most, length(positions, a, b) - length(visible.positions, a, b));
  });
  return most;
}

const skinArea = ({ embedding: { visible, cut } }: Skin): number => areaOf(visible, (t) => (cut?.sources[t] ?? 0) >= 0);

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const build = async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(cage, octree({ cells: 4, levels: 1 })));
    return { world, body, skin: body.embed(fine) };
  };

  it('a cut through leaves two closed halves that come apart', async () => {
    const { world, body, skin } = await build();
    body.cut({ plane: PLANE });
    world.step();
    skin.update();
    const { visible, cut, binding } = skin.embedding;
    if (!cut) throw new Error('not cut');
    expect(skin.positions.length).toBe(3 * binding.count);
    expect(Math.abs(skinArea(skin) - areaOf(fine))).toBeLessThan(1e-9);
    // Vertices are where those of the mesh that was given have them: texture coordinates follow by the same weights.
    let [atRest, shown, unshared] = [0, 0, 0];
    for (let i = 0; i < binding.count; i++) {
      const [a, b, c] = cut.corners.subarray(3 * i, 3 * i + 3);
      const [u, v, w] = cut.weights.subarray(3 * i, 3 * i + 3);
      if (u + v + w === 0) continue;
      unshared = Math.max(unshared, Math.abs(u + v + w - 1));
      for (let k = 0; k < 3; k++) {
        const at = u * fine.positions[3 * a + k] + v * fine.positions[3 * b + k] + w * fine.positions[3 * c + k];
        atRest = Math.max(atRest, Math.abs(visible.positions[3 * i + k] - at));
        shown = Math.max(shown, Math.abs(skin.positions[3 * i + k] - at));
      }
    }
    expect(unshared).toBeLessThan(1e-12);
    expect(atRest).toBeLessThan(1e-12);
    // It has just been cut, and opens.
    expect(shown).toBeLessThan(2e-3);
    // Both faces, each as large as the disc of the simulation mesh.
    const faces = areaOf(visible, (t) => cut.sources[t] < 0);
    expect(faces).toBeGreaterThan(1.9 * Math.PI * 0.9);
    expect(faces).toBeLessThan(2 * Math.PI);
    expect(body.parts.length).toBe(2);
    const { velocities } = body;
    body.mesh.positions.forEach((_, k) => {
      if (k % 3 !== 0) return;
      const i = k / 3;
      velocities[k] = i < cage.positions.length / 3 && cage.positions[k] < 0 ? -1 : velocities[k];
    });
    body.changed();
    for (let n = 0; n < 100; n++) world.step();
    skin.update();
    expect(longestStretch(skin)).toBeLessThan(0.1);
  });

  it('a slit keeps its sides apart, and a second cut crosses it', async () => {
    const { world, body, skin } = await build();
    body.cut({ plane: { point: [1, 0, 0], normal: [0, 1, 0] }, within: 0.8 });
    world.step();
    body.cut({ plane: PLANE });
    world.step();
    skin.update();
    expect(Math.abs(skinArea(skin) - areaOf(fine))).toBeLessThan(1e-9);
    expect(longestStretch(skin)).toBeLessThan(0.02);
  });

  it('goes to the pieces where it is separated', async () => {
    const { world, body, skin } = await build();
    body.cut({ plane: PLANE });
    world.step();
    const pieces = body.separate();
    const skins = pieces.map((piece) => (piece === body ? skin : piece.embed(fine)));
    for (const one of skins) one.update();
    expect(pieces.length).toBe(2);
    expect(Math.abs(skins.reduce((sum, one) => sum + skinArea(one), 0) - areaOf(fine))).toBeLessThan(1e-9);
    for (const one of skins) expect(longestStretch(one)).toBeLessThan(0.02);
  });

  it('goes back with a snapshot', async () => {
    const { world, body, skin } = await build();
    body.cut({ plane: PLANE });
    world.step();
    const snapshot = world.snapshot();
    skin.update();
    const before = Float32Array.from(skin.positions);
    body.cut({ plane: { point: [0, 0, 0], normal: [0, 1, 0] } });
    for (let n = 0; n < 5; n++) world.step();
    skin.update();
    expect(skin.positions.length).toBeGreaterThan(before.length);
    world.restore(snapshot);
    skin.update();
    expect([...skin.positions]).toEqual([...before]);
  });
});

it('a ring is cut along a sheet that ends in it', async () => {
  const world = await worldOn('reference', { gravity: [0, 0, 0] });
  const ring = torus({ majorSegments: 24, minorSegments: 12 });
  const body = world.add(prepare(ring, octree({ cells: 6, levels: 1 })));
  const skin = body.embed(ring);
  body.cut({ plane: { point: [1, 0, 0], normal: [0, 0, 1] }, within: 1 });
  world.step();
  skin.update();
  expect(Math.abs(skinArea(skin) - areaOf(ring))).toBeLessThan(1e-9);
});
