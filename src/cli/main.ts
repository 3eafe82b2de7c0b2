#!/usr/bin/env node
// The command line: verbs and options; each verb is a thin layer over the library.

import { Command, CommanderError } from 'commander';
import { BAKED_FORMATS } from '../bake/index.js';
import { MAX_WORKERS } from '../deformer/index.js';
import {
  BACKENDS,
  MAX_THREADS,
  MESH_UNITS,
  type MeshUnit,
  SIMULATABLE_VERTICES,
  TETRA_COUNTS,
  UP_AXES,
  WRITTEN_FORMATS,
} from '../index.js';
import { describeKnown } from '../math/known-fields.js';
import { VERSION } from '../scenes/index.js';
import { CliError, showError } from './cli-error.js';
import { bake } from './commands/bake.js';
import { createPage } from './commands/create.js';
import { deform } from './commands/deform.js';
import { inspect } from './commands/inspect.js';
import { type PrepareOptions, prepareMesh } from './commands/prepare.js';
import { prepareSolid, SOLID_ENDINGS } from './commands/prepare-solid.js';
import { listScenes } from './commands/scenes.js';
import { simulate } from './commands/simulate.js';
import { sweep } from './commands/sweep.js';
import { work } from './commands/work.js';
import { parseFrames } from './frame-list.js';
import { BAKE_HELP, DEFORM_HELP, SWEEP_HELP, WORK_HELP } from './help-text.js';
import { SERVE_TASKS } from './task-pool.js';
import { serveTasks } from './task-server.js';

const MAX_STEPS = 10_000_000;
const MAX_JOBS = 1024;
const PARTS = ['joined', 'separate'] as const;
const UNITS = Object.keys(MESH_UNITS) as MeshUnit[];

/** A parser for an option that takes a whole number. */
const integerOption =
  (option: string, low: number, high: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    throw new CliError(`${option}: expected an integer from ${low} to ${high}, got ${JSON.stringify(text)}`);
  };

/** A parser for an option that takes one of some words. */
const choiceOption =
  <Choice extends string>(option: string, choices: readonly Choice[]) =>
  (text: string): Choice => {
    const choice = choices.find((name) => name === text);
    if (choice) return choice;
    throw new CliError(`${option}: ${describeKnown(text, choices)}, got ${JSON.stringify(text)}`);
  };

/** A parser for an option that takes a number; 0 only where it may be. */
const numberOption =
  (option: string, mayBeZero = false) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if ((mayBeZero ? value >= 0 : value > 0) && Number.isFinite(value)) return value;
    throw new CliError(`${option}: expected a number ${mayBeZero ? 'from' : 'above'} 0, got ${JSON.stringify(text)}`);
  };

/** A parser for an option that may be given several times. */
const listOption = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

function buildProgram(): Command {
  const program = new Command('isochore')
    .description('Soft bodies that keep their volume.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });

  program.command('scenes').description('list the built-in scenes').option('--json', 'print JSON').action(listScenes);

  program
    .command('create')
    .description('make a page of your own: a three.js project on Vite that runs')
    .argument('<folder>', 'where to put it: a new folder, or an empty one')
    .option('--react', 'with React and react-three-fiber')
    .action(createPage);

  program
    .command('inspect')
    .description('tell what a mesh is and whether it can be simulated (exit 0 if so, 2 if not)')
    .argument('<file>', 'mesh file: obj, off, stl, ply, glb or gltf')
    .option('--json', 'print JSON')
    .action(inspect);

  program
    .command('prepare')
    .description('make a mesh that can be simulated from any mesh file (exit 2 if none can be made)')
    .argument('<file>', 'mesh file: obj, off, stl, ply, glb or gltf')
    .requiredOption('-o, --output <file>', `where to write it: ${WRITTEN_FORMATS.join(', ')}`)
    .option('--vertices <n>', 'wanted number of vertices', integerOption('--vertices', ...SIMULATABLE_VERTICES))
    .option(
      '--tetrahedra <n>',
      `fill it with about so many, and write a solid mesh: ${SOLID_ENDINGS.join(', ')}`,
      integerOption('--tetrahedra', ...TETRA_COUNTS),
    )
    .option('--parts <how>', 'parts that are apart: joined in one body, or separate', choiceOption('--parts', PARTS))
    .option('--unit <name>', `unit of the file: ${UNITS.join(', ')}`, choiceOption('--unit', UNITS))
    .option('--up <axis>', `the file's axis that points up: ${UP_AXES.join(', ')}`, choiceOption('--up', UP_AXES))
    .option('--scale <factor>', 'factor on all coordinates', numberOption('--scale'))
    .option('--report', 'tell everything that was done')
    .option('--json', 'print that as JSON')
    .option('--quiet', 'print nothing')
    .action((file: string, options: PrepareOptions) =>
      options.tetrahedra === undefined ? prepareMesh(file, options) : prepareSolid(file, options.tetrahedra, options),
    );

  program
    .command('simulate')
    .description('run a scene and report (exit 1 on bad input, 3 if the state became non-finite)')
    .argument('<scene>', "a built-in scene's name or a scene file")
    .option(
      '--steps <n>',
      "steps to simulate instead of the scene's own number",
      integerOption('--steps', 0, MAX_STEPS),
    )
    .option(
      '--backend <name>',
      `where it is computed: ${BACKENDS.join(', ')}`,
      choiceOption('--backend', BACKENDS),
      'auto',
    )
    .option('--threads <n>', 'threads to use', integerOption('--threads', 1, MAX_THREADS))
    .option('--report <file>', 'write the report to a file: a page with plots where it ends with .html, else JSON')
    .option('--json', 'print the report as JSON')
    .option('--quiet', 'no progress bar and no table')
    .action(simulate);

  program
    .command('bake')
    .description(
      'simulate a scene and write it as an animation (exit 1 on bad input, 3 if the state became non-finite)',
    )
    .argument('<scene>', "a built-in scene's name or a scene file")
    .option(
      '-o, --output <file>',
      `what to write, by its ending (below); several times for several: ${BAKED_FORMATS.map((name) => `.${name}`).join(', ')}`,
      listOption,
      [],
    )
    .option('--frames <folder>', 'pictures of all frames, drawn in a browser (needs playwright-core and three)')
    .option('--fps <n>', 'frames per second: 30 unless given', numberOption('--fps'))
    .option('--seconds <s>', "how long, instead of the scene's own time", numberOption('--seconds', true))
    .option('--from <s>', 'time of the first frame', numberOption('--from', true))
    .option('--to <s>', 'time of the last frame', numberOption('--to', true))
    .option('--body <name>', 'only this body; several times for several', listOption)
    .option('--backend <name>', `where it is computed: ${BACKENDS.join(', ')}`, choiceOption('--backend', BACKENDS))
    .option('--threads <n>', 'threads to use', integerOption('--threads', 1, MAX_THREADS))
    .option(
      '--tolerance <share>',
      'how far a vertex of a GLB may be off, in sizes of its body: 0.001 unless given; 0 keeps every frame',
      numberOption('--tolerance', true),
    )
    .option('--compress', 'compress .glb and .gltf (EXT_meshopt_compression), for readers that know it')
    .option('--report <file>', 'write a report to a file: a page with plots where it ends with .html, else JSON')
    .option('--resume', 'go on with a bake that was stopped')
    .option('--force', 'replace files, and begin anew')
    .option('--quiet', 'no progress bar and no summary')
    .addHelpText('after', BAKE_HELP)
    .action(bake);

  program
    .command('deform')
    .description(
      'pose the deformer bodies of a scene frame by frame (exit 1 on bad input, 3 if a frame became non-finite)',
    )
    .argument('<scene>', "a built-in scene's name or a scene file")
    .requiredOption(
      '-o, --output <file>',
      'where to write: .glb, .gltf, .pc2, .mdd, .usda, or .obj for a file per frame',
    )
    .option('--frames <list>', 'frames such as 1-240,300, all of the scene unless given', parseFrames)
    .option('--frame <n>', 'one frame; frame n is at (n - 1)/fps', integerOption('--frame', 1, MAX_STEPS))
    .option('--fps <n>', 'frames per second', numberOption('--fps'), 24)
    .option('--workers <n>', 'worker threads, all processors unless given', integerOption('--workers', 1, MAX_WORKERS))
    .option(
      '--tolerance <share>',
      'how far a vertex of a glTF may be off, in sizes of its body: 0, which keeps every frame, unless given',
      numberOption('--tolerance', true),
    )
    .option('--compress', 'compress .glb and .gltf (EXT_meshopt_compression), for readers that know it')
    .option('--colliders', 'write the colliders into .glb and .gltf as well')
    .option('--force', 'replace files that exist')
    .option('--report <file>', 'write what is told of the frames to a file: a page where it ends with .html, else JSON')
    .option('--json', 'print that as JSON')
    .option('--quiet', 'no progress bar and no summary')
    .addHelpText('after', DEFORM_HELP)
    .action(deform);

  program
    .command('sweep')
    .description(
      'run a scene with every combination of some values, or ranges of its deformer frames, and compare them (exit 4 if some tasks failed)',
    )
    .argument('<scene>', "a built-in scene's name or a scene file")
    .requiredOption('-o, --output <folder>', 'where results and tables go; what is there already is not done again')
    .option('--set <path=values>', 'from:to:count, first..last or a,b,c; several times for several', listOption)
    .option('--frames <list>', 'instead: frames of its deformer bodies, such as 1-240', parseFrames)
    .option('--chunk <n>', 'frames of a task', integerOption('--chunk', 1, MAX_STEPS), 8)
    .option('--fps <n>', 'frames per second', numberOption('--fps'), 24)
    .option('--steps <n>', "steps instead of the scene's own number", integerOption('--steps', 0, MAX_STEPS))
    .option('--backend <name>', `where it is computed: ${BACKENDS.join(', ')}`, choiceOption('--backend', BACKENDS))
    .option('--jobs <n>', 'tasks at once, all processors unless given', integerOption('--jobs', 1, MAX_JOBS))
    .option('--plan', 'only write the tasks for a farm: a list of commands, SLURM, OpenJD, Flamenco')
    .option('--command <words>', 'how the farm calls isochore: `isochore` unless given')
    .option('--queue <url>', 'let workers do them: redis://HOST:PORT, see isochore work')
    .option('--force', 'do again what is done')
    .option('--quiet', 'no progress bar and no summary')
    .addHelpText('after', SWEEP_HELP)
    .action(sweep);

  program
    .command('work')
    .description('do tasks of sweeps: one of a plan, or those that come by a queue (exit 4 if some failed)')
    .argument('[plan]', 'a plan that isochore sweep --plan wrote')
    .option('--task <n>', 'which of its tasks, from 0', integerOption('--task', 0, MAX_STEPS))
    .option('--queue <url>', 'redis://HOST:PORT')
    .option('--jobs <n>', 'tasks at once, 1 unless given', integerOption('--jobs', 1, MAX_JOBS))
    .option('--idle <s>', 'end when there was nothing to do for so long', numberOption('--idle', true))
    .option('--force', 'do it also where it is done')
    .option('--quiet', 'print nothing')
    .addHelpText('after', WORK_HELP)
    .action(work);

  program.command(SERVE_TASKS, { hidden: true }).action(serveTasks);

  return program;
}

/** Commander's faults end in its own error type, with help and version among them, which are none. */
function fromCommander(error: CommanderError): unknown {
  if (error.exitCode === 0) return undefined;
  // Its own suggestions stand in a line of their own.
  const [fault, hint] = error.message.replace(/^error: /, '').split('\n');
  return new CliError(
    `isochore: ${fault}${hint ? `, ${hint.replace(/^\(Did|\)$/g, (end) => (end === ')' ? '' : 'did'))}` : ''}`,
  );
}

// What cannot be said on stderr cannot be said at all.
process.stderr.on('error', () => {});
// A reader that goes away (isochore … | head) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') showError(error);
  process.exit();
});

try {
  const program = buildProgram();
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
} catch (error) {
  const fault = error instanceof CommanderError ? fromCommander(error) : error;
  if (fault !== undefined) showError(fault);
}
