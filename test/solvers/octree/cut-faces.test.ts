// The faces along which a body was cut: as large as the plane in the body, textured without distortion, in a material group of their
// own, and still known after another cut, a snapshot and a separation.

import { MeshBasicMaterial } from 'three';
import { expect, it } from 'vitest';
import { type Body, box, octree, prepare } from '../../../src/index.js';
import { SoftMesh } from '../../../src/three/index.js';
import { worldOn } from '../../both-backends.js';

const soft = prepare(box({ divisions: 4 }), octree({ cells: 3, levels: 1 }));

/** Area of the cut faces at rest, and in their texture [m²]. */
function areasOf(body: Body): [number, number] {
  const { positions: x, triangles } = body.mesh;
  const faces = body.cutFaces;
  let [solid, flat] = [0, 0];
  for (const t of faces?.triangles ?? []) {
    const [a, b, c] = triangles.subarray(3 * t, 3 * t + 3);
    const edge = (p: number, q: number) => [0, 1, 2].map((k) => x[3 * q + k] - x[3 * p + k]);
    const [e, f] = [edge(a, b), edge(a, c)];
    solid += 0.5 * Math.hypot(e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]);
    const uv = faces?.uvs ?? new Float32Array(0);
    const [bu, bv] = [uv[2 * b] - uv[2 * a], uv[2 * b + 1] - uv[2 * a + 1]];
    const [cu, cv] = [uv[2 * c] - uv[2 * a], uv[2 * c + 1] - uv[2 * a + 1]];
    flat += 0.5 * Math.abs(bu * cv - bv * cu);
  }
  return [solid, flat];
}

it('are both sides of the plane, wherever the body goes', async () => {
  const world = await worldOn('reference', { gravity: [0, 0, 0] });
  const body = world.add(soft);
  expect(body.cutFaces).toBeUndefined();
  const shown = new SoftMesh(body, [new MeshBasicMaterial(), new MeshBasicMaterial()]);
  body.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0, 0] } });
  world.step();
  // A unit square on either side; rim points that share a place differ by single precision.
  for (const area of areasOf(body)) expect(Math.abs(area - 2)).toBeLessThan(1e-4);
  shown.update();
  const { groups, index, attributes } = shown.geometry;
  expect(groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
  expect(groups[1].count).toBe(3 * (body.cutFaces?.triangles.length ?? 0));
  expect(groups[0].count + groups[1].count).toBe(index?.count);
  expect(attributes.uv.count).toBe(body.particleCount);
  // A second plane across cuts each face in two, and adds its own of 1 m² twice.
  body.cut({ plane: { point: [0, 0.07, 0], normal: [0, 1, 0] } });
  world.step();
  expect(Math.abs(areasOf(body)[0] - 4)).toBeLessThan(1e-3);
  const snapshot = world.snapshot();
  const marks = body.cutFaces;
  const other = await worldOn('reference', { gravity: [0, 0, 0] });
  const twin = other.add(soft);
  other.restore(snapshot);
  expect(twin.cutFaces).toEqual(marks);
  const pieces = body.separate();
  expect(pieces.length).toBe(4);
  expect(Math.abs(pieces.reduce((sum, piece) => sum + areasOf(piece)[0], 0) - 4)).toBeLessThan(1e-3);
});
