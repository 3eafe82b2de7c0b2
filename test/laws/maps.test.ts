// What is painted on a body: it deforms where it is soft, slides where it is smooth, hangs where it is heavy; and keeps the laws that
// hold without.

import { describe, expect, it } from 'vitest';
import {
  box,
  icosphere,
  lattice,
  octree,
  prepare,
  type Solver,
  surface,
  type TriangleMesh,
  type Vec3,
} from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

const SOLVERS = {
  surface: () => surface({ regionSize: 2 }) as unknown as Solver,
  lattice: () => lattice({ resolution: 10, regionSize: 1 }) as unknown as Solver,
  octree: () => octree({ cells: 8, levels: 1 }) as unknown as Solver,
};
const bar = box({ size: [4, 1, 1], divisions: [16, 4, 4] });
/** Where a vertex is along x, −1…1 of the half length. */
const along = (mesh: TriangleMesh, half: number) =>
  Array.from({ length: mesh.positions.length / 3 }, (_, i) => mesh.positions[3 * i] / half);
const CASES = BOTH_BACKENDS.flatMap((backend) =>
  (Object.keys(SOLVERS) as (keyof typeof SOLVERS)[]).map((solver) => [backend, solver] as const),
);

describe.each(CASES)('on %s with %s', (backend, name) => {
  it('a bar that is soft on one half bends there', async () => {
    const stiffness = along(bar, 2).map((x) => (x > 0 ? 0.05 : 1));
    const world = await worldOn(backend);
    // Held in the middle, both ends hang down.
    const held = (mesh: TriangleMesh) => along(mesh, 2).flatMap((x, vertex) => (Math.abs(x) < 0.1 ? [vertex] : []));
    const body = world.add(prepare(bar, SOLVERS[name](), { maps: { stiffness } }));
    body.pin(held(bar));
    await advance(world, 300);
    const sag = (side: number) =>
      along(bar, 2).reduce(
        (lowest, x, i) => (x * side > 0.99 ? Math.min(lowest, body.positions[3 * i + 1]) : lowest),
        0,
      );
    expect(-0.5 - sag(1)).toBeGreaterThan(2 * (-0.5 - sag(-1)) + 0.02);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(backend === 'wasm' ? 2e-5 : 1e-9);
  });

  it('a free body with maps of all kinds keeps its momentum', async () => {
    const mesh = icosphere({ detail: 2, radius: 0.5 });
    const x = along(mesh, 0.5);
    const maps = {
      stiffness: x.map((s) => (s > 0 ? 0.1 : 1)),
      damping: x.map((s) => (s > 0.3 ? 2 : 0.2)),
      density: x.map((s) => 1.5 + s),
      volumeWeight: x.map((s) => (s > 0 ? 1 : 0.1)),
    };
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(mesh, SOLVERS[name](), { maps }), { velocity: [1, 2, -1], spin: [3, 1, 2] });
    for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.3;
    body.changed();
    await advance(world);
    const [linear, angular] = [body.momentum(), body.angularMomentum()];
    // Models on the host take longer; their momentum is restored in every stage alike.
    const steps = name === 'surface' ? 1000 : 250;
    await advance(world, steps);
    const drift = (a: Vec3, b: Vec3) => Math.hypot(...a.map((p, c) => p - b[c])) / Math.hypot(...b);
    const most = backend === 'wasm' ? 1e-4 : 1e-9;
    expect(drift(body.momentum(), linear)).toBeLessThan(most);
    expect(drift(body.angularMomentum(), angular)).toBeLessThan(most);
    expect(edgeStrainRms(body)).toBeLessThan(0.02);
  });

  it('a ball that is heavier on one side has its centre of mass there, and the mass of the mean factor', async () => {
    const mesh = icosphere({ detail: 2, radius: 0.5 });
    const density = along(mesh, 0.5).map((x) => (x > 0 ? 3 : 1));
    const world = await worldOn(backend);
    const plain = world.add(prepare(mesh, SOLVERS[name]()));
    const body = world.add(prepare(mesh, SOLVERS[name](), { maps: { density } }), { position: [3, 0, 0] });
    expect(body.mass / plain.mass).toBeGreaterThan(1.85);
    expect(body.mass / plain.mass).toBeLessThan(2.15);
    // Of halves of three and one parts, whose own centres are half a radius away: a quarter of it.
    expect(Math.abs(body.centreOfMass()[0] - 3.125)).toBeLessThan(0.02);
  });

  it('a block that is smooth slides where one that is not stays', async () => {
    const mesh = box({ size: [1, 0.4, 1], divisions: [4, 2, 4] });
    const count = mesh.positions.length / 3;
    const world = await worldOn(backend, { gravity: [9.81 * 0.3, -9.81 * 0.954, 0] });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.6 });
    const rough = world.add(prepare(mesh, SOLVERS[name]()), { position: [0, 0.2, 0] });
    const maps = { friction: new Float64Array(count).fill(0.1) };
    const smooth = world.add(prepare(mesh, SOLVERS[name](), { maps }), { position: [0, 0.2, 4] });
    await advance(world, 200);
    expect(Math.abs(rough.centreOfMass()[0])).toBeLessThan(0.05);
    // a = g·(sin − 0.06·cos), s = ½·a·t².
    expect(smooth.centreOfMass()[0]).toBeGreaterThan(0.5 * 9.81 * (0.3 - 0.06 * 0.954) * 0.9);
  });
});

it('maps of the wrong length, with negative or missing factors, or of unknown names are refused in one line', () => {
  const mesh = icosphere({ detail: 1 });
  const of = (maps: object) => () => prepare(mesh, surface(), { maps });
  expect(of({ stiffness: [1] })).toThrow('maps.stiffness: expected 42 factors, one per vertex, got [1]');
  const factors = new Float64Array(42).fill(1);
  factors[7] = -1;
  expect(of({ damping: factors })).toThrow('maps.damping: expected factors from 0 to 1000, got -1 at vertex 7');
  expect(of({ density: factors.map(() => 0) })).toThrow('maps.density: expected factors from 0.001 to 1000, got 0');
  expect(of({ stifness: factors })).toThrow('did you mean stiffness?');
});
