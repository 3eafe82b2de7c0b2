// The components of isochore/react: what they make, how they follow their props, and that nothing of them stays.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { create } from '@react-three/test-renderer';
import { act, createRef, createElement as h, StrictMode, Suspense, use, useRef } from 'react';
import { type Group, Mesh, type MeshStandardMaterial, SphereGeometry } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WasmBackend } from '../../src/backends/wasm/wasm-backend.js';
import {
  SoftAttachment,
  SoftBody,
  SoftCollider,
  type SoftColliderHandle,
  type SoftHandle,
  SoftPhysics,
  SoftPin,
  useAfterStep,
  useBeforeStep,
  useContact,
  useSoftWorld,
} from '../../src/react/index.js';
import type { SoftObject } from '../../src/three/index.js';
import type { World } from '../../src/world/world.js';
import { partsOf } from '../../src/world/world-parts.js';

// React warns where updates are not waited for.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** Bytes that a world's kernels have handed out. */
const kernelBytes = (world: World | undefined): number =>
  world ? (partsOf(world).backend as WasmBackend).memory.used : 0;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Bytes that are still held, of everything in this process. */
async function heapBytes(): Promise<number> {
  // What finalizers let go of is collected the second time.
  for (let n = 0; n < 2; n++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

type Renderer = Awaited<ReturnType<typeof create>>;

let opened: Renderer[] = [];
afterEach(async () => {
  for (const one of opened) await one.unmount();
  opened = [];
});

async function mount(element: Parameters<typeof create>[0]): Promise<Renderer> {
  const renderer = await create(element);
  opened.push(renderer);
  return renderer;
}

const ball = (radius = 0.5) =>
  h('mesh', null, h('sphereGeometry', { args: [radius, 12, 8] }), h('meshStandardMaterial'));
const floor = h(SoftCollider, { key: 'floor', name: 'floor', shape: { shape: 'plane', normal: [0, 1, 0] } });

/** Lets what takes time happen: worlds and bodies are made. */
const settle = (until: () => unknown) =>
  vi.waitFor(
    async () => {
      await act(async () => new Promise((resolve) => setTimeout(resolve, 5)));
      expect(until()).toBeTruthy();
    },
    { timeout: 8000, interval: 5 },
  );

function Probe({ found }: { found: (world: World) => void }) {
  found(useSoftWorld() as World);
  return null;
}

describe('a physical scene', () => {
  it('drops a body on a floor, shows it, and calls back', async () => {
    const soft = createRef<SoftHandle>();
    const [before, after, contact, onContact] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
    let world: World | undefined;
    function Scene() {
      const ref = useRef<SoftHandle>(null);
      useBeforeStep(before);
      useAfterStep(after);
      useContact(ref, contact);
      return [
        floor,
        h(
          SoftBody,
          {
            key: 'ball',
            ref: (one) => {
              ref.current = one;
              soft.current = one;
            },
            position: [0, 0.7, 0],
            vertices: 100,
            onContact,
          },
          ball(),
        ),
        h(Probe, { key: 'probe', found: (one) => (world = one) }),
      ];
    }
    const renderer = await mount(h(SoftPhysics, { threads: 1 } as never, h(Scene)));
    await settle(() => soft.current);
    expect(world?.bodies).toHaveLength(1);
    await act(async () => renderer.advanceFrames(60, 1 / 60));
    expect(world?.stepCount).toBe(200);
    expect([before.mock.calls.length, after.mock.calls.length]).toEqual([200, 200]);
    const position = soft.current?.meshes[0].geometry.getAttribute('position');
    const heights = Array.from({ length: position?.count ?? 0 }, (_, v) => position?.getY(v) ?? 0);
    // It lies on the floor, to the rounding of single precision.
    expect(Math.min(...heights)).toBeGreaterThan(-1e-3);
    expect(Math.max(...heights)).toBeLessThan(1.3);
    for (const called of [contact, onContact])
      expect(called.mock.calls.filter(([event]) => event.phase === 'begin').length).toBeGreaterThan(0);
    // The mesh that it was made of is not shown, what was made of it hangs in the scene itself.
    expect((renderer.scene.instance as Group).children.some((child) => child === soft.current)).toBe(true);
  });

  it('follows its props: settings, place, gravity, pause, colours, other geometries', async () => {
    const soft = createRef<SoftHandle>();
    let world: World | undefined;
    const scene = ({ y = 2, stiffness = 0.9, gravity = 0, paused = false, color = 'red', shape = 'sphere' } = {}) =>
      h(
        SoftPhysics,
        { threads: 1, gravity: [0, gravity, 0], paused } as never,
        h(
          SoftBody,
          { ref: soft, position: [0, y, 0], vertices: 100, stiffness },
          h(
            'mesh',
            null,
            shape === 'sphere'
              ? h('sphereGeometry', { args: [0.5, 12, 8] })
              : h('boxGeometry', { args: [1, 1, 1, 3, 3, 3] }),
            h('meshStandardMaterial', { color }),
          ),
        ),
        h(Probe, { found: (one) => (world = one) }),
      );
    const renderer = await mount(scene());
    await settle(() => soft.current);
    const first = soft.current;
    await act(async () => renderer.update(scene({ stiffness: 0.3, y: 5, gravity: -4, color: 'blue' })));
    expect(soft.current).toBe(first);
    expect(first?.bodies[0].settings).toMatchObject({ stiffness: 0.3 });
    expect(Math.abs((first as SoftObject).bodies[0].centreOfMass()[1] - 5)).toBeLessThan(0.01);
    expect(world?.gravity).toEqual([0, -4, 0]);
    await act(async () => renderer.advanceFrames(10, 1 / 60));
    expect(((first as SoftObject).meshes[0].material as MeshStandardMaterial).color.b).toBe(1);
    const steps = world?.stepCount;
    expect(steps).toBeGreaterThan(20);
    await act(async () => renderer.update(scene({ stiffness: 0.3, y: 5, paused: true })));
    await act(async () => renderer.advanceFrames(10, 1 / 60));
    expect(world?.stepCount).toBe(steps);
    await act(async () => renderer.update(scene({ shape: 'box' })));
    await act(async () => renderer.advanceFrames(1, 1 / 60));
    await settle(() => soft.current && soft.current !== first);
    expect(world?.bodies).toHaveLength(1);
    expect(first?.bodies[0].removed).toBe(true);
    expect(Math.abs((soft.current?.bodies[0].restVolume ?? 0) - 1)).toBeLessThan(0.05);
  });

  it('holds bodies by pins and attachments, with obstacles that move', async () => {
    const [a, b, c] = [createRef<SoftHandle>(), createRef<SoftHandle>(), createRef<SoftColliderHandle>()];
    const top = {
      box: [
        [-1, 0.2, -1],
        [1, 1, 1],
      ],
    } as const;
    const scene = (y = 2) =>
      h(
        SoftPhysics,
        { threads: 1 } as never,
        h(SoftBody, { ref: a, position: [0, 2, 0], vertices: 100 }, ball()),
        h(SoftBody, { ref: b, position: [3, 2, 0], vertices: 100 }, ball()),
        h(
          SoftCollider,
          { ref: c, position: [3, y + 0.7, 0] },
          h('mesh', null, h('boxGeometry', { args: [1, 0.2, 1] })),
        ),
        h(SoftPin, { body: a, select: top }),
        h(SoftAttachment, { body: b, to: c, select: top }),
      );
    const renderer = await mount(scene());
    await settle(() => a.current && b.current && c.current);
    await act(async () => renderer.advanceFrames(1, 1 / 60));
    await act(async () => renderer.update(scene(3)));
    await act(async () => renderer.advanceFrames(60, 1 / 60));
    const height = (ref: typeof a) => (ref.current as SoftObject).bodies[0].centreOfMass()[1];
    expect(Math.abs(height(a) - 2)).toBeLessThan(0.3);
    expect(Math.abs(height(b) - 3)).toBeLessThan(0.3);
  });

  it('runs in a worker by the same components', async () => {
    const soft = createRef<SoftHandle>();
    const renderer = await mount(
      h(
        SoftPhysics,
        { worker: true, threads: 1 },
        floor,
        h(SoftBody, { ref: soft, position: [0, 0.8, 0], vertices: 100 }, ball()),
      ),
    );
    await settle(() => soft.current);
    for (let n = 0; n < 40; n++)
      await act(async () => {
        await renderer.advanceFrames(1, 1 / 60);
        await new Promise((resolve) => setTimeout(resolve, 4));
      });
    const lowest = soft.current?.meshes[0].geometry.boundingBox?.min.y ?? -9;
    expect(lowest).toBeGreaterThan(-0.05);
    expect(lowest).toBeLessThan(0.25);
  });

  it('says what is wrong: outside of a scene, a mesh that cannot be soft, a misspelt option', async () => {
    const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
    await expect(create(h(SoftBody, null, ball()))).rejects.toThrow('expected to be inside of <SoftPhysics>');
    silenced.mockRestore();
  });
});

describe('mounting and unmounting', () => {
  /** A component that waits for something the first time, and whenever it is given another id. */
  const waiting = new Map<string, Promise<number>>();
  function Late({ id }: { id: string }) {
    const known = waiting.get(id) ?? new Promise<number>((resolve) => setTimeout(() => resolve(0.5), 3));
    waiting.set(id, known);
    return ball(use(known));
  }

  it('leaves nothing behind: 100 times in StrictMode, in any order, with other props, waiting and not', async () => {
    let seed = 7;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const geometry = new SphereGeometry(0.5, 10, 6);
    const made = new Mesh(geometry);
    let world: World | undefined;
    const members = ['a', 'b', 'c', 'd', 'e', 'late'];
    const refs = Object.fromEntries(members.map((name) => [name, createRef<SoftHandle>()]));
    const shelf = createRef<SoftColliderHandle>();
    const state = { present: new Set<string>(), stiffness: 0.5, y: 1, scene: 0, model: 0 };
    const scene = () =>
      h(
        StrictMode,
        null,
        h(
          SoftPhysics,
          { key: state.scene, threads: 1, debug: true } as never,
          h(Probe, { found: (one) => (world = one) }),
          state.present.has('shelf') &&
            h(SoftCollider, { ref: shelf, key: 'shelf' }, h('mesh', null, h('boxGeometry', { args: [9, 0.2, 9] }))),
          members
            .filter((name) => state.present.has(name))
            .map((name, n) =>
              h(
                Suspense,
                { key: name, fallback: null },
                h(
                  SoftBody,
                  { ref: refs[name], position: [n, state.y, 0], vertices: 60, stiffness: state.stiffness },
                  name === 'late'
                    ? h(Late, { id: `${state.scene} ${state.model}` })
                    : h('primitive', { object: made.clone() }),
                ),
              ),
            ),
          state.present.has('pin') &&
            h(SoftPin, {
              body: refs.a,
              select: {
                box: [
                  [-1, 0, -1],
                  [1, 1, 1],
                ],
              },
            }),
          state.present.has('held') && h(SoftAttachment, { body: refs.b, to: shelf }),
        ),
      );
    const renderer = await mount(scene());
    await settle(() => world && !world.disposed);
    for (let n = 0; n < 100; n++) {
      const names = [...members, 'shelf', 'pin', 'held'];
      const name = names[Math.floor(random() * names.length)];
      if (state.present.has(name)) state.present.delete(name);
      else state.present.add(name);
      if (random() < 0.3) state.stiffness = 0.2 + 0.6 * random();
      if (random() < 0.2) state.y = 1 + random();
      if (random() < 0.06) state.scene++;
      // Waits again, behind its fallback, while its body is there.
      if (random() < 0.15) state.model++;
      await act(async () => renderer.update(scene()));
      if (random() < 0.7) await act(async () => new Promise((resolve) => setTimeout(resolve, 2)));
      await act(async () => renderer.advanceFrames(2, 1 / 60));
    }
    await settle(() => world && !world.disposed);
    const present = members.filter((name) => state.present.has(name));
    await settle(() => present.every((name) => refs[name].current) && world?.bodies.length === present.length);
    expect(world?.colliders).toHaveLength(state.present.has('shelf') ? 1 : 0);
    // All gone but the world: nothing of them is in its memory, nor in the scene.
    state.present.clear();
    await act(async () => renderer.update(scene()));
    await act(async () => renderer.advanceFrames(2, 1 / 60));
    expect([world?.bodies.length, world?.colliders.length, world?.attachments.length]).toEqual([0, 0, 0]);
    // The kernels keep room for the largest step so far: from the second time on it is the same.
    const bytes: number[] = [];
    const heap: number[] = [];
    for (let n = 0; n < 8; n++) {
      state.present = new Set([...members, 'shelf', 'pin', 'held']);
      await act(async () => renderer.update(scene()));
      await settle(() => members.every((name) => refs[name].current));
      await act(async () => renderer.advanceFrames(4, 1 / 60));
      state.present.clear();
      await act(async () => renderer.update(scene()));
      bytes.push(kernelBytes(world));
      heap.push(await heapBytes());
    }
    expect(new Set(bytes.slice(1)).size).toBe(1);
    // Six bodies of 60 vertices are 300 kB and more: one of the last five rounds that stayed would be seen.
    expect((heap[7] - heap[2]) / 5, `bytes that each round leaves, of ${heap}`).toBeLessThan(60_000);
    const meshes: string[] = [];
    (renderer.scene.instance as Group).traverse((node) => {
      if ('isMesh' in node) meshes.push(node.type);
    });
    expect(meshes).toEqual([]);
    for (const name of members) expect(refs[name].current).toBeNull();
    const last = world;
    await renderer.unmount();
    expect(last?.disposed).toBe(true);
  });
});
