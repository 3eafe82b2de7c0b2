// Real meshes, good and bad, against the table that came with them. The table describes files as stored; it was made by
// other tools.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectMesh } from '../../src/mesh/inspect.js';
import { readMesh } from '../../src/mesh/io/read-mesh.js';
import { measure } from '../../src/mesh/measure.js';
import { orient } from '../../src/mesh/orient.js';
import { validate } from '../../src/mesh/validate.js';
import { weld } from '../../src/mesh/weld.js';
import { readSharedMesh, sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';
import { soup } from './sample-meshes.js';

const absent = sharedMeshesAvailable ? '' : ' (../shared/meshes absent: skipped)';
const read = (file: string) =>
  readMesh(readSharedMesh(file), file, { resolve: async (path) => readSharedMesh(`gltf/${path}`) });

interface Row {
  file: string;
  vertices: number;
  triangles: number;
  closed: boolean;
  manifold: boolean;
  components: number;
  volume: number;
}

function readTable(): Row[] {
  if (!sharedMeshesAvailable) return [];
  return readFileSync(sharedMeshPath('README.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, file]) => /^(closed|bad|gltf)\//.test(file ?? ''))
    .map(([, file, vertices, triangles, closed, manifold, components, volume]) => ({
      file,
      vertices: Number(vertices),
      triangles: Number(triangles),
      closed: closed === 'True',
      manifold: manifold === 'True',
      components: Number(components),
      volume: Number(volume),
    }));
}

/** What must be named for each bad file, in the order of `validate`, warnings last. */
const PROBLEMS: Record<string, string[]> = {
  'bad_cube.off': ['open-edge', 'non-manifold-edge'],
  'bunny_stl_soup.stl': [],
  'cubes_edge_touch.off': ['non-manifold-edge'],
  'degtri_nullface.off': ['degenerate-triangle', 'open-edge'],
  'elephant_with_holes.off': ['open-edge'],
  'fan3.obj': ['open-edge', 'non-manifold-edge'],
  'hand_open_810.obj': ['open-edge'],
  'hourglass_ico.obj': ['non-manifold-vertex'],
  // Despite its name every vertex has a triangle; the two triangles meet in a vertex only.
  'isolated_vertices.off': ['open-edge', 'non-manifold-vertex'],
  'joined_tetrahedra.obj': ['non-manifold-edge'],
  'moebius.obj': ['open-edge', 'non-orientable'],
  'nested_cubes.off': ['several-components'],
  'open_cube.off': ['open-edge'],
  'rabbit_9comps.obj': ['several-components', 'self-intersection'],
  'soup_random.stl': ['open-edge', 'several-components', 'self-intersection'],
  'teapot_npm.obj': ['open-edge', 'several-components', 'self-intersection'],
  'wrongly_oriented_cube.off': ['inward-orientation'],
};

/** Where we read something else than the table's author, who passed over strips and fans, and over mirrored nodes. */
const OTHERWISE: Record<string, Partial<Row>> = {
  // STL is welded on reading, so the soup of the bunny is closed; the table says how many vertices that leaves.
  'bad/bunny_stl_soup.stl': { vertices: 1366, closed: true, components: 1 },
  'gltf/MeshPrimitiveModes.gltf': { vertices: 21, triangles: 16, components: 3 },
  // Three of six balls of 0.519 m³ stand in mirrored nodes; turned inside out they cancelled the other three.
  'gltf/NegativeScaleTest.glb': { volume: 4.647 },
};

const GENUS: Record<string, number> = { 'bob_duckring.obj': 1, 'eight_315.off': 2, 'torus_400.obj': 1 };

describe('shared meshes', () => {
  it.skipIf(!sharedMeshesAvailable)(`has all files of the table${absent}`, () => {
    expect(readTable().length).toBe(42);
  });

  for (const row of readTable()) {
    it(`${row.file} is what the table says`, async () => {
      const found = inspectMesh(await read(row.file));
      const expected = { ...row, ...OTHERWISE[row.file] };
      const { vertices, triangles, closed, manifold, components } = found;
      const { file, volume, ...counts } = expected;
      expect({ vertices, triangles, closed, manifold, components }).toEqual(counts);
      // The table has five digits.
      expect(Math.abs((found.volume ?? Number.NaN) - volume)).toBeLessThanOrEqual(6e-5 * Math.abs(volume) + 1e-12);

      const name = file.split('/')[1];
      const codes = found.problems.map(({ code }) => code);
      if (file.startsWith('bad/')) expect(codes).toEqual(PROBLEMS[name]);
      else if (file.startsWith('closed/')) {
        expect(codes.filter((code) => code !== 'self-intersection')).toEqual([]);
        expect(found.genus).toBe(GENUS[name] ?? 0);
      }
      expect(found.simulatable).toBe(file.startsWith('closed/') || name === 'bunny_stl_soup.stl');
    });
  }

  it.skipIf(!sharedMeshesAvailable)(`counts the elephant's coincident vertices${absent}`, async () => {
    const elephant = await read('bad/elephant_with_holes.off');
    expect(inspectMesh(elephant).duplicateVertices).toBe(65);
    // They are corners of two holes meeting in a point: merging them would make vertices with two fans.
    expect(weld(elephant)).toMatchObject({ merged: 0, keptApart: 65 });
  });

  it.skipIf(!sharedMeshesAvailable)(`welds the teapot's 32 patches${absent}`, async () => {
    const welded = weld(await read('bad/teapot_npm.obj'));
    // The table knows three bodies after merging equal positions: two of our four only share the place of one vertex.
    expect(measure(welded.mesh).components).toBe(4);
    expect(welded.keptApart).toBe(1);
  });

  it.skipIf(!sharedMeshesAvailable)(`stitches soups of closed meshes to what they were${absent}`, async () => {
    for (const file of ['closed/eight_315.off', 'closed/armadillo_1000.obj', 'closed/bob_duckring.obj']) {
      const mesh = await read(file);
      const welded = weld(soup(mesh), { tolerance: 0 });
      expect(welded.mesh.positions.length).toBe(mesh.positions.length);
      expect(validate(welded.mesh).problems).toEqual([]);
    }
  });

  it.skipIf(!sharedMeshesAvailable)(`stitches the soup of bodies that touch to closed bodies${absent}`, async () => {
    for (const file of ['cubes_edge_touch.off', 'hourglass_ico.obj', 'joined_tetrahedra.obj']) {
      const welded = weld(soup(await read(`bad/${file}`)));
      expect(measure(welded.mesh)).toMatchObject({ components: 2, genus: 0 });
    }
  });

  it.skipIf(!sharedMeshesAvailable)(`orients the cube that faces inwards${absent}`, async () => {
    const result = orient(await read('bad/wrongly_oriented_cube.off'));
    expect(result.flipped).toBe(12);
    expect(validate(result.mesh).simulatable).toBe(true);
    expect(orient(await read('bad/moebius.obj')).orientable).toBe(false);
  });
});
