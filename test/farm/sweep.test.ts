// Sweeps without a machine: what is written on the command line becomes values, values scenes, and a plan what other engines read.

import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  frameRanges,
  makePlan,
  parseAxis,
  planFiles,
  runTask,
  type SweepPlan,
  sceneOf,
  sweepCsv,
  sweepPage,
  sweepTasks,
  taskAt,
  taskKey,
} from '../../src/farm/index.js';
import { checkScene, runScene } from '../../src/scenes/index.js';

const scene = checkScene({
  isochore: 1,
  steps: 5,
  bodies: [{ name: 'ball', mesh: { shape: 'icosphere', detail: 1 }, position: [0, 1, 0], deform: 'random' }],
  colliders: [{ shape: 'plane' }],
});
const place = { name: 'my scene', scene, folder: '/in', output: '/out', files: {} };
const planOf = (...axes: string[]): SweepPlan => makePlan({ ...place, axes: axes.map(parseAxis) });

describe('values', () => {
  it.each([
    ['a.b=0.2:0.9:8', [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]],
    ['a=1..4', [1, 2, 3, 4]],
    ['a=-1..1', [-1, 0, 1]],
    ['a=1e-3:2e-3:2', [0.001, 0.002]],
    ['a=5', [5]],
    ['a= global , local,true,2.5', ['global', 'local', true, 2.5]],
  ])('reads %s', (text, values) => {
    expect(parseAxis(text).values).toEqual(values);
  });

  it.each([
    ['a', 'expected PATH=VALUES, got "a"'],
    ['a=', 'expected PATH=VALUES, got "a="'],
    ['a=1:2', 'a: expected from:to:count, first..last or a list a,b,c, got "1:2"'],
    ['a=1:2:0', 'a: expected from:to:count'],
    ['a=4..1', 'a: expected from:to:count'],
    ['a=1,,2', 'a: expected from:to:count'],
    ['a=1,1', 'a: expected values that differ'],
    ['a=0..100000', 'a: expected at most 100000 values'],
  ])('refuses %s', (text, line) => {
    expect(() => parseAxis(text)).toThrow(line);
  });
});

describe('a plan', () => {
  it('has every combination once, the last axis fastest, in scenes that are checked', () => {
    const plan = planOf('bodies.0.solver.stiffness=0.2,0.4', 'bodies.ball.position.1=1:3:3');
    const tasks = sweepTasks(plan);
    expect(tasks.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(tasks.map((task) => sceneOf(plan, task).bodies[0].position[1])).toEqual([1, 2, 3, 1, 2, 3]);
    expect(tasks.map((task) => sceneOf(plan, task).bodies[0].solver)).toMatchObject(
      [0.2, 0.2, 0.2, 0.4, 0.4, 0.4].map((stiffness) => ({ stiffness })),
    );
    expect(new Set(tasks.map((task) => taskKey(plan, task))).size).toBe(6);
    expect(scene.bodies[0].position[1]).toBe(1);
    expect(() => taskAt(plan, 6)).toThrow('task: expected an integer from 0 to 5, got 6');
  });

  it('knows a task again whatever else is swept', () => {
    const [few, many] = [planOf('seed=1..3'), planOf('seed=3..9')];
    expect(taskKey(few, taskAt(few, 2))).toBe(taskKey(many, taskAt(many, 0)));
    expect(taskKey({ ...few, steps: 9 }, taskAt(few, 2))).not.toBe(taskKey(few, taskAt(few, 2)));
    expect(taskKey({ ...few, files: { 'a.obj': '1' } }, taskAt(few, 2))).not.toBe(taskKey(few, taskAt(few, 2)));
  });

  it.each([
    ['sed=1..3', 'sed: unknown field, did you mean seed?'],
    ['bodies.bal.scale=1,2', 'bodies.bal: did you mean ball? expected ball'],
    ['bodies.1.scale=1,2', 'bodies.1: expected ball'],
    ['bodies.0.solver.stiffness=0.5,7', 'bodies[0].solver.stiffness: expected'],
    ['steps.few=1,2', 'steps.few: expected steps to hold something in the scene'],
  ])('refuses %s', (text, line) => {
    expect(() => planOf(text)).toThrow(line);
  });

  it('is of values or of frames, of each once', () => {
    expect(() => planOf('seed=1..2', 'seed=3..4')).toThrow('seed: expected each path once');
    const frames = { fps: 24, ranges: frameRanges([1, 2, 3, 5, 6], 2) };
    expect(frames.ranges).toEqual([[1, 2], [3, 5], [6]]);
    const plan = makePlan({ ...place, axes: [], frames });
    expect(taskAt(plan, 1)).toEqual({ index: 1, values: {}, frames: [3, 5] });
    expect(() => makePlan({ ...place, axes: [parseAxis('seed=1..2')], frames })).toThrow(
      'either values to set or frames',
    );
  });
});

it('does a task as the scene itself would be run', async () => {
  const plan = planOf('seed=1,2');
  const results = await Promise.all(sweepTasks(plan).map((task) => runTask(plan, task)));
  const reports = await Promise.all([1, 2].map((seed) => runScene({ ...scene, seed }, { threads: 1 })));
  expect(results.map(({ hash }) => hash)).toEqual(reports.map(({ hash }) => hash));
  expect(results[1].figures.maxVolumeErrorPercent).toBe(reports[1].bodies[0].maxVolumeErrorPercent);
  expect(results[0].curve).toHaveLength(5);
  const lines = sweepCsv(plan.axes, results).split('\r\n');
  expect(lines[0]).toMatch(/^task,seed,hash,nonFinite,maxVolumeErrorPercent,/);
  expect(lines[2]).toMatch(new RegExp(`^1,2,${reports[1].hash},0,`));
  const html = sweepPage(plan, results);
  expect(html.match(/class="task"/g)).toHaveLength(2);
  // A page that asks nobody for anything.
  expect(html).not.toMatch(/(src|href)=|url\(|https?:/);
});

describe('the files of a plan', () => {
  const plan = planOf('seed=1..1500');
  const outputOf = ({ index }: { index: number }) => `/out/${index}.json`;
  const options = { command: ['npx', 'isochore'], planFile: "/it's here/plan.json", outputOf };
  const files = Object.fromEntries(planFiles(plan, options).map(({ name, text }) => [name, text]));
  const words = (index: number) => ['npx', 'isochore', 'work', "/it's here/plan.json", '--task', String(index)];

  it('are commands that a shell reads as they are meant', () => {
    const lines = files['tasks.txt'].trimEnd().split('\n');
    expect(lines).toHaveLength(1500);
    const read = execFileSync('sh', ['-c', `set -- ${lines[7]}; printf '%s\\n' "$@"`], { encoding: 'utf8' });
    expect(read.trimEnd().split('\n')).toEqual(words(7));
  });

  it('are a table of what each task is', () => {
    const own = planFiles(planOf('bodies.ball.scale=1,2', 'seed=3..4'), options).find(
      ({ name }) => name === 'tasks.csv',
    );
    const [head, ...lines] = own?.text.trimEnd().split('\r\n') ?? [];
    expect(head).toBe('task,seed,bodies.ball.scale,output,command');
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe(`3,4,2,/out/3.json,npx isochore work '/it'\\''s here/plan.json' --task 3`);
    // Of tasks that do not set it, the scene's own.
    const [, first] = planFiles(planOf('bodies.ball.scale=1,2'), options)[1].text.split('\r\n');
    expect(first).toMatch(/^0,1,1,\/out\/0\.json,/);
  });

  it('are a SLURM array in which every task comes once, however many there are', () => {
    const script = files['slurm.sh'].replace("npx isochore work '/it'\\''s here/plan.json' --task", 'echo');
    const [, last] = /^#SBATCH --array=0-(\d+)$/m.exec(script) ?? [];
    expect(Number(last)).toBeLessThan(1000);
    const elements = `for SLURM_ARRAY_TASK_ID in $(seq 0 ${last}); do (${script.replace(/^#.*$/gm, '')}); done`;
    const done = execFileSync('bash', ['-c', elements], { encoding: 'utf8' }).trimEnd().split('\n').map(Number);
    expect(done).toEqual(Array.from({ length: 1500 }, (_, n) => n));
  });

  it('are an OpenJD template with a range of tasks', () => {
    const template = JSON.parse(files['openjd.json']);
    expect(template.specificationVersion).toBe('jobtemplate-2023-09');
    const [{ parameterSpace, script }] = template.steps;
    expect(parameterSpace.taskParameterDefinitions).toEqual([{ name: 'Task', type: 'INT', range: '0-1499' }]);
    const single = planFiles(planOf('seed=3'), options).find(({ name }) => name === 'openjd.json')?.text ?? '';
    expect(JSON.parse(single).steps[0].parameterSpace.taskParameterDefinitions[0].range).toBe('0');
    const { command, args } = script.actions.onRun;
    const filled = args.map((text: string) =>
      text.replace('{{Param.Plan}}', template.parameterDefinitions[0].default).replace('{{Task.Param.Task}}', '7'),
    );
    expect([command, ...filled]).toEqual(words(7));
  });

  it('are a Flamenco job type that makes a task of each', () => {
    const tasks: { name: string; type: string; commands: { name: string; exe: string; args: string[] }[] }[] = [];
    // As Flamenco's manager has them: names and types are asked for, the script runs in strict mode.
    const author = {
      Task: (name: string, type: string) => {
        if (!name.trim() || !type.trim()) throw new Error('author.Task(name, type): both are required');
        const commands: object[] = [];
        return { name, type, commands, addCommand: (command: object) => commands.push(command) };
      },
      Command: (name: string, parameters: object) => ({ name, ...parameters }),
    };
    const job = { settings: { plan: options.planFile, tasks: 3 }, addTask: (task: never) => tasks.push(task) };
    const program = `'use strict'; ${files['flamenco.js']}; compileJob(job); JOB_TYPE`;
    const { label, settings } = runInNewContext(program, { author, job });
    expect(label).toBe('Isochore my scene');
    expect(settings).toMatchObject([
      { key: 'plan', type: 'string', required: true, default: options.planFile },
      { key: 'tasks', type: 'int32', required: true, default: 1500 },
    ]);
    expect(tasks.map(({ type }) => type)).toEqual(['misc', 'misc', 'misc']);
    expect(tasks).toHaveLength(3);
    const [{ name, exe, args }] = tasks[2].commands;
    expect(name).toBe('exec');
    expect([exe, ...args]).toEqual(words(2));
  });
});
