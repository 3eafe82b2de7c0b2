// What shows a body that comes apart, and what remembers it: visible meshes, three.js, positions between steps, snapshots, threads.

import { MeshBasicMaterial, Raycaster, SphereGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  type Body,
  type BodyChanges,
  box,
  createWorld,
  embed,
  icosphere,
  prepare,
  ReferenceSkin,
  surface,
  type World,
} from '../../src/index.js';
import { unpackState } from '../../src/math/state-tree.js';
import { DebugView, SoftMesh } from '../../src/three/index.js';
import { sealSnapshot, type WorldFingerprint } from '../../src/world/snapshot-bytes.js';
import { BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';
import { backendOf, hashOf, workersJoin } from '../threaded-world.js';
import { whole } from './bar-meshes.js';
import { bar } from './halves.js';

/** Takes the bar apart or makes it one, from the next step on. */
const command = (body: Body, split: 0 | 1): void => body.set({ split } as BodyChanges);

const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};

/** A bar on a floor with a ball on it, held at its left end. */
async function scene(backend: TestedBackend) {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const body = world.add(prepare(whole(), bar()), { position: [0, 0.52, 0] });
  world.add(prepare(icosphere({ detail: 2, radius: 0.4 }), surface()), { position: [0.05, 1.45, 0] });
  body.pin(
    body.select({
      box: [
        [-1.01, -1, -1],
        [-0.99, 1, 1],
      ],
    }),
  );
  return { world, body };
}

// biome-ignore lint/suspicious/noExplicitAny: a tree that is changed at will
type Tree = any;

/** What is no topology of the bar, or does not fit the rest of what is saved. */
const HOSTILE: readonly (readonly [name: string, change: (body: Tree) => void])[] = [
  ['a triangle turned over', ({ topology }) => topology.triangles.subarray(0, 2).reverse()],
  ['a vertex that is not there', ({ topology }) => topology.triangles.fill(9999, 0, 1)],
  ['a vertex at no place', ({ topology }) => topology.positions.fill(Number.NaN, 0, 1)],
  ['no triangles', ({ topology }) => Object.assign(topology, { triangles: new Uint32Array(0) })],
  ['a list', ({ topology }) => Object.assign(topology, { triangles: [0, 1, 2] })],
  ['an unknown map', ({ topology }) => Object.assign(topology.maps, { taste: new Float64Array(196) })],
  ['a map of other length', ({ topology }) => Object.assign(topology.maps, { friction: new Float64Array(3) })],
  ['another topology', (body) => Object.assign(body, { topology: null })],
  ['none', (body) => Object.assign(body, { topology: undefined })],
  ['a text', (body) => Object.assign(body, { topology: 'parts' })],
];

/** The same commands at the same steps, whoever begins where. */
function script(world: World, body: Body, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    if (n === 16) command(body, 1);
    if (n === 17) body.applyImpulse([300, 100, 0], [1, 0.5, 0]);
    if (n === 32) command(body, 0);
    world.step();
  }
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('snapshots before, between and after go on with the same bits, from any topology to any', async () => {
    const { world, body } = await scene(backend);
    const moments = [12, 24, 40];
    const snapshots: Uint8Array[] = [];
    moments.forEach((moment, n) => {
      script(world, body, n > 0 ? moments[n - 1] : 0, moment);
      snapshots.push(world.snapshot());
    });
    script(world, body, 40, 48);
    const end = hashOf(world);
    const other = await scene(backend);
    for (const n of [0, 1, 2, 1]) {
      for (const [here, itsBody] of [
        [world, body],
        [other.world, other.body],
      ] as const) {
        here.restore(snapshots[n]);
        expect(itsBody.topologyVersion).toBe(n);
        expect(itsBody.parts.length).toBe(n === 1 ? 2 : 1);
        expect(hashOf(here)).toBe(hashOf(world));
      }
      script(other.world, other.body, moments[n], 48);
      expect(hashOf(other.world)).toBe(end);
    }
    if (backend === 'wasm') {
      // All memory of topologies that are gone was given back.
      const used = backendOf(world).memoryUsed;
      for (const n of [0, 2, 1]) world.restore(snapshots[n]);
      expect(backendOf(world).memoryUsed).toBe(used);
    }
  });

  it('refuses a snapshot with a topology that the body cannot have, and stays as it is', async () => {
    const { world, body } = await scene(backend);
    script(world, body, 0, 20);
    const parted = world.snapshot();
    const before = hashOf(world);
    const plain = await worldOn(backend);
    plain.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    expect(() => plain.restore(parted)).toThrow(RangeError);
    const whole = await scene(backend);
    script(whole.world, whole.body, 0, 10);
    const wholeBefore = hashOf(whole.world);
    for (const [what, change] of HOSTILE) {
      const { fingerprint, state } = unpackState(parted.slice(32)) as Tree;
      change(state.world.bodies[0]);
      const crafted = sealSnapshot(fingerprint as WorldFingerprint, state);
      for (const here of [world, whole.world]) {
        let refusal: unknown;
        try {
          here.restore(crafted);
        } catch (error) {
          refusal = error;
        }
        expect(refusal, what).toBeInstanceOf(RangeError);
      }
    }
    expect([hashOf(world), hashOf(whole.world)]).toEqual([before, wholeBefore]);
    expect([body.parts.length, whole.body.parts.length]).toEqual([2, 1]);
    script(world, body, 20, 48);
    script(whole.world, whole.body, 10, 48);
    expect(hashOf(whole.world)).toBe(hashOf(world));
  });

  it('a visible mesh goes with the parts, and the same object shows it', async () => {
    const { world, body } = await scene(backend);
    const visible = box({ size: [2.02, 1.02, 1.02], divisions: [14, 6, 6] });
    const skin = body.embed(visible);
    script(world, body, 0, 28);
    skin.update();
    // What a visible mesh shows that is bound to the parts from the start; single precision rounds positions of 1 m.
    const fresh = new ReferenceSkin(embed(body.mesh, visible), () => body.positions);
    const tolerance: PerBackend = { reference: 0, wasm: 2e-6 };
    skin.positions.forEach((x, k) => {
      expect(Math.abs(x - fresh.positions[k])).toBeLessThanOrEqual(tolerance[backend]);
    });
    script(world, body, 28, 36);
    skin.update(body.displayed);
    expect(skin.positions.every(Number.isFinite)).toBe(true);
    expect(skin.embedding.cage).toBe(body.mesh);
    world.remove(body);
    expect(() => skin.update()).not.toThrow();
  });

  it('three.js shows the triangles there are, and nothing where there are none', async () => {
    const { world, body } = await scene(backend);
    const soft = new SoftMesh(body, new MeshBasicMaterial());
    const skinned = new SoftMesh(body, new MeshBasicMaterial(), { geometry: new SphereGeometry(0.9, 12, 8) });
    const debug = new DebugView(body, { wire: true, weights: true, contacts: true, normals: true, region: 3 });
    let disposals = 0;
    soft.geometry.addEventListener('dispose', () => disposals++);
    for (const moment of [12, 24, 40]) {
      script(world, body, moment === 12 ? 0 : moment === 24 ? 12 : 24, moment);
      for (const object of [soft, skinned, debug]) object.update();
      const { position, normal } = soft.geometry.attributes;
      expect([position.count, normal.count]).toEqual([body.particleCount, body.particleCount]);
      expect(Array.from(position.array)).toEqual(Array.from(Float32Array.from(body.positions)));
      expect(soft.geometry.index?.array).toBe(body.mesh.triangles);
      const hit = new Raycaster(new Vector3(0.5, 5, 0.2), new Vector3(0, -1, 0)).intersectObject(soft)[0];
      const own = world.raycast([0.5, 5, 0.2], [0, -1, 0], { groups: 1 });
      expect(hit.point.y).toBeLessThan(1.2);
      expect(own).not.toBeNull();
    }
    expect(disposals).toBe(2);
    expect(debug.options.region).toBeNull();
    for (const object of [soft, skinned, debug]) object.dispose();
  });

  it('is shown between two steps while its topology changes', async () => {
    const { world, body } = await scene(backend);
    world.advance(0.012);
    command(body, 1);
    world.advance(0.007);
    expect(body.interpolated.length).toBe(3 * body.particleCount);
    // A vertex of the bar lies within some millimetres of where it is after the step.
    body.interpolated.forEach((x, k) => {
      expect(Math.abs(x - body.positions[k])).toBeLessThan(0.02);
    });
  });
});

it('the bits do not depend on the number of threads, with parts that all threads share', async () => {
  const hashes: string[] = [];
  for (const threads of [1, 2]) {
    const world = await createWorld({ backend: 'wasm', threads });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    // Two halves of 2402 vertices, 5 chunks each.
    const body = world.add(prepare(whole(20), bar({ cells: 20 })), { position: [0, 0.5, 0] });
    world.add(prepare(icosphere({ detail: 2, radius: 0.4 }), surface()), { position: [0.05, 1.42, 0] });
    command(body, 1);
    world.step();
    if (threads > 1) await workersJoin(world);
    run(world, 12);
    if (threads > 1) expect(backendOf(world).threadedSteps).toBeGreaterThan(0);
    expect(body.parts.length).toBe(2);
    hashes.push(hashOf(world));
    // The world's volumes, as both-backends.ts promises them.
    for (const part of body.parts) expect(Math.abs(part.volume() / part.restVolume - 1)).toBeLessThan(2e-5);
    world.dispose();
  }
  expect(hashes[1]).toBe(hashes[0]);
});
