// Twenty scenes of the deformer (five colliders, four bodies) at three reaches: all converge, nothing inverts, volume and contact are exact, and
// triangles reach into colliders by no more than 1 % of the size between their vertices. A real mesh too, where ../shared/meshes is there.

import { describe, expect, it } from 'vitest';
import { createDeformer } from '../../src/deformer/index.js';
import { creature, duck, hand, icosphere } from '../../src/mesh/generate/index.js';
import { readMesh } from '../../src/mesh/index.js';
import { signedVolume } from '../../src/mesh/measure.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';
import { inHalfSizes } from '../deformer/half-sizes.js';
import { atTopOf, depthIn, SCENES } from '../deformer/scenes.js';
import { readSharedMesh, sharedMeshesAvailable } from '../shared-meshes.js';

const BODIES: [string, TriangleMesh, number][] = [
  ['sphere', icosphere({ detail: 3 }), 3],
  ['duck', inHalfSizes(duck({ vertices: 2108 })), 4],
  ['creature', inHalfSizes(creature({})), 4],
  ['hand', inHalfSizes(hand({})), 4],
];
if (sharedMeshesAvailable) {
  const bunny = await readMesh(readSharedMesh('closed/bunny_3485.off'), 'bunny_3485.off');
  BODIES.push(['bunny', inHalfSizes(bunny), 4]);
} else console.warn('NOT RUN: the bunny of ../shared/meshes');

describe.each(BODIES)('%s', (_, mesh, depth) => {
  const deformer = createDeformer(mesh, { depth });
  const volume = signedVolume(mesh.positions, mesh.triangles);

  it.each(SCENES)('%s', (__, colliders) => {
    for (const reach of [0.42, 0.7, 1]) {
      const placed = atTopOf(mesh, colliders);
      const { positions, report } = deformer.at({ colliders: placed, reach });
      expect(report.flags).toEqual([]);
      expect(report.touched).toBe(true);
      expect(report.invertedTetrahedra).toBe(0);
      expect(report.depthAfter).toBeLessThanOrEqual(1e-12);
      expect(depthIn(placed, positions)).toBeLessThanOrEqual(1e-12);
      expect(Math.abs(signedVolume(positions, mesh.triangles) / volume - 1)).toBeLessThan(1e-12);
      // The size is two half sizes.
      expect(report.depthBetween).toBeLessThanOrEqual(0.02);
    }
  });
});
