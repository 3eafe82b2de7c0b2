// Law: a surface that was simple stays so. A thin torus whose arms are pressed onto each other, or wrung around each other by
// turning one end against the other by a whole turn and a quarter, has no two triangles that cross, at any of several moments
// and at the end; without self-contact the same arms pass through each other, which shows that there was something to
// hold. Crossing is counted by `findSelfIntersections`, which shares nothing with contact.
//
// Tolerance: none, no pair may cross. Where arms cross at right angles under pressure this takes contact of edges: vertices
// keep a gap of 0.05 edges from triangles, and an edge of length h over a tube of radius r sags by h²/(8 r), for two of 0.1 m on
// 0.15 m by 17 mm together, which the gap of 5 mm does not cover.

import { describe, expect, it } from 'vitest';
import { type Body, type Keyframe, prepare, surface, torus } from '../../src/index.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';
import { findSelfIntersections } from '../../src/mesh/self-intersections.js';
import { advance, BOTH_BACKENDS, type TestedBackend, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';

const MAJOR = 1;
const MINOR = 0.15;
/** Steps between two counts. */
const OFTEN = 20;

const ring = prepare(
  torus({ majorRadius: MAJOR, minorRadius: MINOR, majorSegments: 64, minorSegments: 10 }),
  surface({ regionSize: 3 }),
);

/** Vertices around an angle of the ring, in degrees from x to z. */
function around(body: Body, degrees: number, accept: (radius: number) => boolean = () => true): number[] {
  const { positions } = body.mesh;
  const chosen: number[] = [];
  for (let i = 0; i < positions.length / 3; i++) {
    const [x, z] = [positions[3 * i], positions[3 * i + 2]];
    const off = ((Math.atan2(z, x) * 180) / Math.PI - degrees + 540) % 360;
    if (Math.abs(off - 180) < 12 && accept(Math.sqrt(x * x + z * z))) chosen.push(i);
  }
  return chosen;
}

/** Runs a torus that `hold` has put pins on; the crossings counted from time to time. */
async function countCrossings(
  backend: TestedBackend,
  { steps, selfContact }: { steps: number; selfContact: boolean },
  hold: (body: Body) => void,
): Promise<number[]> {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const body = world.add(ring, { selfContact, friction: 0.3 });
  hold(body);
  const counts: number[] = [];
  for (let step = 1; step <= steps; step++) {
    await advance(world);
    if (step % OFTEN === 0) counts.push(findSelfIntersections(body.positions, body.mesh.triangles).count);
  }
  expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME_TOLERANCE[backend]);
  world.dispose();
  return counts;
}

/** Draws the outer rims of two opposite arms to each other until a fifth of the arms' width is missing between them. */
function press(body: Body): void {
  const travel = MAJOR + MINOR - 1.6 * MINOR;
  for (const side of [1, -1]) {
    const rim = around(body, side * 90, (radius) => radius > MAJOR + 0.5 * MINOR);
    body.pin(rim, [{ time: 0 }, { time: 1, position: [0, 0, -side * travel] }]);
  }
}

/** Holds one end and turns the other by five quarters: the arms are wrung around each other. */
function wrap(body: Body): void {
  const turned = [0, 1, 2, 3, 4, 5].map(
    (n): Keyframe => ({ time: 0.4 * n, rotation: fromAxisAngle([1, 0, 0], (n * Math.PI) / 2) }),
  );
  body.pin(around(body, 180));
  body.pin(around(body, 0), turned);
}

describe.each(BOTH_BACKENDS)('on %s, a torus whose arms are pressed onto each other', (backend) => {
  it('does not pass through itself', async () => {
    const counts = await countCrossings(backend, { steps: 300, selfContact: true }, press);
    expect(counts).toEqual(counts.map(() => 0));
  });
});

describe.each(BOTH_BACKENDS)('on %s, a torus wrung around itself', (backend) => {
  it('does not pass through itself', async () => {
    const counts = await countCrossings(backend, { steps: 440, selfContact: true }, wrap);
    expect(counts).toEqual(counts.map(() => 0));
  });
});

it.each([
  ['pressed', press, 300],
  ['wrapped', wrap, 440],
] as const)('without self-contact a torus that is %s crosses itself', async (_, hold, steps) => {
  const counts = await countCrossings('wasm', { steps, selfContact: false }, hold);
  expect(Math.max(...counts)).toBeGreaterThan(20);
});
