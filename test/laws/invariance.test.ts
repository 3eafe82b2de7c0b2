// Laws: the numbering of the vertices, the unit of length, the place in space and the density are our choices, not the
// body's: changing them changes the result by rounding alone. Rounding grows in contact (a particle touches a step
// earlier or later), hence the bounds: 1e-9 of the size for 60 steps with an impact, derived from 1e-16 times the largest
// amplification seen in such a run (about 1e5), with a margin of 100. In single precision, where a body's frame rounds
// coordinates to 6e-8, the amplification seen is about 400; with a margin of 10 that is 2e-4.

import { describe, expect, it } from 'vitest';
import { duck, prepare, surface, type TriangleMesh } from '../../src/index.js';
import type { Vec3 } from '../../src/math/vec3.js';
import { advance, BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';
import { shuffledMesh } from '../shuffled-mesh.js';

const TOLERANCES: PerBackend = { reference: 1e-9, wasm: 2e-4 };
const mesh = duck({ vertices: 400 });

interface Variant {
  mesh?: TriangleMesh;
  scale?: number;
  offset?: Vec3;
  density?: number;
}

/** Drops the duck on a floor with a spin; positions relative to the offset, in units of the scale. */
async function run(
  backend: TestedBackend,
  { mesh: given = mesh, scale = 1, offset = [0, 0, 0], density = 1000 }: Variant,
): Promise<Float64Array> {
  const world = await worldOn(backend, { gravity: [0, -9.81 * scale, 0] });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: offset[1] });
  const scaled = { positions: given.positions.map((x) => x * scale), triangles: given.triangles };
  const body = world.add(prepare(scaled, surface({ regionSize: 2 })), {
    position: [offset[0], offset[1] + 0.1 * scale, offset[2]],
    velocity: [0.5 * scale, -3 * scale, 0],
    spin: [1, 2, 3],
    density,
  });
  let contacts = 0;
  for (let step = 0; step < 60; step++) {
    await advance(world);
    contacts += body.contactCount;
  }
  expect(contacts).toBeGreaterThan(50);
  return Float64Array.from(body.positions, (x, k) => (x - offset[k % 3]) / scale);
}

function worstDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0);
}

describe.each(BOTH_BACKENDS)('a dropped duck on %s', (backend) => {
  const TOLERANCE = TOLERANCES[backend];

  it('moves the same whatever the numbering of its vertices', async () => {
    const shuffled = shuffledMesh(mesh);
    const back = shuffled.back(await run(backend, { mesh: shuffled.mesh }));
    expect(worstDifference(back, await run(backend, {}))).toBeLessThan(TOLERANCE);
  });

  it.each([1000, 0.001])('moves the same in units %d times as large', async (scale) => {
    expect(worstDifference(await run(backend, { scale }), await run(backend, {}))).toBeLessThan(TOLERANCE);
  });

  it('moves the same 10⁴ body sizes from the origin', async () => {
    // Positions of 1e4 m carry 1e-12 m of rounding in f64 (1e4 × 2⁻⁵³), four digits fewer than at the origin. The single
    // precision backend keeps its digits in the body's frame, but shows positions rounded to 2⁻¹¹ (half of f32's spacing).
    const far = await run(backend, { offset: [1e4, -1e4, 1e4] });
    const tolerance = backend === 'wasm' ? 2 ** -11 + TOLERANCE : 1e4 * TOLERANCE;
    expect(worstDifference(far, await run(backend, {}))).toBeLessThan(tolerance);
  });

  it.each([1e-3, 1e5])('moves the same with a density of %d kg/m³', async (density) => {
    expect(worstDifference(await run(backend, { density }), await run(backend, {}))).toBeLessThan(TOLERANCE);
  });
});
