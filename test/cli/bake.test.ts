// `isochore bake`: files that are whole or absent, bakes that were stopped and go on to the same bytes, one-line errors.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();

/** Long enough that a signal arrives in the middle: some seconds. */
const SCENE = {
  isochore: 1,
  steps: 1000,
  bodies: [
    { name: 'ball', mesh: { shape: 'icosphere', detail: 3, radius: 0.5 }, position: [0, 1, 0], spin: [5, 1, 0] },
  ],
  colliders: [{ shape: 'plane' }],
};
/** An octahedron. */
const OBJ = `v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1
f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n`;
const CHECKPOINT = 'a.pc2';
const keptIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.'));

/** Stops a bake as soon as it has written a checkpoint of its own. */
async function stop(args: string[], folder: string, signal: 'SIGKILL' | 'SIGINT') {
  const timeOf = () =>
    statSync(`${folder}/.${CHECKPOINT}.isochore-bake/checkpoint`, { throwIfNoEntry: false })?.mtimeMs;
  const before = timeOf();
  return isochore(args, {
    during: (child) => {
      const look = setInterval(() => {
        if (timeOf() === before) return;
        clearInterval(look);
        child.kill(signal);
      }, 5);
      child.on('exit', () => clearInterval(look));
    },
  });
}

it('goes on after it was stopped, and ends in the same bytes', async () => {
  const scene = place.write('scene.json', SCENE);
  const [whole, stopped] = ['whole', 'stopped'].map((name) => place.path(name));
  mkdirSync(whole);
  mkdirSync(stopped);
  const bake = (folder: string, ...more: string[]) => [
    ...['bake', scene, '-o', `${folder}/a.pc2`, '--fps', '60', '--quiet', ...more],
  ];
  expect(await isochore(bake(whole))).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readdirSync(whole).sort()).toEqual(['a.obj', 'a.pc2']);

  expect((await stop(bake(stopped), stopped, 'SIGKILL')).code).toBe(null);
  expect(readdirSync(stopped)).toEqual(['.a.pc2.isochore-bake']);
  const refused = await isochore(bake(stopped));
  expectOneLine(
    refused,
    1,
    `${stopped}/a.pc2: a bake of it was stopped; --resume goes on with it, --force begins anew`,
  );
  const other = await isochore(bake(stopped, '--resume', '--seconds', '1'));
  expectOneLine(other, 1, /expected a bake of the same scene with the same options; --force begins anew\n$/);
  const interrupted = await stop(bake(stopped, '--resume'), stopped, 'SIGINT');
  expectOneLine(interrupted, 130, /scene\.json: interrupted after \d+ of 1000 steps; --resume goes on from there\n$/);
  expect(await isochore(bake(stopped, '--resume'))).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(keptIn(stopped)).toEqual([]);
  for (const name of readdirSync(whole)) {
    expect(readFileSync(`${stopped}/${name}`).equals(readFileSync(`${whole}/${name}`)), name).toBe(true);
  }
}, 240_000);

it('keeps files that are there, and says what it cannot do', async () => {
  const scene = place.write('short.json', { ...SCENE, steps: 20 });
  const there = place.write('there.usda', 'mine');
  expectOneLine(
    await isochore(['bake', scene, '-o', there]),
    1,
    `${there}: there is a file of this name; --force replaces it`,
  );
  expect(readFileSync(there, 'utf8')).toBe('mine');
  const replaced = await isochore(['bake', scene, '-o', there, '--force']);
  expect(replaced).toMatchObject({ code: 0, stderr: '' });
  expect(replaced.stdout).toMatch(/there\.usda: 4 frames at 30 a second, 642 vertices, [\d.]+ kB\n$/);
  expect(readFileSync(there, 'utf8')).toMatch(/^#usda/);
  // A file of a later frame, one of another body, and one beside it.
  const two = {
    ...SCENE,
    steps: 20,
    bodies: [...SCENE.bodies, { ...SCENE.bodies[0], name: 'b', position: [3, 1, 0] }],
  };
  const both = place.write('two.json', two);
  for (const [taken, output] of [
    ['seq.0003.obj', 'seq.obj'],
    ['pair-b.mdd', 'pair.mdd'],
    ['text.bin', 'text.gltf'],
  ]) {
    const file = place.write(taken, 'mine');
    const line = `${file}: there is a file of this name; --force replaces it`;
    expectOneLine(await isochore(['bake', both, '-o', place.path(output)]), 1, line);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  }
  // Where nothing was stopped, going on is beginning.
  expectOneLine(
    await isochore(['bake', both, '-o', place.path('pair.mdd'), '--resume']),
    1,
    /pair-b\.mdd: there is a file/,
  );
  // What is read is not written over, whatever is asked for.
  place.write('ball.obj', OBJ);
  const read = place.write('read.json', { ...SCENE, steps: 20, bodies: [{ name: 'ball', mesh: 'ball.obj' }] });
  const over = await isochore(['bake', read, '-o', place.path('ball.pc2'), '--force']);
  expectOneLine(over, 1, /ball\.obj: expected another file than .*ball\.obj, which is read\)\n$/);
  expect(readFileSync(place.path('ball.obj'), 'utf8')).toBe(OBJ);
  expectOneLine(
    await isochore(['bake', scene, '-o', place.path('y.glb'), '-o', place.path('y.glb')]),
    1,
    /y\.glb: expected each file once\n$/,
  );
  const unknown = place.path('x.fbx');
  expectOneLine(
    await isochore(['bake', scene, '-o', unknown]),
    1,
    /x\.fbx: expected a name with another ending: .*\.glb/,
  );
  expectOneLine(await isochore(['bake', scene, '-o', place.path('no/x.glb')]), 1, /expected an existing directory/);
  expectOneLine(
    await isochore(['bake', scene, '-o', place.path('x.glb'), '--body', 'bal']),
    1,
    /body: expected one of ball, got "bal"\n$/,
  );
  expectOneLine(
    await isochore(['bake', scene, '-o', place.path('x.glb'), '--from', '9']),
    1,
    /to: expected seconds from 9/,
  );
  expectOneLine(
    await isochore(['bake', scene, '-o', place.path('x.glb'), '--fps', 'x']),
    1,
    /--fps: expected a number above 0/,
  );
  const overflowing = place.write('over.json', { ...SCENE, steps: 20, gravity: [0, -1e308, 0], timeStep: 0.1 });
  const target = place.path('over.glb');
  expectOneLine(await isochore(['bake', overflowing, '-o', target]), 3, /the state became non-finite in step \d+/);
  expect(existsSync(target)).toBe(false);
  rmSync(there);
  expect(keptIn(place.folder)).toEqual([]);
}, 240_000);
