// A bake that is killed −9 at twenty random times and goes on with --resume ends in the same bytes as one that nobody stopped, in every
// format; and what ends it in other ways (a full disk, no leave to write, Ctrl-C) is said in one line, with nothing half-written.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { expectOneLine, isochore, Workplace } from '../cli/built-cli.js';

const place = new Workplace();
/** Some seconds long, with a body that is cut, as that makes a track of its own. */
const SCENE = {
  isochore: 1,
  steps: 600,
  bodies: [
    { name: 'ball', mesh: { shape: 'icosphere', detail: 3, radius: 0.5 }, position: [0, 1, 0], spin: [5, 1, 0] },
    {
      ...{ name: 'block', mesh: { shape: 'box', size: [1, 0.5, 0.5], divisions: 4 }, position: [2, 1, 0] },
      solver: { type: 'octree', cells: 2, levels: 1 },
    },
  ],
  colliders: [{ shape: 'plane' }],
  cuts: [{ body: 'block', time: 1, plane: { normal: [1, 0, 0], point: [2, 0, 0] } }],
};
const OUTPUTS = ['a.glb', 'b.pc2', 'c.mdd', 'd.usda', 'e.vat', 'f.ply'];

/** All files below a folder, by name. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

const bake = (scene: string, folder: string, ...more: string[]) => [
  ...['bake', scene, ...OUTPUTS.flatMap((name) => ['-o', `${folder}/${name}`]), '--fps', '40', '--quiet', ...more],
];

it('ends in the same bytes, however often it is killed', async () => {
  const scene = place.write('scene.json', SCENE);
  const [whole, killed] = ['whole', 'killed'].map((name) => place.path(name));
  mkdirSync(whole);
  mkdirSync(killed);
  expect(await isochore(bake(scene, whole))).toEqual({ code: 0, stdout: '', stderr: '' });
  const expectSame = () => {
    expect(filesIn(killed)).toEqual(filesIn(whole));
    const differ = filesIn(whole).filter(
      (name) => !readFileSync(join(killed, name)).equals(readFileSync(join(whole, name))),
    );
    expect(differ).toEqual([]);
  };
  const random = seededRandom(20);
  // As long as one takes from the beginning, as far as is known: one that ends before its time came says it better.
  let took = 30_000;
  for (let kills = 0; kills < 20; ) {
    const begin = Date.now();
    const outcome = await isochore(bake(scene, killed, '--resume'), {
      during: (child) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), took * random());
        child.on('exit', () => clearTimeout(timer));
      },
    });
    if (outcome.code === null) {
      kills++;
      continue;
    }
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    took = Math.max(500, Math.min(took, Date.now() - begin));
    expectSame();
    for (const name of readdirSync(killed)) rmSync(join(killed, name), { recursive: true });
  }
  expect(await isochore(bake(scene, killed, '--resume'))).toEqual({ code: 0, stdout: '', stderr: '' });
  expectSame();
});

const mayMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;
if (!mayMount) console.warn('NOT RUN: a bake on a full disk (only root can mount a small one)');

describe.skipIf(!mayMount)('a bake that cannot write', () => {
  it('says that the disk is full, and leaves nothing half-written', async () => {
    const scene = place.write('short.json', { ...SCENE, steps: 300 });
    const small = place.path('small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'isochore-test', small]);
    try {
      const outcome = await isochore(bake(scene, small));
      expectOneLine(outcome, 1, /no space left on the disk\n$/);
      expect(readdirSync(small).filter((name) => !name.startsWith('.'))).toEqual([]);
      // Where there is room again it goes on, to the same bytes.
      execFileSync('mount', ['-o', 'remount,size=64m', small]);
      const whole = place.path('roomy');
      mkdirSync(whole);
      for (const [folder, how] of [
        [small, '--resume'],
        [whole, '--force'],
      ])
        expect(await isochore(bake(scene, folder, how))).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(filesIn(small)).toEqual(filesIn(whole));
      for (const name of filesIn(whole))
        expect(readFileSync(join(small, name)).equals(readFileSync(join(whole, name))), name).toBe(true);
    } finally {
      execFileSync('umount', [small]);
    }
  });
});

it('says what else it cannot do', async () => {
  const scene = place.write('short.json', { ...SCENE, steps: 300 });
  const locked = place.path('locked');
  mkdirSync(locked);
  chmodSync(locked, 0o555);
  // Root may write anywhere, so it is nobody who tries.
  chmodSync(place.folder, 0o755);
  expectOneLine(
    await isochore(bake(scene, locked), process.getuid?.() === 0 ? { uid: 65534 } : {}),
    1,
    /no permission/,
  );
  expect(readdirSync(locked)).toEqual([]);
  const there = place.write('g.glb', 'mine');
  expectOneLine(
    await isochore(['bake', scene, '-o', there]),
    1,
    `${there}: there is a file of this name; --force replaces it`,
  );
  const stopped = place.path('stopped');
  mkdirSync(stopped);
  const interrupted = await isochore(bake(scene, stopped), {
    during: (child) => {
      const look = setInterval(() => {
        const checkpoint = `${stopped}/.a.glb.isochore-bake/checkpoint`;
        if (!statSync(checkpoint, { throwIfNoEntry: false })) return;
        // A second one would end it at once.
        clearInterval(look);
        child.kill('SIGINT');
      }, 20);
      child.on('exit', () => clearInterval(look));
    },
  });
  expectOneLine(interrupted, 130, /short\.json: interrupted after \d+ of 300 steps; --resume goes on from there\n$/);
  expect(readdirSync(stopped)).toEqual(['.a.glb.isochore-bake']);
});

it('leaves a checkpoint where it is stopped while it writes', async () => {
  const scene = place.write('short.json', { ...SCENE, steps: 300 });
  const [whole, stopped] = ['written', 'unwritten'].map((name) => place.path(name));
  mkdirSync(whole);
  mkdirSync(stopped);
  expect((await isochore(bake(scene, whole))).code).toBe(0);
  const interrupted = await isochore(bake(scene, stopped), {
    during: (child) => {
      const look = setInterval(() => {
        if (!readdirSync(stopped).some((name) => name.endsWith('.isochore-draft'))) return;
        clearInterval(look);
        child.kill('SIGINT');
      }, 2);
      child.on('exit', () => clearInterval(look));
    },
  });
  expectOneLine(interrupted, 130, /short\.json: interrupted while writing; --resume goes on from there\n$/);
  expect(readdirSync(stopped).filter((name) => /draft|tmp/.test(name))).toEqual([]);
  expect((await isochore(bake(scene, stopped, '--resume'))).code).toBe(0);
  expect(filesIn(stopped)).toEqual(filesIn(whole));
});
