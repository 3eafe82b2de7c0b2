// A visible mesh on a simulation mesh, by the reference: exact at rest, carried rigidly, continuous, calm far away; normals
// against closed forms.

import { describe, expect, it } from 'vitest';
import { bindPoints } from '../../src/embedding/bind.js';
import { buildFrameRest } from '../../src/embedding/vertex-frames.js';
import {
  boundsOf,
  box,
  duck,
  type EmbeddableMesh,
  embed,
  icosphere,
  ReferenceSkin,
  type TriangleMesh,
  torus,
  uvSphere,
} from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { diagonalOf } from '../../src/mesh/measure.js';
import { angleAt, follow, mapPoints, worstDistance } from './visible-meshes.js';

/** Positions are shown in single precision: 6e-8 of the largest coordinate, which is at most the size. */
const ROUNDING = 1e-7;

const PAIRS: readonly (readonly [string, TriangleMesh, TriangleMesh])[] = [
  ['a sphere on a sphere', icosphere({ detail: 3 }), uvSphere({ segments: 60, radius: 1.02 })],
  ['a duck on a coarser duck', duck({ vertices: 300 }), duck({ vertices: 2500 })],
  ['a torus on a coarser torus', torus({ majorSegments: 20, minorSegments: 10 }), torus({})],
  ['a sphere in a box with edges', box({ size: [2, 2, 2], divisions: 3 }), uvSphere({ segments: 30, radius: 0.6 })],
];

describe.each(PAIRS)('%s', (_, cage, visible) => {
  const size = diagonalOf(boundsOf(visible.positions));

  it('is exact at rest', () => {
    const skin = follow(cage, visible, cage.positions);
    expect(worstDistance(skin.positions, visible.positions)).toBeLessThan(ROUNDING * size);
  });

  it('moves rigidly with a rigid motion, normals and all', () => {
    const turn = ([x, y, z]: readonly number[]) => [
      0.36 * x + 0.48 * y - 0.8 * z,
      -0.8 * x + 0.6 * y,
      0.48 * x + 0.64 * y + 0.6 * z,
    ];
    const move = (p: readonly number[]) => turn(p).map((value, c) => value + [0.3, -0.2, 0.5][c]);
    const skin = follow(cage, visible, mapPoints(cage.positions, move));
    const bound = ROUNDING * (size + 1);
    expect(worstDistance(skin.positions, mapPoints(visible.positions, move))).toBeLessThan(bound);
    // A normal of three numbers in single precision, computed from numbers that are: a few roundings.
    expect(worstDistance(skin.normals, mapPoints(skin.embedding.normals, turn))).toBeLessThan(1e-6);
  });
});

describe('points of the simulation mesh itself', () => {
  it('stay on it, whatever happens to it', () => {
    const cage = duck({ vertices: 400 });
    const random = seededRandom(3);
    const points = new Float64Array(3 * 500);
    const moved = cage.positions.map((x) => x + 0.2 * (random() - 0.5));
    const expected = new Float64Array(points.length);
    for (let i = 0; i < 500; i++) {
      const t = 3 * Math.floor((random() * cage.triangles.length) / 3);
      const [u, v] = [random(), random()];
      const weights = u + v < 1 ? [u, v, 1 - u - v] : [1 - u, 1 - v, u + v - 1];
      weights.forEach((weight, k) => {
        for (let c = 0; c < 3; c++) {
          points[3 * i + c] += weight * cage.positions[3 * cage.triangles[t + k] + c];
          expected[3 * i + c] += weight * moved[3 * cage.triangles[t + k] + c];
        }
      });
    }
    const skin = follow(cage, { positions: points, triangles: new Uint32Array(0) }, moved);
    // Positions go up to 1 m or so; offsets of 1e-16 m times gradients of up to some tens add nothing.
    expect(worstDistance(skin.positions, expected)).toBeLessThan(2 * ROUNDING);
  });
});

describe('continuity', () => {
  it('has no jump where one triangle ends and the next begins', () => {
    const cage = icosphere({ detail: 2 });
    const twisted = mapPoints(cage.positions, twist);
    const { normals } = buildFrameRest(cage);
    const step = 1e-6;
    const pairs: number[] = [];
    for (let t = 0; t < cage.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => cage.triangles[t + k]);
      for (const height of [-0.1, 0.05, 0.1]) {
        // Over the middle of an edge, a little to either side of it.
        for (const side of [-step, step]) {
          for (let k = 0; k < 3; k++) {
            const at = (v: number) => cage.positions[3 * v + k] + height * normals[3 * v + k];
            pairs.push((at(a) + at(b)) / 2 + side * (at(c) - (at(a) + at(b)) / 2));
          }
        }
      }
    }
    const skin = follow(cage, { positions: Float64Array.from(pairs), triangles: new Uint32Array(0) }, twisted);
    let [worst, worstTurn] = [0, 0];
    for (let i = 0; i < pairs.length / 3; i += 2) {
      worst = Math.max(
        worst,
        Math.sqrt(
          [0, 1, 2].reduce((sum, c) => sum + (skin.positions[3 * i + c] - skin.positions[3 * i + 3 + c]) ** 2, 0),
        ),
      );
      worstTurn = Math.max(worstTurn, angleAt(skin.normals, i, skin.normals, i + 1));
    }
    // 2e-6 apart, times a stretch below 3, and rounding of numbers up to 1.2.
    expect(worst).toBeLessThan(6e-6 + 3e-7);
    // Normals without a triangle are upright at rest, so they turn with the gradient alone; acos near 0 knows 1e-2 degrees.
    expect(worstTurn).toBeLessThan(0.05);
  });

  it('moves vertices in one place to one place, to the bit', () => {
    const cage = icosphere({ detail: 2 });
    const sphere = uvSphere({ segments: 24, radius: 1.05 });
    // Every triangle with three vertices of its own, as flat shading and seams have it.
    const split = Float64Array.from(
      Array.from(sphere.triangles).flatMap((v) => Array.from(sphere.positions.subarray(3 * v, 3 * v + 3))),
    );
    const soup = { positions: split, triangles: Uint32Array.from(sphere.triangles.keys()) };
    const skin = follow(cage, soup, mapPoints(cage.positions, twist));
    const first = new Map<number, number>();
    sphere.triangles.forEach((vertex, corner) => {
      const other = first.get(vertex) ?? corner;
      first.set(vertex, other);
      expect(skin.positions.slice(3 * corner, 3 * corner + 3)).toEqual(skin.positions.slice(3 * other, 3 * other + 3));
      expect(skin.normals.slice(3 * corner, 3 * corner + 3)).toEqual(skin.normals.slice(3 * other, 3 * other + 3));
    });
    expect(first.size).toBe(sphere.positions.length / 3);
  });

  it('keeps seams closed that a file has computed twice', () => {
    const cage = icosphere({ detail: 2 });
    // In the middle, too, where the nearest triangle is another one a hair's breadth further.
    const middle = Array.from({ length: 30 }, () => 0);
    const positions = Float64Array.from([...uvSphere({ segments: 24, radius: 1.05 }).positions, ...middle]);
    const random = seededRandom(5);
    const twins = positions.map((x) => x + 2e-8 * (random() - 0.5));
    const both = new Float64Array([...positions, ...twins]);
    const moved = mapPoints(cage.positions, ([x, y, z]) => twist([x > 0 ? 2 * x : x, y, z]));
    const skin = follow(cage, { positions: both, triangles: new Uint32Array(0) }, moved);
    const half = positions.length;
    // 1e-6 of the size, 2.1 m; here a stretch of 1e-8 m and rounding.
    expect(worstDistance(skin.positions.slice(0, half), skin.positions.slice(half))).toBeLessThan(1e-6 * 2.1);
  });
});

describe('points inside and far away', () => {
  const cage = icosphere({ detail: 3 });
  const points = Float64Array.from([0, 0, 0, 0.01, 0.2, 0, 0, -0.6, 0.1, 3, 1, 0, 0, 12, 0, -8, 5, 30]);
  const shown = (moved: Float64Array) => follow(cage, { positions: points, triangles: new Uint32Array(0) }, moved);

  it('are exact at rest', () => {
    expect(worstDistance(shown(cage.positions).positions, points)).toBeLessThan(ROUNDING * 33);
  });

  it('do not swing when single vertices tremble', () => {
    const random = seededRandom(7);
    const edge = 0.15;
    const noise = 0.1 * edge;
    const skin = shown(cage.positions.map((x) => x + noise * (2 * random() - 1)));
    for (let i = 0; i < points.length / 3; i++) {
      const distance = Math.sqrt(points[3 * i] ** 2 + points[3 * i + 1] ** 2 + points[3 * i + 2] ** 2);
      const moved = Math.sqrt(
        [0, 1, 2].reduce((sum, c) => sum + (skin.positions[3 * i + c] - points[3 * i + c]) ** 2, 0),
      );
      // Noise of ±10 % of an edge is 6 % rms; a gradient over six edges is off by 4 %, the mean of all 642 by 0.16 %, that of
      // the 19 vertices of two rings by 1 %. Three times that is allowed, and q itself trembles.
      const lever = Math.abs(distance - 1);
      expect(moved, `point ${i}`).toBeLessThan(2 * noise + (lever > 2 ? 0.005 : 0.03) * lever);
    }
  });

  it('keep to the body when it turns', () => {
    const turned = shown(mapPoints(cage.positions, ([x, y, z]) => [y, -x, z]));
    const expected = mapPoints(points, ([x, y, z]) => [y, -x, z]);
    expect(worstDistance(turned.positions, expected)).toBeLessThan(ROUNDING * 33);
  });
});

describe('normals and tangents', () => {
  /** Tangents along increasing longitude. */
  const sphereWithTangents = (): EmbeddableMesh => {
    const { positions, triangles } = uvSphere({ segments: 48, radius: 1 });
    const tangents = new Float32Array((4 * positions.length) / 3);
    for (let i = 0; i < positions.length / 3; i++) {
      const [x, z] = [positions[3 * i], positions[3 * i + 2]];
      const length = Math.sqrt(x * x + z * z);
      tangents.set(length > 1e-6 ? [-z / length, 0, x / length, -1] : [1, 0, 0, -1], 4 * i);
    }
    return { positions, triangles, normals: Float32Array.from(positions), tangents };
  };

  /** Worst angle against the closed form for a sphere under diag(1.3, 0.6, 1.1) [°]. */
  const worstAngles = (detail: number) => {
    const cage = icosphere({ detail });
    const visible = sphereWithTangents();
    const factors = [1.3, 0.6, 1.1];
    const skin = follow(
      cage,
      visible,
      mapPoints(cage.positions, (p) => p.map((x, c) => factors[c] * x)),
    );
    const normals = mapPoints(visible.positions, (p) => p.map((x, c) => x / factors[c]));
    let [normal, tangent, square] = [0, 0, 0];
    for (let i = 0; i < normals.length / 3; i++) {
      normal = Math.max(normal, angleAt(skin.normals, i, normals, i));
      const [n, t] = [skin.normals.subarray(3 * i), skin.tangents?.subarray(4 * i, 4 * i + 4) ?? []];
      square = Math.max(square, Math.abs(n[0] * t[0] + n[1] * t[1] + n[2] * t[2]));
      const rest = visible.tangents as Float32Array;
      const stretched = [0, 1, 2].map((c) => factors[c] * rest[4 * i + c]);
      // At the poles the mesh's normals along the edges leave no unique tangent.
      if (Math.abs(visible.positions[3 * i + 1]) < 0.95) tangent = Math.max(tangent, angleAt(t, 0, stretched, 0));
      expect(t[3]).toBe(-1);
    }
    // Unit vectors in single precision.
    expect(square).toBeLessThan(1e-6);
    return { normal, tangent };
  };

  it('turn as those of an ellipsoid, the better the finer the simulation', () => {
    const [coarse, fine] = [worstAngles(2), worstAngles(3)];
    // The gradient is taken over rings two edges wide, over which the normal turns by 0.6 rad on 162 vertices and by half of
    // that on 642: the error falls with its square.
    expect(coarse.normal).toBeLessThan(8);
    expect(fine.normal).toBeLessThan(2.5);
    expect(coarse.tangent).toBeLessThan(8);
    expect(fine.tangent).toBeLessThan(2.5);
  });

  it('are made where the mesh has none, smooth across seams', () => {
    const { positions, triangles } = box({ size: [1, 1, 1], divisions: 4 });
    const split = Float64Array.from(
      Array.from(triangles).flatMap((v) => Array.from(positions.subarray(3 * v, 3 * v + 3))),
    );
    const soup = { positions: split, triangles: Uint32Array.from(triangles.keys()) };
    const { normals } = embed(box({ size: [1, 1, 1], divisions: 4 }), soup);
    triangles.forEach((vertex, corner) => {
      const there = triangles.indexOf(vertex);
      expect(angleAt(normals, corner, normals, there)).toBeLessThan(0.05);
    });
  });
});

describe('bad input', () => {
  it('is refused by name', () => {
    const cage = icosphere({ detail: 1 });
    const empty = { positions: new Float64Array(0), triangles: new Uint32Array(0) };
    expect(() => embed(cage, empty)).toThrow('visible mesh: expected at least one vertex, got none');
    const broken = { positions: Float64Array.of(0, 0, 0, 1, Number.NaN, 0), triangles: new Uint32Array(0) };
    expect(() => embed(cage, broken)).toThrow('visible mesh: expected finite positions, vertex 1 is not');
    const short = { ...cage, normals: new Float32Array(3) };
    expect(() => embed(cage, short)).toThrow(
      `visible mesh: expected ${cage.positions.length} numbers of normals, got 3`,
    );
    const skin = new ReferenceSkin(embed(cage, cage), () => cage.positions);
    expect(() => skin.update([1, 2, 3])).toThrow(`positions: expected ${cage.positions.length} numbers, got 3`);
  });
});

describe('binding', () => {
  it('is made once for two meshes', () => {
    const [cage, visible] = [icosphere({ detail: 1 }), icosphere({ detail: 2 })];
    expect(embed(cage, visible)).toBe(embed(cage, visible));
  });

  it('finds most points of a detailed surface over a triangle, with weights that sum to 1', () => {
    const rest = buildFrameRest(duck({ vertices: 300 }));
    const { weights, farShares, count } = bindPoints(rest, duck({ vertices: 2500 }).positions);
    for (let i = 0; i < count; i++) {
      const sum = weights[3 * i] + weights[3 * i + 1] + weights[3 * i + 2];
      expect(Math.abs(sum - 1)).toBeLessThan(1e-12);
      expect(Math.min(weights[3 * i], weights[3 * i + 1], weights[3 * i + 2])).toBeGreaterThanOrEqual(0);
      expect(farShares[i]).toBe(0);
    }
  });
});

/** Turns about y the more the higher, a quarter turn over the height of a unit sphere, and bulges. */
function twist([x, y, z]: readonly number[]): number[] {
  const angle = (Math.PI / 4) * y;
  const bulge = 1 + 0.2 * y * y;
  return [
    bulge * (Math.cos(angle) * x + Math.sin(angle) * z),
    1.1 * y,
    bulge * (Math.cos(angle) * z - Math.sin(angle) * x),
  ];
}
