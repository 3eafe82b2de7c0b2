// The packed package in plain Node: the library with any number of threads, and the command line.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateInNode } from './outcome.js';
import { installConsumer } from './packed-package.js';

let project: string;
beforeAll(() => {
  project = installConsumer();
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it('gives the same bits on one thread and on two, which share every step of a large world', async () => {
  const one = await simulateInNode(project, { threads: 1 });
  const two = await simulateInNode(project, { threads: 2 });
  expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(one.contacts).toBeGreaterThan(0);
  expect(one).toMatchObject({ capabilities: { backend: 'wasm', threads: 1, precision: 'single' }, threadedSteps: 0 });
  const capabilities = { backend: 'wasm', threads: 2, precision: 'single' };
  expect(two).toEqual({ ...one, capabilities, threadedSteps: 20 });
});

it('leaves a small world on one thread', async () => {
  expect(await simulateInNode(project, { threads: 2, divisions: 8 })).toMatchObject({ threadedSteps: 0 });
});

it('runs the command line with nothing but the declared dependencies', () => {
  const command = join(project, 'node_modules', 'isochore', 'dist', 'cli', 'main.js');
  const args = [command, 'simulate', 'squeeze', '--steps', '2', '--backend', 'wasm', '--json'];
  const report = JSON.parse(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }));
  expect(report).toMatchObject({ scene: 'squeeze', backend: 'wasm', steps: 2, nonFinite: 0 });
});
