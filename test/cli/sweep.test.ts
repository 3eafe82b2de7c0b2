// `isochore sweep` and `isochore work`: tasks that are done once, tables at the end, one-line errors. Over a queue and under SLURM they run
// in test/soak.

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();
const SCENE = {
  isochore: 1,
  steps: 5,
  bodies: [{ name: 'ball', mesh: 'ball.obj', position: [0, 2, 0], deform: 'random' }],
  colliders: [{ shape: 'plane' }],
};
/** An octahedron. */
const OBJ = `v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1
f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n`;

it('does every task once, also what a farm or another sweep has done', async () => {
  place.write('ball.obj', OBJ);
  const scene = place.write('scene.json', SCENE);
  const out = place.path('out');
  const sweep = (...more: string[]) => isochore(['sweep', scene, '--set', 'seed=1..3', '-o', out, ...more]);
  expect(await sweep('--plan', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  const [planFile] = readdirSync(out).filter((name) => /^plan-\w+\.json$/.test(name));
  expect(readdirSync(`${out}/plan`).sort()).toEqual([
    'flamenco.js',
    'openjd.json',
    'slurm.sh',
    'tasks.csv',
    'tasks.txt',
  ]);
  const work = () => isochore(['work', `${out}/${planFile}`, '--task', '1']);
  expect(await work()).toEqual({ code: 0, stdout: '', stderr: '' });
  const [done] = readdirSync(`${out}/tasks`);
  const { mtimeMs } = statSync(`${out}/tasks/${done}`);
  expect(await work()).toEqual({ code: 0, stdout: '', stderr: '' });

  const line = `${out}: 3 of 3 tasks done, 1 of them before; table.csv, table.html\n`;
  expect(await sweep()).toEqual({ code: 0, stdout: line, stderr: '' });
  expect(statSync(`${out}/tasks/${done}`).mtimeMs).toBe(mtimeMs);
  expect(readFileSync(`${out}/table.csv`, 'utf8').split('\r\n')).toHaveLength(5);
  expect(existsSync(`${out}/table.html`)).toBe(true);
  // Another mesh under the same name is another task.
  place.write('ball.obj', OBJ.replace('v 1 0 0', 'v 1.5 0 0'));
  expect((await sweep()).stdout).toBe(`${out}: 3 of 3 tasks done; table.csv, table.html\n`);
  expect(readdirSync(`${out}/tasks`)).toHaveLength(6);
}, 240_000);

it('poses ranges of frames', async () => {
  const out = place.path('posed');
  const outcome = await isochore(['sweep', 'imprint', '--frames', '1-3', '--chunk', '2', '-o', out, '--jobs', '1']);
  expect(outcome).toEqual({ code: 0, stdout: `${out}: 2 of 2 tasks done; table.csv, table.html\n`, stderr: '' });
  expect(readdirSync(`${out}/frames`)).toEqual(['imprint.0001.obj', 'imprint.0002.obj', 'imprint.0003.obj']);
  expect(readFileSync(`${out}/table.csv`, 'utf8')).toMatch(/^0,1 2,[\da-f]{16},0,/m);
}, 240_000);

it('says what it cannot do in one line', async () => {
  const scene = place.write('other.json', { ...SCENE, bodies: [{ ...SCENE.bodies[0], mesh: 'no.obj' }] });
  const out = place.path('none');
  const failed = await isochore(['sweep', scene, '--set', 'seed=1,2', '-o', out, '--quiet']);
  expectOneLine(failed, 4, /other\.json: 2 of 2 tasks failed; task 0: .*no\.obj: no such file\)\n$/);
  const refuse = async (line: string | RegExp, ...args: string[]) => expectOneLine(await isochore(args), 1, line);
  await refuse(/expected --set PATH=VALUES or --frames LIST/, 'sweep', scene, '-o', out);
  await refuse(/sed: unknown field, did you mean seed\?/, 'sweep', scene, '--set', 'sed=1..3', '-o', out);
  await refuse(/--set: seed: expected from:to:count/, 'sweep', scene, '--set', 'seed=1:3', '-o', out);
  await refuse(/expected a directory, got a file|no such file/, 'sweep', scene, '--set', 'seed=1..3', '-o', scene);
  await refuse(/expected a plan that isochore sweep wrote/, 'work', scene, '--task', '1');
  await refuse(/expected either a plan with --task N, or --queue URL/, 'work');
  await refuse('--queue: expected an address such as redis://localhost:6379', 'work', '--queue', 'localhost');
  await refuse('--queue: 127.0.0.1:9: nobody answers there', 'work', '--queue', 'redis://127.0.0.1:9');
  rmSync(out, { recursive: true });
  const overflowing = { ...SCENE, gravity: [0, -1e308, 0], timeStep: 0.1, bodies: [{ mesh: { shape: 'box' } }] };
  const lost = place.write('over.json', overflowing);
  const line = /over\.json: the state became non-finite in 2 of 2 tasks; the first is task 0\n$/;
  expectOneLine(await isochore(['sweep', lost, '--set', 'seed=1,2', '-o', out, '--quiet']), 3, line);
  const [plan] = readdirSync(out).filter((name) => name.startsWith('plan-'));
  expectOneLine(await isochore(['work', `${out}/${plan}`, '--task', '1']), 3, /task 1: the state became non-finite/);
}, 240_000);
