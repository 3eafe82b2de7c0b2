// Bodies against each other by order, a body against parts of itself, and the falloff.

import { describe, expect, it } from 'vitest';
import { shareAt } from '../../src/deformer/falloff.js';
import { createDeformer, deformInOrder, partColliders } from '../../src/deformer/index.js';
import { capsule } from '../../src/mesh/generate/index.js';
import { signedVolume } from '../../src/mesh/measure.js';
import { findProblems } from '../../src/mesh/validate.js';
import { ball, greatestApart, SMALL_DEPTH, smallSphere } from './scenes.js';

const mesh = smallSphere();
const { positions: rest, triangles } = mesh;
const count = rest.length / 3;
const deformer = createDeformer(mesh, { depth: SMALL_DEPTH, tolerance: 1e-3 });

describe('bodies by order', () => {
  // Two unit spheres whose middles are 1.6 apart: they overlap by 0.4.
  const above = rest.map((x, i) => x + (i % 3 === 1 ? 1.6 : 0));
  const [hard, soft] = deformInOrder([
    { deformer, frame: { colliders: [] } },
    { deformer, frame: { colliders: [], input: above } },
  ]);

  it('the first gives way to none, the second to the first', () => {
    expect(hard.positions).toEqual(rest);
    expect(soft.report.depthBefore).toBeGreaterThan(0.3);
    expect(soft.report.depthAfter).toBeLessThanOrEqual(1e-12);
    expect(Math.abs(signedVolume(soft.positions, triangles) / signedVolume(rest, triangles) - 1)).toBeLessThan(1e-12);
  });

  it('errors name the body', () => {
    const bodies = [
      { deformer, frame: { colliders: [] } },
      { deformer, frame: { colliders: [], reach: 2 } },
    ];
    expect(() => deformInOrder(bodies)).toThrow('bodies[1]: reach: expected a number from 0 to 1, got 2');
  });
});

describe('a body against its parts', () => {
  // A bar along y of radius 0.25 that a rig folds at its middle until the halves, side by side, overlap.
  const bar = capsule({ radius: 0.25, height: 2, segments: 12 });
  const bent = createDeformer(bar, { depth: 3, tolerance: 1e-3, reach: 0.2 });
  const input = fold(bar.positions);
  const upper = [...Array(bar.positions.length / 3).keys()].filter((v) => bar.positions[3 * v + 1] > 0.35);
  const colliders = partColliders(bar, [upper], { input });

  it('closes parts to meshes with an inside', () => {
    const [{ shape, ...part }] = colliders;
    expect(shape).toBe('mesh');
    const closed = (part as { mesh: typeof bar }).mesh;
    expect(findProblems(closed).filter(({ code }) => code === 'open-edge' || code === 'inconsistent-winding')).toEqual(
      [],
    );
    expect(signedVolume(closed.positions, closed.triangles)).toBeGreaterThan(0);
  });

  it('the rest gives way to a part, and the part to nothing', () => {
    const { report, positions } = bent.at({ colliders, input });
    expect(report.depthBefore).toBeGreaterThan(0.03);
    expect(report.depthAfter).toBeLessThanOrEqual(1e-12);
    expect(report.flags).not.toContain('open-collider');
    const volume = signedVolume(positions, bar.triangles) / signedVolume(input, bar.triangles);
    expect(Math.abs(volume - 1)).toBeLessThan(1e-12);
  });

  it('a seam that ignores all of it leaves nothing to push', () => {
    const all = partColliders(bar, [upper], { input, seam: 100 });
    expect(bent.at({ colliders: all, input }).positions).toEqual(input);
  });

  it.each<[string, () => unknown, string]>([
    [
      'no triangles',
      () => partColliders(bar, [[0]]),
      'parts[0]: expected at least one triangle between its vertices, got none',
    ],
    ['no vertex', () => partColliders(bar, [[-1]]), 'parts[0]: expected integers from 0 to'],
    ['no seam', () => partColliders(bar, [upper], { seam: 0 }), 'seam: expected an integer from 1, got 0'],
    [
      'ignored vertices that are none',
      () => deformer.at({ colliders: [{ ...ball()[0], ignores: [162] }] }),
      'colliders[0].ignores: expected integers from 0 to 161, got 162',
    ],
  ])('names what is wrong: %s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  /** Bends the upper half down along a half circle in the plane of x and y, to 0.4 beside the lower half. */
  function fold(p: Float64Array): Float64Array {
    const out = p.slice();
    const radius = 0.2;
    const arc = Math.PI * radius;
    for (let i = 0; i < p.length; i += 3) {
      const along = p[i + 1] + arc / 2;
      if (along <= 0) continue;
      const angle = Math.min(1, along / arc) * Math.PI;
      const side = p[i] - radius;
      const beyond = Math.max(0, along - arc);
      out[i] = radius + side * Math.cos(angle);
      out[i + 1] = -arc / 2 - side * Math.sin(angle) - beyond;
    }
    return out;
  }
});

describe('the falloff', () => {
  it('is made of straight lines', () => {
    const falloff = [
      [0, 1],
      [0.5, 0.5],
      [1, 0],
    ] as const;
    expect([-1, 0, 0.25, 0.5, 0.75, 1, 2].map((d) => shareAt(falloff, d))).toEqual([1, 1, 0.75, 0.5, 0.25, 0, 0]);
  });

  it('leaves what is far as it was, and contact and volume exact', () => {
    const whole = deformer.at({ colliders: ball() });
    const near = deformer.at({
      colliders: ball(),
      falloff: [
        [0, 1],
        [0.9, 0],
      ],
    });
    const far = [...Array(count).keys()].filter((v) => rest[3 * v + 1] < -0.2);
    const moved = (positions: Float64Array) =>
      greatestApart(
        far.flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)]),
        far.flatMap((v) => [...rest.subarray(3 * v, 3 * v + 3)]),
      );
    expect(moved(whole.positions)).toBeGreaterThan(0.01);
    expect(moved(near.positions)).toBe(0);
    expect(near.report.depthAfter).toBeLessThanOrEqual(1e-12);
    expect(Math.abs(near.report.volumeAfter / near.report.volumeTarget - 1)).toBeLessThan(1e-12);
    expect(near.report.flags).toEqual([]);
  });

  it('is named where it makes no sense', () => {
    const at = (falloff: unknown) => () => deformer.at({ colliders: [], falloff: falloff as [number, number][] });
    expect(at([[0, 2]])).toThrow('falloff[0] share: expected a number from 0 to 1, got 2');
    expect(
      at([
        [1, 1],
        [1, 0],
      ]),
    ).toThrow('falloff[1]: expected ascending distances, got 1');
    expect(at(3)).toThrow('falloff: expected pairs of a distance and a share, got 3');
  });
});
