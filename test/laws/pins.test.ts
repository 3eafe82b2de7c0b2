// Laws of pinned bodies. Deformation goes on evenly from the pins: the row of triangles beside them takes no more of it than others do. (Regions
// count a row of pinned vertices as any other; that row took three to four times its share.) Pins that rest do no work: a body that swings from
// them has never more energy than it began with. What is pinned at rest, and moved as a whole, is at rest there.

import { describe, expect, it } from 'vitest';
import { type Body, box, icosphere, prepare, surface, vertexAreas } from '../../src/index.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { stretch, twist } from '../deforming-motions.js';

const ROWS = 24;
const bar = box({ size: [4, 1, 1], divisions: [ROWS, 6, 6] });

/** Vertices of the row that is so many rows from the end of the bar at rest. */
const rowOf = (row: number): number[] =>
  Array.from({ length: bar.positions.length / 3 }, (_, vertex) => vertex).filter(
    (vertex) => Math.abs(bar.positions[3 * vertex] + 2 - (4 * row) / ROWS) < 1e-9,
  );

/** Mean place of a row along the bar [m], and the angle by which it is turned about it [°]. */
function stateOf({ positions }: Body, row: number): { place: number; angle: number } {
  const vertices = rowOf(row);
  let [place, sine, cosine] = [0, 0, 0];
  for (const vertex of vertices) {
    const [, y0, z0] = bar.positions.subarray(3 * vertex, 3 * vertex + 3);
    const [x, y, z] = Array.from(positions.subarray(3 * vertex, 3 * vertex + 3));
    place += x / vertices.length;
    cosine += y0 * y + z0 * z;
    sine += y0 * z - z0 * y;
  }
  return { place, angle: (Math.atan2(sine, cosine) * 180) / Math.PI };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const held = async (motion: ReturnType<typeof twist>, regionSize: number) => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = motion.start(world, prepare(bar, surface({ regionSize, stiffness: 0.9, damping: 0.3 })));
    for (let step = 0; step < motion.steps; step++) await advance(world);
    const [end, beside] = [stateOf(body, 0), stateOf(body, 1)];
    world.dispose();
    return { angle: beside.angle - end.angle, length: beside.place - end.place };
  };

  it.each([3, 5])('a bar turned by half a turn is so beside its pins too, at region size %i', async (regionSize) => {
    const { angle } = await held(twist(180), regionSize);
    expect(Math.abs(angle) / (180 / ROWS)).toBeGreaterThan(0.6);
    expect(Math.abs(angle) / (180 / ROWS)).toBeLessThan(1.4);
  });

  it.each([3, 5])('a bar drawn out to twice its length is so beside its pins too, at region size %i', async (size) => {
    const { length } = await held(stretch(2), size);
    expect(length / (8 / ROWS)).toBeGreaterThan(0.6);
    expect(length / (8 / ROWS)).toBeLessThan(1.4);
  });

  it.each([
    ['one vertex', (_: readonly number[], vertex: number) => vertex === 0],
    ['two vertices', (_: readonly number[], vertex: number) => vertex < 2],
    ['a cap', ([, y]: readonly number[]) => y > 0.45],
    ['vertices here and there', (_: readonly number[], vertex: number) => vertex % 20 === 0],
  ])('a ball that hangs from %s has never more energy than at first', async (_, isPinned) => {
    const mesh = icosphere({ radius: 0.5, detail: 2 });
    const world = await worldOn(backend, { gravity: [0, -9.81, 0] });
    const body = world.add(prepare(mesh, surface({ regionSize: 3, stiffness: 0.9, damping: 0 })));
    const areas = vertexAreas(mesh);
    const total = areas.reduce((sum, area) => sum + area, 0);
    body.pin(
      Array.from(areas, (_area, vertex) => vertex).filter((vertex) =>
        isPinned(Array.from(mesh.positions.subarray(3 * vertex, 3 * vertex + 3)), vertex),
      ),
    );
    const energy = () =>
      areas.reduce((sum, area, vertex) => {
        const [vx, vy, vz] = Array.from(body.velocities.subarray(3 * vertex, 3 * vertex + 3));
        return sum + (area / total) * (0.5 * (vx * vx + vy * vy + vz * vz) + 9.81 * body.positions[3 * vertex + 1]);
      }, 0);
    const start = energy();
    let most = -Infinity;
    for (let step = 0; step < 600; step++) {
      await advance(world);
      most = Math.max(most, energy() - start);
    }
    world.dispose();
    // Of what falling by its size gives [m²/s²]: energies of half a step are mixed with places of a whole one.
    expect(most).toBeLessThan(1e-3 * 9.81);
  });

  it('a bar whose ends are moved as one is at rest there', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(bar, surface({ regionSize: 5 })));
    body.pin(
      [...rowOf(0), ...rowOf(ROWS)],
      [0, 1].map((time) => ({ time, position: [0, time, 0], rotation: fromAxisAngle([1, 0, 0], time) })),
    );
    for (let step = 0; step < 600; step++) await advance(world);
    const [cos, sin] = [Math.cos(1), Math.sin(1)];
    let worst = 0;
    for (let k = 0; k < bar.positions.length; k += 3) {
      const [x, y, z] = bar.positions.subarray(k, k + 3);
      const there = [x, cos * y - sin * z + 1, sin * y + cos * z];
      for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(body.positions[k + c] - there[c]));
    }
    world.dispose();
    // A thousandth of a row: it may have fallen asleep on its way.
    expect(worst).toBeLessThan(2e-4);
  });
});
