// Another process that keeps one processor busy, when it is told to.

import { type ChildProcess, spawn } from 'node:child_process';

/** Answers every word that it is told. While busy it listens a hundred times a second. */
const PROGRAM = `
  let busy = false;
  process.on('message', (word) => {
    busy = word === 'work';
    process.send(word);
    if (busy) work();
  });
  process.on('disconnect', () => process.exit());
  function work() {
    const end = performance.now() + 10;
    while (performance.now() < end);
    if (busy) setImmediate(work);
  }
`;
/** How long the machine is left alone after its load has changed [ms]: schedulers move threads between processors. */
const SETTLING = 30;

export class Neighbour {
  private readonly process: ChildProcess;
  private readonly ended: Promise<never>;
  private isBusy = false;

  constructor() {
    this.process = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.ended = new Promise((_, reject) => {
      this.process.once('exit', () => reject(new Error('the busy neighbour has ended')));
    });
    // Nobody needs to hear of it but those who still want something.
    this.ended.catch(() => {});
  }

  /** Comes back when it works, or has ceased to. */
  async set(busy: boolean): Promise<void> {
    if (this.isBusy === busy) return;
    this.isBusy = busy;
    const heard = new Promise((resolve) => this.process.once('message', resolve));
    // That it has ended is told by its end.
    this.process.send(busy ? 'work' : 'rest', () => {});
    await Promise.race([heard, this.ended]);
    await new Promise((resolve) => setTimeout(resolve, SETTLING));
  }

  dispose(): void {
    this.process.kill();
  }
}
