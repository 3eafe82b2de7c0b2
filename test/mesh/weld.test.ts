import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
} from 'three';
import { describe, expect, it } from 'vitest';
import { measure } from '../../src/mesh/measure.js';
import { validate } from '../../src/mesh/validate.js';
import { NO_VERTEX, weld } from '../../src/mesh/weld.js';
import { combine, cube, fromGeometry, gridTorus, meshOf, soup, tetrahedron, triples } from './sample-meshes.js';

const geometries: [string, BufferGeometry, number, number][] = [
  // name, geometry, vertices after welding (counted by hand), genus
  ['SphereGeometry', new SphereGeometry(1, 24, 12), 24 * 11 + 2, 0],
  ['TorusGeometry', new TorusGeometry(1, 0.4, 12, 24), 12 * 24, 1],
  ['TorusKnotGeometry', new TorusKnotGeometry(1, 0.3, 64, 8), 64 * 8, 1],
  ['CapsuleGeometry', new CapsuleGeometry(0.5, 1, 6, 16, 3), 16 * (2 * 5 + 2 + 2) + 2, 0],
  ['BoxGeometry', new BoxGeometry(1, 2, 3, 4, 5, 6), 2 + 2 * (4 * 5 + 5 * 6 + 6 * 4), 0],
  ['CylinderGeometry', new CylinderGeometry(1, 1, 2, 20, 3), 20 * 4 + 2, 0],
  ['ConeGeometry', new ConeGeometry(1, 2, 20, 3), 20 * 3 + 2, 0],
];

describe('weld', () => {
  it.each(geometries)("closes three's %s", (_, geometry, vertices, genus) => {
    const raw = fromGeometry(geometry);
    expect(validate(raw).simulatable).toBe(false);
    const welded = weld(raw);
    expect(validate(welded.mesh).problems).toEqual([]);
    expect(measure(welded.mesh)).toMatchObject({ vertices, genus });
    expect(welded.keptApart).toBe(0);
    expect(welded.merged).toBe(raw.positions.length / 3 - vertices);
    expect(welded.droppedTriangles).toBe((raw.triangles.length - welded.mesh.triangles.length) / 3);
    // Seams move by the tolerance at most: 1e-6 of the diagonal, times the area.
    expect(Math.abs(measure(welded.mesh).volume - measure(raw).volume)).toBeLessThan(1e-4);
  });

  it('closes float32 seams in soups at any place and size', () => {
    for (const size of [1e-3, 1, 1e5]) {
      const raw = fromGeometry(new SphereGeometry(size, 40, 20).translate(3 * size, 0, -size).toNonIndexed());
      expect(validate(weld(raw).mesh).problems).toEqual([]);
    }
  });

  it('maps every old vertex to its place', () => {
    const raw = fromGeometry(new BoxGeometry(1, 1, 1));
    const { mesh, vertexMap } = weld(raw, { tolerance: 0 });
    for (let i = 0; i < raw.positions.length; i++) {
      expect(mesh.positions[3 * vertexMap[Math.floor(i / 3)] + (i % 3)]).toBe(raw.positions[i]);
    }
    expect(mesh.positions.length).toBe(24);
  });

  it('takes -0 for 0, and nothing else for it without tolerance', () => {
    const mesh = meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, -0, 1, 0, 0, 0, -1, 0], [0, 1, 2, 4, 3, 5]);
    expect(weld(mesh, { tolerance: 0 }).merged).toBe(2);
    const apart = { ...mesh, positions: mesh.positions.map((value, i) => (i === 9 ? 1e-200 : value)) };
    expect(weld(apart, { tolerance: 0 }).merged).toBe(0);
  });

  it('leaves a closed mesh as it is', () => {
    for (const mesh of [cube(), tetrahedron(), gridTorus(30, 20)]) {
      const welded = weld(mesh);
      expect(welded.mesh).toEqual(mesh);
      expect(welded).toMatchObject({ merged: 0, droppedTriangles: 0, keptApart: 0 });
    }
  });

  it.each([
    ['vertex', [1, 1, 1], 1],
    ['edge', [1, 1, 0], 2],
    ['face', [1, 0, 0], 4],
  ] as const)('keeps two closed cubes apart that touch in a %s', (_, low, coincident) => {
    const both = combine(cube(), cube(low));
    for (const mesh of [both, soup(both)]) {
      const welded = weld(mesh);
      expect(measure(welded.mesh)).toMatchObject({ vertices: 16, triangles: 24, components: 2, genus: 0 });
      expect(validate(welded.mesh).problems.map(({ code }) => code)).toEqual(['several-components']);
      expect(welded.keptApart).toBe(coincident);
    }
  });

  it('keeps vertices apart that are in one place on one closed surface', () => {
    // A torus whose hole is pinched: its inner ring of vertices meets in the middle.
    const torus = gridTorus(12, 8, 0.5, 0.5);
    torus.positions.forEach((value, i) => {
      if (Math.abs(value) < 1e-12) torus.positions[i] = 0;
    });
    expect(validate(torus).problems.filter(({ code }) => code.startsWith('non-manifold'))).toEqual([]);
    const welded = weld(torus);
    const codes = validate(welded.mesh).problems.map(({ code }) => code);
    expect(codes.filter((code) => code === 'non-manifold-edge' || code === 'non-manifold-vertex')).toEqual([]);
    expect(codes).not.toContain('open-edge');
    expect(welded.keptApart).toBeGreaterThan(0);
  });

  it('collapses an edge without length where that leaves a surface', () => {
    // Octahedron-like: vertex 0 twice in one place, joined by an edge between two slivers.
    const mesh = meshOf(
      [0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1, 0, -1, 0],
      [0, 3, 2, 0, 2, 1, 1, 2, 5, 1, 5, 4, 1, 4, 0, 0, 4, 3, 6, 2, 3, 6, 5, 2, 6, 4, 5, 6, 3, 4],
    );
    expect(validate(mesh).problems.map(({ code }) => code)).toEqual(['degenerate-triangle']);
    const welded = weld(mesh, { tolerance: 0 });
    expect(welded).toMatchObject({ merged: 1, droppedTriangles: 2, keptApart: 0 });
    expect(validate(welded.mesh).problems).toEqual([]);
  });

  it('does not need the windings to agree', () => {
    const raw = soup(cube());
    raw.triangles.set([1, 0], 0);
    expect(weld(raw).mesh.positions.length).toBe(24);
  });

  it('drops vertices whose triangles collapse, and merges loose ones into their place', () => {
    const mesh = meshOf([...cube().positions, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 1], [...cube().triangles, 8, 9, 10]);
    const welded = weld(mesh, { tolerance: 0 });
    expect(welded.mesh).toEqual(cube());
    expect([...welded.vertexMap.subarray(8)]).toEqual([NO_VERTEX, NO_VERTEX, NO_VERTEX, 7]);
  });

  it('leaves non-finite vertices and indices out of range for validate to name', () => {
    const mesh = meshOf([Number.NaN, 0, 0, Number.NaN, 0, 0, 1, 0, 0], [0, 1, 2, 0, 1, 7]);
    const welded = weld(mesh);
    expect(triples(welded.mesh.triangles)).toEqual([
      [0, 1, 2],
      [0, 1, 7],
    ]);
  });

  it('is quick with everything in one place', () => {
    const count = 30_000;
    const heap = {
      positions: new Float64Array(9 * count).fill(1),
      triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
    };
    const same = {
      positions: Float64Array.from({ length: 9 * count }, (_, i) => [0, 0, 0, 1, 0, 0, 0, 1, 0][i % 9]),
      triangles: heap.triangles,
    };
    const start = performance.now();
    expect(weld(heap).mesh.triangles.length).toBe(0);
    expect(weld(same).keptApart).toBe(3 * count - 3);
    // Quadratic work would be 9e8 steps and more; this only tells it from n log n.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
