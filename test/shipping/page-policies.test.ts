// The packed package on pages that restrict what scripts may do, or have little memory, and in a worker of the page's own.

import { beforeAll, describe, expect, it } from 'vitest';
import { ConsumerPages, simulateOnPage } from './consumer-pages.js';
import { type Outcome, simulateInNode } from './outcome.js';

/** What a strict page allows: its own scripts, no eval but WebAssembly, workers from the package's own text. */
const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:; ";
const WORKERS = 'worker-src blob:; ';

const pages = new ConsumerPages();
let expected: Outcome;
beforeAll(async () => {
  expected = await simulateInNode(pages.project, { threads: 1 });
});

const outcome = (threads: number): Outcome => ({
  ...expected,
  capabilities: { backend: 'wasm', threads, precision: 'single' },
  threadedSteps: threads > 1 ? 20 : 0,
});

describe('a content security policy', () => {
  it('without eval is enough, with workers from blob:', async () => {
    await pages.open({ isolated: true, policy: STRICT + WORKERS }, async (opened) => {
      expect(await simulateOnPage(opened, { threads: 2 })).toEqual(outcome(2));
      expect(opened.faults).toEqual([]);
    });
  });

  it('without eval is enough for scenes', async () => {
    await pages.open({ isolated: false, policy: STRICT, file: 'scene.html' }, async ({ page, faults }) => {
      const hash = await page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 0));
        return (globalThis as unknown as { sceneHash(...args: unknown[]): Promise<string> }).sceneHash('squeeze', 1);
      });
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
      expect(faults).toEqual([]);
    });
  });

  it('that forbids WebAssembly leaves the reference, unless WebAssembly was asked for', async () => {
    await pages.open({ isolated: true, policy: STRICT.replace("'wasm-unsafe-eval'", '') }, async (opened) => {
      await expect(simulateOnPage(opened, { divisions: 4 })).rejects.toThrow(/WebAssembly.*Content Security Policy/);
      const { capabilities } = await simulateOnPage(opened, { backend: 'auto', divisions: 4 });
      expect(capabilities).toEqual({ backend: 'reference', threads: 1, precision: 'double' });
    });
  });

  it('needs no worker where the page is not isolated, or one thread is asked for', async () => {
    for (const isolated of [false, true]) {
      await pages.open({ isolated, policy: STRICT }, async (opened) => {
        expect(await simulateOnPage(opened, isolated ? { threads: 1 } : {})).toEqual(outcome(1));
        expect(opened.faults).toEqual([]);
      });
    }
  });

  it.each([
    ['without workers', STRICT, /worker/i],
    [
      'with trusted types',
      `${STRICT}${WORKERS}require-trusted-types-for 'script'; trusted-types 'none';`,
      /TrustedScriptURL/,
    ],
  ])('%s leaves one thread; only the browser itself says so', async (_, policy, complaint) => {
    await pages.open({ isolated: true, policy }, async (opened) => {
      expect(await simulateOnPage(opened, { threads: 3 })).toEqual(outcome(1));
      expect(opened.faults.length).toBeGreaterThan(0);
      for (const fault of opened.faults) expect(fault).toMatch(complaint);
    });
  });
});

it('falls back to one thread where there is no room for shared memory', async () => {
  const before = () => {
    const { Memory } = WebAssembly;
    (WebAssembly as { Memory: unknown }).Memory = class extends Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        if (descriptor.shared) throw new RangeError('could not allocate memory');
        super(descriptor);
      }
    };
  };
  await pages.open({ isolated: true, before }, async (opened) => {
    expect(await simulateOnPage(opened, { threads: 2 })).toEqual(outcome(1));
    expect(opened.faults).toEqual([]);
  });
});

it('takes less shared memory where there is little room', async () => {
  const before = () => {
    const { Memory } = WebAssembly;
    (WebAssembly as { Memory: unknown }).Memory = class extends Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        if ((descriptor.maximum ?? 0) > 16384) throw new RangeError('could not allocate memory');
        super(descriptor);
      }
    };
  };
  await pages.open({ isolated: true, before }, async (opened) => {
    expect(await simulateOnPage(opened, { threads: 2 })).toEqual(outcome(2));
    expect(opened.faults).toEqual([]);
  });
});

it.each([true, false])("runs in a worker of the page's own, isolated %s", async (isolated) => {
  await pages.open({ isolated }, async ({ page, faults }) => {
    const result = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage({ threads: 2 });
        }),
    );
    expect(result).toEqual(outcome(isolated ? 2 : 1));
    expect(faults).toEqual([]);
  });
});
