// `npm start`: from a fresh clone to the playground in the browser. `--port N` asks for a port, `--no-open` opens no browser.

import { spawn } from 'node:child_process';
import { bootstrap, run } from './bootstrap.mjs';

bootstrap();
// What is imported below needs what was just installed.
const { isBuilt } = await import('./build.mjs');
const { isPlaygroundBuilt, playground } = await import('./build-playground.mjs');
const { parseArguments, servePlayground } = await import('./serve.mjs');

/** Whether a browser could be shown here. */
function hasDesktop() {
  if (!process.stdout.isTTY || process.env.CI) return false;
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

function openBrowser(address) {
  const command = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  const child = spawn(command, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => sayWithoutBrowser(address));
  child.unref();
}

function sayWithoutBrowser(address) {
  const { port } = new URL(address);
  console.log('No browser was opened here. Open the address above in one; from another machine, after');
  console.log(`  ssh -L ${port}:localhost:${port} THIS-MACHINE`);
  console.log('or see the simulation without a browser: npx isochore simulate squeeze');
}

async function start() {
  const { port, open } = parseArguments(process.argv.slice(2));
  if (!isBuilt() || !isPlaygroundBuilt()) {
    console.log('Building');
    if (run(process.execPath, ['scripts/build.mjs']) !== 0) process.exit(1);
  }
  const { address, close } = await servePlayground(playground, port);
  console.log(`\nIsochore playground: ${address}\n`);
  if (open && hasDesktop()) openBrowser(address);
  else sayWithoutBrowser(address);
  console.log('Ctrl+C ends it.');
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => close());
}

try {
  await start();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
