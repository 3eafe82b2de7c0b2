// Snapshots from anywhere: bytes at any place in memory, crafted ones whose hash is right, and ones of another course of
// events, where the same numbers mean other attachments, pins and grips.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface, type World } from '../../src/index.js';
import { StateHash } from '../../src/math/hash.js';
import { unpackState } from '../../src/math/state-tree.js';
import { sealSnapshot, type WorldFingerprint } from '../../src/world/snapshot-bytes.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 1, radius: 0.4 }), surface({ regionSize: 2 }));

async function build(backend: TestedBackend): Promise<World> {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  world.addCollider({ shape: 'sphere', radius: 0.3, position: [-2, 2, 0] });
  for (let n = 0; n < 3; n++) world.add(ball, { position: [n, 0.39, 0] });
  return world;
}

const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};

/** All that the world goes on from. */
const bitsOf = (world: World): string => {
  const hash = new StateHash().update(new Float64Array(world.snapshot().buffer));
  for (const { positions, velocities } of world.bodies) hash.update(positions).update(velocities);
  return hash.digest();
};

// biome-ignore lint/suspicious/noExplicitAny: a tree that is changed at will
type Tree = any;

/** The same snapshot with something else in it, and a right hash. */
function craft(bytes: Uint8Array, change: (state: Tree) => void): Uint8Array {
  const { fingerprint, state } = unpackState(bytes.slice(32)) as Tree;
  change(state);
  return sealSnapshot(fingerprint as WorldFingerprint, state);
}

/** A field of any name. */
const field = (name: string, value: unknown) => JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);

const HOSTILE: readonly (readonly [name: string, change: (state: Tree) => void])[] = [
  ['__proto__ beside the world', (s) => Object.assign(s, { more: field('__proto__', { polluted: 1 }) })],
  ['__proto__ in a body', (s) => Object.defineProperty(s.world.bodies[0].shown, '__proto__', hostileValue())],
  ['__proto__ in a collider', (s) => Object.defineProperty(s.world.colliders[0], '__proto__', hostileValue())],
  ['__proto__ in a grip', (s) => Object.defineProperty(s.world.bodies[0].grips[0], '__proto__', hostileValue())],
  ['constructor', (s) => Object.assign(s.world.bodies[1].shown, { constructor: { prototype: { polluted: 1 } } })],
  ['a method', (s) => Object.assign(s.world.colliders[1], { measure: 0 })],
  ['an unknown field', (s) => Object.assign(s.world.bodies[2].shown, { more: 1 })],
  ['a missing field', (s) => delete s.world.bodies[2].shown.previous],
  ['a short array', (s) => Object.assign(s.world.bodies[2].shown, { previous: new Float64Array(3) })],
  ['a list for an array', (s) => Object.assign(s.world.bodies[2].shown, { previous: [1, 2, 3] })],
  ['another kind of array', (s) => Object.assign(s.world.bodies[2].shown, { previous: new Float32Array(126) })],
  ['no body', (s) => s.world.bodies.pop()],
  ['a body that is nothing', (s) => s.world.bodies.splice(2, 1, null)],
  ['no colliders', (s) => Object.assign(s.world, { colliders: [] })],
  ['no world', (s) => Object.assign(s, { world: null })],
  ['a text as gravity', (s) => Object.assign(s, { gravity: '0' })],
  ['no gravity', (s) => Object.assign(s, { gravity: [0, Number.NaN, 0] })],
  ['steps that are none', (s) => Object.assign(s.clock, { steps: -1 })],
  ['an attachment to nothing', (s) => Object.assign(s.world.attachments[0], { other: 77 })],
  ['an attachment of a collider', (s) => Object.assign(s.world.attachments[0], { body: 0 })],
  ['vertices that are not there', (s) => s.world.attachments[1].vertices.fill(4_000_000_000)],
  ['corners that are not there', (s) => s.world.attachments[1].link.corners.fill(42)],
  ['no break force', (s) => Object.assign(s.world.attachments[1], { breakForce: -1 })],
  ['a place for no attachment', (s) => Object.assign(s.world.attachments[0], { place: 5 })],
  ['a pin that is nothing', (s) => s.world.bodies[0].pins.splice(1, 1, {})],
  ['a pin of nothing', (s) => Object.assign(s.world.bodies[0].pins[1], { vertices: new Uint32Array(0) })],
  ['a motion backwards', (s) => s.world.bodies[0].pins[1].follower.keys.push({ time: 1 }, { time: 0 })],
  ['a goal that is none', (s) => Object.assign(s.world.colliders[0].follower, { goal: 'there' })],
  ['a grip beyond', (s) => s.world.bodies[0].grips[0].corners.fill(1000)],
  ['a touch of nothing', (s) => s.world.bodies[0].touches.known.splice(0, 1, [99, {}])],
  ['a touch that is unknown', (s) => s.world.bodies[0].touches.found.push(1)],
  ['an event of nobody', (s) => Object.assign(s.world.events[0], { body: 0 })],
  ['an event that is none', (s) => s.world.events.push(7)],
  ['settings that are none', (s) => Object.assign(settingsOf(s), { stiffness: 'stiff' })],
  ['a backend that is none', (s) => Object.assign(s.world, { backend: {} })],
];
const hostileValue = () => ({ value: { polluted: 1 }, enumerable: true });
const settingsOf = (s: Tree) => s.world.bodies[0].state.settings;

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('bytes may lie anywhere in a larger buffer', async () => {
    const world = await build(backend);
    run(world, 5);
    const bytes = world.snapshot();
    run(world, 5);
    const after = bitsOf(world);
    for (const at of [0, 1, 3, 6]) {
      const large = Buffer.alloc(bytes.length + 16);
      large.set(bytes, at);
      world.restore(large.subarray(at, at + bytes.length));
      run(world, 5);
      expect(bitsOf(world)).toBe(after);
    }
  });

  it('what is crafted is refused before anything changes', async () => {
    const world = await build(backend);
    const [body, other] = world.bodies;
    world.attach(body, [0, 1], world.colliders[1]);
    body.pin([5, 6]);
    body.grab([0, 0.8, 0]);
    world.attach(other, [2, 3], body, { breakForce: 1e9 });
    run(world, 3);
    const bytes = world.snapshot();
    run(world, 3);
    const before = bitsOf(world);
    for (const [name, change] of HOSTILE) {
      expect(() => world.restore(craft(bytes, change)), name).toThrow(RangeError);
      expect(({} as Tree).polluted, name).toBe(undefined);
      expect(bitsOf(world), name).toBe(before);
    }
    // The same way, but unchanged.
    world.restore(craft(bytes, () => {}));
    expect(world.stepCount).toBe(3);
    run(world, 3);
    expect(bitsOf(world)).toBe(before);
  });

  it('bytes of a body that mean nothing harm nobody else', async () => {
    const world = await build(backend);
    run(world, 2);
    const bytes = craft(world.snapshot(), ({ world: { bodies } }) => {
      // On WebAssembly the record of pointers and counts and all of the state, else positions and all that is beside them.
      const { shown, shell, blocks = { shown: shown.positions, shell: shell.positions } } = bodies[1].state;
      for (const block of Object.values<Tree>(blocks)) block.fill(block instanceof Uint8Array ? 0xff : Number.NaN);
    });
    world.restore(bytes);
    run(world, 5);
    for (const x of [...world.bodies[0].positions, ...world.bodies[2].positions]) expect(Number.isFinite(x)).toBe(true);
  });

  it('texts that name bytes beyond the end, twice, or none are refused', async () => {
    const world = await build(backend);
    const bytes = world.snapshot();
    const before = bitsOf(world);
    const text = new TextDecoder('latin1').decode(bytes);
    const places = [...text.matchAll(/\{"a":\["[A-Za-z0-9]+",(\d+),(\d+)\]/g)];
    const replaced = (index: number, length: number, by: string): Uint8Array => {
      const copy = bytes.slice();
      for (let k = 0; k < length; k++) copy[index + k] = (by[k] ?? ' ').charCodeAt(0);
      return reseal(copy);
    };
    // An array's length, with as many digits: more than there is.
    const large = places.find((place) => place[2].length > 2) as RegExpExecArray;
    const lengthAt = large.index + large[0].lastIndexOf(',') + 1;
    expect(() => world.restore(replaced(lengthAt, large[2].length, '9'.repeat(large[2].length)))).toThrow(RangeError);
    // An array's kind.
    const kindAt = large.index + large[0].indexOf('["') + 2;
    expect(() => world.restore(replaced(kindAt, 4, 'isPr'))).toThrow(RangeError);
    // The text's own length.
    expect(() => world.restore(replaced(32, 4, '\xff\xff\xff\x7f'))).toThrow(RangeError);
    expect(bitsOf(world)).toBe(before);
  });

  it('what has the same number in another course of events is another', async () => {
    const world = await build(backend);
    const [a, b, c] = world.bodies;
    const [floor, sphere] = world.colliders;
    run(world, 2);
    const start = world.snapshot();
    const courses: (() => void)[] = [
      () => world.attach(a, [0, 1], sphere),
      () => world.attach(b, [0, 1], sphere),
      () => world.attach(a, [0, 1], floor),
      () => world.attach(a, [2, 3], sphere, { breakForce: 1e7 }),
      () => world.attach(a, [2, 3], sphere, { breakForce: 2e7 }),
      () => world.attach(a, [2, 3], b),
      () => world.attach(a, [2, 3], c),
      () => a.pin([4, 5]),
      () => a.pin([4, 5, 6]),
      () => a.grab([0, 0.8, 0]),
      () => a.grab([0.4, 0.4, 0]),
    ];
    const what = () => ({
      attachments: world.attachments.map((one) => [
        world.bodies.indexOf(one.body),
        one.other === floor ? 'floor' : one.other === sphere ? 'sphere' : world.bodies.indexOf(one.other as never),
        [...one.vertices],
        one.breakForce,
      ]),
      pins: world.bodies.map(({ pins }) => pins.map(({ vertices }) => [...vertices])),
      grips: world.bodies.map(({ grips }) => grips.map(({ target }) => target)),
    });
    const ends = courses.map((act) => {
      world.restore(start);
      act();
      run(world, 2);
      const bytes = world.snapshot();
      const held = what();
      run(world, 3);
      return { bytes, held, after: bitsOf(world) };
    });
    for (const from of ends) {
      for (const to of ends) {
        world.restore(from.bytes);
        world.restore(to.bytes);
        expect(what()).toEqual(to.held);
        run(world, 3);
        expect(bitsOf(world)).toBe(to.after);
      }
    }
  });

  it('objects that are of another course are let go, and those of this one stay', async () => {
    const world = await build(backend);
    const [a, b] = world.bodies;
    const start = world.snapshot();
    const first = world.attach(a, [0, 1], world.colliders[1]);
    const there = world.snapshot();
    world.restore(there);
    expect(world.attachments).toEqual([first]);
    world.restore(start);
    expect(first.attached).toBe(false);
    const second = world.attach(b, [0, 1], world.colliders[1]);
    world.restore(there);
    expect(second.attached).toBe(false);
    expect(world.attachments.map(({ body }) => body)).toEqual([a]);
  });

  it('is taken between the removal of what touched others and the next step', async () => {
    const world = await build(backend);
    run(world, 3);
    expect(world.contactEvents().length).toBeGreaterThan(0);
    world.remove(world.bodies[1]);
    const bytes = world.snapshot();
    run(world, 5);
    const expected = bitsOf(world);
    world.restore(bytes);
    run(world, 5);
    expect(bitsOf(world)).toBe(expected);
  });

  it('goes back from where a body is no longer finite', async () => {
    const world = await build(backend);
    const [a, b] = world.bodies;
    world.attach(a, [2, 3], b);
    const bytes = world.snapshot();
    const shown = () => world.bodies.flatMap(({ positions, velocities }) => [...positions, ...velocities]);
    const before = shown();
    for (const attachment of world.attachments) attachment.detach();
    // More than squares of numbers, or single precision, can hold.
    b.setMotion([1e300, 0, 0]);
    world.step();
    expect(b.positions.every(Number.isFinite)).toBe(false);
    world.restore(bytes);
    expect(shown()).toEqual(before);
  });
});

/** The same bytes with the hash that they should have. */
function reseal(bytes: Uint8Array): Uint8Array {
  const words = new Uint32Array(bytes.slice(32).buffer);
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (const word of words) {
    low = Math.imul(low ^ word, 0x01000193) ^ (low >>> 15);
    high = Math.imul(high ^ word, 0x85ebca6b) ^ (high >>> 15);
  }
  const hash = [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  for (let n = 0; n < 16; n++) bytes[16 + n] = hash.charCodeAt(n);
  return bytes;
}
