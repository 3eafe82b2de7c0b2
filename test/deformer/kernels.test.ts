// The kernels against the loops beside them: the same bits, of whole frames and of odd counts of everything.

import { describe, expect, it } from 'vitest';
import { deformFrame } from '../../src/deformer/deform-frame.js';
import { buildBody } from '../../src/deformer/deformer-body.js';
import { InputFollower } from '../../src/deformer/follow-input.js';
import { DEFORMER_DEFAULTS } from '../../src/deformer/settings.js';
import { SolverRoom } from '../../src/deformer/solver-room.js';
import {
  addScaled,
  addScaledDot,
  dot,
  greatest,
  writeScaled,
  writeSum,
  writeSumDot,
} from '../../src/deformer/vectors.js';
import { seededRandom } from '../../src/math/random.js';
import { duck } from '../../src/mesh/generate/index.js';
import { inHalfSizes } from './half-sizes.js';
import { atTopOf, SCENES, SMALL_DEPTH, smallSphere } from './scenes.js';

const meshes = [
  ['sphere', smallSphere(), SMALL_DEPTH],
  ['duck', inHalfSizes(duck({ vertices: 300 })), 3],
] as const;

describe.each(meshes)('%s', (_, mesh, depth) => {
  const settings = { ...DEFORMER_DEFAULTS, depth, tolerance: 1e-3 };
  const [fast, plain] = [true, false].map((kernels) => buildBody(mesh, settings, kernels));

  it('has kernels in one body and none in the other', () => {
    expect(fast.solver.room.kernelsFor(fast.solver.x)).toBeDefined();
    expect(plain.solver.room.kernelsFor(plain.solver.x)).toBeUndefined();
  });

  it.each(SCENES)('frames have the same bits with kernels and without (%s)', (__, colliders) => {
    const asked = atTopOf(mesh, colliders);
    const frame = { frame: { colliders: asked }, asked, flags: [] };
    const [a, b] = [fast, plain].map((body) =>
      deformFrame({
        body,
        followed: new InputFollower(body).follow(mesh.positions),
        input: mesh.positions,
        mended: frame,
        settings,
      }),
    );
    expect(a.report.iterations).toBeGreaterThan(3);
    expect(a).toEqual(b);
  });
});

it.each([1, 2, 3, 4, 5, 31, 64])('vectors of %s numbers', (count) => {
  const random = seededRandom(count);
  const room = new SolverRoom(2 * 8 * (count + 2));
  const [a, b] = [room.numbers(count), room.numbers(count)];
  for (let i = 0; i < count; i++) [a[i], b[i]] = [random() - 0.5, random() - 0.5];
  const [c, d] = [a.slice(), b.slice()];
  expect(room.kernelsFor(a, b)).toBeDefined();
  expect(room.kernelsFor(a, d)).toBeUndefined();
  expect(dot(room, a, b)).toBe(dot(room, c, d));
  const expected = c.reduce((sum, x, i) => sum + x * d[i], 0);
  expect(Math.abs(dot(room, a, b) - expected)).toBeLessThan(1e-15 * count);
  addScaled(room, a, b, 0.7);
  addScaled(room, c, d, 0.7);
  expect(a).toEqual(c);
  expect(addScaledDot(room, a, b, -0.3, b)).toBe(addScaledDot(room, c, d, -0.3, d));
  expect(a).toEqual(c);
  writeSum(room, a, b, a, -1);
  writeSum(room, c, d, c, -1);
  expect(a).toEqual(c);
  expect(writeSumDot(room, a, b, a, 0.3)).toBe(writeSumDot(room, c, d, c, 0.3));
  expect(a).toEqual(c);
  writeScaled(room, a, b, 1 / 6);
  writeScaled(room, c, d, 1 / 6);
  expect(a).toEqual(c);
  expect(greatest(room, a)).toBe(greatest(room, c));
  a[count - 1] = Number.NaN;
  expect(greatest(room, a)).toBe(Infinity);
});
