// Into how many substeps a step is divided: by how far bodies approach each other.

import { expect, it } from 'vitest';
import { type ApproachingBody, substepsForApproach } from '../../src/contact/broad-phase/fast-approach.js';
import { icosphere, type Vec3 } from '../../src/index.js';

const STEP = 0.005;
const { positions: rest } = icosphere({ detail: 1, radius: 0.5 });

/** A ball of 1 m at a place on the x axis, with a velocity along it. */
function ball(x: number, speed: number): ApproachingBody {
  const fill = (vector: Vec3) => Float64Array.from(rest, (_, k) => vector[k % 3]);
  const positions = Float64Array.from(rest, (own, k) => own + (k % 3 === 0 ? x : 0));
  return {
    ...{ positions, velocities: fill([speed, 0, 0]), sampledSpeed: Math.abs(speed) },
    contactRest: { size: 1 },
    contactSettings: { group: 1, collidesWith: -1 },
  };
}

it('two that come slowly, or leave each other, or are far apart, take one', () => {
  expect(substepsForApproach([ball(0, 5), ball(1.01, 0)], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, -50), ball(1.01, 0)], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, 100), ball(3, 0)], STEP)).toBe(1);
});

it('two take one up to an eighth of a size', () => {
  const other = ball(1.01, 0);
  expect(substepsForApproach([ball(0, 24), other], STEP)).toBe(1);
  expect(substepsForApproach([ball(0, 26), other], STEP)).toBe(2);
  expect(substepsForApproach([ball(0, 200), other], STEP)).toBe(8);
  expect(substepsForApproach([ball(0, 2000), other], STEP)).toBe(16);
});

it('only where they may touch', () => {
  const stranger = { ...ball(1.01, 0), contactSettings: { group: 2, collidesWith: 2 } };
  expect(substepsForApproach([ball(0, 200), stranger], STEP)).toBe(1);
});
