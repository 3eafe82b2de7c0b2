// Regions by radius: they reach it, what is wider is made up for by the stiffness, and neither resolution nor unit of
// length decides.

import { describe, expect, it } from 'vitest';
import {
  boundingSphere,
  buildAdjacency,
  icosphere,
  surface,
  type TriangleMesh,
  vertexAreas,
} from '../../../src/index.js';
import { chooseRings } from '../../../src/solvers/surface/region-radius.js';
import { MAX_REGION_SIZE } from '../../../src/solvers/surface/settings.js';
import { ballAround, neighbourSets } from '../kernel-meshes.js';

const choose = (mesh: TriangleMesh, options: Parameters<typeof surface>[0]) =>
  chooseRings(surface(options).settings, buildAdjacency(mesh), mesh.positions, vertexAreas(mesh));

/** √2 times the rms distance of the region's area from its centre: the radius of a flat disc. */
function widthOf(mesh: TriangleMesh, rings: number): number {
  const areas = vertexAreas(mesh);
  const neighbours = neighbourSets(mesh);
  const count = areas.length;
  let [weight, square] = [0, 0];
  for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 60))) {
    const members = [...ballAround(neighbours, i, rings)];
    const area = members.reduce((sum, j) => sum + areas[j], 0);
    const centre = [0, 1, 2].map(
      (c) => members.reduce((sum, j) => sum + areas[j] * mesh.positions[3 * j + c], 0) / area,
    );
    const moment = members.reduce(
      (sum, j) => sum + areas[j] * centre.reduce((d2, x, c) => d2 + (mesh.positions[3 * j + c] - x) ** 2, 0),
      0,
    );
    weight += areas[i];
    square += (areas[i] * moment) / area;
  }
  return Math.sqrt((2 * square) / weight);
}

describe('chooseRings', () => {
  it('takes the rings as given without a radius', () => {
    for (const regionSize of [1, 3, MAX_REGION_SIZE]) {
      expect(choose(icosphere({ detail: 2 }), { regionSize })).toEqual({ rings: regionSize, stiffnessScale: 1 });
    }
  });

  it.each([0.08, 0.15, 0.3])(
    'takes the fewest rings that reach the radius %d, whatever the resolution',
    (regionRadius) => {
      for (const detail of [1, 2, 3, 4]) {
        const mesh = icosphere({ detail });
        const { rings, stiffnessScale } = choose(mesh, { regionRadius });
        const radius = regionRadius * 2 * boundingSphere(mesh.positions).radius;
        if (rings === MAX_REGION_SIZE) continue;
        // Both look at a sample of the vertices; those of an icosphere differ by less than 3 %.
        expect(widthOf(mesh, rings)).toBeGreaterThan(0.97 * radius);
        if (rings > 1) expect(widthOf(mesh, rings - 1)).toBeLessThan(1.03 * radius);
        expect(stiffnessScale).toBeGreaterThan(0);
        expect(stiffnessScale).toBeLessThanOrEqual(1);
        // s falls by the cube of what the regions are wider than asked for; 10 % is the cube of the 3 %.
        const cube = Math.min(1, (radius / widthOf(mesh, rings)) ** 3);
        expect(Math.abs(stiffnessScale / cube - 1)).toBeLessThan(0.1);
      }
    },
  );

  it('takes twice the rings on a mesh twice as fine, to a ring', () => {
    const rings = [3, 4, 5].map((detail) => choose(icosphere({ detail }), { regionRadius: 0.12 }).rings);
    expect(Math.abs(rings[1] - 2 * rings[0])).toBeLessThanOrEqual(1);
    expect(Math.abs(rings[2] - 2 * rings[1])).toBeLessThanOrEqual(1);
  });

  it('stops at the largest region where the mesh is too fine', () => {
    const { rings, stiffnessScale } = choose(icosphere({ detail: 5 }), { regionRadius: 0.6 });
    expect(rings).toBe(MAX_REGION_SIZE);
    expect(stiffnessScale).toBe(1);
  });

  it.each([1024, 1 / 1024])('does not depend on the unit of length: bodies %d times as large', (unit) => {
    // Powers of two: not even the rounding differs.
    const mesh = icosphere({ detail: 3 });
    const scaled = { positions: mesh.positions.map((x) => x * unit), triangles: mesh.triangles };
    expect(choose(scaled, { regionRadius: 0.15 })).toEqual(choose(mesh, { regionRadius: 0.15 }));
  });
});
