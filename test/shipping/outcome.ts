// What the consumer in `consumer/` reports, from plain Node and from pages.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Capabilities } from '../../src/index.js';

export interface Outcome {
  /** SHA-256 of positions and velocities after 20 steps. */
  hash: string;
  capabilities: Capabilities;
  /** Steps, of 20, that other threads took part in. */
  threadedSteps: number;
  contacts: number;
}

export interface ConsumerOptions {
  backend?: string;
  threads?: number;
  divisions?: number;
}

/** What `page.js` puts into a page. */
export type PageScope = { simulate(options: object): Promise<Outcome> };

/** Runs the consumer in a Node process that must end by itself and say nothing but its outcome. */
export async function simulateInNode(folder: string, options: ConsumerOptions): Promise<Outcome> {
  const args = [join(folder, 'node.js'), JSON.stringify(options)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 55_000 });
  if (stderr !== '') throw new Error(`the consumer said: ${stderr}`);
  return JSON.parse(stdout);
}
