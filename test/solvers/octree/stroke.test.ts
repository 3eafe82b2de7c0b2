// The sheets that a stroke gathers: another one where the blade turns back, none where only another piece of it is followed.

import { expect, it } from 'vitest';
import { OctreeStroke } from '../../../src/solvers/octree/stroke.js';

/** A stroke along x, the blade along z, through a body whose middle goes to and fro along the blade. */
function sweep(places: readonly number[]): number[] {
  const stroke = new OctreeStroke(5, 0.1);
  places.forEach((x, n) => {
    stroke.moveTo([x, 0, -2], [x, 0, 2]);
    stroke.advance({ centre: [0, 0, n % 2 === 0 ? 0.3 : -0.3], radius: 1, findRest: (point) => point });
  });
  return stroke.finish().map((rows) => rows.length);
}

it('is one sheet where rows slide along the blade, and has a row for each second move of more than half a voxel', () => {
  const sheets = sweep(Array.from({ length: 21 }, (_, n) => 0.06 * n));
  expect(sheets.length).toBe(1);
  expect(sheets[0]).toBe(11);
});

it('is two sheets where the blade turns back', () => {
  expect(sweep([0, 0.2, 0.4, 0.6, 0.4, 0.2]).length).toBe(2);
});
