// What a snapshot says about where it belongs, and what it holds by name: each of it that is otherwise is refused before anything changes.

import { describe, expect, it } from 'vitest';
import { box, icosphere, lattice, prepare, surface, type World } from '../../src/index.js';
import { isTypedArray, unpackState } from '../../src/math/state-tree.js';
import { captureWorld } from '../../src/world/snapshot.js';
import { sealSnapshot, type WorldFingerprint } from '../../src/world/snapshot-bytes.js';
import { checkSnapshot, checkTopologies } from '../../src/world/snapshot-check.js';
import { partsOf } from '../../src/world/world-parts.js';
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

// biome-ignore lint/suspicious/noExplicitAny: a tree that is changed at will
type Tree = any;

/** The way to every field of a tree. */
function fieldsOf(tree: Tree, way: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof tree !== 'object' || tree === null || isTypedArray(tree)) return [];
  const isList = Array.isArray(tree);
  return Object.keys(tree).flatMap((key) => {
    const here = [...way, isList ? Number(key) : key];
    return [...(isList ? [] : [here]), ...fieldsOf(tree[key], here)];
  });
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('every field of the state is asked for, by its name and its kind', async () => {
    const world = await build(backend);
    const [body, other] = world.bodies;
    body.pin([5, 6]);
    body.grab([0, 0.9, 0]);
    world.attach(body, [0, 1], world.colliders[0]);
    world.attach(body, [2, 3], other);
    world.step();
    const parts = partsOf(world);
    const { state } = unpackState(world.snapshot().slice(32)) as Tree;
    const own = { clock: parts.clock, gravity: parts.gravity, world: captureWorld(parts) };
    // As `restore` does before it changes anything.
    const check = () => {
      checkTopologies(parts.bodies.inner.length, state);
      checkSnapshot(parts, own, state);
    };
    check();
    const refused = (holder: Tree, key: string, way: string, change: () => void) => {
      const kept = { ...holder };
      change();
      expect(check, way).toThrow(RangeError);
      delete holder[key];
      Object.assign(holder, kept);
    };
    let count = 0;
    for (const way of fieldsOf(state)) {
      // Settings have defaults, and keyframes parts that may be left out.
      if (/settings,|keys,/.test(way.join())) continue;
      const key = way[way.length - 1] as string;
      const holder = way.slice(0, -1).reduce((inside, name) => inside[name], state);
      const value = holder[key];
      refused(holder, key, way.join('.'), () => delete holder[key]);
      refused(holder, key, way.join('.'), () => (holder[key] = typeof value === 'string' ? 7 : 'otherwise'));
      refused(holder, key, way.join('.'), () => {
        holder[key] = isTypedArray(value)
          ? new (value.constructor as Uint8ArrayConstructor)(value.length + 1)
          : new Uint8Array(5);
      });
      count++;
    }
    expect(count).toBeGreaterThan(150);
    check();
  });

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
