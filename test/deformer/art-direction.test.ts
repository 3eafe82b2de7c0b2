// What an artist sets: each setting does what it says, and nothing else gives way.

import { describe, expect, it } from 'vitest';
import type { DeformerCollider } from '../../src/deformer/collider-settings.js';
import { createDeformer } from '../../src/deformer/index.js';
import { icosphere } from '../../src/mesh/generate/index.js';
import { signedVolume } from '../../src/mesh/measure.js';
import { ball, greatestApart, plane, SMALL_DEPTH, smallSphere, squeeze } from './scenes.js';

const mesh = smallSphere();
const { positions: rest, triangles } = mesh;
const count = rest.length / 3;
const deformer = createDeformer(mesh, { depth: SMALL_DEPTH });
/** The vertex at (0, 1, 0). */
const top = [...Array(count).keys()].find((v) => rest[3 * v + 1] > 1 - 1e-12) as number;
const bottom = [...Array(count).keys()].find((v) => rest[3 * v + 1] < -1 + 1e-12) as number;
const moved = (positions: Float64Array, v: number): number[] =>
  [0, 1, 2].map((k) => positions[3 * v + k] - rest[3 * v + k]);
const nearestTo = (positions: Float64Array, [x, y, z]: readonly number[]): number => {
  let least = Infinity;
  for (let v = 0; v < positions.length; v += 3) {
    least = Math.min(
      least,
      Math.sqrt((positions[v] - x) ** 2 + (positions[v + 1] - y) ** 2 + (positions[v + 2] - z) ** 2),
    );
  }
  return least;
};

describe('settings of a frame', () => {
  it.each([0.9, 1.05])('reach the volume asked for: %s', (volume) => {
    const { positions, report } = deformer.at({ colliders: ball(), volume });
    expect(Math.abs(signedVolume(positions, triangles) / signedVolume(rest, triangles) / volume - 1)).toBeLessThan(
      1e-12,
    );
    expect(report.depthAfter).toBeLessThanOrEqual(1e-12);
  });

  it('show a share of the deformation', () => {
    const whole = deformer.at({ colliders: ball() }).positions;
    const half = deformer.at({ colliders: ball(), envelope: 0.5 }).positions;
    const none = deformer.at({ colliders: ball(), envelope: 0 }).positions;
    expect(
      greatestApart(
        half,
        whole.map((x, i) => (x + rest[i]) / 2),
      ),
    ).toBeLessThan(1e-15);
    expect(none).toEqual(rest);
  });

  it('raise a reach that is too short for the depth, and say so', () => {
    expect(deformer.at({ colliders: plane(), reach: 0 }).report.flags).toContain('reach-raised');
    expect(deformer.at({ colliders: plane(), reach: 0.5 }).report.flags).not.toContain('reach-raised');
  });
});

describe('a collider', () => {
  it('keeps its margin', () => {
    const { positions } = deformer.at({ colliders: ball(0.2).map((c) => ({ ...c, margin: 0.1 })) });
    expect(nearestTo(positions, [0, 1.3, 0])).toBeGreaterThan(0.6 - 1e-12);
    // Edges of 0.3 bridge the ball: the vertices stand off by their sagitta, 0.02.
    expect(nearestTo(positions, [0, 1.3, 0])).toBeLessThan(0.63);
  });

  it('pushes along its mean normal, or the way it is given', () => {
    const automatic = deformer.at({ colliders: ball() }).report.colliders[0].direction as readonly number[];
    expect(greatestApart(automatic, [0, -1, 0])).toBeLessThan(1e-12);
    const given = deformer.at({ colliders: [{ ...ball()[0], direction: [3, -4, 0] }] });
    expect(greatestApart(given.report.colliders[0].direction as readonly number[], [0.6, -0.8, 0])).toBeLessThan(1e-15);
    expect(given.report.depthAfter).toBeLessThanOrEqual(1e-12);
    // A ball that is in by more than half is left downwards by itself, and upwards where it is pulled out: its poles are at 0.2 and 1.2.
    const [down, up] = [[0, -1, 0] as const, [0, 1, 0] as const].map((direction) =>
      deformer.at({ colliders: [{ ...ball(0.8)[0], direction }] }),
    );
    expect(down.positions[3 * top + 1]).toBeLessThan(0.21);
    expect(up.positions[3 * top + 1]).toBeGreaterThan(1.19);
  });

  it('that vanished inside touches nothing, unless it sweeps', () => {
    const small: DeformerCollider = { shape: 'sphere', radius: 0.3, position: [0, 0.3, 0], direction: [0, -1, 0] };
    expect(deformer.at({ colliders: [small] }).report.touched).toBe(false);
    const swept = deformer.at({ colliders: [{ ...small, sweep: true }] });
    expect(swept.report.touched).toBe(true);
    // The skin above is carried down to the ball's lower side at 0.
    expect(swept.positions[3 * top + 1]).toBeLessThan(0.1);
    expect(swept.report.depthAfter).toBeLessThanOrEqual(1e-12);
  });

  it('under the skin lifts it', () => {
    const swallowed: DeformerCollider = { shape: 'sphere', radius: 0.5, position: [0, 0.75, 0] };
    const dent = deformer.at({ colliders: [swallowed] });
    const bump = deformer.at({ colliders: [{ ...swallowed, inside: true }] });
    expect(dent.positions[3 * top + 1]).toBeLessThan(0.5);
    expect(bump.positions[3 * top + 1]).toBeGreaterThan(1.25 - 1e-12);
    expect(bump.report.depthAfter).toBeLessThanOrEqual(1e-12);
    expect(bump.report.flags).not.toContain('no-direction');
  });

  it('as a mesh acts as the shape that it has', () => {
    const exact = deformer.at({ colliders: ball() }).positions;
    const finer = icosphere({ detail: 3, radius: 0.5 });
    const { positions, report } = deformer.at({ colliders: [{ shape: 'mesh', mesh: finer, position: [0, 1.15, 0] }] });
    // Flat triangles lie up to 0.003 inside the sphere; the prototype measured 0.013.
    expect(greatestApart(exact, positions)).toBeLessThan(0.013);
    expect(report.depthAfter).toBeLessThanOrEqual(1e-12);
    expect(report.flags).not.toContain('open-collider');
  });

  it.each<[string, DeformerCollider]>([
    ['capsule', { shape: 'capsule', radius: 0.3, height: 1.5, position: [0, 1.4, 0] }],
    ['cylinder', { shape: 'cylinder', radius: 0.5, height: 1, position: [0.1, 1.2, 0.05], margin: 0.05 }],
    ['glass', { shape: 'glass', radius: 0.9, height: 1, wall: 0.3, position: [0, -1.25, 0] }],
    [
      'heightfield',
      {
        shape: 'heightfield',
        heights: [
          [-0.9, -0.7],
          [-0.8, -0.6],
        ],
        size: [4, 4],
      },
    ],
  ])('of any shape is left (%s)', (_, collider) => {
    const { positions, report } = deformer.at({ colliders: [collider] });
    expect(report.touched).toBe(true);
    expect(report.depthBefore).toBeGreaterThan(0.01);
    expect(report.depthAfter).toBeLessThanOrEqual(1e-12);
    expect(Math.abs(signedVolume(positions, triangles) / signedVolume(rest, triangles) - 1)).toBeLessThan(1e-12);
  });
});

describe('painted maps', () => {
  const paint = (value: (y: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, v) => value(rest[3 * v + 1]));

  it('hold places', () => {
    const held = createDeformer(mesh, { depth: SMALL_DEPTH, maps: { hold: paint((y) => (y < 0 ? 50 : 1)) } });
    const free = Math.abs(moved(deformer.at({ colliders: ball() }).positions, bottom)[1]);
    expect(Math.abs(moved(held.at({ colliders: ball() }).positions, bottom)[1])).toBeLessThan(0.3 * free);
  });

  it('stiffen places', () => {
    // The soft half of a squeezed body bulges more.
    const soft = createDeformer(mesh, { depth: SMALL_DEPTH, maps: { stiffness: paint((y) => (y > 0 ? 0.1 : 1)) } });
    const { positions } = soft.at({ colliders: squeeze() });
    expect(moved(positions, top)[1]).toBeGreaterThan(1.1 * Math.abs(moved(positions, bottom)[1]));
  });

  it('say which vertices collide', () => {
    const passing = createDeformer(mesh, { depth: SMALL_DEPTH, maps: { collision: paint((y) => (y > 0 ? 0 : 1)) } });
    expect(passing.at({ colliders: ball() }).positions).toEqual(rest);
    expect(passing.at({ colliders: plane() }).report.touched).toBe(true);
  });
});

describe('output maps', () => {
  const { positions, normals, maps } = deformer.at({ colliders: ball() });

  it('tell what happened to each vertex', () => {
    for (let v = 0; v < count; v++) {
      const [x, y, z] = [rest[3 * v], rest[3 * v + 1] - 1.15, rest[3 * v + 2]];
      const depth = Math.max(0, 0.5 - Math.sqrt(x * x + y * y + z * z));
      expect(Math.abs(maps.depth[v] - depth)).toBeLessThan(1e-14);
      const [dx, dy, dz] = moved(positions, v);
      expect(Math.abs(maps.displacement[v] - Math.sqrt(dx * dx + dy * dy + dz * dz))).toBeLessThan(1e-14);
      const n = normals.subarray(3 * v, 3 * v + 3);
      expect(Math.abs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1)).toBeLessThan(1e-14);
      expect(maps.contact[v]).toBeGreaterThanOrEqual(0);
      expect(maps.contact[v]).toBeLessThanOrEqual(1);
    }
    expect(maps.contact[top]).toBeGreaterThan(0.9);
    expect(maps.contact[bottom]).toBe(0);
    // A uniformly larger input is not stretched, the dent is.
    expect(Math.max(...maps.stretch)).toBeGreaterThan(0.02);
    expect(Math.abs(maps.stretch[bottom])).toBeLessThan(0.1);
  });
});

describe('what cannot be', () => {
  it('two colliders that want the same vertices leave them inside one, and say so', () => {
    const { positions, report } = deformer.at({
      colliders: [
        { shape: 'plane', normal: [0, 1, 0], offset: 0.1 },
        { shape: 'plane', normal: [0, -1, 0], offset: 0.1 },
      ],
    });
    expect(report.flags).toContain('still-inside');
    expect(report.depthAfter).toBeGreaterThan(0.05);
    expect(positions.every(Number.isFinite)).toBe(true);
  });

  it.each([
    ['flat', (x: number, k: number) => (k === 0 ? 0 : x)],
    ['inside out', (x: number, k: number) => (k === 0 ? -x : x)],
    ['a point', () => 0],
  ])('input without volume is only pushed out (%s)', (_, map) => {
    const input = rest.map((x, i) => map(x, i % 3));
    const { positions, report } = deformer.at({
      colliders: [{ shape: 'sphere', radius: 0.7, position: [0, 0.6, 0] }],
      input,
    });
    expect(report.flags).toContain('no-volume');
    expect(positions.every(Number.isFinite)).toBe(true);
    expect(report.depthAfter).toBeLessThanOrEqual(1e-12);
  });

  it('a sheet has no inside', () => {
    const sheet = {
      positions: Float64Array.of(-2, 0.5, -2, 2, 0.5, -2, 0, 0.5, 3),
      triangles: Uint32Array.of(0, 2, 1),
    };
    expect(deformer.at({ colliders: [{ shape: 'mesh', mesh: sheet }] }).report.flags).toContain('open-collider');
  });

  it.each<[string, () => unknown, string]>([
    ['a wrong depth', () => createDeformer(mesh, { depth: 0 }), 'depth: expected an integer from 1 to 8, got 0'],
    ['a wrong reach', () => createDeformer(mesh, { reach: 2 }), 'reach: expected a number from 0 to 1, got 2'],
    [
      'a misspelt setting',
      () => createDeformer(mesh, { reech: 1 } as object),
      'createDeformer: unknown option reech, did you mean reach?',
    ],
    ['a wrong mode', () => createDeformer(mesh, { mode: 'iterat' as 'iterate' }), 'mode: did you mean iterate?'],
    [
      'a short map',
      () => createDeformer(mesh, { maps: { hold: [1, 2] } }),
      'maps.hold: expected 162 numbers, one per vertex, got [1, 2]',
    ],
    [
      'an open mesh',
      () => createDeformer({ positions: rest, triangles: triangles.slice(3) }),
      'mesh: expected a closed surface, but',
    ],
    ['input of another mesh', () => deformer.at({ colliders: [], input: [1, 2, 3] }), 'input: expected 486 numbers'],
    [
      'input that is no number',
      () => deformer.at({ colliders: [], input: rest.map((x, i) => (i === 7 ? Number.NaN : x)) }),
      'input: expected finite numbers, got NaN at vertex 2',
    ],
    [
      'an unknown shape',
      () => deformer.at({ colliders: [{ shape: 'spere' } as unknown as DeformerCollider] }),
      'colliders[0] shape: did you mean sphere?',
    ],
    [
      'a misspelt field',
      () => deformer.at({ colliders: [{ shape: 'sphere', radius: 1, marginn: 1 } as DeformerCollider] }),
      'colliders[0] sphere: unknown option marginn, did you mean margin?',
    ],
    [
      'a collider nowhere',
      () => deformer.at({ colliders: [{ shape: 'sphere', radius: 1, position: [0, Number.NaN, 0] }] }),
      'colliders[0].position: expected 3 finite numbers, got [0, NaN, 0]',
    ],
    [
      'a way of no length',
      () => deformer.at({ colliders: [{ shape: 'sphere', radius: 1, direction: [0, 0, 0] }] }),
      'colliders[0].direction length: expected a positive number, got 0',
    ],
  ])('is named: %s', (_, make, message) => {
    expect(make).toThrow(RangeError);
    expect(make).toThrow(message);
  });
});
