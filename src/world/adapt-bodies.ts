// Bodies whose model wants another topology get it before a step, and what holds them follows.

import { prepareChange } from '../solvers/topology.js';
import { isTopology } from './snapshot-topology.js';
import { followTopology } from './topology.js';
import type { WorldParts } from './world-parts.js';

export function adaptBodies({ bodies, backend, bonds, splits }: WorldParts): void {
  for (let n = 0; n < bodies.inner.length; n++) {
    const resident = bodies.inner[n];
    const { state, made } = resident;
    const change = state.asleep ? undefined : state.adapt();
    if (!change) continue;
    const found = prepareChange(state.prepared, change);
    // One that comes back to what it was shares that again.
    const prepared = isTopology(made.prepared, found.mesh, found.maps) ? made.prepared : found;
    const before = Float64Array.from(state.positions);
    splits.add(bodies.facades[n], state.prepared.parts.length, prepared.parts.length);
    const { origin } = change;
    backend.rebuild(state, prepared, origin);
    resident.followTopology(origin);
    followTopology({ resident, origin, before }, bonds.list);
    state.wake();
  }
}
