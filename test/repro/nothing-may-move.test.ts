// Where every particle is held, by pins or by an obstacle that the whole body was thrown flat against, the WebAssembly
// backend took over candidate positions that nobody had written: zeros, or those of another step. Bodies collapsed to a
// point under their pins, and a ball of a millimetre never regained its volume.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface, uvSphere } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('leaves a body that is pinned everywhere where its pins are', async () => {
    const world = await worldOn(backend);
    const body = world.add(prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 })));
    body.pin(
      Array.from({ length: body.particleCount }, (_, i) => i),
      [{ time: 0 }, { time: 1, position: [0, 3, 0] }],
    );
    for (let step = 0; step < 20; step++) world.step();
    const worst = Float64Array.from(body.positions).reduce(
      (most, x, k) => Math.max(most, Math.abs(x - body.mesh.positions[k] - (k % 3 === 1 ? 0.3 : 0))),
      0,
    );
    // A few roundings of positions of order 1.
    expect(worst).toBeLessThan({ reference: 1e-12, wasm: 1e-6 }[backend]);
  });

  it('refills a ball of a millimetre that one step throws flat on the floor', async () => {
    const world = await worldOn(backend, { timeStep: 1e-4 });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const solver = surface({ regionSize: 1, stiffness: 0, damping: 0.1 });
    const body = world.add(prepare(uvSphere({ segments: 10, radius: 1e-3 }), solver), {
      position: [0, 1e-3, 0],
      velocity: [30, -100, 0],
      spin: [1, 2, 3],
    });
    for (let step = 0; step < 25; step++) world.step();
    // As in the law of extreme settings: not exact within so few steps.
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
  });
});
