// Bodies that are inflated and deflated: exactly, at a bounded rate, and back again.

import { describe, expect, it } from 'vitest';
import { icosphere, lattice, octree, prepare, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

const mesh = icosphere({ detail: 2, radius: 0.5 });
const SOLVERS = [
  ['surface', surface(), [5, 0.2, 1], 340],
  // Models on the host take longer.
  ['lattice', lattice({ resolution: 8 }), [1.6, 0.6, 1], 120],
  ['octree', octree({ cells: 4, levels: 1 }), [1.6, 0.6, 1], 120],
] as const;

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const exact = backend === 'wasm' ? 2e-6 : 1e-10;

  it.each(SOLVERS)(
    'a body of %s beside another goes to each volume and has it in every step',
    async (_, solver, targets, steps) => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
      const prepared = prepare(mesh, solver as ReturnType<typeof surface>);
      const body = world.add(prepared, { position: [0, 0.52, 0] });
      const other = world.add(prepared, { position: [1.04, 0.52, 0] });
      let fastest = 0;
      for (const target of targets) {
        body.set({ volume: { target } });
        for (let n = 0; n < steps; n++) {
          const before = body.volume();
          await advance(world);
          // 1 % of it in 5 ms, and rounding.
          expect(Math.abs(body.volume() / before - 1)).toBeLessThan(0.0101);
          for (const one of [body, other]) {
            expect(Math.abs(one.volume() / one.targetVolume - 1)).toBeLessThan(exact);
          }
          for (const v of body.velocities) fastest = Math.max(fastest, Math.abs(v));
        }
        expect(body.targetVolume / body.restVolume).toBe(target);
      }
      // Nothing bursts: a fall through its own size is 4.4 m/s.
      expect(fastest).toBeLessThan(4);
      expect(body.recoveries + other.recoveries).toBe(0);
      expect(edgeStrainRms(body)).toBeLessThan(0.05);
    },
  );

  it('an inflated body that is broken comes back at its size', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(mesh, surface()));
    body.set({ volume: { target: 3 } });
    await advance(world, 200);
    body.deform('mirror', 1);
    await advance(world, 300);
    expect(Math.abs(body.volume() / body.restVolume - 3)).toBeLessThan(1e-4);
    const far = Math.max(...body.positions.map(Math.abs));
    expect(far / 0.5).toBeLessThan(1.1 * Math.cbrt(3));
  });
});
