// `isochore prepare`: from any mesh file to one that can be simulated, and the "repair" of a scene's bodies.

import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { readMesh } from '../../src/mesh/io/read-mesh.js';
import { measure } from '../../src/mesh/measure.js';
import { validate } from '../../src/mesh/validate.js';
import { documentOf, quietIo, tetrahedronJson } from '../mesh/io/gltf-files.js';
import { combine, cube, gridTorus, moved, soup } from '../mesh/sample-meshes.js';
import { sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();
const glb = (mesh: Parameters<typeof documentOf>[0]) => quietIo().writeBinary(documentOf(mesh));
const readPlace = (name: string) => readMesh(readFileSync(place.path(name)), name);

describe('prepare', () => {
  it('welds a GLB file with seams into one that can be simulated', async () => {
    place.write('soup.glb', await glb(soup(gridTorus(16, 8))));
    const outcome = await isochore(['prepare', 'soup.glb', '-o', 'out.glb'], { cwd: place.folder });
    expect(outcome).toEqual({ code: 0, stdout: 'out.glb: mended, 128 vertices\n', stderr: '' });
    expect(validate(await readPlace('out.glb')).problems).toEqual([]);
    const { issues } = await validateBytes(readFileSync(place.path('out.glb')));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect(await isochore(['inspect', 'out.glb'], { cwd: place.folder })).toMatchObject({ code: 0 });
    expect((await isochore(['inspect', 'soup.glb'], { cwd: place.folder })).code).toBe(2);
  });

  it.each(['glb', 'obj', 'off', 'stl', 'ply'])('writes .%s with the wanted vertices, unit and axis', async (format) => {
    // 648 vertices: as long as more than half of them must go, the wanted number shows.
    place.write('fine.glb', await glb(gridTorus(36, 18)));
    const args = [
      'prepare',
      'fine.glb',
      '-o',
      `out.${format}`,
      '--vertices',
      '300',
      '--unit',
      'cm',
      '--up',
      'z',
      '--quiet',
    ];
    expect(await isochore(args, { cwd: place.folder })).toEqual({ code: 0, stdout: '', stderr: '' });
    const mesh = await readPlace(`out.${format}`);
    const { vertices, genus, bounds } = measure(mesh);
    expect(validate(mesh).problems).toEqual([]);
    expect(Math.abs(vertices / 300 - 1)).toBeLessThan(0.1);
    expect(genus).toBe(1);
    // The ring's axis was Y; Z turns to Y, so that the ring stands now, 5 cm wide and high but for its facets.
    for (const k of [0, 1]) expect(Math.abs((bounds[1][k] - bounds[0][k]) / 0.05 - 1)).toBeLessThan(0.05);
  });

  it('reports in words and as JSON', async () => {
    place.write('two-in-one.glb', await glb(combine(cube(), moved(cube(), [0.5, 0.4, 0.3]))));
    // Few vertices make a cage soon; the report is of the same fields with any number.
    const args = ['prepare', 'two-in-one.glb', '-o', 'out.glb', '--vertices', '60'];
    const words = await isochore([...args, '--report'], { cwd: place.folder });
    expect(words).toMatchObject({ code: 0, stderr: '' });
    expect(words.stdout).toMatch(/^out\.glb: cage, \d+ vertices\nunited-parts: .*\nbuilt-cage: /);
    expect(words.stdout).toMatch(/body0: cage, \d+ vertices, .* m from the original on average, .* m at most/);
    const { steps, bodies } = JSON.parse((await isochore([...args, '--json'], { cwd: place.folder })).stdout);
    expect(steps[0]).toEqual({ code: 'united-parts', count: expect.any(Number), message: expect.any(String) });
    expect(Object.keys(bodies[0])).toEqual('origin vertices triangles genus volume area bounds deviation'.split(' '));
    expect(Object.keys(bodies[0].deviation)).toEqual('outside apart mean lostShare'.split(' '));
  });

  it('makes several bodies of parts, in formats that hold several', async () => {
    place.write('two.glb', await glb(combine(cube(), moved(cube(), [9, 0, 0]))));
    const args = (more: string[]) => ['prepare', 'two.glb', ...more];
    expectOneLine(
      await isochore(args(['-o', 'two.obj']), { cwd: place.folder }),
      2,
      'two.glb: parts-apart: it is 2 parts that are too far apart to be one body; --parts separate makes a body of each',
    );
    expectOneLine(
      await isochore(args(['-o', 'two.stl', '--parts', 'separate']), { cwd: place.folder }),
      1,
      'two.stl: expected a name that ends with .glb or .obj for 2 bodies in one file',
    );
    expect(readdirSync(place.folder)).not.toContain('two.stl');
    const outcome = await isochore(args(['-o', 'two.obj', '--parts', 'separate']), { cwd: place.folder });
    expect(outcome.stdout).toBe('two.obj: 2 bodies, 16 vertices\n');
  });

  it('reads the buffers beside a glTF file, and none from elsewhere', async () => {
    const json = tetrahedronJson();
    const data = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
    mkdirSync(place.path('models/sub'), { recursive: true });
    place.write('secret.bin', data);
    place.write('models/sub/data.bin', data);
    symlinkSync(place.path('secret.bin'), place.path('models/link.bin'));
    const prepare = (uri: string) => {
      json.buffers[0].uri = uri;
      place.write('models/a.gltf', json);
      return isochore(['prepare', 'models/a.gltf', '-o', 'beside.glb'], { cwd: place.folder });
    };
    expect(await prepare('sub/data.bin')).toMatchObject({ code: 0 });
    const outside = 'models/a.gltf: buffers[0].uri: expected';
    expectOneLine(
      await prepare('../secret.bin'),
      2,
      `${outside} the path of a file in the folder of the glTF file or below it, got "../secret.bin"`,
    );
    expectOneLine(
      await prepare('link.bin'),
      2,
      `${outside} a file that can be read (a link out of the folder), got "link.bin"`,
    );
    expectOneLine(await prepare('none.bin'), 2, `${outside} a file that can be read (no such file), got "none.bin"`);
  });

  it.each<[string[], number, string | RegExp]>([
    [['none.glb', '-o', 'x.glb'], 1, 'none.glb: no such file'],
    [['cube.obj', '-o', 'x.fbx'], 1, 'x.fbx: expected a name that ends with one of .glb, .obj, .off, .stl, .ply'],
    [['cube.obj', '-o', 'none/x.glb'], 1, 'none/x.glb: expected an existing directory, got none'],
    [['cube.obj'], 1, /^isochore: required option '-o, --output <file>' not specified/],
    [['cube.obj', '-o', 'x.glb', '--vertices', '7'], 1, '--vertices: expected an integer from 50 to 200000, got "7"'],
    [['cube.obj', '-o', 'x.glb', '--unit', 'ell'], 1, /^--unit: expected one of m, dm, cm, .*, got "ell"/],
    [['cube.obj', '-o', 'x.glb', '--scale', '-1'], 1, '--scale: expected a number above 0, got "-1"'],
    [['cube.obj', '-o', 'x.glb', '--up', 'w'], 1, '--up: expected one of x, y, z, got "w"'],
    [['cube.obj', '-o', 'x.glb', '--parts', 'all'], 1, '--parts: expected one of joined, separate, got "all"'],
    [['line.obj', '-o', 'x.glb'], 2, 'line.obj: no-area: its triangles have no area'],
    [['broken.glb', '-o', 'x.glb'], 2, /^broken\.glb: byte 20: expected the header of a GLB file|^broken\.glb: byte/],
  ])('%j ends with code %i and one line', async (args, code, line) => {
    place.write('cube.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
    place.write('line.obj', 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n');
    place.write('broken.glb', 'glTF\u0002\0\0\0');
    expectOneLine(await isochore(['prepare', ...args], { cwd: place.folder }), code, line);
    expect(readdirSync(place.folder).filter((name) => /^x\.|tmp/.test(name))).toEqual([]);
  });

  it.skipIf(!sharedMeshesAvailable).each(['gltf/Duck.glb', 'gltf/Suzanne.gltf', 'bad/teapot_npm.obj'])(
    '%s (../shared/meshes absent: skipped)',
    async (file) => {
      // How cages of more vertices turn out is the matter of laws/any-mesh.
      const args = ['prepare', sharedMeshPath(file), '-o', 'shared.glb', '--vertices', '150'];
      expect(await isochore(args, { cwd: place.folder })).toMatchObject({ code: 0, stderr: '' });
      expect(await isochore(['inspect', 'shared.glb'], { cwd: place.folder })).toMatchObject({ code: 0 });
      const { issues } = await validateBytes(readFileSync(place.path('shared.glb')));
      expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    },
  );
});

describe('a scene with mesh files', () => {
  it('takes GLB with seams, mends on request and says what it did', async () => {
    const { triangles, positions } = gridTorus(24, 12);
    place.write('seams.glb', await glb(soup({ positions, triangles })));
    place.write('open.glb', await glb({ positions, triangles: triangles.slice(0, -9) }));
    const scene = (mesh: string, repair?: boolean) =>
      place.write('scene.json', { isochore: 1, steps: 3, bodies: [{ mesh, repair, position: [0, 1, 0] }] });
    const run = (more: string[] = []) => isochore(['simulate', 'scene.json', ...more], { cwd: place.folder });
    scene('seams.glb');
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
    scene('seams.glb', false);
    expectOneLine(
      await run(),
      1,
      /^scene\.json: bodies\[0\]\.mesh: expected a mesh that can be simulated, got "seams\.glb"/,
    );
    scene('open.glb');
    expectOneLine(await run(), 1, /"repair": true would mend it\)\n$/);
    scene('open.glb', true);
    expect(await run()).toMatchObject({ code: 0, stderr: 'scene.json: bodies[0].mesh: 1 hole filled\n' });
    expect(await run(['--quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await run(['--json'])).stdout)).toMatchObject({ particles: 288, nonFinite: 0 });
  });
});
