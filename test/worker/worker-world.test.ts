// A world in a worker does what a world does: the same bits, the same handles, the same words where something is wrong.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { box, createWorld, icosphere, lattice, octree, prepare, surface, wind } from '../../src/index.js';
import { createWorkerWorld, type WorkerWorld } from '../../src/worker/index.js';

const ball = icosphere({ detail: 1, radius: 0.5 });
const soft = surface({ regionRadius: 0.3, stiffness: 0.7 });
const FLOOR = { shape: 'plane', normal: [0, 1, 0] } as const;

let worlds: { dispose(): void }[] = [];
afterEach(() => {
  for (const world of worlds) world.dispose();
  worlds = [];
});

async function workerWorld(options: Parameters<typeof createWorkerWorld>[0] = {}): Promise<WorkerWorld> {
  const world = await createWorkerWorld({ threads: 1, ...options });
  worlds.push(world);
  return world;
}

async function dropped(options: Parameters<typeof createWorkerWorld>[0] = {}) {
  const world = await workerWorld(options);
  const floor = world.addCollider(FLOOR);
  const prepared = await world.prepare(ball, soft);
  const body = world.add(prepared, { position: [0, 0.7, 0], name: 'ball' });
  return { world, floor, prepared, body };
}

describe.each([true, false])('a world in a worker, memory shared: %s', (shared) => {
  it('takes the steps of a world, to the last bit, and shows them', async () => {
    const { world, body, floor } = await dropped({ shared });
    const skin = body.embed(icosphere({ detail: 2, radius: 0.5 }));
    const direct = await createWorld({ threads: 1 });
    worlds.push(direct);
    direct.addCollider(FLOOR);
    const twin = direct.add(prepare(ball, soft), { position: [0, 0.7, 0] });
    const twinSkin = twin.embed(icosphere({ detail: 2, radius: 0.5 }));
    // Before the first frame it is where it was put.
    expect([...body.positions]).toEqual([...Float32Array.from(twin.positions)]);
    await world.step(120);
    for (let n = 0; n < 120; n++) direct.step();
    expect([...body.positions]).toEqual([...twin.positions]);
    twinSkin.update();
    expect([...skin.positions]).toEqual([...twinSkin.positions]);
    expect([...skin.normals]).toEqual([...twinSkin.normals]);
    expect(await body.volume()).toBe(twin.volume());
    expect(await body.centreOfMass()).toEqual(twin.centreOfMass());
    expect((await body.state()).velocities).toEqual(Float64Array.from(twin.velocities));
    expect([world.stepCount, body.contactCount, body.mass]).toEqual([120, twin.contactCount, twin.mass]);
    expect(floor.impulse).toEqual(direct.colliders[0].impulse);
  });

  it('goes by the time that it is given, at any rate of frames, and tells of contacts once', async () => {
    const { world, body, floor } = await dropped({ shared });
    const seen: string[] = [];
    const stop = world.onContact(body, ({ phase, other }) => seen.push(`${phase} ${other.name}`));
    for (let n = 0; n < 60; n++) await world.advance(1 / 60);
    // Time that is not a whole step waits for the next frame; a machine that is busy may fall behind by a few steps.
    expect(Math.abs(world.stepCount - 200 * world.pace)).toBeLessThan(12);
    // It bounces: each contact begins once, lasts, and ends once.
    expect(seen.join()).toMatch(
      /^(begin plane,(persist plane,)*end plane,)*begin plane(,persist plane)*(,end plane)?$/,
    );
    expect(world.contactEvents().every((event) => event.body === body && event.other === floor)).toBe(true);
    stop();
    const count = seen.length;
    await world.advance(1 / 60);
    expect(seen).toHaveLength(count);
  });
});

describe('a world in a worker', () => {
  it('takes frames that are asked for meanwhile together', async () => {
    const { world } = await dropped();
    const all = await Promise.all(Array.from({ length: 8 }, () => world.advance(0.005)));
    // The first goes alone; the others wait for it and are one.
    expect(new Set(all.slice(1)).size).toBe(1);
    // Nothing of the time is lost, though a slow machine needs more than one slice for it.
    await expect.poll(() => world.advance(0).then(() => world.stepCount)).toBe(8);
  });

  it('runs by its own clock, and stops', async () => {
    const { world } = await dropped();
    world.run();
    await expect
      .poll(async () => {
        await world.advance(0);
        return world.stepCount;
      })
      .toBeGreaterThan(5);
    world.pause();
    await world.advance(0);
    const { stepCount } = world;
    await new Promise((resolve) => setTimeout(resolve, 30));
    await world.advance(0);
    expect(world.stepCount).toBe(stepCount);
  });

  it('has grips, pins, attachments, obstacles that move and wind', async () => {
    const world = await workerWorld({ gravity: [0, 0, 0] });
    const prepared = await world.prepare(ball, soft);
    const [a, b, c, d] = [0, 3, 6, 9].map((x) => world.add(prepared, { position: [x, 0, 0] }));
    const grip = a.grab([0, 0.5, 0]);
    grip.moveTo([0, 1.5, 0]);
    const pin = b.pin(
      b.select({
        box: [
          [-1, 0.3, -1],
          [1, 1, 1],
        ],
      }),
    );
    pin.moveTo([3, 2, 0]);
    const plate = world.addCollider({ shape: 'box', size: [1, 0.2, 1], position: [6, 0.7, 0] });
    const attachment = world.attach(
      c,
      c.select({
        box: [
          [-1, 0.3, -1],
          [1, 1, 1],
        ],
      }),
      plate,
      { breakForce: 1e9 },
    );
    plate.moveTo([6, 1, 0]);
    const air = world.addField(wind({ velocity: [4, 0, 0], gusts: 0 }));
    await world.step(100);
    expect(grip.point[1]).toBeGreaterThan(1.2);
    expect([pin.held, attachment.attached, attachment.broken]).toEqual([true, true, false]);
    expect((await b.centreOfMass())[1]).toBeGreaterThan(1);
    expect(plate.position).toEqual([6, 1, 0]);
    expect((await c.centreOfMass())[1]).toBeGreaterThan(0.2);
    expect((await d.centreOfMass())[0]).toBeGreaterThan(9.1);
    world.removeField(air);
    grip.release();
    b.unpin(pin);
    attachment.detach();
    await world.step();
    expect([grip.held, pin.held, attachment.attached, world.attachments.length]).toEqual([false, false, false, 0]);
    expect(() => grip.moveTo([0, 0, 0])).toThrow('grip: it holds nothing any more');
    expect(() => pin.moveTo([0, 0, 0])).toThrow('pin: it holds nothing any more');
  });

  it('goes back to snapshots, in another worker too', async () => {
    const { world, body } = await dropped();
    await world.step(40);
    const saved = await world.snapshot();
    await world.step(60);
    const there = [...body.positions];
    await world.restore(saved);
    expect(world.stepCount).toBe(40);
    await world.step(60);
    expect([...body.positions]).toEqual(there);
    const other = await dropped({ shared: false });
    await other.world.restore(saved);
    await other.world.step(60);
    expect([...other.body.positions]).toEqual(there);
  });

  it('cuts, tells of what came apart, and makes bodies of it', async () => {
    const world = await workerWorld({ gravity: [0, 0, 0] });
    const prepared = await world.prepare(box({ divisions: 4 }), octree({ cells: 3, levels: 1 }));
    const body = world.add(prepared, { name: 'bar' });
    const { mesh } = body;
    body.cut({ plane: { point: [0.05, 0, 0], normal: [1, 0, 0] } });
    await world.step(2);
    expect(world.splitEvents()).toMatchObject([{ body, before: 1, after: 2 }]);
    expect(body.mesh).not.toBe(mesh);
    expect(body.positions).toHaveLength(body.mesh.positions.length);
    expect(body.cutFaces?.triangles.length).toBeGreaterThan(0);
    expect(body.parts).toHaveLength(2);
    const volumes = await body.partVolumes();
    expect(Math.abs(volumes[0] + volumes[1] - 1)).toBeLessThan(1e-3);
    const pieces = await body.separate();
    expect(pieces).toHaveLength(2);
    expect(pieces[0]).toBe(body);
    expect(world.bodies).toContain(pieces[1]);
    pieces[1].setMotion([1, 0, 0]);
    await world.step(10);
    expect(Math.abs((await pieces[1].momentum())[0] / pieces[1].mass - 1)).toBeLessThan(0.01);
  });

  it('mends and prepares what it is given, and finds points', async () => {
    const world = await workerWorld();
    const open = box({ divisions: 4 });
    const { bodies, steps } = await world.makeSimulatable({
      positions: open.positions,
      triangles: open.triangles.slice(6),
    });
    expect([bodies.length, steps.length > 0]).toEqual([1, true]);
    const body = world.add(await world.prepare(bodies[0].mesh, lattice({ resolution: 4 })), { position: [0, 2, 0] });
    const wall = world.addCollider({ shape: 'sphere', radius: 1, position: [5, 0, 0] });
    expect(await world.raycast([0, 9, 0], [0, -1, 0])).toMatchObject({ body, point: [0, 2.5, 0] });
    expect(await world.raycast([5, 9, 0], [0, -1, 0], { colliders: true })).toMatchObject({ collider: wall });
    expect(await world.raycast([50, 9, 0], [0, -1, 0])).toBeNull();
    expect(await world.closestPoint([0, 9, 0])).toMatchObject({ body, distance: 6.5 });
  });

  it('puts bodies elsewhere without showing the way there', async () => {
    const { world, body } = await dropped();
    for (let n = 0; n < 5; n++) await world.advance(0.012);
    body.teleport([10, 5, 0]);
    await world.advance(0);
    expect(body.positions[0]).toBeGreaterThan(9);
    body.reset();
    body.deform('flatten');
    body.wake();
    await world.step();
    expect(Math.abs(body.positions[0])).toBeLessThan(1);
  });

  it('says at once what is wrong, in the words of a world', async () => {
    const { world, prepared, body } = await dropped();
    expect(() => world.add(prepared, { frction: 1 } as never)).toThrow('did you mean friction?');
    expect(() => world.add(prepare(ball) as never)).toThrow('add: expected what prepare() of this world returns');
    expect(() => world.addCollider({ shape: 'boxx' } as never)).toThrow('did you mean box?');
    expect(() => world.addCollider({ shape: 'sphere', radius: -1 })).toThrow('sphere.radius: expected a positive');
    expect(() => body.set({ stifness: 1 } as never)).toThrow('did you mean stiffness?');
    expect(() => body.applyImpulse([0, Number.NaN, 0])).toThrow('impulse: expected 3 finite numbers');
    expect(() => body.pin([])).toThrow('pin: expected at least one vertex');
    expect(() => body.pin([9999])).toThrow('pin: expected vertices from 0 to');
    expect(() => world.attach(body, [0], body)).toThrow('attach: expected another body');
    expect(() => world.addField((() => [0, 0, 0]) as never)).toThrow('functions cannot be sent to a worker');
    await expect(createWorkerWorld({ gravty: 1 } as never)).rejects.toThrow('did you mean gravity?');
    await expect(createWorkerWorld({ timeStep: 7 })).rejects.toThrow('timeStep: expected a number from');
    await expect(
      world.prepare({ positions: ball.positions, triangles: ball.triangles.slice(3) }),
    ).rejects.toMatchObject({ name: 'MeshError', problems: [{ code: 'open-edge' }] });
  });

  it('says afterwards what only the worker can know: to who waits for it, or to the world', async () => {
    const onFault = vi.fn();
    const { world, body } = await dropped({ onFault });
    body.cut({ plane: { point: [0, 0, 0], normal: [1, 0, 0] } });
    await world.step();
    expect(onFault).toHaveBeenCalledOnce();
    expect(onFault.mock.calls[0][0]).toMatchObject({ message: expect.stringContaining('can be cut') });
    const wall = world.addCollider({ shape: 'heightfield', heights: [[0]], size: [1, 1] } as never);
    await expect(wall.ready).rejects.toThrow(RangeError);
    expect(wall.removed).toBe(true);
    expect(onFault).toHaveBeenCalledOnce();
  });

  it('refuses calls on what has gone, and ends', async () => {
    const { world, body, floor, prepared } = await dropped();
    const skin = body.embed(ball);
    world.remove(body);
    world.remove(body);
    expect(() => body.applyImpulse([0, 1, 0])).toThrow('body "ball": it was removed from its world');
    expect(body.removed).toBe(true);
    skin.dispose();
    world.remove(floor);
    prepared.dispose();
    await world.step();
    expect([world.bodies.length, world.colliders.length]).toEqual([0, 0]);
    const pending = world.advance(0.01);
    world.dispose();
    world.dispose();
    await pending;
    expect(() => world.addCollider(FLOOR)).toThrow('the world has been disposed of');
    await expect(async () => world.snapshot()).rejects.toThrow('the world has been disposed of');
  });
});
