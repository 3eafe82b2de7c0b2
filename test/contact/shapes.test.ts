// Signed distances of the primitive shapes against distances found by searching their surface, and normals against the
// gradient of the distance.

import { describe, expect, it } from 'vitest';
import { measureDistance, type PrimitiveShape, thinnest } from '../../src/contact/obstacles/shapes.js';
import type { SurfacePoint } from '../../src/contact/obstacles/surface-point.js';
import { seededRandom } from '../../src/math/random.js';
import { length, normalize, scale, subtract, type Vec3 } from '../../src/math/vec3.js';

const measured = (shape: PrimitiveShape, [x, y, z]: Vec3): SurfacePoint => {
  const out = { distance: Number.NaN, nx: Number.NaN, ny: Number.NaN, nz: Number.NaN };
  measureDistance(shape, x, y, z, out);
  return out;
};

/** Points all over a shape's surface, no two neighbours further apart than about `gap`, and whether a point is inside. */
interface Oracle {
  shape: PrimitiveShape;
  inside(p: Vec3): boolean;
  /** The nearest point on the surface to p, out of a fine sample. */
  surface: Vec3[];
  gap: number;
}

const steps = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => i / n);

function boxOracle(size: Vec3): Oracle {
  const n = 60;
  const surface: Vec3[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-0.5, 0.5]) {
      for (const u of steps(n)) {
        for (const v of steps(n)) {
          const p = [0, 0, 0];
          p[axis] = side * size[axis];
          p[(axis + 1) % 3] = (u - 0.5) * size[(axis + 1) % 3];
          p[(axis + 2) % 3] = (v - 0.5) * size[(axis + 2) % 3];
          surface.push([p[0], p[1], p[2]]);
        }
      }
    }
  }
  return {
    shape: { shape: 'box', size },
    inside: (p) => p.every((x, c) => Math.abs(x) < size[c] / 2),
    surface,
    gap: (Math.max(...size) / n) * Math.SQRT2,
  };
}

/** A profile (radius, height) turned about Y. */
function turnedOracle(
  shape: PrimitiveShape,
  profile: readonly (readonly [number, number])[],
  inside: Oracle['inside'],
): Oracle {
  const around = 240;
  const surface: Vec3[] = profile.flatMap(([r, y]) =>
    Array.from({ length: around }, (_, s): Vec3 => {
      const turn = (2 * Math.PI * s) / around;
      return [r * Math.cos(turn), y, r * Math.sin(turn)];
    }),
  );
  const widest = Math.max(...profile.map(([r]) => r));
  let longest = 0;
  for (let k = 1; k < profile.length; k++) {
    longest = Math.max(
      longest,
      Math.abs(profile[k][0] - profile[k - 1][0]) + Math.abs(profile[k][1] - profile[k - 1][1]),
    );
  }
  return { shape, inside, surface, gap: longest + (2 * Math.PI * widest) / around };
}

const arc = (radius: number, from: number, to: number, up: number): [number, number][] =>
  steps(60).map((t) => {
    const angle = from + t * (to - from);
    return [radius * Math.cos(angle), up + radius * Math.sin(angle)];
  });

const half = Math.PI / 2;
const oracles: Oracle[] = [
  boxOracle([2, 1, 0.4]),
  turnedOracle({ shape: 'sphere', radius: 0.7 }, arc(0.7, -half, half, 0), (p) => length(p) < 0.7),
  turnedOracle(
    { shape: 'capsule', radius: 0.4, height: 2 },
    [
      ...arc(0.4, -half, 0, -0.6),
      ...steps(80).map((t): [number, number] => [0.4, -0.6 + 1.2 * t]),
      ...arc(0.4, 0, half, 0.6),
    ],
    ([x, y, z]) => length([x, y - Math.max(-0.6, Math.min(0.6, y)), z]) < 0.4,
  ),
  turnedOracle(
    { shape: 'cylinder', radius: 0.5, height: 1.2 },
    [
      ...steps(60).map((t): [number, number] => [0.5 * t, -0.6]),
      ...steps(80).map((t): [number, number] => [0.5, -0.6 + 1.2 * t]),
      ...steps(60).map((t): [number, number] => [0.5 * (1 - t), 0.6]),
    ],
    ([x, y, z]) => Math.abs(y) < 0.6 && length([x, 0, z]) < 0.5,
  ),
];

describe.each(oracles.map((oracle) => [oracle.shape.shape, oracle] as const))(
  '%s',
  (_, { shape, inside, surface, gap }) => {
    const random = seededRandom(81);
    // Every other point near the centre, so that many are inside.
    const points = Array.from({ length: 100 }, (_, n): Vec3 => {
      const size = n % 2 === 0 ? 3 : 1;
      return [size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5)];
    });

    it('has the distance of its nearest surface point, negative inside', () => {
      let within = 0;
      for (const p of points) {
        let nearest = Infinity;
        for (const s of surface) {
          nearest = Math.min(nearest, (p[0] - s[0]) ** 2 + (p[1] - s[1]) ** 2 + (p[2] - s[2]) ** 2);
        }
        nearest = Math.sqrt(nearest);
        const { distance } = measured(shape, p);
        expect(distance < 0).toBe(inside(p));
        if (distance < 0) within++;
        // The sample's nearest is never nearer than the truth, and further by less than the sample's spacing.
        expect(nearest).toBeGreaterThan(Math.abs(distance) - 1e-12);
        expect(nearest).toBeLessThan(Math.abs(distance) + gap);
      }
      expect(within).toBeGreaterThan(10);
    });

    it('has unit normals that are the gradient of the distance', () => {
      const h = 1e-6;
      for (const p of points) {
        const { nx, ny, nz } = measured(shape, p);
        expect(Math.abs(nx * nx + ny * ny + nz * nz - 1)).toBeLessThan(1e-14);
        const slope = [0, 1, 2].map((c) => {
          const at = (d: number): Vec3 => [
            p[0] + (c === 0 ? d : 0),
            p[1] + (c === 1 ? d : 0),
            p[2] + (c === 2 ? d : 0),
          ];
          return (measured(shape, at(h)).distance - measured(shape, at(-h)).distance) / (2 * h);
        });
        // Central differences of step 1e-6: rounding 1e-10, curvature 1e-12/r²; no point lies as near as that to a crease.
        expect(length(subtract([slope[0], slope[1], slope[2]], [nx, ny, nz]))).toBeLessThan(1e-8);
      }
    });

    it('is reached by going the distance against the normal', () => {
      for (const p of points) {
        const { distance, nx, ny, nz } = measured(shape, p);
        const foot = subtract(p, scale([nx, ny, nz], distance));
        expect(Math.abs(measured(shape, foot).distance)).toBeLessThan(1e-14);
      }
    });
  },
);

describe('plane', () => {
  it('is the half-space below normal·x = offset, for normals of any length', () => {
    for (const normal of [
      [0, 1, 0],
      [1, -2, 0.5],
      [0, 0, 1e-3],
      [300, 400, 0],
    ] as Vec3[]) {
      const unit = normalize(normal);
      const shape: PrimitiveShape = { shape: 'plane', normal, offset: 0.3 };
      for (const height of [-2, -0.1, 0, 0.3, 5]) {
        // 0.4 along the plane, `height` above it.
        const aside = normalize([unit[1], unit[2] - unit[0], -unit[1]], [1, 0, 0]);
        const along = subtract(aside, scale(unit, aside[0] * unit[0] + aside[1] * unit[1] + aside[2] * unit[2]));
        const p: Vec3 = [0, 1, 2].map((c) => (0.3 + height) * unit[c] + 0.4 * along[c]) as unknown as Vec3;
        const out = measured(shape, p);
        expect(Math.abs(out.distance - height)).toBeLessThan(1e-14);
        expect(length(subtract([out.nx, out.ny, out.nz], unit))).toBeLessThan(1e-15);
      }
    }
  });

  it('goes through the origin without an offset', () => {
    expect(measured({ shape: 'plane', normal: [0, 2, 0] }, [7, 0.25, -3]).distance).toBe(0.25);
  });
});

describe('points where the direction out is a matter of choice', () => {
  it.each([
    ['the centre of a sphere', { shape: 'sphere', radius: 1 }, [0, 0, 0], -1],
    ['the centre of a capsule', { shape: 'capsule', radius: 0.5, height: 3 }, [0, 0.2, 0], -0.5],
    ['the axis of a cylinder', { shape: 'cylinder', radius: 0.5, height: 9 }, [0, 1, 0], -0.5],
    ['the centre of a cube', { shape: 'box', size: [2, 2, 2] }, [0, 0, 0], -1],
    ['an edge of a cube', { shape: 'box', size: [2, 2, 2] }, [1, 1, 0], 0],
    ['a corner of a cube', { shape: 'box', size: [2, 2, 2] }, [-1, 1, -1], 0],
    ['the rim of a cylinder', { shape: 'cylinder', radius: 1, height: 2 }, [0, 1, 1], 0],
    ['the pole of a sphere', { shape: 'sphere', radius: 1 }, [0, 1, 0], 0],
  ] as [string, PrimitiveShape, Vec3, number][])(
    'have a unit normal and the right distance: %s',
    (_, shape, p, expected) => {
      const { distance, nx, ny, nz } = measured(shape, p);
      expect(Math.abs(distance - expected)).toBeLessThan(1e-15);
      expect(Math.abs(nx * nx + ny * ny + nz * nz - 1)).toBeLessThan(1e-15);
    },
  );
});

it('knows how thin shapes are', () => {
  expect(thinnest({ shape: 'box', size: [3, 0.02, 1] })).toBe(0.02);
  expect(thinnest({ shape: 'sphere', radius: 0.3 })).toBe(0.6);
  expect(thinnest({ shape: 'cylinder', radius: 2, height: 0.1 })).toBe(0.1);
  expect(thinnest({ shape: 'capsule', radius: 0.1, height: 3 })).toBe(0.2);
  expect(thinnest({ shape: 'plane', normal: [0, 1, 0] })).toBe(Infinity);
});
