// `isochore simulate`: results, exit codes, one-line errors, files that are whole or absent.

import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { scenes } from '../../src/scenes/index.js';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();
const SCENES = scenes.map(({ name }) => name).join(', ');

const SMALL = {
  isochore: 1,
  steps: 5,
  bodies: [
    { name: 'a', mesh: { shape: 'icosphere', detail: 1, radius: 0.5 }, position: [0, 1, 0] },
    { name: 'b', mesh: { shape: 'box', divisions: 2 }, position: [3, 1, 0], solver: { volume: false } },
  ],
  colliders: [{ shape: 'plane' }],
};

/** Overflows within the first step. */
const OVERFLOWING = {
  ...SMALL,
  gravity: [0, -1e308, 0],
  timeStep: 0.1,
  bodies: [{ ...SMALL.bodies[0], velocity: [1e308, -1e308, 1e308] }],
};

/** A tetrahedron. */
const OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

/** Long enough that a signal arrives in the middle. */
const LONG = { ...SMALL, steps: 10_000_000 };

const REPORT_FIELDS = 'isochore scene backend threads particles steps timeStep msPerStep nonFinite hash bodies';
const STAGE_FIELDS = 'total predict match damp contact conserve';
const BODY_FIELDS =
  'name particles restVolume maxVolumeErrorPercent finalVolumeErrorPercent centroid bounds momentum angularMomentum edgeStrainRms maxPenetration contacts selfIntersections recoveries solver nodes parts volumeGaveWaySeconds';

const fieldsOf = (value: object): string => Object.keys(value).join(' ');

describe('the report', () => {
  it('is all that --json prints, with the fields of the contract in their order', async () => {
    const outcome = await isochore(['simulate', place.write('small.json', SMALL), '--json']);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const report = JSON.parse(outcome.stdout);
    expect(fieldsOf(report)).toBe(REPORT_FIELDS);
    expect(fieldsOf(report.msPerStep)).toBe(STAGE_FIELDS);
    expect(report.bodies.map(fieldsOf)).toEqual([BODY_FIELDS, BODY_FIELDS]);
    expect(report).toMatchObject({
      isochore: manifest.version,
      scene: 'small',
      backend: 'wasm',
      steps: 5,
      timeStep: 0.005,
    });
    // 10·4 + 2 of the icosphere and 6·2² + 2 of the box.
    expect(report).toMatchObject({ particles: 42 + 26, nonFinite: 0, hash: expect.stringMatching(/^[\da-f]{16}$/) });
    expect(report.bodies[0]).toMatchObject({ name: 'a', particles: 42 });
  });

  it('tells the backend that auto has chosen: WebAssembly, whatever the solvers', async () => {
    const solver = { type: 'lattice', resolution: 4 };
    const scene = place.write('lattice.json', { ...SMALL, bodies: [SMALL.bodies[0], { ...SMALL.bodies[1], solver }] });
    const outcome = await isochore(['simulate', scene, '--json']);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ backend: 'wasm' });
    const other = await isochore(['simulate', scene, '--json', '--backend', 'reference']);
    expect(JSON.parse(other.stdout)).toMatchObject({ backend: 'reference', threads: 1 });
  });

  it('is the same, times aside, in a file and on stdout, and from one run to the next', async () => {
    const scene = place.write('small.json', SMALL);
    const target = place.path('report.json');
    const outcome = await isochore(['simulate', scene, '--json', '--report', target]);
    expect(readFileSync(target, 'utf8')).toBe(outcome.stdout);
    const again = await isochore(['simulate', scene, '--json']);
    const withoutTimes = (text: string): object => ({ ...JSON.parse(text), msPerStep: null });
    expect(withoutTimes(again.stdout)).toEqual(withoutTimes(outcome.stdout));
  });

  it('replaces an older file, through a link too, and leaves nothing else behind', async () => {
    const scene = place.write('small.json', SMALL);
    const target = place.write('older.json', 'old');
    symlinkSync(target, place.path('link.json'));
    const before = readdirSync(place.folder);
    const outcome = await isochore(['simulate', scene, '--quiet', '--report', place.path('link.json')]);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(readFileSync(target, 'utf8')).scene).toBe('small');
    expect(readdirSync(place.folder)).toEqual(before);
  });

  it('keeps who may read a file, and where a link leads', async () => {
    const scene = place.write('small.json', SMALL);
    const secret = place.write('secret.json', 'old');
    chmodSync(secret, 0o600);
    await isochore(['simulate', scene, '--quiet', '--report', secret]);
    expect(JSON.parse(readFileSync(secret, 'utf8')).scene).toBe('small');
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    // A link to a file that is not there yet, by a relative path.
    symlinkSync('later.json', place.path('dangling.json'));
    await isochore(['simulate', scene, '--quiet', '--report', place.path('dangling.json')]);
    expect(lstatSync(place.path('dangling.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(place.path('later.json'), 'utf8')).scene).toBe('small');
  });

  it('is never written over the scene or its meshes', async () => {
    const ball = readFileSync(place.write('ball.obj', OBJ));
    const scene = place.write('own.json', { ...SMALL, bodies: [{ name: 'a', mesh: 'ball.obj' }] });
    const before = readFileSync(scene);
    linkSync(scene, place.path('hard.json'));
    for (const target of ['own.json', './own.json', 'hard.json', 'ball.obj']) {
      const outcome = await isochore(['simulate', 'own.json', '--report', target], { cwd: place.folder });
      expectOneLine(outcome, 1, /expected another file than (own\.json|ball\.obj), which is read/);
    }
    expect(readFileSync(scene)).toEqual(before);
    expect(readFileSync(place.path('ball.obj'))).toEqual(ball);
  });

  it.each([0, 2])('follows --steps %i', async (steps) => {
    const outcome = await isochore(['simulate', place.write('small.json', SMALL), '--json', '--steps', String(steps)]);
    expect(JSON.parse(outcome.stdout).steps).toBe(steps);
  });

  it('is a table with a column for each body by default, without control codes in a pipe', async () => {
    const outcome = await isochore(['simulate', place.write('small.json', SMALL)]);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^small: 68 particles, 5 steps of 5 ms, wasm, [1-9]\d* threads?\n/);
    expect(outcome.stdout).toMatch(/^particles +42 +26$/m);
    expect(outcome.stdout).not.toContain('\u001b');
  });

  it('runs a built-in scene by its name', async () => {
    const outcome = await isochore(['simulate', 'recover', '--steps', '1', '--json']);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ scene: 'recover', particles: 6 * 386, steps: 1 });
  });

  it('holds a mesh file named relative to the scene file', async () => {
    const faces = [
      [1, 3, 2],
      [1, 2, 4],
      [2, 3, 4],
      [3, 1, 4],
    ];
    const lines = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'v 0 0 1', ...faces.map((face) => `f ${face.join(' ')}`)];
    place.write('tetrahedron.obj', lines.join('\n'));
    const scene = place.write('file.json', { isochore: 1, steps: 1, bodies: [{ mesh: 'tetrahedron.obj', scale: 2 }] });
    const { stdout, stderr } = await isochore(['simulate', scene, '--json']);
    expect(stderr).toBe('');
    const [body] = JSON.parse(stdout).bodies;
    expect(body.particles).toBe(4);
    // A tetrahedron with legs of 2: 2³/6, exact to rounding.
    expect(Math.abs(body.restVolume - 8 / 6)).toBeLessThan(1e-12);
  });
});

describe('a state that stops being finite', () => {
  it('ends the run with code 3 and still gives the report', async () => {
    const target = place.path('overflow-report.json');
    const scene = place.write('overflow.json', OVERFLOWING);
    const outcome = await isochore(['simulate', scene, '--json', '--report', target]);
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toMatch(/^[^\n]*overflow\.json: the state became non-finite in step 1 \(\d+ values\)\n$/);
    const report = JSON.parse(outcome.stdout);
    expect(report.steps).toBe(1);
    expect(report.nonFinite).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(report);
  });
});

describe('bad input', () => {
  it('names the file, the field and what was expected', async () => {
    place.write('scene.json', { isochore: 1, bodies: [{ mesh: { shape: 'box' }, solver: { regionSize: 0 } }] });
    const outcome = await isochore(['simulate', 'scene.json', '--report', 'never.json'], { cwd: place.folder });
    expectOneLine(outcome, 1, 'scene.json: bodies[0].solver.regionSize: expected an integer from 1 to 16, got 0');
    expect(readdirSync(place.folder)).not.toContain('never.json');
  });

  it.each<[string, string | object, string | RegExp]>([
    [
      'syntax',
      '{"isochore": 1,\n',
      'bad.json: line 2, column 1: expected a field name in double quotes, got the end of the file',
    ],
    ['an empty file', '', /^bad\.json: line 1, column 1: expected a value/],
    [
      'a missing mesh file',
      { isochore: 1, bodies: [{ mesh: 'none.obj' }] },
      'bad.json: bodies[0].mesh: expected a mesh that can be simulated, got "none.obj" (none.obj: no such file)',
    ],
    [
      'a mesh that is a directory',
      { isochore: 1, bodies: [{ mesh: '.' }] },
      'bad.json: bodies[0].mesh: expected a mesh that can be simulated, got "." (.: expected a file, got a directory)',
    ],
    [
      'a mesh that is open',
      { isochore: 1, bodies: [{ mesh: 'open.off' }] },
      /^bad\.json: bodies\[0\]\.mesh: expected a mesh that can be simulated, got "open\.off" \(3 edges .*\)\n$/,
    ],
    [
      'a mesh of an unknown kind',
      { isochore: 1, bodies: [{ mesh: 'bad.json' }] },
      /^bad\.json: bodies\[0\]\.mesh: .*unknown kind of file/,
    ],
    [
      'a pin that holds nothing',
      {
        ...SMALL,
        pins: [
          {
            body: 'b',
            select: {
              box: [
                [5, 5, 5],
                [6, 6, 6],
              ],
            },
          },
        ],
      },
      'bad.json: pins[0].select.box: expected a box with at least one vertex of "b" (at rest it spans [-0.5, -0.5, -0.5] to [0.5, 0.5, 0.5]), got [5, 5, 5] to [6, 6, 6]',
    ],
  ])('%s', async (_, content, line) => {
    place.write('bad.json', content);
    place.write('open.off', 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n');
    expectOneLine(await isochore(['simulate', 'bad.json', '--json'], { cwd: place.folder }), 1, line);
  });

  it.each<[string[], string]>([
    [['simulate', 'nowhere.json'], 'nowhere.json: no such file'],
    [['simulate', 'sponges'], `sponges: unknown scene, expected a scene file or one of ${SCENES}`],
    [['simulate', '.'], '.: expected a file, got a directory'],
    [['simulate', '/dev/null'], '/dev/null: expected a regular file'],
    [['simulate', 'twist', '--steps', '-1'], '--steps: expected an integer from 0 to 10000000, got "-1"'],
    [['simulate', 'twist', '--steps', '1.5'], '--steps: expected an integer from 0 to 10000000, got "1.5"'],
    [['simulate', 'twist', '--steps', '1e3'], '--steps: expected an integer from 0 to 10000000, got "1e3"'],
    [['simulate', 'twist', '--threads', '0'], '--threads: expected an integer from 1 to 16, got "0"'],
    [['simulate', 'twist', '--threads', '17'], '--threads: expected an integer from 1 to 16, got "17"'],
    [['simulate', 'twist', '--backend', 'gpu'], '--backend: expected one of auto, reference, wasm, webgpu, got "gpu"'],
    [
      ['simulate', 'twist', '--backend', 'wsm'],
      '--backend: did you mean wasm? expected one of auto, reference, wasm, webgpu, got "wsm"',
    ],
    [
      ['simulate', 'duck-and-tori'],
      `duck-and-tori: unknown scene, did you mean ducks-and-tori? expected a scene file or one of ${SCENES}`,
    ],
    [
      ['simulate', 'twist', '--report', 'no/such/r.json'],
      'no/such/r.json: expected an existing directory, got no/such',
    ],
    [['simulate', 'twist', '--report', '.'], '.: expected the name of a regular file'],
    [['simulate', 'twist', '--report', '/dev/null'], '/dev/null: expected the name of a regular file'],
    [['simulate'], "isochore: missing required argument 'scene'"],
    [['simulate', 'twist', '--fast'], "isochore: unknown option '--fast'"],
    [['simulate', 'twist', '--thread', '2'], "isochore: unknown option '--thread', did you mean --threads?"],
    [['simulat', 'twist'], "isochore: unknown command 'simulat', did you mean simulate?"],
    [['simulate', 'line\nbreak\u001b[31m.json'], 'line break\\u001b[31m.json: no such file'],
  ])('%j → %s', async (args, line) => {
    expectOneLine(await isochore(args, { cwd: place.folder }), 1, line);
  });

  it('refuses text that is not UTF-8 and files of any size beyond the limit', async () => {
    const scene = place.write('huge.json', '');
    truncateSync(scene, 65 * 1024 * 1024);
    expectOneLine(
      await isochore(['simulate', 'huge.json'], { cwd: place.folder }),
      1,
      'huge.json: expected at most 64 MiB, got 65 MiB',
    );
    place.write('latin.json', Uint8Array.of(0x7b, 0xe9, 0x7d));
    expectOneLine(
      await isochore(['simulate', 'latin.json'], { cwd: place.folder }),
      1,
      'latin.json: expected UTF-8 text',
    );
  });
});

describe('interruption', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends with the report of what was done', async (signal, code) => {
    const scene = place.write('long.json', LONG);
    const target = place.path(`long-${signal}.json`);
    // A whole short run tells how long this machine takes to get to the first step.
    const started = performance.now();
    await isochore(['simulate', place.write('small.json', SMALL), '--quiet']);
    const delay = 500 + 3 * (performance.now() - started);
    const outcome = await isochore(['simulate', scene, '--quiet', '--report', target], {
      during: (child) => setTimeout(() => child.kill(signal), delay),
    });
    expect(outcome.code).toBe(code);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toMatch(/^[^\n]*long\.json: interrupted after \d+ steps\n$/);
    const report = JSON.parse(readFileSync(target, 'utf8'));
    expect(report.steps).toBeGreaterThan(0);
    expect(report.steps).toBeLessThan(LONG.steps);
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('by a reader that goes away is silent', async () => {
    const outcome = await isochore(['simulate', place.write('small.json', SMALL), '--json'], {
      during: (child) => child.stdout?.destroy(),
    });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
  });
});
