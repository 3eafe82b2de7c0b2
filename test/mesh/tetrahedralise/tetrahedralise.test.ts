// Isosurface stuffing: the paper's proven angles over many cuts, a conforming mesh with a closed boundary, the report.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { box, icosphere, torus } from '../../../src/mesh/generate/index.js';
import { readMesh } from '../../../src/mesh/io/read-mesh.js';
import { signedVolume } from '../../../src/mesh/measure.js';
import type { Field } from '../../../src/mesh/remesh/polygonise.js';
import { measureTetrahedra } from '../../../src/mesh/tetrahedralise/measure-tetrahedra.js';
import { ANGLE_BOUNDS, stuff } from '../../../src/mesh/tetrahedralise/stuff.js';
import { boundaryOf, findFaceOfThree, type TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';
import { tetrahedralise } from '../../../src/mesh/tetrahedralise/tetrahedralise.js';
import type { Bounds } from '../../../src/mesh/triangle-mesh.js';
import { findProblems } from '../../../src/mesh/validate.js';
import { readSharedMesh, sharedMeshesAvailable } from '../../shared-meshes.js';

const AROUND: Bounds = [
  [-0.7, -0.7, -0.7],
  [0.7, 0.7, 0.7],
];
const sphere: Field = (x, y, z) => Math.sqrt(x * x + y * y + z * z) - 0.5;

/** No face of three, the boundary closed and manifold, and the volume inside it that of the tetrahedra. */
function expectConforming(mesh: TetraMesh): void {
  expect(findFaceOfThree(mesh.tetrahedra)).toBe(-1);
  const { mesh: shell } = boundaryOf(mesh);
  expect(findProblems(shell)).toEqual([]);
  const { volume, invertedCount } = measureTetrahedra(mesh);
  expect(invertedCount).toBe(0);
  // The divergence theorem holds to rounding only where every inner face is shared by exactly two.
  expect(Math.abs(signedVolume(shell.positions, shell.triangles) / volume - 1)).toBeLessThan(1e-12);
}

describe('stuff', () => {
  it('keeps the proven angles on wavy bodies cut at random', () => {
    const random = seededRandom(7);
    let [smallest, largest] = [180, 0];
    for (let body = 0; body < 14; body++) {
      const [a, b, c, sx, sz, wave] = Array.from({ length: 6 }, random);
      const field: Field = (px, py, pz) => {
        const [x, y, z] = [px - 0.1 * a, py - 0.1 * b, pz - 0.1 * c];
        const radius = Math.sqrt(x * x * (1 + sx) + y * y + z * z * (1 + sz));
        // Waves of slope 0.45 on stretches of √2: divided by 1.9, no steeper than a distance.
        return (radius - 0.4 + 0.05 * Math.sin(9 * x + 6 * wave) * Math.sin(8 * y)) / 1.9;
      };
      const mesh = stuff(field, AROUND, { cell: 0.12 + 0.05 * random(), grading: body % 3 });
      expectConforming(mesh);
      const measures = measureTetrahedra(mesh);
      smallest = Math.min(smallest, measures.smallestAngle);
      largest = Math.max(largest, measures.largestAngle);
    }
    expect(smallest).toBeGreaterThan(ANGLE_BOUNDS[0]);
    expect(largest).toBeLessThan(ANGLE_BOUNDS[1]);
    // The bounds are neared, so the bodies did test them.
    expect(smallest).toBeLessThan(20);
  });

  it('has its boundary nodes on the surface', () => {
    const mesh = stuff(sphere, AROUND, { cell: 0.12, grading: 0 });
    const { positions } = boundaryOf(mesh).mesh;
    for (let k = 0; k < positions.length; k += 3) {
      expect(Math.abs(sphere(positions[k], positions[k + 1], positions[k + 2]))).toBeLessThan(1e-8);
    }
  });

  it('converges to the volume with the square of the cell', () => {
    const errors = [0.16, 0.08].map((cell) => {
      const { volume } = measureTetrahedra(stuff(sphere, AROUND, { cell, grading: 0 }));
      return 1 - volume / (Math.PI / 6);
    });
    expect(errors[0]).toBeGreaterThan(0);
    // Chords under an arc: a quarter for half the cell, a third with room for where the lattice lies.
    expect(errors[1]).toBeLessThan(errors[0] / 3);
  });

  it('grows cells inwards, conforming, with the surface as it was', () => {
    const even = stuff(sphere, AROUND, { cell: 0.06, grading: 0 });
    const graded = stuff(sphere, AROUND, { cell: 0.06, grading: 3 });
    expectConforming(graded);
    expect(graded.tetrahedra.length).toBeLessThan(0.9 * even.tetrahedra.length);
    expect(boundaryOf(graded).mesh.triangles.length).toBe(boundaryOf(even).mesh.triangles.length);
    const fineWithin = stuff(sphere, AROUND, { cell: 0.06, grading: 3, cellAt: () => 0.06 });
    expect(fineWithin.tetrahedra.length).toBe(even.tetrahedra.length);
  });
});

describe('tetrahedralise', () => {
  it.each([
    ['a sphere', icosphere({ radius: 0.5 }), 2000],
    ['a torus', torus(), 3000],
  ])('meets the count of %s and reports what it made', (_, mesh, count) => {
    const made = tetrahedralise(mesh, { count });
    expectConforming(made);
    // The count of a symmetric body jumps by a layer of cells at a time.
    expect(Math.abs(made.measures.tetrahedra / count - 1)).toBeLessThan(0.15);
    expect(made.measures.smallestAngle).toBeGreaterThan(ANGLE_BOUNDS[0]);
    expect(made.measures.largestAngle).toBeLessThan(ANGLE_BOUNDS[1]);
    expect(made.lostCount).toBe(0);
    // Between nodes that lie on it the surface bulges by an eighth of an edge squared over the radius.
    expect(Math.max(made.deviation.outside, made.deviation.apart)).toBeLessThan(0.25 * made.cell);
    expect(Math.abs(made.measures.volume / signedVolume(mesh.positions, mesh.triangles) - 1)).toBeLessThan(0.05);
  });

  it('gives the same bits again', () => {
    const [a, b] = [0, 1].map(() => tetrahedralise(icosphere({ radius: 0.5 }), { cell: 0.2 }));
    expect(a.positions).toEqual(b.positions);
    expect(a.tetrahedra).toEqual(b.tetrahedra);
  });

  it('takes a body with corners', () => {
    const made = tetrahedralise(box({ size: 1 }), { cell: 0.13 });
    expect(made.measures.invertedCount).toBe(0);
    expect(findProblems(made.boundary.mesh)).toEqual([]);
  });

  it.each([
    [{ count: 5 }, 'count: expected a number from 100 to 2000000, got 5'],
    [{ cell: -1 }, 'cell: expected a positive number, got -1'],
    [{ grading: 1.5 }, 'grading: expected an integer from 0 to 6, got 1.5'],
    [{ cell: 0.1, count: 200 }, 'tetrahedralise: expected either count or cell, got both'],
    [{ cels: 1 }, 'tetrahedralise: unknown option cels, did you mean cell?'],
  ])('refuses %j', (options, message) => {
    expect(() => tetrahedralise(icosphere(), options as object)).toThrow(message);
  });

  it.skipIf(!sharedMeshesAvailable)(
    'fills scanned and modelled bodies (skipped without ../shared/meshes)',
    async () => {
      for (const name of ['spot_829.obj', 'armadillo_1000.obj']) {
        const mesh = await readMesh(readSharedMesh(`closed/${name}`), name);
        const made = tetrahedralise(mesh, { count: 3000 });
        expectConforming(made);
        expect(made.measures.smallestAngle).toBeGreaterThan(ANGLE_BOUNDS[0]);
        expect(made.measures.largestAngle).toBeLessThan(ANGLE_BOUNDS[1]);
        // Nothing is added beyond the surface; what is thinner than the cells may be missing.
        expect(made.deviation.apart).toBeLessThan(made.cell);
        const share = made.measures.volume / signedVolume(mesh.positions, mesh.triangles);
        expect(share).toBeGreaterThan(0.85);
        expect(share).toBeLessThan(1.01);
      }
    },
  );

  it('refuses an open surface by name', () => {
    const { positions, triangles } = icosphere({ detail: 1 });
    expect(() => tetrahedralise({ positions, triangles: triangles.slice(3) })).toThrow(
      'mesh: expected a closed surface',
    );
  });
});
