// A corner of a box that lies in a plate so near to the far side of it that it faces the same way as the surface that is nearest: from a depth
// on it counts as having come through, and the two are moved apart as bodies that lie deep in each other. One that is shallower is left to contact.

import { expect, it } from 'vitest';
import { ReferenceBackend } from '../../src/backends/reference/reference-backend.js';
import { createWasmBackend } from '../../src/backends/wasm/wasm-backend.js';
import { SHALLOW } from '../../src/contact/soft/tuning.js';
import { box, type PreparedSurface, prepare, surface } from '../../src/index.js';
import { Pipeline } from '../../src/world/pipeline.js';

const SIDE = 0.4;
/** Of the box, the smaller of the two: the diameter of the sphere around it [m]. */
const SIZE = SIDE * Math.sqrt(3);
const THICKNESS = 0.05;

// Coarse: no vertex of the plate is in the box, and only the corner of the box in the plate.
const plate = prepare(box({ size: [1, THICKNESS, 1], divisions: [4, 1, 4] }), surface());
const cube = prepare(box({ size: SIDE, divisions: 1 }), surface());

/** The cube on its corner, which lies over [0.06, height, 0.03]. */
function onItsCorner({ mesh }: PreparedSurface, height: number): Float64Array {
  const [u, v] = [Math.SQRT1_2, 1 / Math.sqrt(6)];
  const down = 1 / Math.sqrt(3);
  return mesh.positions.map((_, k) => {
    const [x, y, z] = mesh.positions.subarray(k - (k % 3), k - (k % 3) + 3);
    if (k % 3 === 0) return u * (x - z) + 0.06;
    if (k % 3 === 1) return down * (x + y + z) + SIZE / 2 + height;
    return v * (x - 2 * y + z) + 0.03;
  });
}

/** How far the two had to go to leave each other in a step, as bodies that lie deep in each other, 0 if they do not, and how deep the corner lay [m]. */
async function depthsOf(on: 'reference' | 'wasm', aboveFarSide: number): Promise<{ deepBy: number; sunkBy: number }> {
  const backend = on === 'wasm' ? await createWasmBackend({ threads: 1 }) : new ReferenceBackend();
  const pipeline = new Pipeline(backend);
  const bodies = [plate, cube].map((prepared) => backend.add(prepared, 1000));
  bodies[0].place(plate.mesh.positions, [0, 0, 0, 1]);
  bodies[1].place(onItsCorner(cube, aboveFarSide - THICKNESS / 2), [0, 0, 0, 1]);
  pipeline.step({ gravity: [0, 0, 0], time: 0, timeStep: 0.005, colliders: [], joints: [] });
  const { deepBy, sunkBy } = bodies[1] as unknown as { deepBy: number; sunkBy: number };
  return { deepBy, sunkBy };
}

it.each(['reference', 'wasm'] as const)('on %s a corner is deep in a plate, or only under its surface', async (on) => {
  const [shallow, deep] = [0.9 * SHALLOW * SIZE, 1.1 * SHALLOW * SIZE];
  expect((await depthsOf(on, shallow)).deepBy).toBe(0);
  expect((await depthsOf(on, deep)).deepBy).toBeGreaterThan(SHALLOW * SIZE);
  // Single precision of coordinates near 1.
  for (const depth of [shallow, deep]) expect(Math.abs((await depthsOf(on, depth)).sunkBy - depth)).toBeLessThan(1e-6);
});
