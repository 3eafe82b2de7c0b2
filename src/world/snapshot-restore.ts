// Snapshots of a world as bytes, and going back to one: all of it or nothing.

import { captureWorld, restoreWorld, type SavedWorld } from './snapshot.js';
import {
  bodyFingerprint,
  colliderFingerprint,
  openSnapshot,
  sealSnapshot,
  type WorldFingerprint,
} from './snapshot-bytes.js';
import { checkSnapshot, checkTopologies } from './snapshot-check.js';
import { planTopologies, savedTopologies, takeTopologies } from './snapshot-topology.js';
import type { WorldParts } from './world-parts.js';

export const takeSnapshot = (parts: WorldParts): Uint8Array => sealSnapshot(fingerprintOf(parts), capture(parts));

/** @throws RangeError where the bytes are no snapshot, damaged, or of another world; which then stays as it is. */
export function restoreSnapshot(parts: WorldParts, bytes: Uint8Array): void {
  const saved = openSnapshot(bytes, fingerprintOf(parts));
  const own = capture(parts);
  const others = planTopologies(parts, checkTopologies(parts.bodies.inner.length, saved));
  if (!others) checkSnapshot(parts, own, saved);
  try {
    // What is saved of a body can only be checked against one of the same topology.
    if (others) {
      takeTopologies(parts, others);
      checkSnapshot(parts, capture(parts), saved);
    }
    goTo(parts, saved as unknown as SavedWorld);
  } catch (error) {
    // What no check can foresee, such as no room, or could only find then: back to where it was.
    goTo(parts, own);
    throw error;
  }
}

const capture = (parts: WorldParts): SavedWorld => ({
  clock: { ...parts.clock },
  gravity: parts.gravity,
  world: captureWorld(parts),
});

function goTo(parts: WorldParts, { clock, gravity, world }: SavedWorld): void {
  const others = planTopologies(parts, savedTopologies(world));
  if (others) takeTopologies(parts, others);
  restoreWorld(parts, world);
  Object.assign(parts.clock, clock);
  parts.splits.clear();
  // In the order in which they were made.
  parts.bonds.sort();
  parts.gravity = Object.freeze([gravity[0], gravity[1], gravity[2]] as const);
}

const fingerprintOf = ({ backend, timeStep, bodies, colliders }: WorldParts): WorldFingerprint => ({
  ...{ backend: backend.capabilities.backend, kernels: backend.fingerprint, timeStep },
  bodies: bodies.inner.map(({ made }) => bodyFingerprint(made.prepared, made.mass)),
  colliders: colliders.inner.map(colliderFingerprint),
});
