// What we write is read again as it was, by us and by others; GLB is what the Khronos validator takes for glTF.

import { validateBytes } from 'gltf-validator';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { describe, expect, it } from 'vitest';
import { readMesh, readVisibleMesh } from '../../../src/mesh/io/read-mesh.js';
import { checkWritten, roundForFile, WRITTEN_FORMATS, writeMeshes } from '../../../src/mesh/io/write-mesh.js';
import { measure } from '../../../src/mesh/measure.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { cube, gridTorus, moved } from '../sample-meshes.js';

const torus = gridTorus(24, 10);
const turned = { ...torus, positions: torus.positions.map((value) => value / 3) };
const write = (mesh: TriangleMesh, file: string) => writeMeshes([{ name: 'ring', mesh }], file);
/** Without −0, which text does not keep. */
const plain = (values: ArrayLike<number>) => Array.from(values, (value) => value + 0);

describe('writeMeshes', () => {
  it.each(WRITTEN_FORMATS)('writes .%s that is read as it was', async (format) => {
    const file = `a.${format}`;
    const read = await readMesh(await write(turned, file), file);
    expect(validate(read).problems).toEqual([]);
    const rounded = roundForFile(turned, file);
    // STL numbers vertices anew.
    if (format === 'stl') expect(Math.abs(measure(read).volume / measure(rounded).volume - 1)).toBeLessThan(1e-14);
    else {
      expect(plain(read.positions)).toEqual(plain(rounded.positions));
      expect(read.triangles).toEqual(turned.triangles);
    }
  });

  it('keeps all digits in text and PLY', () => {
    for (const format of ['obj', 'off', 'ply']) expect(roundForFile(turned, `a.${format}`)).toBe(turned);
    for (const format of ['glb', 'stl']) expect(roundForFile(turned, `a.${format}`)).not.toEqual(turned);
  });

  it('writes GLB that the Khronos validator finds nothing wrong with', async () => {
    const fine = gridTorus(300, 220);
    for (const meshes of [
      [{ name: 'ring', mesh: turned }],
      [
        { name: 'a b/ü', mesh: cube() },
        { name: '', mesh: fine },
      ],
    ]) {
      const { issues, info } = await validateBytes(await writeMeshes(meshes, 'a.glb'));
      expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0, numInfos: 0 });
      expect(info).toMatchObject({ drawCallCount: meshes.length, version: '2.0' });
    }
  });

  it('writes several meshes with their names into GLB and OBJ', async () => {
    const meshes = [
      { name: 'ring', mesh: turned },
      { name: 'cube', mesh: cube([5, 0, 0]) },
    ];
    for (const file of ['a.glb', 'a.obj']) {
      const { parts } = await readVisibleMesh(await writeMeshes(meshes, file), file);
      expect(parts.map(({ name, triangleCount }) => [name, triangleCount])).toEqual([
        ['ring', torus.triangles.length / 3],
        ['cube', 12],
      ]);
    }
    await expect(writeMeshes(meshes, 'a.stl')).rejects.toThrow('ends with .glb or .obj for 2 bodies');
    expect(() => checkWritten('a.fbx', 1)).toThrow(
      'expected a name that ends with one of .glb, .obj, .off, .stl, .ply',
    );
  });

  it('keeps the digits of a body far away in GLB', async () => {
    const far = moved(turned, [1e6, -2e6, 3e6]);
    const read = await readMesh(await write(far, 'a.glb'), 'a.glb');
    expect(validate(read).problems).toEqual([]);
    read.positions.forEach((value, i) => {
      // Single precision of a coordinate below 1 m, and double precision of 3e6 m.
      expect(Math.abs(value - far.positions[i])).toBeLessThan(6e-8 + 5e-10);
    });
  });

  it("writes STL that three's loader reads", async () => {
    const bytes = await write(turned, 'a.stl');
    const geometry = new STLLoader().parse(bytes.slice().buffer as ArrayBuffer);
    const corners = geometry.getAttribute('position').array;
    turned.triangles.forEach((v, i) => {
      for (let k = 0; k < 3; k++) expect(corners[3 * i + k]).toBe(Math.fround(turned.positions[3 * v + k]));
    });
  });
});
