import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { measure } from '../../src/mesh/measure.js';
import { orient } from '../../src/mesh/orient.js';
import { validate } from '../../src/mesh/validate.js';
import { combine, cube, flipped, gridTorus, meshOf, moved } from './sample-meshes.js';

/** Strip of n quads, closed with or without a half turn. */
function band(n: number, halfTurn: boolean) {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < n; i++) {
    const angle = (2 * Math.PI * i) / n;
    for (const side of [-1, 1]) {
      const tilt = halfTurn ? angle / 2 : 0;
      const ring = 2 + side * Math.sin(tilt) * 0.5;
      positions.push(ring * Math.cos(angle), side * Math.cos(tilt) * 0.5, ring * Math.sin(angle));
    }
    const [a, b] = [2 * i, 2 * i + 1];
    const [c, d] = i + 1 < n ? [a + 2, b + 2] : halfTurn ? [1, 0] : [0, 1];
    triangles.push(a, b, d, a, d, c);
  }
  return meshOf(positions, triangles);
}

describe('orient', () => {
  it('mends any mixture of windings, also of several parts', () => {
    const random = seededRandom(11);
    const both = combine(gridTorus(20, 12), moved(cube(), [50, 0, 0]));
    for (let round = 0; round < 20; round++) {
      const triangles = both.triangles.slice();
      const share = round / 19;
      let turned = 0;
      for (let t = 0; t < triangles.length; t += 3) {
        if (random() >= share) continue;
        triangles.subarray(t + 1, t + 3).reverse();
        turned++;
      }
      const result = orient({ positions: both.positions, triangles });
      expect(result.orientable).toBe(true);
      expect(result.flipped).toBe(turned);
      expect(result.mesh).toEqual(both);
    }
  });

  it('turns a mesh inside out where it faces inwards', () => {
    const result = orient(flipped(cube([100, 100, 100])));
    expect(result.flipped).toBe(12);
    expect(Math.abs(measure(result.mesh).volume - 1)).toBeLessThan(1e-14);
  });

  it('keeps the winding of most triangles of a flat sheet', () => {
    const sheet = meshOf([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0], [0, 2, 1, 0, 2, 3, 1, 4, 2]);
    expect(orient(sheet).flipped).toBe(1);
    expect([...orient(sheet).mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3, 1, 4, 2]);
  });

  it('leaves a Möbius strip alone and says so', () => {
    const strip = band(16, true);
    const result = orient(strip);
    expect(result).toMatchObject({ orientable: false, flipped: 0 });
    expect(result.mesh).toEqual(strip);
    expect(orient(band(16, false)).orientable).toBe(true);
    expect(validate(strip).problems.map(({ code }) => code)).toEqual(['open-edge', 'non-orientable']);
  });

  it('takes nothing and nonsense', () => {
    expect(orient(meshOf([], [])).flipped).toBe(0);
    expect(orient(meshOf([Number.NaN, 0, 0], [0, 0, 9])).orientable).toBe(true);
  });
});
