// A run and its report against closed forms and against the course of the run itself.

import { describe, expect, it } from 'vitest';
import { box } from '../../src/mesh/generate/index.js';
import { checkScene } from '../../src/scenes/parse-scene.js';
import { edgeStrainRms, median } from '../../src/scenes/report.js';
import { runScene } from '../../src/scenes/run-scene.js';
import type { SceneFile } from '../../src/scenes/scene-schema.js';
import { BOTH_BACKENDS, type PerBackend } from '../both-backends.js';

const FALLING: SceneFile = {
  isochore: 1,
  gravity: [0, -10, 0],
  timeStep: 0.01,
  steps: 20,
  bodies: [{ name: 'box', mesh: { shape: 'box', divisions: 2 }, velocity: [3, 0, 0], density: 500 }],
};

/** Of positions of order 1, over 20 steps. */
const ROUNDING: PerBackend = { reference: 1e-13, wasm: 1e-6 };

describe.each(BOTH_BACKENDS)('a run on %s', (backend) => {
  const run = (scene: SceneFile, options = {}) => runScene(checkScene(scene), { backend, ...options });
  const rounding = ROUNDING[backend];

  it('of a falling body ends where free fall does', async () => {
    const report = await run(FALLING, { name: 'falling' });
    expect(report).toMatchObject({ scene: 'falling', steps: 20, particles: 26, nonFinite: 0 });
    const [body] = report.bodies;
    // 0.2 s at 3 m/s; rounding grows by at most one unit per step.
    expect(Math.abs(body.centroid[0] - 3 * 0.2)).toBeLessThan(rounding);
    // ½g·t², and up to ½g·t·Δt more where the velocity of a step's end moves the body through the step.
    expect(body.centroid[1]).toBeLessThan(-0.2 + rounding);
    expect(body.centroid[1]).toBeGreaterThan(-0.2 - 0.01 - rounding);
    expect(Math.abs(body.centroid[2])).toBeLessThan(rounding);
    // p = m·v with 500 kg.
    expect(Math.abs(body.momentum[0] - 1500)).toBeLessThan(1e4 * rounding);
    expect(Math.abs(body.momentum[1] + 500 * 10 * 0.2)).toBeLessThan(1e4 * rounding);
    // x × p about the world's origin: x·p_y − y·p_x.
    const spin = body.centroid[0] * body.momentum[1] - body.centroid[1] * body.momentum[0];
    expect(Math.abs(body.angularMomentum[2] - spin)).toBeLessThan(1e4 * rounding);
    // A body that only falls keeps its shape to rounding.
    expect(body.edgeStrainRms).toBeLessThan(10 * rounding);
    expect(body.maxVolumeErrorPercent).toBeLessThan(1000 * rounding);
  });

  it('tells after every step where it is', async () => {
    const told: [number, number][] = [];
    await run(FALLING, { steps: 3, onStep: (done: number, total: number) => told.push([done, total]) });
    expect(told).toEqual([0, 1, 2, 3].map((done) => [done, 3]));
  });

  it('stops when told to and reports what it has done', async () => {
    const stop = new AbortController();
    const onStep = (done: number): void => {
      if (done === 4) stop.abort();
    };
    const stopped = await run(FALLING, { signal: stop.signal, onStep });
    const short = await run(FALLING, { steps: 4 });
    expect(stopped.steps).toBe(4);
    expect(stopped.hash).toBe(short.hash);
  });

  it('of no steps reports the start', async () => {
    const report = await run(FALLING, { steps: 0 });
    expect(report.msPerStep).toEqual({ total: 0, predict: 0, match: 0, damp: 0, contact: 0, conserve: 0 });
    expect(report.bodies[0].bounds).toEqual([
      [-0.5, -0.5, -0.5],
      [0.5, 0.5, 0.5],
    ]);
    expect(report.bodies[0].finalVolumeErrorPercent).toBe(0);
  });

  it('has the same hash twice and another after one more step', async () => {
    const [a, b, c] = await Promise.all([run(FALLING), run(FALLING), run(FALLING, { steps: 21 })]);
    expect(b.hash).toBe(a.hash);
    expect(c.hash).not.toBe(a.hash);
  });

  it('keeps the largest volume error of all steps, of a body without the constraint too', async () => {
    const solver = { regionSize: 1, volume: false } as const;
    const scene: SceneFile = {
      ...FALLING,
      steps: 60,
      bodies: [{ mesh: { shape: 'box', divisions: 4 }, position: [0, 0.6, 0], velocity: [0, -5, 0], solver }],
      colliders: [{ shape: 'plane' }],
    };
    const reports = await Promise.all([0, 20, 40, 60].map((steps) => run(scene, { steps })));
    const largest = reports.map((report) => report.bodies[0].maxVolumeErrorPercent);
    expect([...largest].sort((a, b) => a - b)).toEqual(largest);
    for (const report of reports) {
      const [body] = report.bodies;
      expect(body.maxVolumeErrorPercent).toBeGreaterThanOrEqual(body.finalVolumeErrorPercent);
    }
    // A soft box thrown on the floor at 5 m/s loses far more than one per cent without the constraint.
    expect(largest[3]).toBeGreaterThan(1);
    expect(reports[3].bodies[0].contacts + reports[1].bodies[0].contacts).toBeGreaterThan(0);
  });

  it('ends at the first state that is not finite', async () => {
    const velocity: [number, number, number] = [1e308, 1e308, 1e308];
    const report = await run({
      ...FALLING,
      timeStep: 0.1,
      gravity: velocity,
      bodies: [{ ...FALLING.bodies[0], velocity }],
    });
    expect(report.steps).toBe(1);
    expect(report.nonFinite).toBeGreaterThan(0);
  });
});

describe('figures', () => {
  it('strain of a body grown by a tenth is a tenth', () => {
    const mesh = box({ divisions: 3 });
    const grown = mesh.positions.map((x) => 1.1 * x);
    expect(Math.abs(edgeStrainRms(mesh, grown) - 0.1)).toBeLessThan(1e-14);
    expect(edgeStrainRms(mesh, mesh.positions)).toBe(0);
  });

  it('median of none, odd and even', () => {
    expect(median([])).toBe(0);
    expect(median([5, 1, 100])).toBe(5);
    expect(median([1, 100, 2, 3])).toBe(2.5);
  });
});
