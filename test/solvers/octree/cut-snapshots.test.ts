// Snapshots of bodies that were cut: they hold the nodes that cuts left, and go on with the same bits in the world that they are of,
// before its cuts, and in another one.

import { describe, expect, it } from 'vitest';
import { type Body, box, type CutStroke, octree, prepare, type World } from '../../../src/index.js';
import { cutForest } from '../../../src/solvers/octree/cut.js';
import { copyForest } from '../../../src/solvers/octree/forest-copy.js';
import { createPatch } from '../../../src/solvers/octree/patch.js';
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

  it('holds cuts that were asked for and are not made yet', async () => {
    const asked = (one: Body): void => {
      one.cut({ plane: { point: [0.13, 0, 0], normal: [1, 0.1, 0] } });
      one.cut({
        path: [
          [-1, -1, 0.2],
          [1, -1, 0.3],
        ],
        blade: [0, 2, 0.1],
      });
      const corners = [-1, -0.2, -1, 1, -0.2, -1, 1, -0.1, 1, -1, -0.1, 1];
      one.cut({ triangles: { positions: corners, triangles: [0, 2, 1, 0, 3, 2] } });
    };
    const [world, body] = await cubeOn(backend);
    steps(world, 3);
    const before = world.snapshot();
    asked(body);
    const during = world.snapshot();
    steps(world, 6);
    const expected = body.positions.slice();
    expect(body.parts.length).toBe(8);
    const [other, twin] = await cubeOn(backend);
    for (const [of, one] of [
      [world, body],
      [other, twin],
    ] as const) {
      of.restore(during);
      steps(of, 6);
      expect(one.positions).toEqual(expected);
      // Back to before they were asked for, none is left of those that were.
      asked(one);
      of.restore(before);
      steps(of, 6);
      expect(one.parts.length).toBe(1);
    }
  });

  it('holds a stroke in the making, which goes on from there', async () => {
    const [world, body] = await cubeOn(backend);
    const go = (of: World, stroke: CutStroke, from: number, to: number): void => {
      for (let n = from; n < to; n++) {
        stroke.moveTo([0.13, 0, -0.7 + 0.2 * n], [0, -1, 0]);
        if (n !== 4) of.step();
      }
    };
    const finish = (of: World, stroke: CutStroke): void => {
      go(of, stroke, 5, 8);
      stroke.end();
      steps(of, 3);
    };
    const stroke = body.beginCut();
    go(world, stroke, 0, 5);
    const during = world.snapshot();
    finish(world, stroke);
    expect(body.parts.length).toBe(2);
    const expected = body.positions.slice();
    world.restore(during);
    finish(world, body.beginCut());
    expect(body.positions).toEqual(expected);
    const [other, twin] = await cubeOn(backend);
    const fresh = other.snapshot();
    other.restore(during);
    const revived = twin.beginCut();
    other.restore(during);
    expect(revived.active).toBe(true);
    finish(other, revived);
    expect(twin.positions).toEqual(expected);
    other.restore(during);
    const again = twin.beginCut();
    other.restore(fresh);
    expect(again.active).toBe(false);
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

it('refuses pending cuts that are none', () => {
  const model = soft.solver.create(soft, { mass: 1, kernels: false });
  const read = (cut: object, stroke: object | null = null) => model.pending?.read({ cuts: [cut], stroke } as never);
  const plane = { kind: 'plane', numbers: Float64Array.of(0, 0, 0, 1, 0, 0, 1) };
  expect(() => read({ form: plane })).not.toThrow();
  const forms = [
    undefined,
    { kind: 'ball', numbers: new Float64Array(7) },
    { ...plane, numbers: new Float64Array(7) },
    { ...plane, numbers: Float64Array.of(0, 0, Number.NaN, 1, 0, 0, 1) },
    { kind: 'rows', numbers: new Float64Array(12), across: 0 },
    { kind: 'rows', numbers: new Float64Array(13), across: 2 },
    { kind: 'triangles', numbers: new Float64Array(9), triangles: Uint32Array.of(0, 1, 9) },
    { kind: 'triangles', numbers: new Float64Array(9), triangles: Uint32Array.of(0, 1) },
  ];
  for (const form of forms) expect(() => read({ form })).toThrow(RangeError);
  expect(() => model.pending?.read(7)).toThrow(RangeError);
  const stroke = { active: true, across: 4, points: new Float64Array(0), counts: Uint32Array.of(0) };
  expect(() => read({ form: plane }, { ...stroke, pending: new Float64Array(6) })).not.toThrow();
  expect(() => read({ form: plane }, { ...stroke, pending: new Float64Array(5) })).toThrow('a stroke');
  expect(() => read({ form: plane }, { ...stroke, pending: new Float64Array(6), counts: Uint32Array.of(2) })).toThrow(
    'a stroke',
  );
});

it('refuses structures that are none', async () => {
  const { packState, unpackState } = await import('../../../src/math/state-tree.js');
  const { readForest, recordForest } = await import('../../../src/solvers/octree/forest-record.js');
  const { forest } = soft.octree;
  const record = recordForest(forest, forest);
  const whole = unpackState(packState(record as never)) as never;
  expect(recordForest(readForest(whole, forest), forest)).toEqual(record);
  // Where a neck is thinner than a voxel a cut puts links back that an older one has cleared.
  const { forest: severed } = copyForest(forest);
  cutForest(severed, createPatch([0.13, 0, 0], [1, 0, 0], [0, 1, 0], [-1, -1, 1, -1, 1, 1, -1, 1]));
  const joined = recordForest(forest, severed);
  expect(joined.changed.length).toBeGreaterThan(0);
  expect(recordForest(readForest(joined as never, severed), severed)).toEqual(joined);
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
