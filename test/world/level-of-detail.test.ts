// Levels of detail in worlds: nodes come and go while a body moves. Its momentum stays, its surface does not jump, its volume holds;
// cells follow a focus, touches and a budget; snapshots go back to other levels with the same bits.

import { describe, expect, it } from 'vitest';
import { type Body, capsule, octree, prepare, surface, type World } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const bar = prepare(
  capsule({ radius: 0.25, height: 2, segments: 16 }),
  octree({ cells: 8, levels: 2, refine: 'topology' }),
);
const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};
/** The upper end of the bar, wherever it is: its first vertex. */
const tipOf = ({ positions, mesh }: Body) => {
  let top = 0;
  for (let k = 1; k < mesh.positions.length; k += 3)
    if (mesh.positions[k] > mesh.positions[3 * top + 1]) top = (k - 1) / 3;
  return { centre: [positions[3 * top], positions[3 * top + 1], positions[3 * top + 2]] as const, radius: 0.1 };
};
const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (x, k) => Math.abs(x - b[k])));
/** Of momenta, relative: rounding of some hundred steps in double, of velocities in single precision. */
const KEPT = { reference: 1e-11, wasm: 2e-5 } as const;

/** A bar that spins and bends. */
async function bentBar(backend: 'reference' | 'wasm') {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const body = world.add(bar, { spin: [0.5, 0, 2], velocity: [0.3, 0, 0] });
  body.applyImpulse([40, 0, 0], [0, 1, 0]);
  run(world, 20);
  return { world, body };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('keeps momentum and volume through changes, and the surface where it is', async () => {
    const { world, body } = await bentBar(backend);
    const [coarse, linear, angular] = [body.nodeCount, body.momentum(), body.angularMomentum()];
    const scale = Math.sqrt(angular.reduce((sum, x) => sum + x * x, 0));
    for (let n = 0; n < 2; n++) {
      const before = Float64Array.from(body.positions);
      const came = body.refine({ sphere: tipOf(body) }, 3);
      expect(came).toBeGreaterThan(20);
      expect(body.nodeCount).toBe(coarse + came);
      expect(difference(body.positions, before)).toBe(0);
      run(world, 10);
      for (let went = 1; went > 0; ) went = body.coarsen();
      expect(body.nodeCount).toBeLessThanOrEqual(coarse);
      run(world, 10);
      body.refine();
      for (let went = 1; went > 0; ) went = body.coarsen();
    }
    expect(difference(body.momentum(), linear) / scale).toBeLessThan(KEPT[backend]);
    expect(difference(body.angularMomentum(), angular) / scale).toBeLessThan(KEPT[backend]);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(backend === 'wasm' ? 2e-6 : 1e-10);
  });

  it('does not jump', async () => {
    const twins = await Promise.all([bentBar(backend), bentBar(backend)]);
    const [plain, changed] = twins;
    changed.body.refine({ sphere: tipOf(changed.body) }, 3);
    for (const { world } of twins) world.step();
    // New nodes start with the velocity of what they were part of, at most half a cell from where it is theirs: 2 rad/s over 0.2 m
    // in a step of 5 ms are 2 mm. What they carry otherwise fades over 0.2 s.
    expect(difference(changed.body.positions, plain.body.positions) / 2).toBeLessThan(1e-3);
  });

  it('goes back to other levels by a snapshot, and on with the same bits', async () => {
    const { world, body } = await bentBar(backend);
    const coarse = world.snapshot();
    body.refine({ sphere: tipOf(body) }, 2);
    run(world, 5);
    const fine = world.snapshot();
    const goOn = (): Float64Array => {
      run(world, 5);
      body.coarsen();
      run(world, 5);
      body.refine({ sphere: tipOf(body) }, 3);
      run(world, 5);
      return Float64Array.from(body.positions);
    };
    const [nodes, first] = [body.nodeCount, goOn()];
    world.restore(coarse);
    expect(body.nodeCount).toBeLessThan(nodes);
    run(world, 3);
    world.restore(fine);
    expect(body.nodeCount).toBe(nodes);
    expect(goOn()).toEqual(first);
    // In another world as well.
    const other = await bentBar(backend);
    other.world.restore(fine);
    expect(other.body.nodeCount).toBe(nodes);
  });

  it('is finest where the focus is near, and coarser again when it leaves', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const [near, far] = [0, 30].map((x) => world.add(bar, { position: [x, 0, 0] }));
    const atRest = near.nodeCount;
    world.detail = { focus: { position: [-1.5, 0, 0], cellAngle: 0.1 } };
    near.wake();
    run(world, 30);
    expect(near.nodeCount).toBeGreaterThan(2 * atRest);
    expect(far.nodeCount).toBeLessThanOrEqual(atRest);
    const settled = [near.nodeCount, far.nodeCount];
    run(world, 30);
    // Hysteresis: nothing flickers.
    expect([near.nodeCount, far.nodeCount]).toEqual(settled);
    world.detail = { focus: { position: [28.5, 0, 0], cellAngle: 0.1 } };
    run(world, 80);
    expect(far.nodeCount).toBeGreaterThan(2 * atRest);
    expect(near.nodeCount).toBeLessThanOrEqual(atRest);
  });

  it('is finest where it is gripped or hit, for a while', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(bar);
    const atRest = body.nodeCount;
    world.detail = { touch: { radius: 0.05, hold: 0.2 } };
    const grip = body.grab([0, 1, 0]);
    run(world, 15);
    const gripped = body.nodeCount;
    expect(gripped).toBeGreaterThan(atRest);
    grip.release();
    run(world, 100);
    expect(body.nodeCount).toBe(atRest);
    world.addCollider({
      shape: 'sphere',
      radius: 0.2,
      position: [0.6, -0.8, 0],
      motion: [{ time: 0 }, { time: 2, position: [-0.6, -0.8, 0] }],
    });
    world.add(prepare(capsule({ radius: 0.2, height: 0.5, segments: 8 }), surface()), {
      position: [1, 0.8, 0],
      velocity: [-3, 0, 0],
    });
    let most = 0;
    for (let n = 0; n < 60; n++) {
      world.step();
      most = Math.max(most, body.nodeCount);
    }
    expect(most).toBeGreaterThan(atRest);
  });

  it('gets coarser where steps take longer than the budget, and back', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const bodies = [0, 3].map((x) => world.add(bar, { position: [x, 0, 0], spin: [0, 1, 0] }));
    for (const body of bodies) body.refine();
    const [near, far] = bodies.map(({ nodeCount }) => nodeCount);
    world.budget = 1e-6;
    run(world, 13);
    expect(bodies[0].nodeCount).toBe(near);
    expect(bodies[1].nodeCount).toBeLessThan(far);
    run(world, 60);
    const least = bodies.map(({ nodeCount }) => nodeCount);
    expect(least[0]).toBeLessThan(near);
    world.budget = 1e6;
    run(world, 80);
    bodies.forEach(({ nodeCount }, n) => {
      expect(nodeCount).toBeGreaterThanOrEqual(least[n]);
    });
  });

  it('refuses what it cannot do', async () => {
    const world = await worldOn(backend);
    const shell = world.add(prepare(capsule(), surface()));
    const body = world.add(bar);
    expect(() => shell.refine()).toThrow(
      'refine: expected a body of a solver with levels of detail, got one of surface',
    );
    expect(() => shell.coarsen()).toThrow('coarsen: expected a body of a solver with levels of detail');
    expect(() => body.refine({ sphere: { centre: [0, 0, 0], radius: -1 } })).toThrow(
      'sphere.radius: expected a positive number',
    );
    expect(() => body.refine(undefined, 0)).toThrow('levels: expected a number from 1, got 0');
    expect(() => {
      world.detail = { focos: 1 } as never;
    }).toThrow('detail: unknown option focos, did you mean focus?');
    expect(() => {
      world.detail = { focus: { position: [0, 0, 0], cellAngle: 0 } };
    }).toThrow('detail.focus.cellAngle: expected a number from 0.0001 to 3, got 0');
    expect(() => {
      world.budget = 0;
    }).toThrow('budget: expected milliseconds above 0, or Infinity, got 0');
    world.detail = null;
    expect([world.detail, world.budget]).toEqual([null, Number.POSITIVE_INFINITY]);
  });
});
