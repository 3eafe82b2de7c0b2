// Runs the golden scenes on a page and sends their hashes to who serves it; see scripts/browser-hashes.

import { runScene } from '../../src/scenes/index.js';
import { GOLDEN, goldenScene } from './golden-hashes.js';

/** Threads only where memory can be shared. */
const CASES = [
  { backend: 'reference', threads: 1 },
  { backend: 'wasm', threads: 1 },
  ...(globalThis.crossOriginIsolated ? [{ backend: 'wasm', threads: 2 } as const] : []),
] as const;

const hashes: Record<string, string> = {};
for (const [name, { steps }] of Object.entries(GOLDEN)) {
  for (const { backend, threads } of CASES) {
    const key = `${name}, ${backend}, ${threads}`;
    try {
      hashes[key] = (await runScene(goldenScene(name), { backend, threads, steps })).hash;
    } catch (error) {
      hashes[key] = String(error);
    }
  }
}
const { userAgent: agent } = navigator;
await fetch('outcome', {
  method: 'POST',
  body: JSON.stringify({ agent, isolated: globalThis.crossOriginIsolated, hashes }),
});
