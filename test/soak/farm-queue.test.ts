// A sweep of 160 tasks over a real Redis with three workers, of which one is killed −9 twice, and Redis itself once (append-only file):
// every task stands once in the results, with the hash of the same sweep on one machine. Where there is no Redis, this says so.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { isochore, startIsochore, Workplace } from '../cli/built-cli.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('NOT RUN: a sweep over Redis (no `redis-server` on this machine)');

const place = new Workplace();
/** Some tenths of a second each, so that whoever is killed is at work. */
const SCENE = {
  isochore: 1,
  steps: 600,
  bodies: [
    {
      ...{ name: 'ball', mesh: { shape: 'icosphere', detail: 2, radius: 0.5 } },
      ...{ position: [0, 0.8, 0], spin: [2, 0, 1], deform: 'random' },
    },
  ],
  colliders: [{ shape: 'plane' }],
};
const SWEEP = ['--set', 'bodies.ball.solver.stiffness=0.2:0.9:8', '--set', 'seed=1..20', '--quiet'];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean, seconds: number, what: string): Promise<void> {
  for (const end = Date.now() + 1000 * seconds; !isSo(); await pause(50))
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
}

/** Processes that this one has started. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
const lives = (pid: number): boolean => {
  try {
    // What has ended and nobody has asked for is no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Lines of the table as `values → hash`. */
const hashesIn = (folder: string): string[] => {
  const [head, ...lines] = readFileSync(`${folder}/table.csv`, 'utf8').trim().split('\r\n');
  expect(head).toMatch(/^task,bodies\.ball\.solver\.stiffness,seed,hash,/);
  return lines.map((line) => line.split(',').slice(0, 4).join(' '));
};

describe.skipIf(!hasRedis)('a sweep over Redis', () => {
  const processes: ChildProcess[] = [];
  afterAll(() => {
    for (const child of processes) child.kill('SIGKILL');
  });

  it('loses nothing to workers and servers that are killed', async () => {
    const scene = place.write('scene.json', SCENE);
    const [here, there] = ['here', 'there'].map((name) => place.path(name));
    expect(await isochore(['sweep', scene, ...SWEEP, '-o', here])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(new Set(hashesIn(here)).size).toBe(160);

    const port = await freePort();
    const startRedis = (): ChildProcess => {
      const settings = ['--appendonly', 'yes', '--save', '', '--dir', place.folder, '--bind', '127.0.0.1'];
      const redis = spawn('redis-server', ['--port', String(port), ...settings], { stdio: 'ignore' });
      processes.push(redis);
      return redis;
    };
    const queue = `redis://127.0.0.1:${port}`;
    const startWorker = (): ChildProcess => {
      const worker = startIsochore(['work', '--queue', queue]);
      processes.push(worker);
      return worker;
    };
    const redis = startRedis();
    const isUp = () =>
      spawnSync('redis-cli', ['-p', String(port), 'ping'])
        .stdout.toString()
        .startsWith('PONG');
    await until(isUp, 20, 'Redis');
    const workers = [startWorker(), startWorker(), startWorker()];
    const done = () => {
      try {
        return readdirSync(`${there}/tasks`).filter((name) => name.endsWith('.json')).length;
      } catch {
        return 0;
      }
    };
    const sweeping = isochore(['sweep', scene, ...SWEEP, '-o', there, '--queue', queue]);
    for (const count of [20, 60]) {
      await until(() => done() >= count, 300, `${count} tasks`);
      const computing = childrenOf(workers[0].pid as number);
      expect(computing.length).toBeGreaterThan(0);
      workers[0].kill('SIGKILL');
      // Nobody goes on computing for one that is not there.
      await until(() => computing.every((pid) => !lives(pid)), 20, 'the processes of a killed worker');
      workers[0] = startWorker();
    }
    await until(() => done() >= 90, 300, '90 tasks');
    redis.kill('SIGKILL');
    await until(() => !lives(redis.pid as number), 20, 'the end of Redis');
    const before = done();
    await pause(1000);
    startRedis();
    expect(await sweeping).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(before).toBeLessThan(160);
    expect(hashesIn(there)).toEqual(hashesIn(here));
    expect(done()).toBe(160);
  });
});
