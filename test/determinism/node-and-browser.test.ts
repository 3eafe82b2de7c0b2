// The same bits in Node and in a browser, whatever the number of threads: of the packed package, as both run it.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConsumerPages, simulateOnPage } from '../shipping/consumer-pages.js';
import { simulateInNode } from '../shipping/outcome.js';

const pages = new ConsumerPages();

it('gives a large world the same bits in Node and Chromium, with 1, 2 and 4 threads and not isolated', async () => {
  const hashes: Record<string, string> = {};
  for (const threads of [1, 2, 4]) hashes[`Node ${threads}`] = (await simulateInNode(pages.project, { threads })).hash;
  await pages.open({ isolated: true }, async (opened) => {
    for (const threads of [1, 2, 4]) hashes[`isolated ${threads}`] = (await simulateOnPage(opened, { threads })).hash;
  });
  await pages.open({ isolated: false }, async (opened) => {
    hashes['not isolated'] = (await simulateOnPage(opened, {})).hash;
  });
  const expected = hashes['Node 1'];
  expect(hashes).toEqual(Object.fromEntries(Object.keys(hashes).map((name) => [name, expected])));
});

// Steps of 4 ms at a damping of 0.3: Math.pow gives (1 − 0.3)^0.8 other bits in Node 20 than in Chromium 147.
it('gives the reference backend the same bits in Node and Chromium', async () => {
  const options = { backend: 'reference', divisions: 6 };
  const { hash, capabilities } = await simulateInNode(pages.project, options);
  expect(capabilities).toEqual({ backend: 'reference', threads: 1, precision: 'double' });
  await pages.open({ isolated: false }, async (opened) => {
    expect((await simulateOnPage(opened, options)).hash).toBe(hash);
  });
});

it.each(['squeeze', 'twist'])('runs %s to the hash that the command line reports', async (name) => {
  const command = join(pages.project, 'node_modules', 'isochore', 'dist', 'cli', 'main.js');
  const args = [command, 'simulate', name, '--steps', '10', '--backend', 'wasm', '--threads', '1', '--json'];
  const { hash } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  await pages.open({ isolated: true, file: 'scene.html' }, async ({ page, faults }) => {
    const hashes = await page.evaluate(async (scene) => {
      const { sceneHash } = globalThis as unknown as { sceneHash(...args: unknown[]): Promise<string> };
      return [await sceneHash(scene, 10, 1), await sceneHash(scene, 10, 2)];
    }, name);
    expect(hashes).toEqual([hash, hash]);
    expect(faults).toEqual([]);
  });
});
