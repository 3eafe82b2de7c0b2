// Measures how long each of many tries takes, and ends the process with the name of one that does not come back.

import { Worker } from 'node:worker_threads';

/**
 * Given up after so much time of the processor [ms], or ten times as much of the clock: on a busy machine a mesh that becomes
 * 92 bodies, 15 s of work, takes over a minute.
 */
const HANG = 60_000;

const GUARD = `
const { parentPort, workerData } = require('node:worker_threads');
let timer;
parentPort.on('message', (label) => {
  clearTimeout(timer);
  if (label === null) return;
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  const look = () => {
    const { user, system } = process.cpuUsage(cpu);
    const spent = Math.max((user + system) / 1000, (performance.now() - wall) / 10);
    if (spent < workerData) timer = setTimeout(look, workerData - spent);
    else {
      require('node:fs').writeSync(2, label + ' does not come back\\n');
      process.kill(process.pid, 'SIGKILL');
    }
  };
  timer = setTimeout(look, workerData);
});`;

export class Watchdog {
  private readonly guard = new Worker(GUARD, { eval: true, workerData: HANG });
  private wall = 0;
  private cpu = process.cpuUsage();

  start(label: string): void {
    this.guard.postMessage(label);
    this.wall = performance.now();
    this.cpu = process.cpuUsage();
  }

  /** Time taken [ms]: of the clock, or of the processor where that is less because others were busy. */
  stop(): number {
    const { user, system } = process.cpuUsage(this.cpu);
    this.guard.postMessage(null);
    return Math.min(performance.now() - this.wall, (user + system) / 1000);
  }

  async end(): Promise<void> {
    await this.guard.terminate();
  }
}
