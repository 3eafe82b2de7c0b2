// `npm start`: prints an address, serves the playground with the headers that give threads, and says what to do without a
// browser.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

/** Starts it as npm does, and waits until it has said everything or has ended. */
async function start(...words: string[]): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn(process.execPath, ['scripts/start.mjs', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  await new Promise<void>((resolve) => {
    const hear = (text: Buffer) => {
      output += text;
      if (output.includes('Ctrl+C')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', () => resolve());
  });
  return { child, output };
}

const addressIn = (output: string): string => /http:\/\/localhost:\d+\//.exec(output)?.[0] ?? '';

describe('npm start', () => {
  it('serves the page isolated, compressed and nothing else', async () => {
    const { child, output } = await start('--port', '0');
    const address = addressIn(output);
    expect(output).toMatch(/No browser was opened.*ssh -L \d+:.*npx isochore simulate/s);
    const page = await fetch(address, { headers: { 'Accept-Encoding': 'br' } });
    expect(await page.text()).toContain('<title>Isochore playground</title>');
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/,
    );
    expect(page.headers.get('content-encoding')).toBe('br');
    for (const path of ['missing.js', '..%2f..%2f..%2fpackage.json', '%']) {
      expect((await fetch(`${address}${path}`)).status, path).toBe(404);
    }
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  it('takes a port that is free where its own is taken', async () => {
    // Whoever has the port already is as good as this.
    const other = createServer().on('error', () => {});
    other.listen(5180, 'localhost');
    await Promise.race([once(other, 'listening'), once(other, 'error')]);
    const { output } = await start();
    expect(addressIn(output)).not.toContain(':5180/');
    expect((await fetch(addressIn(output))).status).toBe(200);
    other.close();
  });

  it('says what it expects', async () => {
    expect((await start('--colour')).output.trim()).toBe('npm start: expected --port N or --no-open, got --colour');
    const taken = createServer().listen(0, 'localhost');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { child, output } = await start('--port', String(port));
    expect(output.trim()).toBe(`port ${port}: EADDRINUSE`);
    expect(child.exitCode).toBe(1);
    taken.close();
  });
});
