// The SLURM script of a plan under a real slurmctld and slurmd, started for the test on this machine alone (no munge, one node). Where
// they are not installed or cannot be started, this says so.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isochore, Workplace } from '../cli/built-cli.js';

const hasSlurm =
  process.getuid?.() === 0 &&
  ['slurmctld', 'slurmd', 'sbatch'].every((name) => spawnSync(name, ['-V']).error === undefined);
if (!hasSlurm) console.warn('NOT RUN: the SLURM script of a sweep (no slurmctld, slurmd, sbatch here, or not root)');

const place = new Workplace();
const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const SCENE = {
  isochore: 1,
  steps: 20,
  bodies: [{ name: 'ball', mesh: { shape: 'icosphere', detail: 1 }, position: [0, 2, 0], deform: 'random' }],
  colliders: [{ shape: 'plane' }],
};
const SWEEP = ['--set', 'bodies.ball.solver.stiffness=0.3,0.8', '--set', 'seed=1..3', '--quiet'];
/** Ports that nothing else has by custom. */
const [CONTROLLER_PORT, NODE_PORT] = [46817, 46818];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function configuration(folder: string, host: string): string {
  return `ClusterName=isochore
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${CONTROLLER_PORT}
SlurmdPort=${NODE_PORT}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
NodeName=${host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`;
}

describe.skipIf(!hasSlurm)('SLURM', () => {
  const daemons: ChildProcess[] = [];
  afterAll(() => {
    for (const daemon of daemons) daemon.kill('SIGKILL');
  });

  it('runs the script of a plan, to the hashes of a sweep on one machine', async () => {
    const folder = place.folder;
    for (const name of ['state', 'spool']) mkdirSync(place.path(name));
    const env = {
      ...process.env,
      SLURM_CONF: place.write('slurm.conf', configuration(folder, hostname().split('.')[0])),
    };
    for (const name of ['slurmctld', 'slurmd']) daemons.push(spawn(name, ['-D'], { env, stdio: 'ignore' }));
    const say = (command: string, ...args: string[]) =>
      spawnSync(command, args, { env, cwd: folder, encoding: 'utf8' });
    for (let n = 0; !/\bidle\b/.test(say('sinfo', '-h', '-o', '%T').stdout); n++) {
      const log = n > 100 && ['slurmctld', 'slurmd'].map((name) => readFileSync(place.path(`${name}.log`), 'utf8'));
      if (log) throw new Error(`SLURM did not start: ${log.join('\n').slice(-2000)}`);
      await pause(300);
    }
    const scene = place.write('scene.json', SCENE);
    const [here, there] = ['here', 'there'].map((name) => place.path(name));
    expect((await isochore(['sweep', scene, ...SWEEP, '-o', here])).code).toBe(0);
    const command = `${process.execPath} ${cli}`;
    const planned = await isochore(['sweep', scene, ...SWEEP, '-o', there, '--plan', '--command', command]);
    expect(planned).toEqual({ code: 0, stdout: '', stderr: '' });

    const submitted = say('sbatch', '--wait', `${there}/plan/slurm.sh`);
    expect(submitted.stderr).toBe('');
    expect(submitted.status).toBe(0);
    // Who runs it again does nothing anew.
    const results = () => readdirSync(`${there}/tasks`).map((name) => readFileSync(`${there}/tasks/${name}`, 'utf8'));
    const first = results();
    expect(first).toHaveLength(6);
    expect(say('sbatch', '--wait', `${there}/plan/slurm.sh`).status).toBe(0);
    expect(results()).toEqual(first);
    expect((await isochore(['sweep', scene, ...SWEEP, '-o', there])).code).toBe(0);
    const hashes = (name: string) =>
      readFileSync(`${name}/table.csv`, 'utf8')
        .split('\r\n')
        .map((line) => line.split(',').slice(0, 4).join(' '));
    expect(hashes(there)).toEqual(hashes(here));
  });
});
