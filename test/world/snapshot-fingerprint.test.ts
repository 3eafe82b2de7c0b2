// What a snapshot says about where it belongs: each of it that is otherwise is refused before anything changes.

import { describe, expect, it } from 'vitest';
import { box, icosphere, lattice, prepare, surface, type World } from '../../src/index.js';
import { unpackState } from '../../src/math/state-tree.js';
import { sealSnapshot, type WorldFingerprint } from '../../src/world/snapshot-bytes.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const half = Array.from({ length: 42 }, (_, i) => (i % 2 === 0 ? 1 : 0.5));
const ball = icosphere({ detail: 1, radius: 0.4 });

async function build(backend: TestedBackend, maps: object = { stiffness: half }): Promise<World> {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  world.add(prepare(ball, surface({ regionSize: 2 }), { maps }), { position: [0, 0.5, 0] });
  world.add(prepare(box({ divisions: 3 }), lattice({ resolution: 3 })), { position: [2, 0.6, 0] });
  for (let n = 0; n < 5; n++) world.step();
  return world;
}

/** The same snapshot that says otherwise where it belongs, with a right hash. */
function alter(bytes: Uint8Array, change: (print: Record<string, unknown>) => void): Uint8Array {
  const { fingerprint, state } = unpackState(bytes.slice(32)) as { fingerprint: Record<string, unknown>; state: never };
  change(fingerprint);
  return sealSnapshot(fingerprint as unknown as WorldFingerprint, state);
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('every field of it counts', async () => {
    const world = await build(backend);
    const bytes = world.snapshot();
    const { fingerprint } = unpackState(bytes.slice(32)) as { fingerprint: Record<string, unknown> };
    expect(Object.keys(fingerprint).sort()).toEqual(['backend', 'bodies', 'colliders', 'kernels', 'timeStep']);
    const before = Float64Array.from(world.bodies[0].positions);
    const refused = (change: (fields: Record<string, unknown>) => void) => {
      expect(() => world.restore(alter(bytes, change))).toThrow(/^snapshot: expected /);
      expect(world.stepCount).toBe(5);
      expect(Float64Array.from(world.bodies[0].positions)).toEqual(before);
    };
    for (const [name, value] of Object.entries(fingerprint)) {
      refused((fields) => delete fields[name]);
      if (Array.isArray(value)) {
        for (const n of value.keys()) refused((fields) => ((fields[name] as string[])[n] += '!'));
        refused((fields) => (fields[name] as string[]).push('more'));
      } else if (typeof value === 'number') refused((fields) => (fields[name] = value * 2));
      else refused((fields) => (fields[name] = `${value}!`));
    }
    world.restore(alter(bytes, () => {}));
  });

  it('bytes of other kernels, and of a body that is painted otherwise, are refused by name', async () => {
    const world = await build(backend);
    expect(() =>
      world.restore(alter(world.snapshot(), (fingerprint) => (fingerprint.kernels = '0123456789abcdef'))),
    ).toThrow(/^snapshot: expected one of the kernels .+, got one of another version/);
    const other = await build(backend, { stiffness: half, damping: half });
    expect(() => world.restore(other.snapshot())).toThrow("snapshot: expected this world's bodies[0], got another");
  });
});
