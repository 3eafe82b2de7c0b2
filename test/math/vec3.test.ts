// Small vectors against what they mean.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import {
  add,
  cross,
  distance,
  dot,
  length,
  mix,
  normalize,
  pointAt,
  scale,
  subtract,
  type Vec3,
} from '../../src/math/vec3.js';

describe('vectors', () => {
  it('add, subtract, scale, mix', () => {
    expect(add([1, 2, 3], [10, 20, 30])).toEqual([11, 22, 33]);
    expect(subtract([1, 2, 3], [10, 20, 30])).toEqual([-9, -18, -27]);
    expect(scale([1, -2, 3], 2)).toEqual([2, -4, 6]);
    expect(mix([0, 10, -4], [4, 20, -8], 0.25)).toEqual([1, 12.5, -5]);
  });

  it('have the products of their basis: x × y = z and round', () => {
    const [x, y, z]: Vec3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    expect(cross(x, y)).toEqual(z);
    expect(cross(y, z)).toEqual(x);
    expect(cross(z, x)).toEqual(y);
    expect(dot([1, 2, 3], [4, -5, 6])).toBe(12);
    expect(length([2, 3, 6])).toBe(7);
    expect(distance([1, 1, 1], [3, 4, 7])).toBe(7);
  });

  it('obey Lagrange: |a×b|² + (a·b)² = |a|²|b|²', () => {
    const random = seededRandom(1);
    const any = (): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5];
    for (let n = 0; n < 100; n++) {
      const [a, b] = [any(), any()];
      const c = cross(a, b);
      expect(Math.abs(dot(c, c) + dot(a, b) ** 2 - dot(a, a) * dot(b, b))).toBeLessThan(1e-15);
    }
  });

  it('normalise to length 1, or to the fallback where there is no direction', () => {
    expect(normalize([0, 0, -5])).toEqual([0, 0, -1]);
    expect(Math.abs(length(normalize([0.3, -0.2, 0.9])) - 1)).toBeLessThan(1e-15);
    expect(normalize([0, 0, 0])).toEqual([0, 1, 0]);
    expect(normalize([Number.NaN, 0, 0], [1, 0, 0])).toEqual([1, 0, 0]);
  });

  it('are read from flat arrays', () => {
    expect(pointAt(Float64Array.of(0, 1, 2, 3, 4, 5), 1)).toEqual([3, 4, 5]);
  });
});
