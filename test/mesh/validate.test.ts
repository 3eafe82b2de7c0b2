import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { inspectMesh } from '../../src/mesh/inspect.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';
import { PLACES_LISTED, validate } from '../../src/mesh/validate.js';
import { combine, cube, flipped, gridTorus, meshOf, moved, soup, tetrahedron } from './sample-meshes.js';

const codesOf = (mesh: TriangleMesh) => validate(mesh).problems.map(({ code }) => code);
const without = ({ positions, triangles }: TriangleMesh, count: number): TriangleMesh => ({
  positions,
  triangles: triangles.slice(3 * count),
});
const turned = (mesh: TriangleMesh): TriangleMesh => {
  const triangles = mesh.triangles.slice();
  triangles.subarray(0, 2).reverse();
  return { positions: mesh.positions, triangles };
};
/** Identifies a square's sides with one pair crossed over: closed, every edge with two triangles, one-sided. */
function kleinBottle(n: number): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (i: number, j: number) => (i < n ? n * i + (j % n) : (n - (j % n)) % n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [u, v] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / n];
      const ring = 3 + Math.cos(u / 2) * Math.sin(v) - Math.sin(u / 2) * Math.sin(2 * v);
      const height = Math.sin(u / 2) * Math.sin(v) + Math.cos(u / 2) * Math.sin(2 * v);
      positions.push(ring * Math.cos(u), height, ring * Math.sin(u));
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return meshOf(positions, triangles);
}

describe('validate', () => {
  it.each([
    ['cube', cube()],
    ['tetrahedron', tetrahedron()],
    ['torus', gridTorus(16, 9)],
    ['tiny cube far away', cube([1000, 0, 0], 1e-3)],
    ['flat box', { ...cube(), positions: cube().positions.map((value, i) => (i % 3 === 1 ? 1e-6 * value : value)) }],
  ])('accepts a %s', (_, mesh) => {
    expect(validate(mesh)).toEqual({ simulatable: true, problems: [], warnings: [] });
  });

  const nan = cube();
  nan.positions[4] = Number.NaN;
  const shared = combine(cube(), cube([1, 1, 1]));
  const pinched = { ...shared, triangles: shared.triangles.map((v) => (v === 8 ? 7 : v)) };

  it.each<[string, TriangleMesh, string[]]>([
    ['nothing', meshOf([], []), ['empty']],
    ['points', meshOf([0, 0, 0], []), ['empty', 'unreferenced-vertex']],
    ['a hole', without(cube(), 1), ['open-edge']],
    ['a soup', soup(tetrahedron()), ['open-edge', 'several-components']],
    ['a turned triangle', turned(cube()), ['inconsistent-winding']],
    ['an inverted cube', flipped(cube()), ['inward-orientation']],
    ['a pillow', meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2, 0, 2, 1]), ['inward-orientation']],
    ['two cubes', combine(cube(), moved(cube(), [3, 0, 0])), ['several-components']],
    [
      'a loose vertex',
      { ...cube(), positions: Float64Array.of(...cube().positions, 0, 0, 0) },
      ['unreferenced-vertex'],
    ],
    ['NaN', nan, ['non-finite-vertex']],
    [
      'a third face on an edge',
      meshOf([...tetrahedron().positions, 5, 5, 5], [...tetrahedron().triangles, 0, 1, 4]),
      ['open-edge', 'non-manifold-edge'],
    ],
    ['two cubes in one vertex', pinched, ['unreferenced-vertex', 'non-manifold-vertex']],
    ['a repeated index', meshOf([...cube().positions], [...cube().triangles, 3, 3, 5]), ['degenerate-triangle']],
    ['a missing vertex', meshOf([...cube().positions], [...cube().triangles, 1, 2, 8]), ['index-out-of-range']],
    ['a Klein bottle', kleinBottle(12), ['non-orientable']],
    [
      'an incomplete triangle',
      { ...cube(), triangles: Uint32Array.of(...cube().triangles, 1) },
      ['index-out-of-range'],
    ],
  ])('names what is wrong with %s', (_, mesh, expected) => {
    expect(codesOf(mesh)).toEqual(expected);
    expect(validate(mesh).simulatable).toBe(false);
  });

  it('names every reason at once', () => {
    const broken = combine(turned(without(gridTorus(8, 8), 1)), moved(cube(), [9, 0, 0]));
    const mesh = meshOf([...broken.positions, 1, Infinity, 0], [...broken.triangles, 5, 5, 6, 900, 0, 1]);
    expect(codesOf(mesh)).toEqual([
      'index-out-of-range',
      'non-finite-vertex',
      'unreferenced-vertex',
      'degenerate-triangle',
      'open-edge',
      'inconsistent-winding',
      'several-components',
    ]);
  });

  it('says where, with the first places and the total count', () => {
    const [open] = validate(without(cube(), 1)).problems;
    expect(open.places).toEqual([{ edge: [0, 2] }, { edge: [0, 3] }, { edge: [2, 3] }]);
    expect(open.message).toContain('3 edges');
    const [many] = validate(soup(gridTorus(10, 10))).problems;
    expect(many.places.length).toBe(PLACES_LISTED);
    expect(many.message).toContain('600 edges');
  });

  it('calls a triangle flat in proportion to the mesh, at any scale', () => {
    // Moves one corner of a split face onto, or nearly onto, the face's diagonal.
    const split = (off: number, scale: number) => {
      const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0].map((value) => scale * value);
      positions[13] = scale * off;
      return codesOf(meshOf(positions, [0, 2, 4, 4, 2, 1, 0, 1, 3, 0, 4, 1, 0, 3, 2, 1, 2, 3]));
    };
    for (const scale of [1e-6, 1, 1e6]) {
      expect(split(0, scale)).toEqual(['degenerate-triangle']);
      expect(split(1e-9, scale)).toEqual([]);
    }
  });

  it('only warns of a surface that crosses itself', () => {
    // Its tube is wider than its ring. Jitter, because crossings exactly in edges of a regular grid count as touching.
    const random = seededRandom(2);
    const regular = gridTorus(24, 16, 0.5, 0.8);
    const torus = { ...regular, positions: regular.positions.map((value) => value + 1e-3 * random()) };
    const { simulatable, warnings } = validate(torus);
    expect(simulatable).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['self-intersection']);
  });

  it('never throws, and its findings survive JSON', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 300; round++) {
      const special = [Number.NaN, Infinity, -Infinity, 1e308, -1e308, 1e-320, 0];
      const positions = Float64Array.from({ length: Math.floor(random() * 40) }, () =>
        random() < 0.2 ? special[Math.floor(random() * special.length)] : Math.round(4 * random()),
      );
      const triangles = Uint32Array.from({ length: Math.floor(random() * 60) }, () =>
        random() < 0.05 ? 2 ** 32 - 1 : random() * 14,
      );
      const inspection = inspectMesh({ positions, triangles });
      expect(JSON.parse(JSON.stringify(inspection))).toEqual(inspection);
    }
  });
});

describe('inspectMesh', () => {
  it('has exactly the agreed keys in the agreed order', () => {
    expect(Object.keys(inspectMesh(cube())).join(' ')).toBe(
      'vertices triangles closed manifold oriented components genus volume area bounds duplicateVertices degenerateTriangles simulatable problems',
    );
  });

  it('knows a cube and its soup', () => {
    expect(inspectMesh(cube([0, 0, 0], 2))).toMatchObject({
      vertices: 8,
      triangles: 12,
      closed: true,
      manifold: true,
      oriented: true,
      components: 1,
      genus: 0,
      area: 24,
      duplicateVertices: 0,
      degenerateTriangles: 0,
      simulatable: true,
      problems: [],
    });
    expect(inspectMesh(soup(cube()))).toMatchObject({
      vertices: 36,
      closed: false,
      components: 12,
      duplicateVertices: 28,
    });
  });

  it('gives null for what cannot be said', () => {
    const mesh = cube();
    mesh.positions[0] = Number.NaN;
    expect(inspectMesh(mesh)).toMatchObject({ volume: null, area: null, genus: 0, simulatable: false });
    expect(inspectMesh(without(cube(), 2)).genus).toBeNull();
  });
});
