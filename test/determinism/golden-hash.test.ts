// The same bits, run after run, on every machine and engine: arithmetic and square roots are exact to the bit, and what
// engines may choose (sines) or machines may fuse is kept out.

import { describe, expect, it } from 'vitest';
import { runScene } from '../../src/scenes/index.js';
import { BOTH_BACKENDS } from '../both-backends.js';
import { GOLDEN, goldenScene } from './golden-hashes.js';

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each(Object.entries(GOLDEN))('%s runs to the recorded bits', async (name, golden) => {
    const report = await runScene(goldenScene(name), { backend, threads: 1, steps: golden.steps });
    expect(report.steps).toBe(golden.steps);
    expect(report.hash).toBe(golden[backend]);
  });

  it('two boxes run to the same bits again', async () => {
    const hashes = [];
    for (let run = 0; run < 2; run++) {
      hashes.push((await runScene(goldenScene('two boxes'), { backend, threads: 1, steps: 30 })).hash);
    }
    expect(hashes[1]).toBe(hashes[0]);
  });
});
