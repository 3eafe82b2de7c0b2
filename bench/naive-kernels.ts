// The kernels with sums over regions member by member, compiled for the run, and the lists of members that they walk.

import * as layout from '../src/backends/wasm/layout.js';
import type { WasmMemory } from '../src/backends/wasm/memory.js';
import type { WasmBackend } from '../src/backends/wasm/wasm-backend.js';
import type { World } from '../src/index.js';
import { partsOf } from '../src/world/world-parts.js';

/** Bytes for `createWorld({ kernels })`. */
export async function naiveKernels(): Promise<Uint8Array<ArrayBuffer>> {
  // Not a typed module: the build runs before there is anything to check types with.
  const { buildNaiveKernels } = await import(new URL('../scripts/build-kernels.mjs', import.meta.url).href);
  return buildNaiveKernels();
}

/** Puts lists of members in the place of the intervals of all bodies of a world with naive kernels. */
export function listMembers(world: World): void {
  const { memory, bodies } = partsOf(world).backend as WasmBackend;
  for (const { record, prepared } of bodies) {
    if (!prepared.kernels) continue;
    const { regions } = prepared.kernels;
    const offsets = new Uint32Array(Math.ceil(regions.count / 4) * 4 + 1);
    const members: number[] = [];
    for (let i = 0; i < regions.count; i++) {
      for (let n = regions.offsets[i]; n < regions.offsets[i + 1]; n++) {
        for (let j = regions.begins[n]; j < regions.ends[n]; j++) members.push(j);
      }
      offsets[i + 1] = members.length;
    }
    offsets.fill(members.length, regions.count + 1);
    put(memory, record + layout.BODY_INTERVAL_OFFSETS, offsets);
    put(memory, record + layout.BODY_INTERVALS, Uint32Array.from(members));
  }
}

function put(memory: WasmMemory, field: number, values: Uint32Array): void {
  const address = memory.allocate(values.byteLength);
  memory.integers(address, values.length).set(values);
  memory.integers(field, 1)[0] = address;
}
