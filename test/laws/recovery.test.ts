// Law: a body comes back to its shape from every degenerate state: mirrored, flattened, scattered, exactly a line, exactly
// a point. Nothing else acts on it, so at the end it is at rest in its rest shape up to rounding; the bounds of 1 % strain
// and 0.1 % volume after 150 steps only say that it is back.

import { describe, expect, it } from 'vitest';
import { box, DEFORMATIONS, prepare, surface, uvSphere } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

/** Nothing happens to a body that is back: what it would do in further steps is rest. */
const STEPS = 150;

const shapes = [
  ['box', box({ divisions: 8 }), [2, 3, 4]],
  ['sphere', uvSphere({ segments: 20 }), [3]],
] as const;

describe.each(BOTH_BACKENDS.flatMap((backend) => shapes.map((shape) => [backend, ...shape] as const)))(
  'on %s, a %s',
  (backend, _, mesh, regionSizes) => {
    it.each(DEFORMATIONS.flatMap((state) => regionSizes.map((regionSize) => [state, regionSize] as const)))(
      'recovers from %s with region size %i',
      async (state, regionSize) => {
        const world = await worldOn(backend, { gravity: [0, 0, 0] });
        const solver = surface({ regionSize, stiffness: 0.9, damping: 0.3 });
        const body = world.add(prepare(mesh, solver), { position: [1, 2, 3], rotation: [0.1, 0.2, 0.3, 0.9] });
        const before = body.positions.slice();
        body.deform(state, 7);
        if (state !== 'none') expect(body.positions).not.toEqual(before);
        for (let step = 0; step < STEPS; step++) world.step();
        expect(edgeStrainRms(body)).toBeLessThan(0.01);
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
        world.dispose();
      },
    );

    // The reference decides by the same code what is tangled.
    it.each(backend === 'wasm' ? DEFORMATIONS : [])(
      'recovers from %s with contact of its surface with itself',
      async (state) => {
        const world = await worldOn(backend, { gravity: [0, 0, 0] });
        const body = world.add(prepare(mesh, surface({ regionSize: 3, stiffness: 0.9, damping: 0.3 })), {
          selfContact: true,
        });
        body.deform(state, 7);
        for (let step = 0; step < STEPS; step++) world.step();
        expect(edgeStrainRms(body)).toBeLessThan(0.01);
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
        world.dispose();
      },
    );
  },
);
