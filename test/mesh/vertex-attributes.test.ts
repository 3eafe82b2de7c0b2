// Attributes of a mesh that was made from another one: a linear field stays one, wherever the surface was kept.

import { describe, expect, it } from 'vitest';
import { generateShape } from '../../src/mesh/generate/index.js';
import { joinSeams, makeSimulatable } from '../../src/mesh/repair/make-simulatable.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';
import { buildTriangleTree } from '../../src/mesh/triangle-tree.js';
import { NearestPoint } from '../../src/mesh/triangle-tree-nearest.js';
import { transferAttributes } from '../../src/mesh/vertex-attributes.js';
import { soup } from './sample-meshes.js';

const BOX = generateShape({ shape: 'box', size: 2, divisions: 4 });
const height = ({ positions }: TriangleMesh) =>
  Float64Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + 1]);

/** Largest difference of an attribute that is the height from the height. */
const worst = (mesh: TriangleMesh, values: Float64Array) =>
  height(mesh).reduce((most, y, v) => Math.max(most, Math.abs(values[v] - y)), 0);

describe('attributes', () => {
  it('of vertices that kept their places are the same numbers', () => {
    const apart = soup(BOX);
    const joined = joinSeams(apart) as TriangleMesh;
    expect(joined.positions.length).toBeLessThan(apart.positions.length);
    // Any numbers, the same in the same place.
    const value = (x: number, y: number, z: number) => Math.abs(Math.round(1e6 * (x + 3 * y + 7 * z))) % 97;
    const of = ({ positions: p }: TriangleMesh) =>
      Float64Array.from({ length: p.length / 3 }, (_, v) => value(p[3 * v], p[3 * v + 1], p[3 * v + 2]));
    expect([...transferAttributes(apart, { a: of(apart) }, joined).a]).toEqual([...of(joined)]);
  });

  it('of a cage are those of the surface next to it', async () => {
    // Half a box: a sheet, which gets a thickness.
    const open = { ...BOX, triangles: BOX.triangles.slice(0, BOX.triangles.length / 2) };
    const { bodies } = await makeSimulatable(open, { vertices: 300 });
    const [{ origin, mesh }] = bodies;
    expect(origin).toBe('cage');
    const { y } = transferAttributes(open, { y: height(open) }, mesh);
    const nearest = new NearestPoint(buildTriangleTree(open.positions, open.triangles));
    height(mesh).forEach((h, v) => {
      nearest.find(mesh.positions[3 * v], h, mesh.positions[3 * v + 2]);
      // The height is linear: at the nearest point it differs by no more than its distance, but for rounding.
      expect(Math.abs(y[v] - h)).toBeLessThan(nearest.distance + 1e-12);
    });
    expect(Math.max(...y) - Math.min(...y)).toBeGreaterThan(1);
  });

  it('of a finer mesh are between those of its corners', async () => {
    const { bodies } = await makeSimulatable(BOX, { vertices: 400 });
    expect(bodies[0].origin).toBe('refined');
    // Weights of a nearest point are rounded.
    expect(worst(bodies[0].mesh, transferAttributes(BOX, { y: height(BOX) }, bodies[0].mesh).y)).toBeLessThan(1e-12);
  });
});
