// Law: a smooth motion leaves the surface smooth. The root mean square of the angles between neighbouring triangles is at most
// 3° above that of the smooth ideal, the same deformation without what changes from vertex to vertex (see test/roughness.ts),
// whatever the region size; nowhere do the mesh's diagonals or edges show.
//
// Bodies are boxes, whose vertex areas alternate by a factor of 2 and whose edges are creases: the worst there is. When the
// volume correction pushed along normals times areas, these angles were 2 … 47° above the ideal's.

import { describe, expect, it } from 'vitest';
import { box, findSelfIntersections, prepare, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, type TestedBackend, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';
import { type DeformingMotion, press, stretch, twist } from '../deforming-motions.js';
import { type Roughness, roughnessOf } from '../roughness.js';

/** Of the rms of all angles over that of the ideal [°]: the requirement. */
const ROUGHNESS = 3;

const bar = box({ size: [4, 1, 1], divisions: [24, 6, 6] });
const cube = box({ divisions: 10 });

async function deform(
  backend: TestedBackend,
  mesh: typeof bar,
  motion: DeformingMotion,
  regionSize: number,
): Promise<Roughness> {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const prepared = prepare(mesh, surface({ regionSize, stiffness: 0.9, damping: 0.3 }));
  const body = motion.start(world, prepared);
  let worst = 0;
  for (let step = 0; step < motion.steps; step++) {
    await advance(world);
    worst = Math.max(worst, Math.abs(body.volume() / body.restVolume - 1));
  }
  const roughness = roughnessOf(mesh, body.positions, motion.held(body));
  expect(worst).toBeLessThan(VOLUME_TOLERANCE[backend]);
  expect(findSelfIntersections(body.positions, mesh.triangles).count).toBe(0);
  world.dispose();
  return roughness;
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each([3, 5, 8])('a bar stretched to twice its length at region size %i is smooth', async (regionSize) => {
    const { rms, idealRms, p99 } = await deform(backend, bar, stretch(2), regionSize);
    expect(rms - idealRms).toBeLessThan(ROUGHNESS);
    // Away from the bar's edges no two triangles stand out; with fins along these it was 91°.
    expect(p99).toBeLessThan(15);
  });

  it('a bar turned by half a turn is smooth', async () => {
    const { rms, idealRms, excess } = await deform(backend, bar, twist(180), 3);
    expect(rms - idealRms).toBeLessThan(ROUGHNESS);
    expect(excess).toBeLessThan(ROUGHNESS);
  });

  it.each([3, 5, 8])('a cube pressed to half its height at region size %i is smooth', async (regionSize) => {
    const { rms, idealRms } = await deform(backend, cube, press(0.5), regionSize);
    expect(rms - idealRms).toBeLessThan(ROUGHNESS);
  });
});
