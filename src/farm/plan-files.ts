// A plan for the engines that farms already run: a list of command lines (GNU parallel, OpenCue), a SLURM array, an OpenJD job template
// (AWS Deadline Cloud) and a Flamenco job type; for people and other engines a table of what each task is. Each task is one command that
// does nothing where its result is there already.

import { csvText } from './sweep-csv.js';
import { type SweepPlan, type SweepTask, sweepTasks, taskCount } from './sweep-plan.js';

/** A file of a plan: its name and its text. */
export interface PlanFile {
  readonly name: string;
  readonly text: string;
}

/** How tasks of a plan are called. */
export interface PlanFilesOptions {
  /** How the farm's machines call the command line, word by word. */
  readonly command: readonly string[];
  /** The plan as a file that they see. */
  readonly planFile: string;
  /** The file that a task's result goes to. */
  readonly outputOf: (task: SweepTask) => string;
}

/** Names of OpenJD's jobs are at most 128 letters long. */
const LONGEST_NAME = 100;

/** SLURM counts array elements up to MaxArraySize − 1, which is 1000 unless a site has set it. */
const MOST_ELEMENTS = 1000;

/** A word for a POSIX shell. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const taskCommand = ({ command, planFile }: PlanFilesOptions, index: number): string[] => [
  ...command,
  ...['work', planFile, '--task', String(index)],
];

/**
 * A plan as files for farms: a list of commands, a table of the tasks, a SLURM script, an OpenJD template, a Flamenco job type.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * const outputOf = ({ index }: { index: number }) => `out/${index}.json`;
 * for (const { name } of planFiles(plan, { command: ['npx', 'isochore'], planFile: 'plan.json', outputOf })) console.log(name);
 * ```
 */
export function planFiles(plan: SweepPlan, options: PlanFilesOptions): PlanFile[] {
  const count = taskCount(plan);
  return [
    { name: 'tasks.txt', text: shellList(count, options) },
    { name: 'tasks.csv', text: taskTable(plan, options) },
    { name: 'slurm.sh', text: slurmScript(plan.name, count, options) },
    { name: 'openjd.json', text: openJobTemplate(plan.name, count, options) },
    { name: 'flamenco.js', text: flamencoJobType(plan.name, count, options) },
  ];
}

function shellList(count: number, options: PlanFilesOptions): string {
  const lines = Array.from({ length: count }, (_, index) => taskCommand(options, index).map(quoteWord).join(' '));
  return `${lines.join('\n')}\n`;
}

/** What each task is: its seed, what is set, where its result goes, how it is done. */
function taskTable(plan: SweepPlan, options: PlanFilesOptions): string {
  const paths = plan.axes.map(({ path }) => path).filter((path) => path !== 'seed');
  const head = ['task', 'seed', ...paths, ...(plan.frames ? ['frames'] : []), 'output', 'command'];
  const rows = sweepTasks(plan).map((task) => [
    ...[task.index, task.values.seed ?? plan.scene.seed, ...paths.map((path) => task.values[path])],
    ...(task.frames ? [task.frames.join(' ')] : []),
    ...[options.outputOf(task), taskCommand(options, task.index).map(quoteWord).join(' ')],
  ]);
  return csvText([head, ...rows]);
}

/** Where there are more tasks than elements, each does a run of them. */
function slurmScript(name: string, count: number, options: PlanFilesOptions): string {
  const perElement = Math.ceil(count / MOST_ELEMENTS);
  const elements = Math.ceil(count / perElement);
  const words = [...options.command, 'work', options.planFile].map(quoteWord).join(' ');
  return `#!/bin/bash
# ${count} tasks of a sweep of ${plainName(name)}. Run it with: sbatch slurm.sh
#SBATCH --job-name=isochore-${plainName(name)}
#SBATCH --array=0-${elements - 1}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
first=$((SLURM_ARRAY_TASK_ID * ${perElement}))
last=$((first + ${perElement} < ${count} ? first + ${perElement} : ${count}))
status=0
for ((task = first; task < last; task++)); do
  ${words} --task "$task" || status=$?
done
exit $status
`;
}

function openJobTemplate(name: string, count: number, { command, planFile }: PlanFilesOptions): string {
  const [first, ...rest] = command;
  const template = {
    specificationVersion: 'jobtemplate-2023-09',
    name: `isochore-${plainName(name)}`,
    parameterDefinitions: [{ name: 'Plan', type: 'PATH', objectType: 'FILE', dataFlow: 'IN', default: planFile }],
    steps: [
      {
        name: 'Tasks',
        parameterSpace: {
          taskParameterDefinitions: [{ name: 'Task', type: 'INT', range: count === 1 ? '0' : `0-${count - 1}` }],
        },
        script: {
          actions: {
            onRun: { command: first, args: [...rest, 'work', '{{Param.Plan}}', '--task', '{{Task.Param.Task}}'] },
          },
        },
      },
    ],
  };
  return `${JSON.stringify(template, null, 2)}\n`;
}

/** Goes into the manager's folder of scripts; its settings are those of a job. */
function flamencoJobType(name: string, count: number, { command, planFile }: PlanFilesOptions): string {
  const text = (value: unknown) => JSON.stringify(value);
  return `// Flamenco job type: the tasks of a sweep of ${plainName(name)}.
const JOB_TYPE = {
  label: ${text(`Isochore ${name}`)},
  settings: [
    { key: "plan", type: "string", required: true, default: ${text(planFile)}, description: "Plan of the sweep" },
    { key: "tasks", type: "int32", required: true, default: ${count}, description: "Number of tasks" },
  ],
};

function compileJob(job) {
  const command = ${text(command)};
  for (let index = 0; index < job.settings.tasks; index++) {
    const task = author.Task("task-" + index, "misc");
    const args = command.slice(1).concat(["work", job.settings.plan, "--task", String(index)]);
    task.addCommand(author.Command("exec", { exe: command[0], args: args }));
    job.addTask(task);
  }
}
`;
}

/** For names of jobs: letters, digits, - and _. */
const plainName = (name: string): string => name.replace(/[^\w-]+/g, '-').slice(0, LONGEST_NAME) || 'scene';
