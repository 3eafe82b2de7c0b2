// `isochore deform`: files that are whole or absent, frames in any order, runs that go on where they were, one-line errors.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { readMovingMesh } from '../../src/mesh/index.js';
import { sampleRig } from '../mesh/io/sample-rig.js';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();

const BALL = {
  name: 'ball',
  mesh: { shape: 'icosphere', detail: 1 },
  solver: { type: 'deformer', tolerance: 1e-3 },
};
const PRESSER = {
  name: 'presser',
  shape: 'sphere',
  radius: 0.6,
  motion: [
    { time: 0, position: [0, 1.7, 0] },
    { time: 0.2, position: [0, 1.3, 0] },
  ],
};
/** Five frames at 24 per second. */
const SMALL = { isochore: 1, steps: 40, timeStep: 0.005, bodies: [BALL], colliders: [PRESSER] };

describe('the files', () => {
  it('are the same for any number of workers, and the validator finds nothing in the GLB', async () => {
    const scene = place.write('small.json', SMALL);
    const [one, two] = [place.path('one.glb'), place.path('two.glb')];
    const first = await isochore(['deform', scene, '-o', one, '--workers', '1', '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({ scene: 'small', fps: 24, workers: 1, kept: [] });
    expect(report.frames.map(({ frame }: { frame: number }) => frame)).toEqual([1, 2, 3, 4, 5]);
    expect(report.bodies[0]).toMatchObject({ name: 'ball', vertices: 42, maxPenetration: 0 });
    expect(report.bodies[0].maxVolumeErrorPercent).toBeLessThan(1e-10);
    const second = await isochore(['deform', scene, '-o', two, '--workers', '2', '--json']);
    expect(JSON.parse(second.stdout).hash).toBe(report.hash);
    expect(readFileSync(two).equals(readFileSync(one))).toBe(true);
    const { issues } = await validateBytes(new Uint8Array(readFileSync(one)));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    // No frame in single precision is further away than its rounding.
    const moving = await readMovingMesh(new Uint8Array(readFileSync(one)), 'one.glb');
    expect(moving).toMatchObject({ vertexCount: 42 });
    expect(Math.abs(moving.duration - 4 / 24)).toBeLessThan(1e-7);
  });

  it('hold colliders, are text, USD or samples, and compressed, where that is asked for', async () => {
    const scene = place.write('small.json', SMALL);
    const frames = ['--frames', '3-4,7', '--quiet'];
    const text = place.path('t.gltf');
    expect(await isochore(['deform', scene, '-o', text, '--colliders', ...frames])).toMatchObject({
      code: 0,
      stderr: '',
    });
    const { issues } = await validateBytes(new Uint8Array(readFileSync(text)), {
      externalResourceFunction: async (uri) => new Uint8Array(readFileSync(place.path(uri))),
    });
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect(JSON.parse(readFileSync(text, 'utf8')).nodes.map(({ name }: { name: string }) => name)).toEqual([
      'ball',
      'presser',
    ]);
    const small = place.path('small.glb');
    const outcome = await isochore(['deform', scene, '-o', small, '--compress', '--tolerance', '0.001', ...frames]);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const [bytes, usd] = [new Uint8Array(readFileSync(small)), place.path('u.usda')];
    expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect((await readMovingMesh(bytes, 'small.glb')).vertexCount).toBe(42);
    expect(await isochore(['deform', scene, '-o', usd, ...frames])).toMatchObject({ code: 0, stderr: '' });
    // Frames keep their numbers, gaps and all.
    const samples =
      /points\.timeSamples = \{\n([\s\S]*?)\n {8}\}/.exec(readFileSync(usd, 'utf8'))?.[1].split('\n') ?? [];
    expect(samples.map((line) => Number.parseInt(line, 10))).toEqual([3, 4, 7]);
  });

  it('are a cache or a sequence, frame by frame the same', async () => {
    const scene = place.write('small.json', SMALL);
    const cache = place.path('a.pc2');
    expect(await isochore(['deform', scene, '-o', cache, '--frames', '4-5,3', '--quiet'])).toMatchObject({ code: 0 });
    const moving = await readMovingMesh(new Uint8Array(readFileSync(cache)), 'a.pc2');
    expect(moving.vertexCount).toBe(42);
    expect(await isochore(['deform', scene, '-o', place.path('a.obj'), '--frame', '4'])).toMatchObject({ code: 0 });
    const vertices = readFileSync(place.path('a.0004.obj'), 'utf8').matchAll(/^v (.*)$/gm);
    const expected = [...vertices].flatMap(([, numbers]) => numbers.split(' ').map(Number));
    expect([...moving.positionsAt(3 / 24)]).toEqual(expected.map(Math.fround));
  });

  it('are a cache for each of several bodies', async () => {
    const other = { ...BALL, name: 'other', position: [3, 0, 0] };
    const scene = place.write('two-bodies.json', { ...SMALL, bodies: [BALL, other] });
    for (const ending of ['pc2', 'mdd']) {
      const cache = place.path(`two-bodies.${ending}`);
      const args = ['deform', scene, '-o', cache, '--frames', '4-5', '--quiet'];
      expect(await isochore(args)).toMatchObject({ code: 0, stderr: '' });
      const taken = place.path(`two-bodies-ball.${ending}`);
      const line = `${taken}: expected the name of a new file, as this one exists (--force replaces it)`;
      if (ending === 'pc2') expectOneLine(await isochore(args), 1, line);
      // Two samples of 42 vertices after a header.
      const header = ending === 'pc2' ? 32 : 16;
      for (const name of ['ball', 'other'])
        expect(readFileSync(place.path(`two-bodies-${name}.${ending}`)).length).toBe(header + 2 * 42 * 12);
    }
    const still = await readMovingMesh(new Uint8Array(readFileSync(place.path('two-bodies-other.pc2'))), 'other.pc2');
    expect(Math.abs(Math.min(...still.positionsAt(3 / 24).filter((_, k) => k % 3 === 0)) - 2)).toBeLessThan(1e-6);
  });

  it('that exist are kept', async () => {
    const scene = place.write('small.json', SMALL);
    const file = place.write('there.glb', 'mine');
    const line = `${file}: expected the name of a new file, as this one exists (--force replaces it)`;
    expectOneLine(await isochore(['deform', scene, '-o', file]), 1, line);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    place.write('b-02.obj', 'mine');
    const outcome = await isochore(['deform', scene, '-o', place.path('b-##.obj'), '--frames', '1-3']);
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout).toContain('2 frames of small\nkept as they were: 2 (--force replaces them)\n');
    expect(readFileSync(place.path('b-02.obj'), 'utf8')).toBe('mine');
    expect(existsSync(place.path('b-03.obj'))).toBe(true);
  });
});

describe('a run that was interrupted', () => {
  it('goes on where it was, to the same bytes', async () => {
    const scene = place.write('long.json', { ...SMALL, steps: 400 });
    const whole = place.path('whole.glb');
    const args = ['deform', scene, '--workers', '1', '--frames', '1-12', '--quiet'];
    expect(await isochore([...args, '-o', whole])).toMatchObject({ code: 0 });
    const file = place.path('parts.glb');
    const folder = `${file}.frames`;
    const stopped = await isochore([...args, '-o', file], {
      during: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(folder) || readdirSync(folder).filter((name) => name.endsWith('.bin')).length < 2) return;
          clearInterval(timer);
          child.kill('SIGINT');
        }, 5);
        child.on('close', () => clearInterval(timer));
      },
    });
    // A machine that is fast enough has done all of them before the signal arrives.
    if (stopped.code !== 0) {
      expectOneLine(stopped, 130, /interrupted after \d+ of 12 frames; the same command goes on from there/);
      expect(existsSync(file)).toBe(false);
      expect(readdirSync(folder).length).toBeGreaterThan(1);
      expect(await isochore([...args, '-o', file])).toMatchObject({ code: 0, stderr: '' });
    }
    expect(readFileSync(file).equals(readFileSync(whole))).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  it('takes no frames of another scene', async () => {
    const file = place.path('other.pc2');
    mkdirSync(`${file}.frames`);
    writeFileSync(`${file}.frames/000001-${'0'.repeat(32)}.bin`, 'something else');
    const scene = place.write('small.json', SMALL);
    expect(await isochore(['deform', scene, '-o', file, '--quiet'])).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(`${file}.frames`)).toBe(false);
  });
});

describe('input that moves', () => {
  it('comes from a glTF, and colliders follow its nodes', async () => {
    place.write('rig.glb', await sampleRig());
    const scene = place.write('rig.json', {
      isochore: 1,
      bodies: [{ mesh: 'rig.glb', input: { file: 'rig.glb', animation: 'bend' }, solver: BALL.solver }],
      colliders: [{ shape: 'sphere', radius: 0.3, position: [0.5, 0, 0], follow: { body: 'body0', node: 'joint1' } }],
    });
    const file = place.path('rig.pc2');
    const outcome = await isochore(['deform', scene, '-o', file, '--frames', '12-13', '--json']);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const [{ bodies }] = JSON.parse(outcome.stdout).frames;
    expect(bodies[0]).toMatchObject({ touched: true });
    expect(bodies[0].depthBefore).toBeGreaterThan(0);
  });

  it.each([
    [{ input: 'nowhere.glb' }, /bodies\[0\].input: expected a moving mesh, got "nowhere.glb" \(.*: no such file\)/],
    [
      { mesh: 'rig.glb', input: { file: 'rig.glb', animation: 'bent' } },
      /bodies\[0\].input: expected a moving mesh, got "rig.glb" \(.*animation.*bent.*\)/,
    ],
  ])('that is wrong is named: %j', async (change, line) => {
    place.write('rig.glb', await sampleRig());
    const scene = place.write('wrong.json', { ...SMALL, bodies: [{ ...BALL, ...change }] });
    expectOneLine(await isochore(['deform', scene, '-o', place.path('wrong.glb')]), 1, line);
    expect(existsSync(place.path('wrong.glb'))).toBe(false);
  });
});

it.each([
  [['--frames', '5-1'], '--frames: expected frames from 1 such as 1-240,300, got "5-1"'],
  [['--frame', '1', '--frames', '2'], '--frame: expected either --frame or --frames'],
])('refuses %j', async (args, line) => {
  const scene = place.write('small.json', SMALL);
  expectOneLine(await isochore(['deform', scene, '-o', place.path('c.glb'), ...args]), 1, line);
});

it('has every frame of a cache with a sample that is no number, and says which', async () => {
  const scene = place.write('small.json', SMALL);
  const cache = place.path('whole.pc2');
  expect(await isochore(['deform', scene, '-o', cache, '--frames', '1-3', '--quiet'])).toMatchObject({ code: 0 });
  const bytes = readFileSync(cache);
  // A coordinate of vertex 5 in the second of three samples.
  bytes.writeFloatLE(Number.NaN, 32 + 42 * 12 + 5 * 12);
  writeFileSync(place.path('broken.pc2'), bytes);
  const broken = place.write('broken.json', { ...SMALL, bodies: [{ ...BALL, input: 'broken.pc2' }] });
  const outcome = await isochore(['deform', broken, '-o', place.path('mended.glb'), '--frames', '1-3']);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('ball: input-mended in frame 2\n');
  const moving = await readMovingMesh(new Uint8Array(readFileSync(place.path('mended.glb'))), 'mended.glb');
  for (const time of [0, 1 / 24, 2 / 24]) expect(moving.positionsAt(time).every(Number.isFinite)).toBe(true);
});

it('says what a frame could not have, and writes the best there is', async () => {
  // Two walls that leave no room between them.
  const walls = [1, -1].map((side) => ({
    name: side === 1 ? 'right' : 'left',
    shape: 'box',
    size: [4, 4, 4],
    position: [1.9 * side, 0, 0],
    press: { direction: [-side, 0, 0] },
  }));
  const scene = place.write('walls.json', { ...SMALL, colliders: walls });
  const file = place.path('walls.obj');
  const outcome = await isochore(['deform', scene, '-o', file, '--frame', '1']);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('ball: still-inside in frame 1 (right)');
  expect(existsSync(place.path('walls.0001.obj'))).toBe(true);
});
