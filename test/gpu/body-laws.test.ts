// Laws of free and dropped bodies on the GPU: those of test/laws/momentum, maps and invariance, where they are derived, of bodies small enough for
// software adapters and for fewer steps. A step rounds by 6e-8; what tolerances leave for that goes down with the steps.

import { expect } from 'vitest';
import { type Body, icosphere, prepare, surface, type TriangleMesh, uvSphere } from '../../src/index.js';
import { length, subtract, type Vec3 } from '../../src/math/vec3.js';
import { shuffledMesh } from '../shuffled-mesh.js';
import { APART, advance, gpuTests, gpuWorld } from './gpu-world.js';

const gpuIt = gpuTests(4);

/** Without symmetries and with uneven triangles, as the duck of test/laws is, which has no fewer than 300 vertices. */
function lump(): TriangleMesh {
  const { positions, triangles } = uvSphere({ segments: 11 });
  const lumpy = positions.map((value, k) => {
    const [x, y, z] = positions.subarray(k - (k % 3), k - (k % 3) + 3);
    return value * (0.8 + 0.2 * Math.sin(3 * x + 1) * Math.cos(4 * y) + 0.1 * z) * [0.7, 0.5, 0.6][k % 3];
  });
  return { positions: lumpy, triangles };
}

const MESH = lump();

gpuIt('free bodies keep their momenta, with damping, without, uneven and painted, and gain no energy', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const ball = uvSphere({ segments: 11 });
  const painted = icosphere({ detail: 1, radius: 0.5 });
  const x = Array.from({ length: painted.positions.length / 3 }, (_, i) => 2 * painted.positions[3 * i]);
  const maps = {
    stiffness: x.map((s) => (s > 0 ? 0.1 : 1)),
    damping: x.map((s) => (s > 0.3 ? 2 : 0.2)),
    density: x.map((s) => 1.5 + s),
    volumeWeight: x.map((s) => (s > 0 ? 1 : 0.1)),
  };
  const solver = (damping: number) => surface({ regionSize: 2, stiffness: 0.9, damping, volume: { globalShare: 0.2 } });
  const stretched = [
    prepare(ball, solver(0)),
    prepare(ball, solver(0.3)),
    prepare(MESH, solver(0)),
    prepare(painted, surface({ regionSize: 2 }), { maps }),
  ].map((prepared, n) => {
    const body = world.add(prepared, {
      position: [0.3, 4 * n - 0.2, 0.5],
      velocity: [1, 2, -0.5],
      spin: [3, 5, -2],
      ...APART,
    });
    // Something to oscillate about.
    for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.2;
    body.changed();
    return body;
  });
  // Nothing but its spin: matching dissipates, so that it never has more energy than at first; see test/laws/momentum.
  const spinning = world.add(prepare(ball, solver(0)), { position: [5, 0, 0], spin: [3, 5, -2], ...APART });
  // A push at one place, one at the centre, a force for a step.
  const pushed = world.add(prepare(ball), { position: [10, 0, 0], ...APART });
  pushed.applyImpulse([30, 0, 0], [10, 1, 0]);
  pushed.applyImpulse([0, 7, 0]);
  pushed.applyForce([0, 0, 200]);
  // About the centre of mass: it is where it would be, so that this is as much as about the origin, and keeps its digits.
  const turning = (body: Body): Vec3 => {
    const [l, c, p] = [body.angularMomentum(), body.centreOfMass(), body.momentum()];
    return [0, 1, 2].map((a) => l[a] - (c[(a + 1) % 3] * p[(a + 2) % 3] - c[(a + 2) % 3] * p[(a + 1) % 3])) as never;
  };
  const before = stretched.map((body) => [body.momentum(), turning(body)]);
  const energy = spinning.kineticEnergy();
  let [linear, angular, most] = [0, 0, 0];
  await advance(world, 15, () => {
    stretched.forEach((body, n) => {
      const [p, l] = before[n];
      linear = Math.max(linear, length(subtract(body.momentum(), p)) / length(p));
      angular = Math.max(angular, length(subtract(turning(body), l)) / length(l));
    });
    most = Math.max(most, spinning.kineticEnergy() / energy);
  });
  // 1e-4 for a thousand steps; 15 of them in the worst case 2e-6, and what positions and velocities are rounded by to be shown.
  expect(linear).toBeLessThan(1e-5);
  expect(angular).toBeLessThan(1e-5);
  expect(most).toBeLessThan(1.001);
  expect(spinning.kineticEnergy() / energy).toBeGreaterThan(0.9);
  expect(length(subtract(pushed.momentum(), [30, 7, 1])) / 30).toBeLessThan(1e-4);
  expect(length(subtract(turning(pushed), [0, 0, -30])) / 30).toBeLessThan(1e-4);
  world.dispose();
});

const STEPS = 20;

interface Variant {
  mesh?: TriangleMesh;
  scale?: number;
  offset?: Vec3;
  density?: number;
}

/** Drops bodies on a floor with a spin, side by side; positions relative to the offset, in units of the scale. */
async function drop(...variants: readonly Variant[]): Promise<Float64Array[]> {
  const { scale = 1, offset = [0, 0, 0] } = variants[0];
  const world = await gpuWorld({ gravity: [0, -9.81 * scale, 0] });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: offset[1] });
  const bodies = variants.map(({ mesh = MESH, density = 1000 }, n) => {
    const scaled = { positions: mesh.positions.map((x) => x * scale), triangles: mesh.triangles };
    return world.add(prepare(scaled, surface({ regionSize: 2 })), {
      position: [offset[0], offset[1] + 0.5 * scale, offset[2] + 4 * n],
      velocity: [0.5 * scale, -3 * scale, 0],
      spin: [1, 2, 3],
      density,
      ...APART,
    });
  });
  let contacts = 0;
  await advance(world, STEPS, () => {
    contacts += Math.min(...bodies.map(({ contactCount }) => contactCount));
  });
  expect(contacts).toBeGreaterThan(20);
  const found = bodies.map(({ positions }, n) =>
    Float64Array.from(positions, (x, k) => (x - offset[k % 3] - (k % 3 === 2 ? 4 * n : 0)) / scale),
  );
  world.dispose();
  return found;
}

const worstDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0);

/** Of single precision; see test/laws/invariance. */
const ROUNDING = 2e-4;
let plain: Float64Array;

gpuIt('a dropped body moves the same whatever the numbering of its vertices and its density', async () => {
  const shuffled = shuffledMesh(MESH);
  const [own, other, light, heavy] = await drop({}, { mesh: shuffled.mesh }, { density: 1e-3 }, { density: 1e5 });
  plain = own;
  for (const found of [shuffled.back(other), light, heavy]) expect(worstDifference(found, own)).toBeLessThan(ROUNDING);
});

gpuIt('and in units a thousand times as large and as small', async () => {
  for (const scale of [1000, 0.001]) {
    const [found] = await drop({ scale });
    expect(worstDifference(found, plain)).toBeLessThan(ROUNDING);
  }
});

gpuIt('and 10⁴ body sizes from the origin', async () => {
  const [found] = await drop({ offset: [1e4, -1e4, 1e4] });
  // Positions are shown rounded to 2⁻¹¹, half of the spacing of numbers there.
  expect(worstDifference(found, plain)).toBeLessThan(2 ** -11 + ROUNDING);
});
