// Runs a script against the built package in a process of its own.

import { spawn } from 'node:child_process';
import { expect } from 'vitest';

const { isBuilt } = await import(new URL('../scripts/build.mjs', import.meta.url).href);
const entry = new URL('../dist/index.js', import.meta.url).href;

export interface ScriptOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From the script's last output to the end of the process [ms]. */
  readonly lingered: number;
}

/** `script` is the body of a module that finds the package's exports in `isochore`. */
export function runScript(script: string, flags: readonly string[] = []): Promise<ScriptOutcome> {
  expect(isBuilt(), 'the package is built; npm run build does it').toBe(true);
  const source = `import * as isochore from ${JSON.stringify(entry)};\n${script}`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr, last] = ['', '', performance.now()];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      last = performance.now();
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, lingered: performance.now() - last }));
  });
}
