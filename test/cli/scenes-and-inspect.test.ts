// `isochore scenes`, `isochore inspect`, help and version.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { scenes } from '../../src/scenes/index.js';
import { sceneJsonSchema } from '../../src/scenes/scene-schema.js';
import { sharedMeshesAvailable, sharedMeshPath } from '../shared-meshes.js';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();

/** A unit cube of 12 triangles as OFF; `faces` leaves some out. */
function cube(faces = 12): string {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `${i & 1} ${(i >> 1) & 1} ${(i >> 2) & 1}`);
  const triangles = [
    '0 2 1',
    '1 2 3',
    '4 5 6',
    '5 7 6',
    '0 1 4',
    '1 5 4',
    '2 6 3',
    '3 6 7',
    '0 4 2',
    '2 4 6',
    '1 3 5',
    '3 7 5',
  ];
  return ['OFF', `8 ${faces} 0`, ...corners, ...triangles.slice(0, faces).map((t) => `3 ${t}`), ''].join('\n');
}

describe('scenes', () => {
  it('lists one line for each', async () => {
    const { code, stdout, stderr } = await isochore(['scenes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual(scenes.map(({ name }) => name));
  });

  it('gives names and summaries as JSON', async () => {
    const entries = JSON.parse((await isochore(['scenes', '--json'])).stdout);
    expect(entries).toHaveLength(scenes.length);
    for (const entry of entries) expect(entry).toEqual({ name: expect.any(String), summary: expect.any(String) });
  });
});

describe('inspect', () => {
  it('describes a mesh that can be simulated', async () => {
    const outcome = await isochore(['inspect', place.write('cube.off', cube()), '--json']);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const facts = JSON.parse(outcome.stdout);
    expect(Object.keys(facts)).toEqual(
      'vertices triangles closed manifold oriented components genus volume area bounds duplicateVertices degenerateTriangles simulatable problems'.split(
        ' ',
      ),
    );
    expect(facts).toMatchObject({ vertices: 8, triangles: 12, genus: 0, simulatable: true, problems: [] });
    expect(facts.bounds).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    // A unit cube; the sums of twelve exact terms round in the last place at most.
    expect(Math.abs(facts.volume - 1)).toBeLessThan(1e-14);
    expect(Math.abs(facts.area - 6)).toBeLessThan(1e-14);
  });

  it('says why a mesh cannot be simulated, with code 2', async () => {
    const path = place.write('open.off', cube(11));
    const outcome = await isochore(['inspect', path]);
    expect(outcome).toMatchObject({ code: 2, stderr: '' });
    expect(outcome.stdout).toMatch(/^simulatable +no$/m);
    expect(outcome.stdout).toMatch(/^open-edge: 3 edges .*; first at edge \d–\d, near \(.*\) m$/m);
    expect(outcome.stdout).toMatch(/^genus +none, as the surface is not closed and two-sided$/m);
    expect(outcome.stdout).not.toContain('undefined');
    expect(outcome.stdout.trimEnd().split('\n').at(-1)).toBe(
      `isochore prepare ${path} -o body.glb makes one that can be simulated`,
    );
    const facts = JSON.parse((await isochore(['inspect', path, '--json'])).stdout);
    expect(facts.problems[0]).toEqual({ code: 'open-edge', message: expect.any(String), places: expect.any(Array) });
  });

  it.each<[string, number, string | RegExp]>([
    ['none.obj', 1, 'none.obj: no such file'],
    ['.', 1, '.: expected a file, got a directory'],
    ['broken.off', 2, /^broken\.off: .*expected/],
    ['notes.txt', 2, /^notes\.txt: unknown kind of file, expected one of \.obj/],
  ])('%s ends with code %i and one line', async (name, code, line) => {
    place.write('broken.off', 'OFF\nfour\n');
    place.write('notes.txt', 'hello');
    expectOneLine(await isochore(['inspect', name, '--json'], { cwd: place.folder }), code, line);
  });

  it.skipIf(!sharedMeshesAvailable).each([
    ['closed/torus_400.obj', 0, { vertices: 400, triangles: 800, genus: 1 }],
    ['bad/hourglass_ico.obj', 2, { vertices: 23, closed: true, manifold: false }],
  ])('%s (../shared/meshes absent: skipped)', async (name, code, facts) => {
    const outcome = await isochore(['inspect', sharedMeshPath(name), '--json']);
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject(facts);
  });
});

describe('the shipped JSON Schema', () => {
  it('is that of the scene reader', () => {
    const shipped = readFileSync(new URL('../../dist/scene.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(shipped)).toEqual(sceneJsonSchema());
  });
});

describe('isochore', () => {
  it('shows its version, which is that of the package', async () => {
    expect(await isochore(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each([[[]], [['--help']], [['simulate', '--help']]])('shows help for %j', async (args) => {
    const outcome = await isochore(args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Usage: isochore/);
  });
});
