// Bodies of tetrahedra thrown on a floor at the ends of what can be asked for: finite numbers throughout, and one-rings that keep
// their volumes, or have them back where a body starts broken.

import { describe, expect, it } from 'vitest';
import { createWorld, type Deformation, icosphere, prepare, tetrahedra } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { makeDynamics, totalVolume, WEIGHTLESS } from '../solvers/tetrahedra/test-dynamics.js';
import { ball, jitter } from '../solvers/tetrahedra/tetra-bodies.js';

const mesh = icosphere({ detail: 3, radius: 0.5 });

interface Case {
  readonly youngsModulus?: number;
  readonly density?: number;
  readonly timeStep?: number;
  readonly speed?: number;
  readonly start?: Deformation;
}

async function fall({ youngsModulus = 5e4, density = 1000, timeStep = 1 / 240, speed = 2, start }: Case) {
  const world = await createWorld({ backend: 'wasm', threads: 1, timeStep });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const solver = tetrahedra({ cells: 5, youngsModulus });
  const body = world.add(prepare(mesh, solver), { position: [0, 0.55, 0], velocity: [0, -speed, 0], density });
  if (start) body.deform(start);
  let worst = 0;
  for (let n = 0; n < Math.min(480, Math.round(1.5 / timeStep)); n++) {
    world.step();
    worst = Math.max(worst, body.figures().maxOneRingErrorPercent);
  }
  const finite = body.positions.every(Number.isFinite) && body.velocities.every(Number.isFinite);
  return { worst, last: body.figures().maxOneRingErrorPercent, finite };
}

/** The solver's tolerance, and what single precision adds to it on the way through the kernels' contact [%]. */
const WITHIN = 0.1 + 0.005;
/** At 50 m/s that contact moves a node in one step of 360 after the solve, which had kept its ring within 0.075 %: measured 0.129 % [%]. */
const WITHIN_AT_50 = 0.15;

describe('a ball of 600 tetrahedra', () => {
  it.each<Case>([
    ...[1e3, 1e6, 1e9].map((youngsModulus) => ({ youngsModulus })),
    ...[1, 1e4].map((density) => ({ density })),
    ...[1 / 30, 1 / 60, 1 / 2000].map((timeStep) => ({ timeStep })),
    ...[10, 20, 30, 50].map((speed) => ({ speed })),
  ])('keeps its one-rings with %j', async (given) => {
    const { worst, finite } = await fall(given);
    expect(finite).toBe(true);
    expect(worst).toBeLessThan(given.speed === 50 ? WITHIN_AT_50 : WITHIN);
  });

  it.each<Deformation>(['mirror', 'flatten', 'random'])('comes back from %s', async (start) => {
    const { last, finite } = await fall({ start });
    expect(finite).toBe(true);
    expect(last).toBeLessThan(WITHIN);
  });

  it.each([1, 2, 3, 4])('comes back from a start with three of ten elements inverted, seed %d', (seed) => {
    const mesh = ball(0.17);
    const body = makeDynamics(mesh);
    body.positions.set(jitter(mesh, 0.13, seededRandom(seed)).positions);
    const before = totalVolume(body).inverted / body.rest.tetraCount;
    expect(before).toBeGreaterThan(0.28);
    expect(before).toBeLessThan(0.4);
    let error = 1;
    for (let n = 0; n < 120; n++) error = body.step(1 / 120, WEIGHTLESS).ringError;
    expect(body.positions.every(Number.isFinite)).toBe(true);
    expect(totalVolume(body).inverted).toBe(0);
    expect(error).toBeLessThan(1e-3);
  });

  it('stays finite where it is far too soft for its weight', async () => {
    expect((await fall({ youngsModulus: 100 })).finite).toBe(true);
  });
});
