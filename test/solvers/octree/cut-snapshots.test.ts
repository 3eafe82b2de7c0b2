// Snapshots of bodies that were cut: they hold the nodes that cuts left, and go on with the same bits in the world that they are of,
// before its cuts, and in another one.

import { describe, expect, it } from 'vitest';
import { type Body, box, octree, prepare, type World } from '../../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../../both-backends.js';

const soft = prepare(box({ divisions: 4 }), octree({ cells: 3, levels: 1 }));

const steps = (world: World, count: number): void => {
  for (let n = 0; n < count; n++) world.step();
};

async function cubeOn(backend: (typeof BOTH_BACKENDS)[number]): Promise<[World, Body]> {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], position: [0, -0.7, 0] });
  const body = world.add(soft, { spin: [1, 2, 0] });
  return [world, body];
}

/** What the second of two cuts of a cube leaves, with a pin on it. */
function cutTwice(world: World, body: Body): void {
  body.pin([0, 1]);
  steps(world, 3);
  body.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0.1, 0] } });
  steps(world, 4);
  body.cut({ plane: { point: [0, 0.31, 0.1], normal: [0.2, 0.1, 1] }, within: 0.4 });
  steps(world, 4);
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('goes on with the same bits after the cut, before it, and in another world', async () => {
    const [world, body] = await cubeOn(backend);
    const before = world.snapshot();
    cutTwice(world, body);
    const after = world.snapshot();
    steps(world, 5);
    // Cut once more: what comes of it depends on the order of all nodes.
    const third = { plane: { point: [-0.2, 0, 0] as const, normal: [1, 0, 0.1] as const } };
    body.cut(third);
    steps(world, 5);
    const expected = body.positions.slice();
    const parts = body.parts.length;
    expect(parts).toBeGreaterThan(2);
    const goOn = (of: World, one: Body): void => {
      steps(of, 5);
      one.cut(third);
      steps(of, 5);
      expect(one.parts.length).toBe(parts);
      expect(one.positions).toEqual(expected);
    };
    world.restore(after);
    goOn(world, body);
    world.restore(before);
    expect(body.parts.length).toBe(1);
    expect(body.topologyVersion).toBe(0);
    steps(world, 2);
    world.restore(after);
    expect(body.pins.length).toBe(1);
    goOn(world, body);
    const [other, twin] = await cubeOn(backend);
    other.restore(after);
    goOn(other, twin);
  });

  it('holds what a stroke in the making has severed', async () => {
    const [world, body] = await cubeOn(backend);
    const stroke = body.beginCut();
    for (let n = 0; n < 4; n++) {
      stroke.moveTo([0.13, 0, -0.7 + 0.2 * n], [0, -1, 0]);
      world.step();
    }
    const during = world.snapshot();
    steps(world, 4);
    const expected = body.positions.slice();
    const [other, twin] = await cubeOn(backend);
    other.restore(during);
    steps(other, 4);
    expect(twin.positions).toEqual(expected);
    world.restore(during);
    steps(world, 4);
    expect(body.positions).toEqual(expected);
    stroke.end();
  });
});

it('refuses structures that are none', async () => {
  const { packState, unpackState } = await import('../../../src/math/state-tree.js');
  const { readForest, recordForest } = await import('../../../src/solvers/octree/forest-record.js');
  const { forest } = soft.octree;
  const record = recordForest(forest, forest);
  const whole = unpackState(packState(record as never)) as never;
  expect(recordForest(readForest(whole, forest), forest)).toEqual(record);
  const damaged: [string, object][] = [
    ['all of its arrays', { integers: new Float64Array(3) }],
    ['finite numbers', { reals: record.reals.map(() => Number.NaN) }],
    ['cells of its grid', { integers: record.integers.map((n) => n + 1) }],
    ['links that the body has', { changed: Uint32Array.of(0), bits: Uint8Array.of(255) }],
    ['neighbours that are leaves', { neighbours: record.neighbours.map(() => 1e9) }],
    ['regions of its nodes', { regions: record.regions.map(() => 1e9) }],
    ['neighbours and regions of its leaves', { counts: record.counts.map(() => 1e9) }],
  ];
  for (const [words, change] of damaged) {
    expect(() => readForest({ ...record, ...change } as never, forest)).toThrow(words);
  }
});
