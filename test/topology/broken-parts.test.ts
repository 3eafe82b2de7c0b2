// Law: a closed part of a body that is broken (mirrored, flattened, drawn to a line or a point, scattered) comes back to its shape as a
// body of its own does, wherever the other parts are; these stay as they are, and keep their volume all the while. A body of one part is
// drawn back within some twenty steps (solvers/recovery); the inside of this soft octree alone takes 35 to 51.

import { describe, expect, it } from 'vitest';
import { type Body, box, octree, prepare, type Vec3 } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';

const STEPS = 30;
/** |V/V₀ − 1| of a part that is not broken: the promise of the backends, see both-backends.ts. */
const VOLUME: PerBackend = { reference: 1e-9, wasm: 2e-5 };
/** Momentum of a free body over these steps, in its mass times 1 m/s. */
const MOMENTUM: PerBackend = { reference: 1e-9, wasm: 1e-4 };

type Part = Body['parts'][number];

const volumeError = (part: Part): number => Math.abs(part.volume() / part.restVolume - 1);

/** Root mean square of |l/l₀ − 1| over the edges of a part. */
function strainOf(body: Body, { vertices }: Part): number {
  const own = new Set(vertices);
  const { positions: rest, triangles } = body.mesh;
  const span = (x: ArrayLike<number>, a: number, b: number) =>
    Math.sqrt([0, 1, 2].reduce((sum, c) => sum + (x[3 * a + c] - x[3 * b + c]) ** 2, 0));
  let sum = 0;
  let count = 0;
  for (let t = 0; t < triangles.length; t++) {
    const [a, b] = [triangles[t], triangles[t % 3 === 2 ? t - 2 : t + 1]];
    if (!own.has(a)) continue;
    sum += (span(body.positions, a, b) / span(rest, a, b) - 1) ** 2;
    count++;
  }
  return Math.sqrt(sum / count);
}

/** Where a broken state has a vertex, by its place from the middle of its part [m]. */
const random = seededRandom(7);
const BROKEN: Record<string, (place: Vec3) => Vec3> = {
  mirrored: ([x, y, z]) => [-x, y, z],
  flat: ([, y, z]) => [0, y, z],
  'a line': ([, , z]) => [0, 0, z],
  'a point': () => [0, 0, 0],
  scattered: () => [random() - 0.5, random() - 0.5, random() - 0.5],
};

/** A soft box in two parts, the first of which is broken. */
async function breakPart(backend: TestedBackend, state: string) {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const body = world.add(prepare(box({ size: [2, 1, 1], divisions: 8 }), octree({ stiffness: 0.02 })));
  body.cut({ plane: { point: [0.01, 0, 0], normal: [1, 0, 0.05] } });
  for (let n = 0; n < 3; n++) world.step();
  const [broken, other] = body.parts;
  const middle = [0, 1, 2].map(
    (c) => broken.vertices.reduce((sum, vertex) => sum + body.positions[3 * vertex + c], 0) / broken.vertices.length,
  );
  for (const vertex of broken.vertices) {
    const [x, y, z] = [0, 1, 2].map((c) => body.positions[3 * vertex + c] - middle[c]);
    BROKEN[state]([x, y, z]).forEach((place, c) => {
      body.positions[3 * vertex + c] = middle[c] + place;
    });
  }
  body.changed();
  return { world, body, broken, other };
}

describe.each(BOTH_BACKENDS)('on %s, one part of two', (backend) => {
  it.each(Object.keys(BROKEN))('comes back from being %s', async (state) => {
    const { world, body, broken, other } = await breakPart(backend, state);
    expect(volumeError(broken)).toBeGreaterThan(0.5);
    const momentum = body.momentum();
    let worst = 0;
    for (let n = 0; n < STEPS; n++) {
      world.step();
      worst = Math.max(worst, volumeError(other));
    }
    expect(strainOf(body, broken)).toBeLessThan(0.01);
    expect(volumeError(broken)).toBeLessThan(1e-3);
    expect(worst).toBeLessThan(VOLUME[backend]);
    expect(strainOf(body, other)).toBeLessThan(0.01);
    body.momentum().forEach((p, c) => {
      expect(Math.abs(p - momentum[c])).toBeLessThan(MOMENTUM[backend] * body.mass);
    });
    expect(body.recoveries).toBe(1);
    world.dispose();
  });

  it('goes on coming back from a snapshot with the same bits', async () => {
    const { world, body } = await breakPart(backend, 'scattered');
    for (let n = 0; n < 4; n++) world.step();
    const bytes = world.snapshot();
    for (let n = 0; n < 8; n++) world.step();
    const after = body.positions.slice();
    world.restore(bytes);
    for (let n = 0; n < 8; n++) world.step();
    expect(body.positions).toEqual(after);
    world.dispose();
  });
});
