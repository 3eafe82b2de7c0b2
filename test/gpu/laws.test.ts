// Laws of the surface solver and the volume constraint on the GPU. What the reference holds to 1e-12 holds here to single precision:
// 6e-8 per operation, some thousand operations a step.

import { describe, expect } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { type Body, createWorld, prepare, surface, type World } from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, normalize, pointAt, scale, subtract } from '../../src/math/vec3.js';
import { box, torus, uvSphere, vertexNormals } from '../../src/mesh/index.js';
import { findSelfIntersections } from '../../src/mesh/self-intersections.js';
import { VOLUME_TOLERANCE } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';
import { lookInsideGpu } from '../inner-state.js';
import { APART, gpuTests, gpuWorld } from './gpu-world.js';

const DEFORMATIONS = ['mirror', 'flatten', 'line', 'point', 'random'] as const;
const gpuIt = gpuTests(9);

// One chunk of particles, as time goes by chunks here; bodies of several are in the tests of kernels and against the reference.
const ball = prepare(uvSphere({ segments: 11, radius: 0.5 }), surface({ regionSize: 2 }));

async function advance(world: World, steps: number, each: () => void = () => {}, latency: 0 | 1 = 0): Promise<void> {
  for (let n = 0; n < steps; n++) {
    world.step();
    await world.sync({ latency });
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

gpuIt('the centre of mass falls as a point does, and no net flux leaves a body that wobbles', async () => {
  const world = await gpuWorld({ gravity: [0.5, -9.81, 0.2] });
  const cube = prepare(box({ divisions: 4 }), surface({ regionSize: 2, stiffness: 0.7, damping: 0.1 }));
  const body = world.add(cube, { velocity: [1, 2, -3], spin: [2, 9, -4] });
  for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.3;
  body.changed();
  const start = body.centreOfMass();
  const velocity = body.momentum().map((p) => p / body.mass);
  const steps = 40;
  await advance(world, steps, () => {
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME_TOLERANCE.wasm);
    const normals = vertexNormals(body.positions, body.mesh.triangles);
    const terms = Array.from(normals, (n, k) => n * body.velocities[k]);
    const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
    expect(Math.abs(terms.reduce((sum, term) => sum + term, 0))).toBeLessThan(2e-5 * size);
  });
  const end = body.centreOfMass();
  const { timeStep, gravity } = world;
  for (let c = 0; c < 3; c++) {
    const way = steps * timeStep * velocity[c] + ((timeStep ** 2 * steps * (steps + 1)) / 2) * gravity[c];
    expect(Math.abs(end[c] - start[c] - way)).toBeLessThan(2.5e-5);
  }
  world.dispose();
});

gpuIt('recovers from every deformation, with its momentum', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const cube = box({ divisions: 4 });
  const ring = torus({ majorSegments: 14, minorSegments: 9 });
  const meshes = [cube, uvSphere({ segments: 11 }), cube, ring, cube];
  const bodies = DEFORMATIONS.map((deformation, n) => {
    const prepared = prepare(meshes[n], surface({ regionSize: [2, 3, 3, 3, 4][n], stiffness: 0.9, damping: 0.3 }));
    const body = world.add(prepared, { position: [5 * n, 0, 0], velocity: [1, 2, 3], ...APART });
    body.deform(deformation, 7);
    body.setMotion([1, 2, 3]);
    return body;
  });
  const isBack = (strain: number) =>
    bodies.every((body) => edgeStrainRms(body) < strain && Math.abs(body.volume() / body.restVolume - 1) < 1e-4);
  let steps = 0;
  for (; steps < 100 && !isBack(0.02); steps++) await advance(world, 1);
  expect(isBack(0.02)).toBe(true);
  for (; steps < 150 && !isBack(0.01); steps++) await advance(world, 1);
  expect(isBack(0.01)).toBe(true);
  for (const body of bodies) {
    expect(body.recoveries).toBe(1);
    body.momentum().forEach((p, axis) => {
      expect(Math.abs(p / body.mass - (axis + 1))).toBeLessThan(1e-4);
    });
  }
  world.dispose();
});

describe('a rigid motion is no deformation', () => {
  // Single precision's sums lose 1e-6 of the size, in thin fingers ten times that: see test/laws/rigid-motion.
  const still = surface({ regionSize: 3, stiffness: 1, damping: 1 });
  const mesh = torus({ majorSegments: 24, minorSegments: 12 });
  const rest = prepare(mesh, still);
  const largest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);

  gpuIt('a body that was turned rests', async () => {
    const world = await gpuWorld({ gravity: [0, 0, 0] });
    const bodies = [1, Math.PI, -3].map((angle, n) => {
      const body = world.add(rest);
      const turn = fromAxisAngle(normalize([1, -2, 0.5]), angle);
      for (let i = 0; i < body.particleCount; i++) {
        body.positions.set(add(rotate(turn, pointAt(mesh.positions, i)), [4 * (n - 1), -1, 2]), 3 * i);
      }
      body.changed();
      return { body, before: body.positions.slice() };
    });
    await advance(world, 3);
    for (const { body, before } of bodies) expect(largest(body.positions, before)).toBeLessThan(3e-5);
    world.dispose();
  });

  gpuIt('and turns by a large angle in one step as it was told to', async () => {
    const world = await gpuWorld({ gravity: [0, 0, 0] });
    const body = world.add(rest);
    const turn = fromAxisAngle(normalize([0.3, 1, -0.6]), 0.4);
    const centre = body.centreOfMass();
    const expected = new Float64Array(body.positions.length);
    for (let i = 0; i < body.particleCount; i++) {
      const start = pointAt(body.positions, i);
      const end = add(add(centre, rotate(turn, subtract(start, centre))), [0.005, -0.01, 0.015]);
      expected.set(end, 3 * i);
      body.velocities.set(scale(subtract(end, start), 1 / world.timeStep), 3 * i);
    }
    body.changed();
    await advance(world, 1);
    expect(largest(body.positions, expected)).toBeLessThan(1e-5);
    world.dispose();
  });
});

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

gpuIt('a surface that is thrown at itself does not stay in itself', async () => {
  const soft = surface({ regionSize: 2, stiffness: 0.1 });
  const ring = prepare(torus({ majorRadius: 1, minorRadius: 0.2, majorSegments: 32, minorSegments: 8 }), soft);
  const crossings = async (world: World, selfContact: boolean): Promise<number> => {
    const body = world.add(ring, { selfContact, friction: 0.3 });
    // Two arms of the ring, at 12 m/s each.
    for (let k = 2; k < body.velocities.length; k += 3) {
      const z = body.mesh.positions[k];
      body.velocities[k] = -12 * Math.sign(z) * Math.min(1, z * z);
    }
    body.changed();
    let crossed = 0;
    let step = 0;
    // They are together from the 15th step to the 45th; then the ring springs back, and its bends come near themselves.
    const count = () => {
      if (++step % 4 === 0) crossed += findSelfIntersections(body.positions, body.mesh.triangles).count;
    };
    // A step behind, all of them are the GPU's.
    await advance(world, 64, count, 1);
    await world.sync();
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(5e-5);
    world.dispose();
    return crossed;
  };
  expect(
    await crossings(await createWorld({ backend: 'wasm', threads: 1, gravity: [0, 0, 0] }), false),
  ).toBeGreaterThan(100);
  expect(await crossings(await gpuWorld({ gravity: [0, 0, 0] }), true)).toBe(0);
});

gpuIt('obstacles are told what they gave in all parts of long steps, each its own', async () => {
  const world = await gpuWorld({ timeStep: 1 / 60, gravity: [0, -9.81, 0] });
  const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0 });
  const wall = world.addCollider({ shape: 'plane', normal: [-1, 0, 0], offset: -0.51, friction: 0 });
  const body = world.add(ball, { position: [0, 0.52, 0], velocity: [1, -2, 0] });
  const start = momenta(body).linear;
  const given = { floor: [0, 0, 0], wall: [0, 0, 0] };
  let free = 0;
  await advance(world, 26, () => {
    for (let c = 0; c < 3; c++) {
      given.floor[c] += floor.impulse[c];
      given.wall[c] += wall.impulse[c];
    }
    if (body.contactCount > 0 || given.wall[0] === 0) return;
    free++;
    const fallen = -9.81 * body.mass * world.time;
    const scale = Math.hypot(...start);
    const { linear } = momenta(body);
    expect(Math.abs(linear[0] - (start[0] - given.wall[0]))).toBeLessThan(1e-5 * scale);
    expect(Math.abs(linear[1] - (start[1] + fallen - given.floor[1]))).toBeLessThan(1e-5 * scale);
  });
  expect(free).toBeGreaterThan(3);
  expect(Math.abs(given.floor[0]) + Math.abs(given.wall[1])).toBeLessThan(1e-5 * Math.hypot(...start));
});

gpuIt('in contact too, the momentum that the solver holds changes by gravity and impulses alone', async () => {
  const floor = new Obstacle({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
  const { body, step, inner } = await lookInsideGpu(ball, 0.51, [floor]);
  for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -2;
  body.load();
  const masses = ball.surface.massShares.map((share) => share * 1000 * ball.volume.volume);
  const momentum = async (): Promise<number[]> => {
    const sum = [0, 0, 0];
    (await inner()).velocities.forEach((v, k) => {
      sum[k % 3] += masses[Math.trunc(k / 3)] * v;
    });
    return sum;
  };
  const mass = masses.reduce((a, b) => a + b, 0);
  await step([0, -9.81, 0]);
  let touched = 0;
  for (let n = 0; n < 25; n++) {
    const before = await momentum();
    await step([0, -9.81, 0]);
    const got = body.touches.found.at(0)?.impulse ?? [0, 0, 0];
    if (got[1] > 0) touched++;
    const after = await momentum();
    const missed = after.map((p, c) => p - before[c] - got[c] - (c === 1 ? -9.81 * 0.005 * mass : 0));
    // Relative to the momentum of the impact, 2 m/s.
    expect(Math.hypot(...missed)).toBeLessThan(1e-5 * 2 * mass);
  }
  expect(touched).toBeGreaterThan(10);
});
