// Laws of the surface solver and the volume constraint on the GPU. What the reference holds to 1e-12 holds here to single precision:
// 6e-8 per operation, some thousand operations a step.

import { describe, expect } from 'vitest';
import { type Body, prepare, surface, type World } from '../../src/index.js';
import { box, icosphere, torus } from '../../src/mesh/index.js';
import { gpuTests, gpuWorld } from './gpu-world.js';

const DEFORMATIONS = ['mirror', 'flatten', 'line', 'point', 'random'] as const;
const SCALES = [0.001, 1000];
const gpuIt = gpuTests(3 + DEFORMATIONS.length + SCALES.length);

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));

async function advance(world: World, steps: number, each: () => void = () => {}): Promise<void> {
  for (let n = 0; n < steps; n++) {
    world.step();
    await world.sync();
    each();
  }
}

/** Σ m v [kg m/s] and Σ m x×v about the centre of mass [kg m²/s]. */
function momenta({ positions: x, velocities: v, masses }: Body): { linear: number[]; angular: number[] } {
  const linear = [0, 0, 0];
  const centre = [0, 0, 0];
  let mass = 0;
  masses.forEach((m, i) => {
    mass += m;
    for (let c = 0; c < 3; c++) {
      linear[c] += m * v[3 * i + c];
      centre[c] += m * x[3 * i + c];
    }
  });
  const angular = [0, 0, 0];
  masses.forEach((m, i) => {
    const r = [0, 1, 2].map((c) => x[3 * i + c] - centre[c] / mass);
    const u = [0, 1, 2].map((c) => v[3 * i + c] - linear[c] / mass);
    for (let c = 0; c < 3; c++) {
      const [a, b] = [(c + 1) % 3, (c + 2) % 3];
      angular[c] += m * (r[a] * u[b] - r[b] * u[a]);
    }
  });
  return { linear, angular };
}

gpuIt('a free body keeps its linear and angular momentum', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const body = world.add(ball, { velocity: [1, 2, -0.5], spin: [3, -4, 5] });
  // A push at one place, so that there is something to match; it is in the body's velocities at once.
  body.applyImpulse([0, -0.5 * body.mass, 0], [0, 0.5, 0]);
  const before = momenta(body);
  await advance(world, 50);
  const after = momenta(body);
  const scale = Math.hypot(...before.linear);
  const turning = Math.hypot(...before.angular);
  for (let c = 0; c < 3; c++) {
    expect(Math.abs(after.linear[c] - before.linear[c])).toBeLessThan(1e-5 * scale);
    expect(Math.abs(after.angular[c] - before.angular[c])).toBeLessThan(2e-4 * turning);
  }
  world.dispose();
});

describe.each(DEFORMATIONS)('%s', (deformation) => {
  gpuIt('recovers', async () => {
    const world = await gpuWorld({ gravity: [0, 0, 0] });
    const cube = prepare(box({ divisions: 4 }), surface({ regionSize: 2 }));
    const body = world.add(cube);
    body.deform(deformation);
    let strain = Infinity;
    for (let n = 0; n < 150 && strain > 0.02; n++) {
      await advance(world, 1);
      strain = largestStrain(body);
    }
    expect(strain).toBeLessThan(0.02);
    // While it came back its volume was let go; then it grows to what it was.
    await advance(world, 60);
    expect(largestStrain(body)).toBeLessThan(0.02);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(5e-5);
    world.dispose();
  });
});

/** Largest change of an edge, as a share of it. */
function largestStrain({ positions, mesh }: Body): number {
  let largest = 0;
  const length = (x: ArrayLike<number>, a: number, b: number) =>
    Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
  for (let t = 0; t < mesh.triangles.length; t++) {
    const a = mesh.triangles[t];
    const b = mesh.triangles[t % 3 === 2 ? t - 2 : t + 1];
    largest = Math.max(largest, Math.abs(length(positions, a, b) / length(mesh.positions, a, b) - 1));
  }
  return largest;
}

gpuIt('falls on a landscape, and stays out of it with its volume', async () => {
  const world = await gpuWorld();
  const heights = [0, 1, 2, 3].map((z) => [0, 1, 2, 3].map((x) => 0.1 * ((x * 7 + z * 3) % 4)));
  world.addCollider({ shape: 'heightfield', heights, size: [4, 4] });
  const body = world.add(ball, { position: [0.2, 0.85, 0.1], velocity: [0, -2, 0] });
  let touched = 0;
  await advance(world, 40, () => {
    touched += world.contactEvents().length;
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(5e-5);
    expect(world.penetration(body)).toBeLessThan(1e-3);
  });
  expect(touched).toBeGreaterThan(0);
  world.dispose();
});

gpuIt('falls on a mesh of triangles, and does not pass through it', async () => {
  const world = await gpuWorld();
  const ring = torus({ majorRadius: 0.5, minorRadius: 0.2, majorSegments: 12, minorSegments: 8 });
  world.addCollider({ shape: 'mesh', mesh: ring });
  const body = world.add(ball, { position: [0, 0.75, 0], velocity: [0, -2, 0] });
  await advance(world, 40, () => {
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(5e-5);
    expect(world.penetration(body)).toBeLessThan(2e-3);
  });
  let lowest = Infinity;
  for (let k = 1; k < body.positions.length; k += 3) lowest = Math.min(lowest, body.positions[k]);
  expect(lowest).toBeGreaterThan(-0.4);
  world.dispose();
});

describe.each(SCALES)('scaled by %d', (scale) => {
  gpuIt('everything is as large', async () => {
    const paths = await Promise.all(
      [1, scale].map(async (size) => {
        const world = await gpuWorld({ gravity: [0, -9.81 * size, 0] });
        world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.51 * size });
        const rest = prepare(icosphere({ detail: 2, radius: 0.5 * size }), surface({ regionSize: 2 }));
        const body = world.add(rest, { velocity: [0, -2 * size, 0] });
        await advance(world, 20);
        const positions = Float64Array.from(body.positions, (x) => x / size);
        world.dispose();
        return positions;
      }),
    );
    for (let k = 0; k < paths[0].length; k++) expect(Math.abs(paths[0][k] - paths[1][k])).toBeLessThan(2e-3);
  });
});
