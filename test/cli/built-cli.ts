// Runs the built command line as users do, in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';

const { isBuilt } = await import(new URL('../../scripts/build.mjs', import.meta.url).href);
const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** As another user, where one may. */
  uid?: number;
  /** Called with the running process, to send it signals. */
  during?: (child: ChildProcess) => void;
}

/** Starts it and leaves it running; whoever does that ends it. */
export const startIsochore = (args: string[], options: Pick<RunOptions, 'cwd'> = {}): ChildProcess =>
  spawn(process.execPath, [cli, ...args], { ...options, stdio: 'ignore' });

export function isochore(args: string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env };
    const { cwd, uid } = options;
    const child = spawn(process.execPath, [cli, ...args], { cwd, env, uid, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    options.during?.(child);
  });
}

/** A folder for the files of a test file, removed at its end. */
export class Workplace {
  folder = '';

  constructor() {
    beforeAll(() => {
      expect(isBuilt(), 'dist is older than src: run npm run build').toBe(true);
      this.folder = mkdtempSync(join(tmpdir(), 'isochore-'));
    });
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array | object): string {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(this.path(name), isRaw ? content : JSON.stringify(content));
    return this.path(name);
  }
}

/** One line on stderr, no stack trace, nothing on stdout. */
export function expectOneLine(outcome: Outcome, code: number, line: string | RegExp): void {
  expect(outcome.stdout).toBe('');
  expect(outcome.stderr.split('\n')).toEqual([expect.any(String), '']);
  if (typeof line === 'string') expect(outcome.stderr).toBe(`${line}\n`);
  else expect(outcome.stderr).toMatch(line);
  expect(outcome.stderr).not.toMatch(/^\s+at /m);
  expect(outcome.code).toBe(code);
}
