// Scenes beside a busy neighbour: rows of the frame's kind, and the same bits with and without it.

import { expect, it } from 'vitest';
import { contendedRows } from '../../bench/contended.js';
import { Neighbour } from '../../bench/neighbour.js';

it('measures a scene on one thread and two, alone and beside a busy process', async () => {
  // 4708 particles: enough for threads.
  const bodies = [0, 1].map((n) => ({
    mesh: { shape: 'box' as const, divisions: 14 },
    position: [0.2 * n, 0.6 + 1.05 * n, 0] as [number, number, number],
  }));
  const four = [...bodies, ...bodies.map(({ mesh }, n) => ({ mesh, position: [3, 0.6 + 1.05 * n, 0] as const }))];
  const floor = { shape: 'plane' as const, normal: [0, 1, 0] as [number, number, number] };
  const scene = { isochore: 1, bodies: four, colliders: [floor] } as Parameters<typeof contendedRows>[0]['scenes'][''];
  const rows = await contendedRows({ scenes: { boxes: scene }, steps: 40 });
  expect(rows.map(({ threads, neighbour }) => [threads, neighbour])).toEqual([
    [1, 'none'],
    [2, 'none'],
    [1, 'busy'],
    [2, 'busy'],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ name: 'boxes', method: 'fast', backend: 'wasm', particles: 4 * (6 * 14 ** 2 + 2) });
    expect(row.minMsPerStep).toBeGreaterThan(0);
    expect(row.msPerStep).toBeGreaterThanOrEqual(row.minMsPerStep as number);
    // The bound that single precision is held to in every scene.
    expect(row.maxVolumeErrorPercent).toBeLessThan(0.002);
    expect(row.hash).toBe(rows[0].hash);
  }
});

it('has a neighbour that works when it is told to, and only then', async () => {
  const neighbour = new Neighbour();
  await neighbour.set(true);
  await neighbour.set(true);
  await neighbour.set(false);
  neighbour.dispose();
  await expect(neighbour.set(true)).rejects.toThrow();
});
