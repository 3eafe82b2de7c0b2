// Kernels that the user brings: what is accepted, and how the rest is refused.

import { expect, it } from 'vitest';
import { unpack } from '../../src/backends/wasm/modules.js';
import { createWorld, icosphere, prepare, surface } from '../../src/index.js';

const bytes = await unpack(false);
const prepared = prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 }));

it('accepts bytes, a module and an address, and does the same with them as with the inlined ones', async () => {
  const positions = [];
  for (const kernels of [
    undefined,
    bytes,
    new WebAssembly.Module(bytes),
    `data:application/wasm;base64,${Buffer.from(bytes).toString('base64')}`,
  ]) {
    const world = await createWorld({ backend: 'wasm', threads: 1, kernels });
    const body = world.add(prepared, { spin: [1, 2, 3] });
    for (let step = 0; step < 5; step++) world.step();
    positions.push(Array.from(body.positions));
    world.dispose();
  }
  for (const others of positions) expect(others).toEqual(positions[0]);
});

it.each([
  ['bytes that are no module', Uint8Array.of(1, 2, 3), /got WebAssembly\.compile\(\)/],
  ['a module of something else', Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), /got a module of nothing$/],
  ['an address that cannot be read', 'data:,nothing', /got data:,nothing: WebAssembly\.compile\(\)/],
])('refuses %s in one line', async (_, kernels, reason) => {
  const error = await createWorld({ backend: 'wasm', kernels }).catch((caught) => caught);
  expect(error).toBeInstanceOf(RangeError);
  expect(error.message).toMatch(/^kernels: expected isochore's kernels\.wasm, got .*$/);
  expect(error.message).toMatch(reason);
});
