import { Mesh, SphereGeometry, TorusKnotGeometry } from 'three';
import { PLYExporter } from 'three/examples/jsm/exporters/PLYExporter.js';
import { STLExporter } from 'three/examples/jsm/exporters/STLExporter.js';
import { describe, expect, it } from 'vitest';
import { MeshReadError, readMesh } from '../../../src/mesh/io/read-mesh.js';
import { measure } from '../../../src/mesh/measure.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { weld } from '../../../src/mesh/weld.js';
import { cube, fromGeometry, soup, triples } from '../sample-meshes.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, name: string) => readMesh(bytesOf(text), name);

async function failure(data: string | Uint8Array, name: string): Promise<string> {
  try {
    await readMesh(typeof data === 'string' ? bytesOf(data) : data, name);
  } catch (problem) {
    expect(problem).toBeInstanceOf(MeshReadError);
    const { message } = problem as Error;
    expect(message.split('\n').length).toBe(1);
    return message;
  }
  throw new Error(`${name} was read without complaint`);
}

describe('OBJ', () => {
  it('keeps vertices, their order, and those without faces', async () => {
    const mesh = await read('v 0 0 0\nv 1 0 0\nv 9 9 9\nv 0 1 0\nf 1 2 4\n', 'a.obj');
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 9, 9, 9, 0, 1, 0]);
    expect([...mesh.triangles]).toEqual([0, 1, 3]);
  });

  it('reads corners with texture and normal, indices from the end, continued lines, comments and several objects', async () => {
    const text = [
      '\ufeff# a comment',
      'o first',
      'v 0 0 0 # origin',
      'v\t1 0 0 1.0 0.5 0.5 0.5',
      'v 0 1 \\',
      '  0',
      'vt 0 0',
      'vn 0 0 1',
      'g group',
      's off',
      'usemtl red',
      'f 1/1/1 2/1/1 3/1/1',
      'o second',
      'v 0 0 1e0',
      'f -1//1 -2//1 -4//1\r',
      'f 1/1 2/1 4/1',
      'l 1 2',
    ].join('\n');
    const mesh = await read(text, 'dir.d/A.OBJ');
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(triples(mesh.triangles)).toEqual([
      [0, 1, 2],
      [3, 2, 0],
      [0, 1, 3],
    ]);
  });

  it('reads old Mac line ends, and faces before their vertices', async () => {
    const mesh = await read('f 1 2 3\rv 0 0 0\rv 1 0 0\rv 0 1 0\r', 'a.obj');
    expect(mesh.positions.length).toBe(9);
  });

  it('fans convex faces from their first corner', async () => {
    const mesh = await read('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 2 3 4 1\n', 'a.obj');
    expect(triples(mesh.triangles)).toEqual([
      [1, 2, 3],
      [1, 3, 0],
    ]);
  });

  it.each([
    ['arrow', [0, 0, 4, 1, 0, 2, 1, 1]],
    ['arrow from its notch', [1, 1, 0, 0, 4, 1, 0, 2]],
    ['comb', [0, 0, 7, 0, 7, 3, 6, 3, 6, 1, 5, 1, 5, 3, 4, 3, 4, 1, 3, 1, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3]],
    ['spiral', [0, 0, 5, 0, 5, 5, 1, 5, 1, 2, 3, 2, 3, 3, 2, 3, 2, 4, 4, 4, 4, 1, 0, 1]],
    ['L with a corner on a side', [0, 0, 1, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2]],
  ])('cuts a concave face (%s) into triangles that do not overlap, in any plane', async (_, flat) => {
    let area = 0;
    for (let i = 0; i < flat.length; i += 2) {
      const [x, y] = [flat[(i + 2) % flat.length], flat[(i + 3) % flat.length]];
      area += (flat[i] * y - x * flat[i + 1]) / 2;
    }
    for (const [u, v] of [
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [0, 1, 0],
        [1, 0, 0],
      ],
      [
        [0, 0.6, 0.8],
        [1, 0, 0],
      ],
      [
        [0, 0, 1],
        [0.6, -0.8, 0],
      ],
    ]) {
      const lines = [];
      for (let i = 0; i < flat.length; i += 2) {
        lines.push(`v ${[0, 1, 2].map((k) => flat[i] * u[k] + flat[i + 1] * v[k] + k).join(' ')}`);
      }
      lines.push(`f ${lines.map((_, i) => i + 1).join(' ')}`);
      const mesh = await read(lines.join('\n'), 'a.obj');
      expect(mesh.triangles.length).toBe(3 * (flat.length / 2 - 2));
      // Overlapping or turned triangles would make the sum of areas larger than the polygon's.
      expect(Math.abs(measure(mesh).area - Math.abs(area))).toBeLessThan(1e-12);
      expect(validate(mesh).problems.map(({ code }) => code)).not.toContain('inconsistent-winding');
    }
  });

  it('ends with a face that crosses itself', async () => {
    const mesh = await read('v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nv 2 2 0\nf 1 2 3 4 5\n', 'a.obj');
    expect(mesh.triangles.length).toBe(9);
  });

  it('lets NaN and infinity through for validate to name', async () => {
    const mesh = await read('v nan 0 0\nv -inf 0 0\nv 0 1.#QNAN 0\nv 0 1e999 0\nf 1 2 3\n', 'a.obj');
    expect([...mesh.positions]).toEqual([Number.NaN, 0, 0, -Infinity, 0, 0, 0, Number.NaN, 0, 0, Infinity, 0]);
    expect(validate(mesh).problems.map(({ code }) => code)).toContain('non-finite-vertex');
  });

  it.each([
    ['', 'byte 0'],
    ['\n\n# nothing\n', 'line 4: expected vertices'],
    ['hello\nworld\n', 'expected vertices'],
    ['v 0 0 0\n', 'expected faces'],
    ['v 0 0\nf 1 1 1', 'line 1: expected three coordinates after "v", found the end of the line'],
    ['v 0 0 0\nv 0 zero 0', 'line 2: expected three coordinates after "v", found "zero"'],
    ['v 0 0 0\nf 1 1', 'line 2: expected a face with 3'],
    ['v 0 0 0\nf 1 1 0', 'line 2: expected an index from 1'],
    ['v 0 0 0\nf 1 1 -2', 'line 2: expected an index from 1'],
    ['v 0 0 0\nf 1 1 1\nf 1 1 2\nf 1 1 1', 'line 3: expected an index up to 1, the number of vertices, found "2"'],
    ['v 0 0 0\nf 1 1 a', 'line 2: expected the index of a vertex, found "a"'],
    [`v 0 0 0\nf${' 1'.repeat(5000)}`, 'line 2: expected a face with 3 to 4096'],
    ['v 0 0 0\nf 1 1 99999999999999999999', 'line 2: expected the index'],
  ])('refuses %j', async (text, expected) => {
    expect(await failure(text, 'a.obj')).toContain(expected);
  });
});

describe('OFF', () => {
  const tetrahedron = '0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n';

  it.each([
    ['OFF\n4 4 6\n'],
    ['OFF 4 4 6\n'],
    ['OFF\n4 4\n'],
    ['# first\n\nOFF # second\n# third\n4 4 6 # fourth\n\n'],
    ['4 4 6\n'],
    ['COFF\r\n4 4 0\r\n'],
  ])('reads the header %j', async (header) => {
    const mesh = await read(header + tetrahedron, 'a.off');
    expect(validate(mesh).problems).toEqual([]);
    expect(mesh.positions.length).toBe(12);
  });

  it('passes over colours and normals, and cuts faces with many corners', async () => {
    const text =
      'CNOFF\n5 1 0\n0 0 0 0 0 1 255 0 0 255\n2 0 0 0 0 1 1 1 1\n2 2 0\n1 1 0\n0 2 0 0 0 1\n5 0 1 2 3 4 0.1 0.2 0.3\n';
    const mesh = await read(text, 'a.off');
    expect(mesh.triangles.length).toBe(9);
    expect(Math.abs(measure(mesh).area - 3)).toBeLessThan(1e-14);
  });

  it.each([
    ['', 'byte 0'],
    ['nonsense', 'line 1: expected the header "OFF"'],
    ['OFF', 'line 1: expected the counts'],
    ['OFF\nten 4 6', 'line 2: expected the counts'],
    ['OFF\n0 0 0', 'line 2: expected at least one vertex'],
    ['OFF BINARY\n', 'line 1: expected an OFF file in text'],
    ['4OFF\n4 4 6\n', 'line 1: expected the'],
    ['OFF\n4000000 4000000 0\n0 0 0\n', 'line 4: expected vertex 2 of 4000000, found the end'],
    ['OFF\n1 1 0\n0 0 0\n2 0 0\n', 'line 4: expected a face with 3'],
    ['OFF\n1 1 0\n0 0 0\n3 0 0\n', 'line 4: expected 3 vertices of face 0'],
    ['OFF\n1 1 0\n0 0 0\n3 0 0 1\n', 'line 4: expected a vertex from 0 to 0, found "1"'],
    ['OFF\n1 1 0\n0 0 0\n4000000000 0 0 0\n', 'line 4: expected a face with 3'],
    [`OFF\n4 4 6\n${tetrahedron}3 0 1 2\n`, 'line 11: expected the end of the file'],
  ])('refuses %j', async (text, expected) => {
    expect(await failure(text, 'a.off')).toContain(expected);
  });
});

const knot = weld(fromGeometry(new TorusKnotGeometry(1, 0.3, 48, 8))).mesh;
const object = new Mesh(new TorusKnotGeometry(1, 0.3, 48, 8));
const asBytes = (data: string | DataView | ArrayBuffer | null): Uint8Array => {
  if (typeof data === 'string') return bytesOf(data);
  if (data instanceof DataView) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return new Uint8Array(data ?? new ArrayBuffer(0));
};

function binaryStl(mesh: TriangleMesh, head = ''): Uint8Array {
  const bytes = new Uint8Array(84 + (50 * mesh.triangles.length) / 3);
  const view = new DataView(bytes.buffer);
  bytes.set(bytesOf(head.padEnd(80)));
  view.setUint32(80, mesh.triangles.length / 3, true);
  mesh.triangles.forEach((v, i) => {
    for (let k = 0; k < 3; k++) {
      const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3) + 4 * k;
      view.setFloat32(at, mesh.positions[3 * v + k], true);
    }
  });
  return bytes;
}

describe('STL', () => {
  it.each([true, false])("reads what three's exporter writes (binary: %s), and welds it", async (binary) => {
    const bytes = asBytes(new STLExporter().parse(object, { binary } as { binary: true }));
    const mesh = weld(await readMesh(bytes, 'knot.stl')).mesh;
    expect(validate(mesh).problems).toEqual([]);
    expect(mesh.positions.length).toBe(knot.positions.length);
    // Written in single precision or from it.
    expect(Math.abs(measure(mesh).volume / measure(knot).volume - 1)).toBeLessThan(1e-5);
  });

  it('welds equal corners exactly', async () => {
    const mesh = await readMesh(binaryStl(cube()), 'cube.STL');
    expect(validate(mesh).problems).toEqual([]);
    expect(mesh.positions.length).toBe(24);
  });

  it('takes a binary file whose header begins with "solid", one with bytes behind the facets, and a view into more', async () => {
    const bytes = binaryStl(cube(), 'solid COLOR=abcd');
    const longer = new Uint8Array(bytes.length + 30);
    longer.set(bytes);
    longer[0] = 32;
    const around = new Uint8Array(bytes.length + 10);
    around.set(bytes, 5);
    for (const data of [bytes, longer, around.subarray(5, 5 + bytes.length)]) {
      expect((await readMesh(data, 'a.stl')).positions.length).toBe(24);
    }
  });

  const facet =
    'facet normal nan 0 0\nouter loop\nvertex 0 0 0\nvertex 1e0 0 0\nvertex 0 +1. -.5E-1\nendloop\nendfacet\n';

  it('reads text with several solids, odd names, case and normals', async () => {
    const text = `SOLID my endsolid facet\n${facet.toUpperCase().replace('NAN', 'NaN')}ENDSOLID\nsolid\n${facet.replace(/0\.?/, '2')}endsolid x\n`;
    const mesh = await read(text, 'a.stl');
    expect(mesh.triangles.length).toBe(6);
    expect(mesh.positions[8]).toBe(-0.05);
  });

  it('names non-finite corners of a binary file', async () => {
    const bytes = binaryStl(cube());
    new DataView(bytes.buffer).setFloat32(96, Number.NaN, true);
    expect(validate(await readMesh(bytes, 'a.stl')).problems.map(({ code }) => code)).toContain('non-finite-vertex');
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'byte 0: expected an STL file'],
    ['a short file', 'abc', 'byte 0: expected "solid" or a binary header'],
    ['a solid without end', 'solid a\n', 'line 2: expected "facet" or "endsolid", found the end'],
    ['an empty solid', 'solid\nendsolid\n', 'expected at least one facet'],
    ['a truncated facet', `solid\n${facet.slice(0, 40)}`, 'line 4: expected three coordinates after "vertex"'],
    [
      'two corners',
      `solid\n${facet.replace('vertex 1e0 0 0\n', '')}endsolid`,
      'line 6: expected "vertex x y z", found "endloop"',
    ],
    ['a word for a number', `solid\n${facet.replace('1e0', 'one')}endsolid`, 'line 5: expected three coordinates'],
    ['NaN in text', `solid\n${facet.replace('1e0', 'nan')}endsolid`, 'line 5: expected three finite coordinates'],
    ['text behind the end', `solid\n${facet}endsolid\nfacet`, 'line 10: expected "solid" or the end'],
    [
      'a truncated binary file',
      binaryStl(cube()).subarray(0, 400),
      'byte 80: expected 684 bytes for 12 triangles, the file has 400',
    ],
    ['a binary file without triangles', new Uint8Array(100), 'byte 80: expected at least one'],
    ['a count beyond all bytes', new Uint8Array(200).fill(255), 'byte 80: expected 214748364834 bytes'],
  ])('refuses %s', async (_, data, expected) => {
    expect(await failure(data, 'a.stl')).toContain(expected);
  });
});

/** Its types ask for a callback that it calls by an animation frame, which Node has not. */
const exportPly = (options: object) =>
  (new PLYExporter().parse as (...values: unknown[]) => string | ArrayBuffer)(object, undefined, options);

const plyHeader = (format: string, lines: readonly string[]) =>
  ['ply', `format ${format} 1.0`, 'comment made by hand', 'obj_info none', ...lines, 'end_header', ''].join('\n');
const plyLayout = (vertices: number, faces: number) => [
  `element vertex ${vertices}`,
  'property float x',
  'property float y',
  'property float z',
  `element face ${faces}`,
  'property list uchar int vertex_indices',
];
const square = '0 0 0\n1 0 0\n1 1 0\n0 1 0\n';

describe('PLY', () => {
  it.each([
    ['ascii', {}],
    ['little endian', { binary: true }],
    ['big endian', { binary: true, littleEndian: false }],
  ])("reads what three's exporter writes (%s)", async (_, options) => {
    const bytes = asBytes(exportPly(options));
    const mesh = await readMesh(bytes, 'knot.ply');
    const geometry = fromGeometry(object.geometry);
    expect(mesh).toEqual(geometry);
  });

  it.each([true, false])(
    'reads faces with any number of corners and other elements (little endian: %s)',
    async (little) => {
      const layout = [
        'element camera 2',
        'property double angle',
        'element vertex 5',
        'property uchar red',
        'property double x',
        'property double y',
        'property list uchar short tags',
        'property double z',
        'element face 2',
        'property uchar red',
        'property list ushort uint vertex_index',
        'property float quality',
      ];
      const header = bytesOf(plyHeader(little ? 'binary_little_endian' : 'binary_big_endian', layout));
      const view = new DataView(new ArrayBuffer(1000));
      let at = 16;
      const points = [0, 0, 0, 2, 0, 0, 2, 2, 0, 1, 1, 0, 0, 2, 0.1];
      for (let v = 0; v < 5; v++) {
        view.setUint8(at, 255);
        view.setFloat64(at + 1, points[3 * v], little);
        view.setFloat64(at + 9, points[3 * v + 1], little);
        view.setUint8(at + 17, v);
        at += 18 + 2 * v;
        view.setFloat64(at, points[3 * v + 2], little);
        at += 8;
      }
      for (const face of [
        [0, 1, 2, 3, 4],
        [0, 1, 2],
      ]) {
        view.setUint16(at + 1, face.length, little);
        at += 3;
        for (const corner of face) {
          view.setUint32(at, corner, little);
          at += 4;
        }
        at += 4;
      }
      const bytes = new Uint8Array([...header, ...new Uint8Array(view.buffer, 0, at)]);
      const mesh = await readMesh(bytes, 'a.ply');
      expect([...mesh.positions]).toEqual(points);
      expect(mesh.triangles.length).toBe(12);
      expect(await failure(bytes.subarray(0, bytes.length - 1), 'a.ply')).toContain(
        'expected face 2 of 2, found the end',
      );
    },
  );

  it('reads text with NaN, coloured faces and Windows line ends', async () => {
    const layout = [...plyLayout(4, 1), 'property uchar red', 'property uchar green', 'property uchar blue'];
    const text = `${plyHeader('ascii', layout)}${square.replace('1 1 0', '1 nan -inf')}4 0 1 2 3 255 0 0\n`;
    const mesh = await read(text.replaceAll('\n', '\r\n'), 'a.ply');
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, Number.NaN, -Infinity, 0, 1, 0]);
    expect(mesh.triangles.length).toBe(6);
  });

  const ascii = plyHeader('ascii', plyLayout(4, 1));
  const binary = plyHeader('binary_little_endian', plyLayout(4, 1));

  it.each<[string, string, string]>([
    ['nothing', '', 'line 1: expected "ply", the file is empty'],
    ['something else', 'hello', 'line 1: expected "ply"'],
    ['no end of the header', 'ply\nformat ascii 1.0\n', 'expected "end_header" within'],
    ['an unknown format', ascii.replace('ascii', 'morse'), 'line 2: expected "ascii"'],
    ['no format', ascii.replace('format ascii 1.0\n', ''), 'expected "format"'],
    ['a count that is no number', ascii.replace('vertex 4', 'vertex four'), 'line 5: expected "element"'],
    ['an unknown type', ascii.replace('float x', 'quaternion x'), 'line 6: expected "property"'],
    ['an unknown line', ascii.replace('comment', 'remark'), 'line 3: expected "format"'],
    ['no z', ascii.replace('property float z\n', ''), 'expected the property "z"'],
    ['no faces', ascii.replace('face 1', 'face 0'), 'expected an element "face"'],
    ['faces without corners', ascii.replace('vertex_indices', 'colours'), 'expected one list "vertex_indices"'],
    ['a missing vertex', `${ascii}0 0 0\n1 0 0\n`, 'line 14: expected vertex 3 of 4, found the end'],
    ['a missing coordinate', `${ascii}0 0\n`, 'line 12: expected the number "z" of vertex 0'],
    ['a word too many', `${ascii}0 0 0 0\n`, 'line 12: expected 3 numbers for vertex 0'],
    ['a missing face', `${ascii}${square}`, 'line 16: expected face 1 of 1'],
    ['a missing corner', `${ascii}${square}4 0 1 2\n`, 'line 16: expected "vertex_indices" of face 0'],
    ['two corners', `${ascii}${square}2 0 1\n`, 'line 16: expected a face with 3'],
    ['a corner out of range', `${ascii}${square}3 0 1 4\n`, 'line 16: expected a vertex from 0 to 3, found "4"'],
    ['a negative corner', `${ascii}${square}3 0 1 -1\n`, 'line 16: expected a vertex from 0 to 3'],
    ['a binary body that ends early', `${binary}abc`, 'expected vertex 1 of 4, found the end'],
    ['a count beyond all bytes', binary.replace('vertex 4', 'vertex 4000000'), 'expected vertex 1 of 4000000'],
    [
      'an element without properties',
      binary.replace('element vertex 4', 'element x 4000000\nelement vertex 4'),
      'expected properties of the element "x"',
    ],
  ])('refuses %s', async (_, text, expected) => {
    expect(await failure(text, 'a.ply')).toContain(expected);
  });
});

describe('readMesh', () => {
  it('goes by the ending of the name', async () => {
    expect(await failure('', 'a.xyz')).toBe(
      'a.xyz: unknown kind of file, expected one of .obj, .off, .stl, .ply, .glb, .gltf',
    );
    expect(await failure('', 'obj')).toContain('unknown kind of file');
    expect(await failure('', 'a.constructor')).toContain('unknown kind of file');
    expect(await failure('', 'b/a.GLTF')).toContain('b/a.GLTF: byte 0: expected a glTF file');
    expect(await failure('v 0 0 0', 'b/a.obj')).toContain('b/a.obj: line 1');
  });

  it('leaves the console as it was, and quiet', async () => {
    const before = console.error;
    await readMesh(bytesOf(`${plyHeader('ascii', plyLayout(3, 1))}nan 0 0\n0 0 0\n0 0 0\n3 0 1 2\n`), 'a.ply');
    expect(console.error).toBe(before);
  });

  it('reads the same sphere from every format', async () => {
    const sphere = weld(fromGeometry(new SphereGeometry(1, 16, 8))).mesh;
    const points = Array.from({ length: sphere.positions.length / 3 }, (_, v) =>
      [...sphere.positions.subarray(3 * v, 3 * v + 3)].join(' '),
    );
    const faces = triples(sphere.triangles);
    const counts = `${points.length} ${faces.length}`;
    const files: [string, string][] = [
      ['a.obj', [...points.map((p) => `v ${p}`), ...faces.map((f) => `f ${f.map((v) => v + 1).join(' ')}`)].join('\n')],
      ['a.off', ['OFF', `${counts} 0`, ...points, ...faces.map((f) => `3 ${f.join(' ')}`)].join('\n')],
      [
        'a.ply',
        plyHeader('ascii', plyLayout(points.length, faces.length)) +
          [...points, ...faces.map((f) => `3 ${f.join(' ')}`)].join('\n'),
      ],
    ];
    for (const [name, text] of files) {
      const mesh = await readMesh(bytesOf(text), name);
      // Text has no -0.
      expect(mesh).toEqual({ ...sphere, positions: sphere.positions.map((value) => value + 0) });
    }
    const stl = await readMesh(binaryStl(soup(sphere)), 'a.stl');
    expect(stl.positions.length).toBe(sphere.positions.length);
    expect(Math.abs(measure(stl).volume - measure(sphere).volume)).toBeLessThan(1e-14);
  });
});
