// The paper's own iteration, as it is and not as one would wish: rest is a fixed point, a quarter of the volume step is stable, the whole
// step is not.

import { describe, expect, it } from 'vitest';
import { contactSurface } from '../../src/deformer/contact-surface.js';
import { Contacts } from '../../src/deformer/contacts.js';
import { buildBody } from '../../src/deformer/deformer-body.js';
import { FrameCollider } from '../../src/deformer/frame-collider.js';
import { FrameEnergy, type FrameProblem } from '../../src/deformer/frame-energy.js';
import { createDeformer } from '../../src/deformer/index.js';
import { iterateFrame, VOLUME_SHARE } from '../../src/deformer/iterate.js';
import { DEFORMER_DEFAULTS } from '../../src/deformer/settings.js';
import { volumeOf } from '../../src/deformer/surface-volume.js';
import { ball, greatestApart, SMALL_DEPTH, smallSphere } from './scenes.js';

const mesh = smallSphere();
const body = buildBody(mesh, { ...DEFORMER_DEFAULTS, depth: SMALL_DEPTH });

function run(colliders: ReturnType<typeof ball>, reach: number, iterations: number, share = VOLUME_SHARE) {
  const { bound, helper, elastic, hold, takesPart, frame } = body;
  const volume = volumeOf(bound, mesh.triangles);
  const contacts = new Contacts(
    colliders.map((collider) => new FrameCollider(collider, frame)),
    contactSurface(body.sites, bound, takesPart),
  );
  const problem: FrameProblem = {
    ...{ helper, elastic, hold, contacts, volume, reach: 1, holdCentroid: 0, targetVolume: volume },
    ...{ solver: body.solver, triangles: mesh.triangles, rest: helper.positions, surface: bound },
  };
  const energy = new FrameEnergy(problem);
  const result = iterateFrame(problem, energy, { reach, iterations, tolerance: -1 }, share);
  const carried = new Float64Array(bound.length);
  energy.carry(result.x, carried);
  return { ...result, inverted: elastic.countInverted(result.x), share: volumeOf(carried, mesh.triangles) / volume };
}

describe('the iteration', () => {
  it('leaves rest where it is', () => {
    expect(greatestApart(run([], 0.9, 50).x, body.helper.positions)).toBeLessThan(1e-14);
  });

  it('is stable with a quarter of the volume step, and not with all of it', () => {
    const quarter = run(ball(), 0.1, 400);
    const whole = run(ball(), 0.1, 400, 1);
    expect(quarter.lastChange).toBeLessThan(2e-3);
    expect(quarter.inverted).toBe(0);
    expect(Math.abs(quarter.share - 1)).toBeLessThan(0.05);
    // The prototype's whole step moved by 0.12 in the last iteration.
    expect(whole.lastChange).toBeGreaterThan(10 * quarter.lastChange);
  });

  it('has no steady state: a stiff body wanders out of the collider', () => {
    const mean = (x: Float64Array): number =>
      x.reduce((sum, v, i) => (i % 3 === 1 ? sum + v : sum), 0) / (x.length / 3);
    const drifts = [50, 200, 800].map((n) => -mean(run(ball(), 0.5, n).x));
    expect(drifts[1]).toBeGreaterThan(drifts[0]);
    expect(drifts[2]).toBeGreaterThan(drifts[1]);
  });

  it('is a mode of the deformer, without a finish', () => {
    const preview = createDeformer(mesh, { depth: SMALL_DEPTH, mode: 'iterate', reach: 0.2, iterations: 60 });
    const { positions, report } = preview.at({ colliders: ball() });
    expect(report.iterations).toBeLessThanOrEqual(60);
    expect(report.depthAfter).toBe(report.depthSolved);
    expect(report.depthAfter).toBeLessThan(0.1);
    expect(preview.at({ colliders: ball() }).positions).toEqual(positions);
    expect(preview.at({ colliders: [] }).positions).toEqual(mesh.positions);
  });
});
