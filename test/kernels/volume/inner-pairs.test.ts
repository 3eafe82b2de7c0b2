// Inner pairs on bodies whose other side can be written down.

import { describe, expect, it } from 'vitest';
import { box, icosphere, type TriangleMesh, torus, uvSphere, vertexNormals } from '../../../src/index.js';
import { pointAt } from '../../../src/math/vec3.js';
import { buildInnerPairs } from '../../../src/solvers/volume/inner-pairs.js';
import { unitVectors } from '../../../src/solvers/volume/rest.js';

const pairsOf = (mesh: TriangleMesh) =>
  buildInnerPairs(mesh, unitVectors(vertexNormals(mesh.positions, mesh.triangles)));

/** Distance between two points. */
const apart = (a: readonly number[], b: readonly number[]): number =>
  Math.sqrt(a.reduce((sum, x, c) => sum + (x - b[c]) ** 2, 0));

/** Coordinates of order 1, a square root: a few ε. */
const ROUNDING = 1e-14;

describe('inner pairs', () => {
  it.each([
    ['icosphere', icosphere({ detail: 2, radius: 2 })],
    ['uv-sphere', uvSphere({ segments: 16, radius: 2 })],
  ] as const)('of an %s are antipodes', (_, mesh) => {
    const { partners, lengths } = pairsOf(mesh);
    partners.forEach((k, i) => {
      const [p, q] = [pointAt(mesh.positions, i), pointAt(mesh.positions, k)];
      expect(apart(p, [-q[0], -q[1], -q[2]])).toBeLessThan(ROUNDING);
      expect(Math.abs(lengths[i] - 4)).toBeLessThan(ROUNDING);
    });
  });

  it('of a box lead straight to the opposite face', () => {
    const size = [3, 2, 1];
    const mesh = box({ size: [3, 2, 1], divisions: [6, 4, 3] });
    const { partners, lengths, depths } = pairsOf(mesh);
    const faces = [0, 0, 0];
    partners.forEach((k, i) => {
      const p = pointAt(mesh.positions, i);
      const q = pointAt(mesh.positions, k);
      const onFace = p.map((x, c) => Math.abs(Math.abs(x) - size[c] / 2) < 1e-12);
      expect(k).not.toBe(i);
      expect(Math.abs(lengths[i] - apart(p, q))).toBeLessThan(ROUNDING);
      if (onFace.filter(Boolean).length !== 1) return; // edges and corners look inwards at a slant
      const axis = onFace.indexOf(true);
      faces[axis]++;
      const expected = p.map((x, c) => (c === axis ? -x : x));
      expect(apart(q, expected)).toBeLessThan(ROUNDING);
      expect(Math.abs(lengths[i] - size[axis])).toBeLessThan(ROUNDING);
      // Shortest: 1 m between the z faces, depth 0.
      if (axis === 2) expect(depths[i]).toBeLessThan(ROUNDING);
    });
    expect(faces).toEqual([2 * 3 * 2, 2 * 5 * 2, 2 * 5 * 3]);
  });

  it('of a torus stay within the tube', () => {
    const [major, minor] = [1, 0.3];
    const mesh = torus({ majorRadius: major, minorRadius: minor, majorSegments: 40, minorSegments: 16 });
    const { partners, lengths } = pairsOf(mesh);
    partners.forEach((k, i) => {
      const [p, q] = [pointAt(mesh.positions, i), pointAt(mesh.positions, k)];
      // Straight through the tube: 0.6 m, less at most what the flat triangles cut off (cos π/16) and a side step to the
      // nearest vertex.
      expect(lengths[i]).toBeGreaterThan(1.8 * minor);
      expect(lengths[i]).toBeLessThan(2 * minor * (1 + 1e-12));
      const turn = Math.abs(Math.atan2(p[0], p[2]) - Math.atan2(q[0], q[2]));
      expect(Math.min(turn, 2 * Math.PI - turn)).toBeLessThan((1.01 * 2 * Math.PI) / 40);
    });
  });

  it('have depth 0 at the shortest, 1 at the longest, and linear in length between', () => {
    const mesh = box({ size: [3, 2, 1], divisions: [6, 4, 3] });
    const { lengths, depths } = pairsOf(mesh);
    const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
    expect(longest / shortest).toBeGreaterThan(2);
    depths.forEach((depth, i) => {
      expect(Math.abs(depth - (lengths[i] - shortest) / (longest - shortest))).toBeLessThan(ROUNDING);
    });
    expect(Math.min(...depths)).toBe(0);
    expect(Math.max(...depths)).toBe(1);
  });
});
