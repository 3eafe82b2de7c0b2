// `npm run hashes -- firefox webkit`: runs the golden scenes in browsers that are installed on this machine, and compares the bits with
// the recorded ones. A page does the work and sends what it found back here, so that any browser will do that can be given an address.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ISOLATION_HEADERS } from '../test/browser/page-server.js';
import { GOLDEN } from '../test/determinism/golden-hashes.js';

/** Longest that a browser may take for everything [ms]. */
const PATIENCE = 300_000;

interface KnownBrowser {
  /** Programs, of which the first that is there is taken. */
  readonly programs: readonly string[];
  /** What to run: a program, an address and a folder for its profile. */
  readonly command: (program: string, url: string, profile: string) => readonly string[];
}

const BROWSERS: Readonly<Record<string, KnownBrowser>> = {
  chromium: {
    programs: ['chromium', 'google-chrome', 'chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    command: (program, url, profile) => [program, '--headless', '--no-sandbox', `--user-data-dir=${profile}`, url],
  },
  firefox: {
    programs: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    command: (program, url, profile) => [program, '--headless', '--no-remote', '--profile', profile, url],
  },
  webkit: {
    // Debian's, which comes with the package webkit2gtk-driver and wants a display; and that of macOS.
    programs: ['/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser', '/Applications/Safari.app'],
    command: (program, url) =>
      program.endsWith('.app') ? ['open', '-g', '-a', program, url] : ['xvfb-run', '-a', program, '--private', url],
  },
};

/** Where a program is; undefined where it is not on this machine. */
function locate(program: string): string | undefined {
  if (program.startsWith('/')) return existsSync(program) ? program : undefined;
  const endings = process.platform === 'win32' ? ['.exe'] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending))).find(existsSync);
}

interface Outcome {
  readonly agent: string;
  readonly isolated: boolean;
  /** Hash by scene, backend and number of threads; what went wrong instead, where it did. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** Lets a browser run the golden scenes. */
async function runIn(browser: KnownBrowser, program: string, script: string): Promise<Outcome> {
  let arrived: (outcome: Outcome) => void = () => {};
  const outcome = new Promise<Outcome>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((request, response) => {
    const answer = (type: string, text: string) => {
      response.writeHead(200, { ...ISOLATION_HEADERS, 'Content-Type': type, 'Cache-Control': 'no-store' });
      response.end(text);
    };
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        answer('text/plain', 'thanks');
        arrived(JSON.parse(text));
      });
    } else if (request.url === '/page.js') answer('text/javascript', script);
    else
      answer('text/html', '<!doctype html><title>Golden hashes</title><script type="module" src="page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = mkdtempSync(join(tmpdir(), 'isochore-browser-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const [file, ...args] = browser.command(program, url, profile);
  const child = spawn(file, args, { stdio: 'ignore', detached: process.platform !== 'win32' });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    child.once('error', reject);
    timer = setTimeout(() => reject(new Error(`no answer after ${PATIENCE / 1000} s`)), PATIENCE);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
    // The whole group: a browser is several processes, under a display of its own.
    if (child.pid && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill();
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function bundlePage(): Promise<string> {
  const entry = fileURLToPath(new URL('../test/determinism/golden-page.ts', import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return outputFiles[0].text;
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(BROWSERS, name));
if (unknown !== undefined || asked.length === 0) {
  const got = unknown === undefined ? 'none' : JSON.stringify(unknown);
  console.error(`hashes: expected some of ${Object.keys(BROWSERS).join(', ')}, got ${got}`);
  process.exit(2);
}
const script = await bundlePage();
let faults = 0;
for (const name of asked) {
  const program = BROWSERS[name].programs.map(locate).find((place) => place !== undefined);
  if (!program) {
    console.error(`${name}: expected one of ${BROWSERS[name].programs.join(', ')} on this machine, got none`);
    faults++;
    continue;
  }
  try {
    const { agent, isolated, hashes } = await runIn(BROWSERS[name], program, script);
    const wrong = Object.entries(hashes).filter(([key, hash]) => {
      const [scene, backend] = key.split(', ');
      return GOLDEN[scene][backend as 'wasm' | 'reference'] !== hash;
    });
    const count = Object.keys(hashes).length;
    console.log(
      `${name} (${agent}${isolated ? '' : ', not isolated'}): ${count - wrong.length} of ${count} hashes as recorded`,
    );
    for (const [key, hash] of wrong) console.error(`  ${key}: ${hash}`);
    if (wrong.length > 0 || count === 0) faults++;
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    faults++;
  }
}
process.exit(faults > 0 ? 1 : 0);
