// Looking inside a body: every layer shows what the solver has.

import type { BufferGeometry, LineSegments, Mesh, Points } from 'three';
import { describe, expect, it } from 'vitest';
import { icosphere, type PreparedSurface, prepare, surface, VOLUME_DEFAULTS } from '../../src/index.js';
import { DebugView } from '../../src/three/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const prepared = prepare(icosphere({ detail: 2 }), surface({ regionSize: 2 })) as PreparedSurface;
const COUNT = 162;

const layerOf = (view: DebugView, name: string) =>
  view.getObjectByName(name) as (Mesh | LineSegments | Points) & { geometry: BufferGeometry };

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const pressed = async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(prepared, { position: [0, 0.9, 0] });
    for (let step = 0; step < 20; step++) world.step();
    return { world, body };
  };

  it('marks the particles in contact, those at the floor', async () => {
    const { world, body } = await pressed();
    const view = new DebugView(body);
    const { geometry } = layerOf(view, 'contacts');
    expect(geometry.drawRange.count).toBe(body.contactCount);
    expect(body.contactCount).toBeGreaterThan(0);
    for (let n = 0; n < geometry.drawRange.count; n++) {
      const vertex = geometry.index?.getX(n) as number;
      // Contact leaves them on the floor, to 0.1 % of the size.
      expect(Math.abs(geometry.attributes.position.getY(vertex))).toBeLessThan(2e-3);
    }
    world.dispose();
  });

  it('colours the volume weights', async () => {
    const { world, body } = await pressed();
    const { volumeWeights } = body.inspect();
    // w = (1 − α)·g + α/n with Σ g ≤ 1, as it is capped; smoothing moves 2 % between vertices of five and six neighbours.
    const sum = volumeWeights.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(0.98 * VOLUME_DEFAULTS.globalShare);
    expect(sum).toBeLessThan(1.02);
    const { color } = layerOf(new DebugView(body, { weights: true }), 'weights').geometry.attributes;
    const most = volumeWeights.indexOf(volumeWeights.reduce((a, b) => Math.max(a, b)));
    expect([color.getX(most), color.getY(most), color.getZ(most)]).toEqual([1, 0, 0]);
    body.settings = { ...body.settings, volume: false };
    expect(body.inspect().volumeWeights.every((w) => w === 0)).toBe(true);
    world.dispose();
  });
});

describe('layers', () => {
  const source = { mesh: prepared.mesh, positions: Float32Array.from(prepared.mesh.positions), prepared };

  it('show all edges, and paths along edges', () => {
    const view = new DebugView(source, { paths: true });
    expect(layerOf(view, 'wire').geometry.index?.count).toBe(2 * 480);
    const { index, attributes } = layerOf(view, 'paths').geometry;
    const { order, pathStarts } = prepared.surface;
    // Each path has one line less than vertices, and every line is in one colour.
    expect(index?.count).toBe(2 * (order.length - (pathStarts.length - 1)));
    for (let n = 0; n < (index?.count ?? 0); n += 2) {
      const [a, b] = [index?.getX(n) as number, index?.getX(n + 1) as number];
      expect(attributes.color.getX(a)).toBe(attributes.color.getX(b));
    }
  });

  it('show one region: all vertices within its rings', () => {
    const view = new DebugView(source, { region: 0 });
    // Vertex 0 of an icosphere has five neighbours and 10 behind those.
    expect(layerOf(view, 'region').geometry.index?.count).toBe(1 + 5 + 10);
    view.show({ region: 100 });
    expect(Array.from(layerOf(view, 'region').geometry.index?.array ?? [])).toContain(100);
    expect(() => view.show({ region: COUNT })).toThrow(`region: expected a vertex from 0 to 161, got ${COUNT}`);
    view.show({ region: null });
    expect(layerOf(view, 'region')).toBeUndefined();
  });

  it('show normals that point outwards, of a body that has moved', () => {
    const view = new DebugView(source, { normals: true });
    view.update(source.positions.map((x) => 3 * x));
    const { position } = layerOf(view, 'normals').geometry.attributes;
    expect(position.count).toBe(2 * COUNT);
    for (let i = 0; i < COUNT; i++) {
      const lengths = [2 * i, 2 * i + 1].map((n) => Math.hypot(position.getX(n), position.getY(n), position.getZ(n)));
      expect(Math.abs(lengths[0] - 3)).toBeLessThan(1e-6);
      expect(lengths[1]).toBeGreaterThan(3.1);
    }
  });

  it('keep what others share when they go: disposal frees buffers', () => {
    const view = new DebugView(source, { paths: true, weights: true });
    const freed = (name: string) => {
      const { geometry } = layerOf(view, name);
      const list: unknown[] = [];
      // What a renderer does.
      geometry.addEventListener('dispose', () => list.push(...Object.values(geometry.attributes)));
      return list;
    };
    const shared = layerOf(view, 'wire').geometry.attributes.position;
    const [paths, weights] = [freed('paths'), freed('weights')];
    view.show({ paths: false, weights: false });
    expect(paths.length + weights.length).toBe(2);
    expect([...paths, ...weights]).not.toContain(shared);
    const [wire, contacts] = [freed('wire'), freed('contacts')];
    view.dispose();
    // The last one takes it along.
    expect([...wire, ...contacts].filter((attribute) => attribute === shared).length).toBe(1);
  });

  it('come and go, and nothing is left after disposal', () => {
    const view = new DebugView(source, { paths: true, normals: true, weights: true, region: 3 });
    expect(view.children.map(({ name }) => name).sort()).toEqual(
      ['contacts', 'normals', 'paths', 'region', 'weights', 'wire'].sort(),
    );
    view.show({ wire: false, weights: false });
    expect(view.children.length).toBe(4);
    view.dispose();
    expect(view.children).toEqual([]);
  });
});
