// The energy of a frame: its gradient is that of its values, rest is a minimum, and no step raises it.

import { describe, expect, it } from 'vitest';
import type { DeformerCollider } from '../../src/deformer/collider-settings.js';
import { contactSurface } from '../../src/deformer/contact-surface.js';
import { Contacts } from '../../src/deformer/contacts.js';
import { buildBody } from '../../src/deformer/deformer-body.js';
import { FrameCollider } from '../../src/deformer/frame-collider.js';
import { FrameEnergy, type FrameProblem } from '../../src/deformer/frame-energy.js';
import { minimiseFrame } from '../../src/deformer/minimise-frame.js';
import { DEFORMER_DEFAULTS } from '../../src/deformer/settings.js';
import { addVolumeGradient, volumeAlong, volumeOf } from '../../src/deformer/surface-volume.js';
import { logarithm } from '../../src/math/logarithm.js';
import { seededRandom } from '../../src/math/random.js';
import { signedVolume } from '../../src/mesh/measure.js';
import { ball, greatestApart, plane, SCENES, SMALL_DEPTH, smallSphere } from './scenes.js';

const mesh = smallSphere();
const random = seededRandom(5);
const stiffness = Array.from(mesh.positions.subarray(0, mesh.positions.length / 3), () => 0.5 + random());
const body = buildBody(mesh, { ...DEFORMER_DEFAULTS, depth: SMALL_DEPTH });
const painted = buildBody(mesh, { ...DEFORMER_DEFAULTS, depth: SMALL_DEPTH, maps: { stiffness, hold: stiffness } });

function problemOf(colliders: readonly DeformerCollider[], of = body): FrameProblem {
  const { bound, helper, takesPart } = of;
  const volume = volumeOf(bound, mesh.triangles);
  return {
    helper,
    triangles: mesh.triangles,
    elastic: of.elastic,
    solver: of.solver,
    rest: helper.positions,
    surface: bound,
    contacts: new Contacts(
      colliders.map((collider) => new FrameCollider(collider, of.frame)),
      contactSurface(of.sites, bound, takesPart),
    ),
    reach: 0.7,
    hold: of.hold,
    holdCentroid: 1,
    volume,
    targetVolume: 1.02 * volume,
  };
}

describe('the logarithm', () => {
  it('is that of the engine to a few roundings', () => {
    for (let n = 0; n < 2000; n++) {
      const x = n < 1000 ? 1 + 20 * random() : 2 ** (200 * random() - 100);
      expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(4e-16 * Math.max(1, Math.abs(Math.log(x))));
    }
  });
});

describe('the volume of the surface', () => {
  const p = mesh.positions.map((x) => x + 0.2 * random());

  it('is that of the mesh', () => {
    expect(Math.abs(volumeOf(p, mesh.triangles) / signedVolume(p, mesh.triangles) - 1)).toBeLessThan(1e-13);
  });

  it('is the cubic that it says along a motion, and has the slope of its gradient', () => {
    const d = p.map(() => random() - 0.5);
    const [c0, c1, c2, c3] = volumeAlong(p, d, mesh.triangles);
    for (const t of [-1, -0.3, 0.1, 1]) {
      const moved = p.map((x, i) => x + t * d[i]);
      const expected = c0 + t * (c1 + t * (c2 + t * c3));
      expect(Math.abs(volumeOf(moved, mesh.triangles) - expected)).toBeLessThan(1e-12);
    }
    const gradient = new Float64Array(p.length);
    addVolumeGradient(p, mesh.triangles, 1, gradient);
    const slope = gradient.reduce((sum, g, i) => sum + g * d[i], 0);
    expect(Math.abs(slope - c1)).toBeLessThan(1e-12);
  });
});

describe('the energy', () => {
  it.each([
    ['plain', body],
    ['painted', painted],
  ])('has the gradient of its values (%s)', (_, of) => {
    const problem = problemOf([...ball(), ...plane()], of);
    const energy = new FrameEnergy(problem);
    problem.contacts.list(problem.surface);
    const x = problem.rest.map((value) => value + 0.06 * (random() - 0.5));
    const scratch = x.slice();
    // A multiplier that is not zero.
    const carried = new Float64Array(problem.surface.length);
    energy.carry(x, carried);
    energy.press(carried);
    const gradient = new Float64Array(x.length);
    energy.evaluate(x, gradient);
    const size = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
    for (let n = 0; n < 12; n++) {
      const d = x.map(() => random() - 0.5);
      // Central differences: h² of the third derivative and 1e-16/h of rounding are both near 1e-10 of the size here.
      const h = 1e-5;
      const up = energy.evaluate(
        x.map((value, i) => value + h * d[i]),
        scratch,
      );
      const down = energy.evaluate(
        x.map((value, i) => value - h * d[i]),
        scratch,
      );
      const slope = gradient.reduce((sum, g, i) => sum + g * d[i], 0);
      expect(Math.abs((up - down) / (2 * h) - slope)).toBeLessThan(1e-6 * size);
    }
  });

  it('falls by no less than where it is found without logarithms, and by little more', () => {
    const problem = problemOf(ball());
    const energy = new FrameEnergy(problem);
    problem.contacts.list(problem.surface);
    const scratch = problem.rest.slice();
    const near = problem.rest.map((value) => value + 0.02 * (random() - 0.5));
    for (const size of [1, 0.1, 1e-3]) {
      const next = near.map((value, i) => value + size * (0.9 * problem.rest[i] - value));
      const [before, after] = [near, next].map((x) => energy.evaluate(x, scratch));
      const exact = scratch.slice();
      energy.evaluate(near, scratch);
      energy.settle();
      const found = energy.evaluateNear(next);
      expect(energy.writeGradient(scratch)).toBe(found);
      expect(scratch).toEqual(exact);
      // Half of the square of what I + 1 changes by, a fifth here at most: within a tenth of what the energy changes by, and by less in shorter steps.
      const more = found - before - (after - before);
      expect(more).toBeGreaterThan(-1e-13 * before);
      expect(more).toBeLessThan(0.1 * size * Math.abs(after - before) + 1e-13 * before);
    }
  });

  it('is zero and flat at rest', () => {
    const problem = { ...problemOf([]), targetVolume: volumeOf(body.bound, mesh.triangles) };
    const gradient = new Float64Array(problem.rest.length);
    const value = new FrameEnergy(problem).evaluate(problem.rest, gradient);
    expect(Math.abs(value)).toBeLessThan(1e-14);
    expect(greatestApart(gradient, new Float64Array(gradient.length))).toBeLessThan(1e-14);
  });

  it.each(SCENES)('never rises in a step (%s)', (_, colliders) => {
    const problem = problemOf(colliders);
    const { energies } = minimiseFrame(problem, new FrameEnergy(problem), body.solver, 1e-5);
    expect(energies.length).toBeGreaterThanOrEqual(12);
    for (const [before, after] of energies) expect(after - before).toBeLessThanOrEqual(1e-13 * Math.abs(after));
  });
});

it('carries painted maps to the helper mesh within their range, and constant ones exactly', () => {
  expect(Math.min(...painted.hold)).toBeGreaterThanOrEqual(0.5);
  expect(Math.max(...painted.hold)).toBeLessThanOrEqual(1.5);
  const even = buildBody(mesh, {
    ...DEFORMER_DEFAULTS,
    depth: SMALL_DEPTH,
    maps: { hold: new Float64Array(162).fill(0.75) },
  });
  expect(greatestApart(even.hold, new Float64Array(even.hold.length).fill(0.75))).toBeLessThan(1e-12);
});
