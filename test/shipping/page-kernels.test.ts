// Kernels that a page brings instead of the inlined ones.

import { expect, it } from 'vitest';
import { ConsumerPages } from './consumer-pages.js';
import { type Outcome, type PageScope, simulateInNode } from './outcome.js';

const pages = new ConsumerPages();

it('may be a module, bytes or an address, to the same bits; without shared memory, so on one thread', async () => {
  const expected = await simulateInNode(pages.project, { threads: 1 });
  await pages.open({ isolated: true }, async ({ page, faults }) => {
    const results = await page.evaluate(async () => {
      const bytes = await (await fetch('/kernels.wasm')).arrayBuffer();
      const sources = {
        module: await WebAssembly.compile(bytes),
        buffer: bytes,
        bytes: new Uint8Array(bytes),
        url: new URL('/kernels.wasm', location.href),
        text: '/kernels.wasm',
      };
      const { simulate } = globalThis as unknown as PageScope;
      const outcomes: [string, Outcome][] = [];
      for (const [name, kernels] of Object.entries(sources)) outcomes.push([name, await simulate({ kernels })]);
      return outcomes;
    });
    expect(results.map(([name]) => name)).toEqual(['module', 'buffer', 'bytes', 'url', 'text']);
    for (const [name, result] of results) expect(result, name).toEqual(expected);
    expect(faults).toEqual([]);
  });
});

it('are missed with the address in the message', async () => {
  await pages.open({ isolated: false }, async ({ page }) => {
    const message = await page.evaluate(async () => {
      const outcome = (globalThis as unknown as PageScope).simulate({ kernels: '/missing.wasm' });
      return outcome.then(String, (error: Error) => error.message);
    });
    expect(message).toBe("kernels: expected isochore's kernels.wasm, got /missing.wasm: status 404");
  });
});
