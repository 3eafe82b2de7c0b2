// A plate that presses bodies to a tenth of their height, where their volume has no room: the volume gives way, nothing flies off,
// and 200 steps after the plate has left each is back. Bounds: in a step no particle goes further for the volume than half a body
// size (`LIFT_REACH`), so none gets away from a body that is pressed for some fifty steps by more than a few sizes; three are
// allowed, 1.6 are measured. While it is pressed no particle moves at more than ten times the plate's speed: eight times, and a body size a
// second, is what its particles are held to, and what restores momentum comes on top. 5 % strain and 0.01 % volume say that it is back.

import { expect, it } from 'vitest';
import { box, duck, icosphere, prepare, surface, type TriangleMesh, torus } from '../../src/index.js';
import { boundsOf, diagonalOf } from '../../src/mesh/measure.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

/** [m/s] */
const SPEED = 5;
const TIME_STEP = 0.005;
/** How long it stays pressed, and how long the plate takes to leave [s]. */
const PRESSED = 0.15;
const LEAVING = 0.2;

const MESHES: readonly (readonly [string, TriangleMesh])[] = [
  ['torus', torus({ majorRadius: 0.35, minorRadius: 0.15, majorSegments: 24, minorSegments: 12 })],
  ['box', box({ divisions: 6 })],
  ['ball', icosphere({ detail: 2, radius: 0.5 })],
  ['duck', duck({ vertices: 400 })],
];

const fastestOf = (velocities: ArrayLike<number>): number => {
  let fastest = 0;
  for (let k = 0; k < velocities.length; k += 3) {
    fastest = Math.max(fastest, Math.hypot(velocities[k], velocities[k + 1], velocities[k + 2]));
  }
  return fastest;
};

it.each(BOTH_BACKENDS.flatMap((backend) => MESHES.map(([name, mesh]) => [backend, name, mesh] as const)))(
  'on %s a crushed %s stays within bounds and comes back',
  async (backend, _, mesh) => {
    const [[, low], [, high]] = boundsOf(mesh.positions);
    const size = diagonalOf(boundsOf(mesh.positions));
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: low });
    const closing = (0.9 * (high - low)) / SPEED;
    const plateAt = (time: number, y: number) => ({ time, position: [0, y + 0.25, 0] as const });
    const closed = low + 0.1 * (high - low);
    world.addCollider({
      shape: 'box',
      size: [8, 0.5, 8],
      motion: [
        plateAt(0, high),
        plateAt(closing, closed),
        plateAt(closing + PRESSED, closed),
        plateAt(closing + PRESSED + LEAVING, high + 1),
      ],
    });
    const body = world.add(prepare(mesh, surface({ regionSize: 3 })));
    let furthest = 0;
    let fastest = 0;
    const steps = Math.ceil((closing + PRESSED + LEAVING) / TIME_STEP) + 200;
    for (let step = 0; step < steps; step++) {
      world.step();
      const bounds = boundsOf(body.positions);
      furthest = Math.max(furthest, diagonalOf(bounds) / size);
      if (world.time < closing + PRESSED) fastest = Math.max(fastest, fastestOf(body.velocities));
    }
    expect(furthest).toBeLessThan(1 + 2 * 3);
    expect(fastest).toBeLessThan(10 * SPEED);
    expect(edgeStrainRms(body)).toBeLessThan(0.05);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-4);
    world.dispose();
  },
);
