// Files of tetrahedra: real ones have the figures of their README, every format gives back what it was given, and bad ones
// are refused by name.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/math/random.js';
import { MeshReadError } from '../../../../src/mesh/io/mesh-read-error.js';
import { readTetrahedra } from '../../../../src/mesh/io/tet/read-tetrahedra.js';
import {
  WRITTEN_TETRA_FORMATS,
  type WrittenTetraFormat,
  writeTetrahedra,
} from '../../../../src/mesh/io/tet/write-tetrahedra.js';
import { measureTetrahedra } from '../../../../src/mesh/tetrahedralise/measure-tetrahedra.js';
import { boundaryOf, type TetraMesh } from '../../../../src/mesh/tetrahedralise/tetra-mesh.js';
import { readSharedMesh, sharedMeshesAvailable } from '../../../shared-meshes.js';
import { ball, kuhnBox } from '../../../solvers/tetrahedra/tetra-bodies.js';

/** Of the README beside the files. */
const FIGURES: [string, nodes: number, tetrahedra: number, faces: number, volume: number][] = [
  ['tet.msh', 4, 1, 4, 0.16666667],
  ['cube.msh', 8, 6, 12, 1],
  ['bar-2523.msh', 886, 2523, 1618, 5],
  ['torus.msh', 200, 491, 400, 0.072654448],
  ['sphere1K.msh', 1760, 6851, 2474, 0.51847697],
  ['coarser_bunny.mesh', 500, 1518, 834, 920754.67],
  ['arma_6.node', 259, 627, 500, 0.10027769],
];

function readFile(name: string): TetraMesh {
  const companion = name.endsWith('.node') ? readSharedMesh(`tet/${name.replace('.node', '.ele')}`) : undefined;
  return readTetrahedra(readSharedMesh(`tet/${name}`), name, { companion });
}

/** Writes and reads again. */
function pass(mesh: TetraMesh, format: WrittenTetraFormat): TetraMesh {
  const bytes = writeTetrahedra(mesh, format);
  if (format === 'node') return readTetrahedra(bytes, 'a.node', { companion: writeTetrahedra(mesh, 'ele') });
  if (format === 'ele') return readTetrahedra(bytes, 'a.ele', { companion: writeTetrahedra(mesh, 'node') });
  return readTetrahedra(bytes, `a.${format.split('-')[0]}`);
}

describe.skipIf(!sharedMeshesAvailable)('real files (skipped without ../shared/meshes)', () => {
  it.each(FIGURES)('%s has %i nodes and %i tetrahedra', (name, nodes, tetrahedra, faces, volume) => {
    const mesh = readFile(name);
    const measures = measureTetrahedra(mesh);
    expect(measures).toMatchObject({ nodes, tetrahedra, invertedCount: 0 });
    expect(boundaryOf(mesh).mesh.triangles.length / 3).toBe(faces);
    // The README has eight digits.
    expect(Math.abs(measures.volume / volume - 1)).toBeLessThan(1e-7);
    for (const format of WRITTEN_TETRA_FORMATS) {
      const again = pass(mesh, format);
      expect(again.positions, format).toEqual(mesh.positions);
      expect(again.tetrahedra, format).toEqual(mesh.tetrahedra);
    }
  });
});

describe.each(WRITTEN_TETRA_FORMATS)('%s', (format) => {
  it('gives back every bit', () => {
    const mesh = ball(0.25);
    mesh.positions[0] = -0;
    mesh.positions[1] += 1e-17;
    const again = pass(mesh, format);
    expect(again.positions).toEqual(mesh.positions);
    expect(again.tetrahedra).toEqual(mesh.tetrahedra);
  });

  it('is refused wherever it is cut off, with one line that names the file', () => {
    const mesh = kuhnBox(1, 1, 2);
    const bytes = writeTetrahedra(mesh, format);
    const other = { node: 'ele', ele: 'node' } as const;
    const companion = format in other ? writeTetrahedra(mesh, other[format as 'node']) : undefined;
    const name = `a.${format.split('-')[0]}`;
    const whole = readTetrahedra(bytes, name, { companion });
    for (let length = 0; length < bytes.length; length += 7) {
      let found: TetraMesh | undefined;
      try {
        found = readTetrahedra(bytes.subarray(0, length), name, { companion });
      } catch (problem) {
        expect(problem).toBeInstanceOf(MeshReadError);
        expect((problem as Error).message).toMatch(/^a\.\w+: .*expected [^\n]*$/);
      }
      // Only what ends in digits of a last number, or before a closing word, can pass for whole.
      if (found) expect(found.positions.length).toBe(whole.positions.length);
    }
  });

  it('takes any damage as a MeshReadError', () => {
    const random = seededRandom(8);
    const bytes = writeTetrahedra(kuhnBox(1, 1, 2), format);
    const companion = writeTetrahedra(kuhnBox(1, 1, 2), format === 'node' ? 'ele' : 'node');
    for (let n = 0; n < 150; n++) {
      const damaged = bytes.slice();
      for (let k = 0; k < 4; k++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      try {
        readTetrahedra(damaged, `a.${format.split('-')[0]}`, { companion });
      } catch (problem) {
        expect(problem).toBeInstanceOf(MeshReadError);
      }
    }
  });
});

describe('what is no body', () => {
  const text = (string: string) => new TextEncoder().encode(string);
  const cube = kuhnBox(1, 1, 1);
  const withTetrahedra = (change: (list: number[]) => number[], extra: number[] = []) =>
    writeTetrahedra(
      {
        positions: Float64Array.of(...cube.positions, ...extra),
        tetrahedra: Uint32Array.from(change(Array.from(cube.tetrahedra))),
      },
      'msh-4.1',
    );

  it.each([
    [
      'negative volume',
      withTetrahedra(([a, b, ...more]) => [b, a, ...more]),
      'tetrahedron 0: expected a positive volume',
    ],
    ['a duplicate', withTetrahedra((list) => [...list, ...list.slice(4, 8)]), 'found a duplicate of tetrahedron 1'],
    ['a node twice', withTetrahedra(([a, , ...more]) => [a, a, ...more]), 'tetrahedron 0: expected four nodes'],
    ['a face of three', withTetrahedra((list) => [...list, ...thirdAt(list)], [0.9, 0.2, 0.3]), '(non-manifold)'],
    [
      'bodies that share an edge',
      writeTetrahedra(
        {
          positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, -1, 0, 1, 0, -1),
          tetrahedra: Uint32Array.of(0, 1, 2, 3, 0, 1, 4, 5),
        },
        'vtk',
      ),
      'non-manifold',
    ],
    [
      'a node that is not there',
      text(
        '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n',
      ),
      'found node 2',
    ],
    [
      'no tetrahedra',
      text('MeshVersionFormatted 1\nDimension 3\nVertices\n1\n0 0 0 0\nTetrahedra\n0\nEnd\n'),
      'expected tetrahedra, found none',
    ],
    [
      'hexahedra',
      text(
        '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 5 0 1 1 1 1 1 1 1 1\n$EndElements\n',
      ),
      'found "hexahedra"',
    ],
    ['another version', text('$MeshFormat\n3.0 0 8\n$EndMeshFormat\n'), 'line 2: expected version 2.2 or 4.1'],
    [
      'not a number',
      text('MeshVersionFormatted 1\nDimension 3\nVertices\n1\n0 nan 0 0\n'),
      'line 5: expected y, found "nan"',
    ],
    [
      'too many nodes',
      text('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n999999999\n'),
      'expected 0 to 5000000 nodes',
    ],
    [
      'more nodes than bytes',
      text('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999\n'),
      'expected 99999 nodes, found the end of the file',
    ],
  ])('refuses %s', (_, bytes, message) => {
    const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4));
    const name = start === '$Mes' ? 'a.msh' : start === 'Mesh' ? 'a.mesh' : 'a.vtk';
    expect(() => readTetrahedra(bytes, name)).toThrow(message);
  });

  it('refuses unknown endings and half a pair', () => {
    expect(() => readTetrahedra(new Uint8Array(1), 'a.obj')).toThrow(
      'a.obj: unknown kind of file, expected one of .msh',
    );
    expect(() => readTetrahedra(new Uint8Array(1), 'a.node')).toThrow('expected the .ele file');
    expect(() => writeTetrahedra(cube, 'stl' as 'vtk')).toThrow('format: unknown stl');
  });

  it('reads other sections past, nodes of any number, and cells as offsets', () => {
    const gmsh = text(
      '$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 "body"\n$EndPhysicalNames\n$Nodes\n1 4 7 50\n3 1 0 4\n50\n7\n9\n8\n' +
        '0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 50 7 9\n3 1 4 1\n2 50 7 9 8\n$EndElements\n',
    );
    expect(Array.from(readTetrahedra(gmsh, 'a.msh').tetrahedra)).toEqual([0, 1, 2, 3]);
    const vtk = text(
      '# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n' +
        'CELLS 3 7\nOFFSETS vtktypeint64\n0 3 7\nCONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3\nCELL_TYPES 2\n5\n10\nCELL_DATA 2\nanything\n',
    );
    expect(Array.from(readTetrahedra(vtk, 'a.vtk').tetrahedra)).toEqual([0, 1, 2, 3]);
  });
});

/** A tetrahedron on the face that the cube's first two share, to node 8, which lies off it. */
function thirdAt(list: number[]): number[] {
  const face = list.slice(0, 4).filter((n) => list.slice(4, 8).includes(n));
  const corners = [...face, 8];
  const mesh = {
    positions: Float64Array.of(...kuhnBox(1, 1, 1).positions, 0.9, 0.2, 0.3),
    tetrahedra: Uint32Array.from(corners),
  };
  return measureTetrahedra(mesh).volume > 0 ? corners : [corners[1], corners[0], corners[2], corners[3]];
}
