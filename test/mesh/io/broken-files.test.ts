// Whatever bytes a file has: a mesh or one MeshReadError, soon, and with memory in proportion to the file.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { MeshReadError, readMesh } from '../../../src/mesh/io/read-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { mutateBytes } from '../fuzz/mutations.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const FORMATS = ['obj', 'off', 'stl', 'ply'] as const;

const tetrahedron = {
  points: ['0 0 0', '1 0 0', '0 1 0', '0 0 1'],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ],
};
const header = (format: string) =>
  `ply\nformat ${format} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n`;

function binarySeeds(): { stl: Uint8Array; ply: Uint8Array } {
  const stl = new DataView(new ArrayBuffer(84 + 4 * 50));
  stl.setUint32(80, 4, true);
  const body = new DataView(new ArrayBuffer(4 * 12 + 4 * 13));
  tetrahedron.points.forEach((point, v) => {
    point.split(' ').forEach((value, k) => {
      body.setFloat32(12 * v + 4 * k, Number(value), true);
    });
  });
  tetrahedron.faces.forEach((face, f) => {
    body.setUint8(48 + 13 * f, 3);
    face.forEach((v, j) => {
      body.setInt32(49 + 13 * f + 4 * j, v, true);
      tetrahedron.points[v].split(' ').forEach((value, k) => {
        stl.setFloat32(84 + 50 * f + 12 + 12 * j + 4 * k, Number(value), true);
      });
    });
  });
  const head = bytesOf(header('binary_little_endian'));
  return { stl: new Uint8Array(stl.buffer), ply: new Uint8Array([...head, ...new Uint8Array(body.buffer)]) };
}

const binary = binarySeeds();
const { points, faces } = tetrahedron;
const facets = faces.map(
  (face) => `facet normal 0 0 0\nouter loop\n${face.map((v) => `vertex ${points[v]}`).join('\n')}\nendloop\nendfacet`,
);
const SEEDS: [string, Uint8Array][] = [
  [
    'a.obj',
    bytesOf(
      [...points.map((p) => `v ${p}`), ...faces.map((f) => `f ${f.map((v) => v + 1).join(' ')}`), 'f 1 2 3 -1'].join(
        '\n',
      ),
    ),
  ],
  ['a.off', bytesOf(['OFF', '4 4 6', ...points, ...faces.map((f) => `3 ${f.join(' ')}`)].join('\n'))],
  ['a.stl', bytesOf(['solid a', ...facets, 'endsolid a'].join('\n'))],
  ['b.stl', binary.stl],
  ['a.ply', bytesOf(header('ascii') + [...points, ...faces.map((f) => `3 ${f.join(' ')}`)].join('\n'))],
  ['b.ply', binary.ply],
];

async function readOrRefuse(bytes: Uint8Array, name: string): Promise<'mesh' | 'refused'> {
  try {
    const mesh = await readMesh(bytes, name);
    validate(mesh);
    return 'mesh';
  } catch (problem) {
    expect(problem).toBeInstanceOf(MeshReadError);
    // The place and what was expected there, in one line of plain text: never an error of the machine passed on.
    expect((problem as Error).message).toMatch(/^[\w.]+: (line|byte) \d+: expected [\x20-\x7e…]+$/);
    return 'refused';
  }
}

describe('broken files', () => {
  it.each(SEEDS)('reads the unbroken %s', async (name, bytes) => {
    const mesh = await readMesh(bytes, name);
    expect(mesh.positions.length).toBe(12);
  });

  it.each(SEEDS)('ends every cut of %s in a mesh or a refusal', async (name, bytes) => {
    let refused = 0;
    for (let length = 0; length < bytes.length; length++) {
      if ((await readOrRefuse(bytes.subarray(0, length), name)) === 'refused') refused++;
    }
    // OBJ has no end mark, so a cut between two lines is a smaller mesh; the others state or mark their end.
    expect(refused).toBeGreaterThan(name.endsWith('obj') ? bytes.length / 3 : bytes.length - 20);
  });

  it('ends 2400 mutations in a mesh or a refusal', async () => {
    const random = seededRandom(2024);
    const outcomes = { mesh: 0, refused: 0 };
    for (let round = 0; round < 400; round++) {
      for (const [name, bytes] of SEEDS) outcomes[await readOrRefuse(mutateBytes(bytes, random), name)]++;
    }
    // Both must happen often, or the mutations test nothing.
    expect(outcomes.mesh).toBeGreaterThan(300);
    expect(outcomes.refused).toBeGreaterThan(300);
  });

  it('refuses random bytes and random text of any length in every format', async () => {
    const random = seededRandom(77);
    for (const format of FORMATS) {
      for (let length = 1; length < 5000; length = Math.ceil(length * 1.7)) {
        const noise = Uint8Array.from({ length }, () => random() * 256);
        const text = Uint8Array.from({ length }, () => (random() < 0.2 ? 10 : 97 + random() * 26));
        // A facet count of zero bytes or a lone letter line cannot make a mesh.
        expect(await readOrRefuse(noise, `noise.${format}`)).toBe('refused');
        expect(await readOrRefuse(text, `text.${format}`)).toBe('refused');
      }
    }
  });

  it.each([
    ['solid '.repeat(400_000), 'stl'],
    [`solid\n${'facet normal 0 0 0\n'.repeat(150_000)}`, 'stl'],
    [`solid\n${'endfacet\n'.repeat(150_000)}${'facet\n'.repeat(150_000)}endsolid`, 'stl'],
    [`ply\n${'comment x\n'.repeat(200_000)}`, 'ply'],
    ['\\\n'.repeat(1_000_000), 'obj'],
    ['v 0 0 0\n'.repeat(300_000), 'obj'],
    ['#\n'.repeat(1_000_000), 'off'],
    [' '.repeat(3_000_000), 'off'],
  ])('is quick to refuse two million bytes of almost right text', async (text, format) => {
    const start = performance.now();
    expect(await readOrRefuse(bytesOf(text), `a.${format}`)).toBe('refused');
    // Quadratic work on this many bytes takes minutes; this bound only tells it from linear.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
