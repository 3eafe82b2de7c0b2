// A real browser for tests of pages: the system's Chromium where there is one, else the one that comes in an npm package; beside Linux on
// x64, for which there is none, Playwright's own (`npx playwright-core install chromium`).

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  // WebGPU; a WebGPU canvas needs all of the last three, with fewer of them it stays blank without an error.
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
  // SwiftShader would take a second for each kernel with workgroup memory: see test/gpu/node-gpu.
  '--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension',
  // The browser is to speak with the test's own server and nobody else.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Starts a headless browser; close it at the end of the test file. */
export function launchChromium(): Promise<Browser> {
  if (existsSync(SYSTEM_CHROMIUM)) return chromium.launch({ executablePath: SYSTEM_CHROMIUM, args: FLAGS });
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ args: FLAGS });
  const folder = unpackChromium();
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args: FLAGS, env });
}

/** Unpacks npm's Chromium, once per version and user (2.5 s, 220 MB); returns the folder. */
function unpackChromium(): string {
  // The package's own entry is build/…/index.js; its archives are beside package.json, which it does not export.
  let home = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  while (!existsSync(join(home, 'bin', 'chromium.br'))) home = dirname(home);
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const { uid } = userInfo();
  const folder = join(tmpdir(), `isochore-chromium-${version}-${uid}`);
  if (existsSync(folder)) {
    if (statSync(folder).uid !== uid) throw new Error(`browser: expected ${folder} to be this user's`);
    return folder;
  }
  // Unpacked aside and moved into place whole: another test process may be doing the same, or this one be interrupted.
  const aside = mkdtempSync(`${folder}-`);
  try {
    const archive = (name: string) => brotliDecompressSync(readFileSync(join(home, 'bin', name)));
    writeFileSync(join(aside, 'chromium'), archive('chromium.br'), { mode: 0o755 });
    for (const name of ['swiftshader', 'al2023', 'fonts'])
      execFileSync('tar', ['x', '--no-same-owner', '-C', aside], { input: archive(`${name}.tar.br`) });
    mkdirSync(join(aside, 'font-cache'));
    writeFileSync(join(aside, 'fonts.conf'), fontConfiguration(folder));
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The package's own configuration looks for its fonts in the places of a cloud function. */
const fontConfiguration = (folder: string): string =>
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>
`;
