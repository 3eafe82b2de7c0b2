// What the views show of a running solver and the library keeps to itself: who touches something, and each particle's share
// of the volume correction. The one place where the playground looks behind the library's doors.

import type { Body } from 'isochore';
import type { ReferenceBody } from '../../../../src/backends/reference/reference-body.js';
import { BODY_COLLIDING, BODY_SHARES } from '../../../../src/backends/wasm/layout.js';
import type { WasmMemory } from '../../../../src/backends/wasm/memory.js';

interface WasmState {
  readonly record: number;
  readonly memory: WasmMemory;
}
type State = WasmState | ReferenceBody;

const stateOf = (body: Body): State => (body as unknown as { state: State }).state;

const pointer = ({ memory, record }: WasmState, field: number): number => memory.integers(record + field, 1)[0];

/** 1 for particles that touch something, in the solver's order. */
export function touching(body: Body): ArrayLike<number> {
  const state = stateOf(body);
  if (!('record' in state)) return state.colliding;
  return state.memory.bytes(pointer(state, BODY_COLLIDING), body.particleCount);
}

/** Share of each particle in the volume correction, Σ = 1, in the solver's order; nothing where there is none. */
export function volumeShares(body: Body): ArrayLike<number> {
  if (body.settings.volume === false) return [];
  const state = stateOf(body);
  if ('record' in state) return state.memory.floats(pointer(state, BODY_SHARES), body.particleCount);
  const { volumeConstraint } = state as unknown as { volumeConstraint?: { shares: Float64Array } };
  return volumeConstraint?.shares ?? [];
}
