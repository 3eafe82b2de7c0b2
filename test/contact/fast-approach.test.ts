// Into how many substeps a step is divided: by how far bodies approach each other, sooner where one of them touches something else.

import { expect, it } from 'vitest';
import { type ApproachingBody, substepsForApproach } from '../../src/contact/broad-phase/fast-approach.js';
import { icosphere, type Vec3 } from '../../src/index.js';

const STEP = 0.005;
const { positions: rest } = icosphere({ detail: 1, radius: 0.5 });

/** A ball of 1 m at a place on the x axis, with a velocity along it, that touched these things. */
function ball(x: number, speed: number, touched: readonly object[] = []): ApproachingBody {
  const fill = (vector: Vec3) => Float64Array.from(rest, (_, k) => vector[k % 3]);
  const positions = Float64Array.from(rest, (own, k) => own + (k % 3 === 0 ? x : 0));
  return {
    ...{ positions, velocities: fill([speed, 0, 0]), sampledSpeed: Math.abs(speed) },
    contactRest: { size: 1 },
    contactSettings: { group: 1, collidesWith: -1 },
    touches: { found: touched.map((other) => ({ other })) },
  };
}
const floor = {};

it('two that come slowly, or leave each other, or are far apart, take one', () => {
  expect(substepsForApproach([ball(0, 5), ball(1.01, 0, [floor])], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, -50), ball(1.01, 0, [floor])], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, 100), ball(3, 0, [floor])], STEP)).toBe(1);
});

it('two alone take one up to an eighth of a size, also while they touch each other', () => {
  const other = ball(1.01, 0);
  expect(substepsForApproach([ball(0, 24), other], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, 24, [other]), other], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, 26), other], STEP)).toBe(2);
  expect(substepsForApproach([ball(0, 200), other], STEP)).toBe(8);
  expect(substepsForApproach([ball(0, 2000), other], STEP)).toBe(16);
});

it('where one touches something else, two from three hundredths of a size on', () => {
  expect(substepsForApproach([ball(0, 7), ball(1.01, 0, [floor])], STEP)).toBe(2);
  expect(substepsForApproach([ball(1.01, 0, [floor]), ball(0, 7)], STEP)).toBe(2);
  expect(substepsForApproach([ball(0, 7, [floor]), ball(1.01, 0)], STEP)).toBe(2);
  expect(substepsForApproach([ball(0, 26), ball(1.01, 0, [floor])], STEP)).toBe(2);
  const below = ball(1.01, 0);
  const falling = ball(0, 7, [below]);
  expect(substepsForApproach([falling, below, ball(2.02, 0)], STEP)).toBe(1);
  // Bodies are noted once, by the one that comes first.
  expect(substepsForApproach([ball(2.02, 0, [below]), falling, below], STEP)).toBe(2);
});

it('only where their boxes meet in the step', () => {
  expect(substepsForApproach([ball(0, 7), ball(1.04, 0, [floor])], STEP)).toBe(2);
  expect(substepsForApproach([ball(0, 7), ball(1.1, 0, [floor])], STEP)).toBe(1);
});

it('and only where they may touch', () => {
  const stranger = { ...ball(1.01, 0, [floor]), contactSettings: { group: 2, collidesWith: 2 } };
  expect(substepsForApproach([ball(0, 200), stranger], STEP)).toBe(1);
});
