// Law: a free body without external forces keeps its linear and angular momentum.
// Every internal stage restores Σ m v and Σ m x×v by a rigid field, so a step loses only rounding: with n = 400 particles
// a sum of n products carries about √n·ε ≈ 4e-15 relative, 1000 steps in the worst (systematic) case 4e-12. The bound of
// 1e-9 leaves room for the inertia solve's conditioning. In single precision each step rounds every velocity by 6e-8
// relative, 1000 steps in the worst case 6e-5; the promise is 1e-4.

import { describe, expect, it } from 'vitest';
import { duck, icosphere, prepare, surface, type TriangleMesh, uvSphere } from '../../src/index.js';
import { add, length, subtract, type Vec3 } from '../../src/math/vec3.js';
import { advance, BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';

const TOLERANCES: PerBackend = { reference: 1e-9, wasm: 1e-4 };

async function drift(backend: TestedBackend, mesh: TriangleMesh, damping: number, spin: Vec3, steps: number) {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const solver = surface({ regionSize: 2, stiffness: 0.9, damping, volume: { globalShare: 0.2 } });
  const body = world.add(prepare(mesh, solver), { position: [0.3, -0.2, 0.5], velocity: [1, 2, -0.5], spin });
  // Something to oscillate about: a stretch.
  for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.2;
  body.changed();
  const [p, l] = [body.momentum(), body.angularMomentum()];
  let worstLinear = 0;
  let worstAngular = 0;
  for (let step = 0; step < steps; step++) {
    await advance(world);
    worstLinear = Math.max(worstLinear, length(subtract(body.momentum(), p)) / length(p));
    // Angular momentum about the fixed origin is conserved as well: the centre of mass moves along its velocity.
    worstAngular = Math.max(worstAngular, length(subtract(body.angularMomentum(), l)) / length(l));
  }
  return { worstLinear, worstAngular, body };
}

describe.each(BOTH_BACKENDS)('momentum of a free body on %s', (backend) => {
  const TOLERANCE = TOLERANCES[backend];

  it.each([
    ['without damping', 0],
    ['with damping', 0.3],
  ])('keeps linear and angular momentum over 1000 steps, %s', async (_, damping) => {
    const { worstLinear, worstAngular } = await drift(backend, icosphere({ detail: 2 }), damping, [3, 5, -2], 1000);
    expect(worstLinear).toBeLessThan(TOLERANCE);
    expect(worstAngular).toBeLessThan(TOLERANCE);
  });

  it('keeps them on an uneven mesh', async () => {
    const { worstLinear, worstAngular } = await drift(backend, duck({ vertices: 400 }), 0, [1, -2, 4], 300);
    expect(worstLinear).toBeLessThan(TOLERANCE);
    expect(worstAngular).toBeLessThan(TOLERANCE);
  });

  it('does not gain energy while it spins and oscillates', async () => {
    // Matching dissipates, so what remains is the spin, up to what the last oscillation still trades with the shape: 0.1 %
    // allows for that. (A rotation found by a single iteration per step multiplied the energy by twelve.)
    const { body: early } = await drift(backend, uvSphere({ segments: 12 }), 0, [3, 5, -2], 200);
    const { body: later } = await drift(backend, uvSphere({ segments: 12 }), 0, [3, 5, -2], 1000);
    expect(later.kineticEnergy() / early.kineticEnergy()).toBeLessThan(1.001);
    expect(later.kineticEnergy() / early.kineticEnergy()).toBeGreaterThan(0.9);
  });

  it('gives exactly the momentum of impulses, and the torque of the point they act at', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(uvSphere({ segments: 16 })));
    const point: Vec3 = [0, 1, 0]; // a vertex
    const impulse: Vec3 = [30, 0, 0];
    body.applyImpulse(impulse, point);
    body.applyImpulse([0, 7, 0]);
    body.applyForce([0, 0, 200]); // during one step of 5 ms
    await advance(world, 50);
    const scale = length(impulse);
    expect(length(subtract(body.momentum(), [30, 7, 1])) / scale).toBeLessThan(TOLERANCE);
    // r×J about the centre of mass (the origin at the start); the sphere's own mean is off the origin by rounding alone.
    expect(length(subtract(body.angularMomentum(), add([0, 0, 0], [0, 0, -30]))) / scale).toBeLessThan(TOLERANCE);
  });
});
