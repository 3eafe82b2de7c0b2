// The patch cutter: closed meshes with the same volume after a thousand random patches, sequences of them, and plane cuts whose
// volumes are known.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { normalize, type Vec3 } from '../../../src/math/vec3.js';
import { box, creature, duck, icosphere, torus } from '../../../src/mesh/index.js';
import { boundsOf, diagonalOf, signedVolume } from '../../../src/mesh/measure.js';
import { analyseTopology } from '../../../src/mesh/topology.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { type CutPatch, createPatch } from '../../../src/solvers/octree/patch.js';
import { findOpenEdges } from '../../../src/solvers/octree/surface-cut/closedness.js';
import { cutSurface } from '../../../src/solvers/octree/surface-cut/cut-surface.js';

const meshes: readonly (readonly [string, TriangleMesh])[] = [
  ['box', box({ size: 1, divisions: 3 })],
  ['ball', icosphere({ detail: 2 })],
  ['ring', torus({ majorSegments: 20, minorSegments: 10 })],
  ['duck', duck({ vertices: 300 })],
  ['creature', creature({ vertices: 400 })],
];
const kinds = ['plane', 'patch', 'tiny', 'bent'] as const;

/** A random patch that meets the mesh more often than not. */
function randomPatch(mesh: TriangleMesh, kind: (typeof kinds)[number], random: () => number): CutPatch {
  const size = diagonalOf(boundsOf(mesh.positions));
  const direction = (): Vec3 => normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
  const vertex = 3 * Math.floor((random() * mesh.positions.length) / 3);
  const [low, high] = boundsOf(mesh.positions);
  // Tiny ones start at the surface, others anywhere between it and the middle.
  const t = kind === 'tiny' ? 1 : random();
  const origin = [0, 1, 2].map((c) => t * mesh.positions[vertex + c] + (1 - t) * 0.5 * (low[c] + high[c]));
  const reach = size * { plane: 3, patch: 0.25, tiny: 0.04, bent: 0.3 }[kind];
  const corners = 3 + Math.floor(4 * random());
  const domain = Array.from({ length: corners }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.6 * random())) / corners;
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  }).flat();
  const [a, b] = [random() / size, random() / size];
  const relief = kind === 'bent' ? (u: number, v: number) => a * u * u - b * u * v : undefined;
  return createPatch(origin as unknown as Vec3, direction(), direction(), domain, relief, 2);
}

/** Open edges, and the change of the volume relative to the box. */
function faults(before: TriangleMesh, after: TriangleMesh): [number, number] {
  const size = diagonalOf(boundsOf(before.positions));
  const change = signedVolume(after.positions, after.triangles) - signedVolume(before.positions, before.triangles);
  return [findOpenEdges(after.triangles, after.positions.length / 3).length, Math.abs(change) / size ** 3];
}

describe.each(meshes)('the %s', (name, mesh) => {
  it.each(kinds)('is closed after fifty cuts along a random %s', (kind) => {
    const random = seededRandom(name.length + 31 * kind.length);
    let cuts = 0;
    for (let n = 0; n < 50; n++) {
      const patch = randomPatch(mesh, kind, random);
      const cut = cutSurface(mesh, patch, 0.2 * diagonalOf(boundsOf(mesh.positions)));
      const [open, change] = faults(mesh, cut.mesh);
      expect(open).toBe(0);
      expect(change).toBeLessThan(1e-13);
      expect(cut.mesh.positions.length / 3).toBe(mesh.positions.length / 3 + cut.origins.length);
      if (cut.origins.length > 0) cuts++;
    }
    expect(cuts).toBeGreaterThan(15);
  });

  it('is closed after planes exactly through its vertices', () => {
    const random = seededRandom(5);
    for (let n = 0; n < 10; n++) {
      const i = 3 * Math.floor((random() * mesh.positions.length) / 3);
      const origin: Vec3 = [mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]];
      const normal = [0, 0, 0].map((_, c) => (c === n % 3 ? 1 : 0)) as unknown as Vec3;
      const patch = createPatch(origin, normal, [normal[2], normal[0], normal[1]], [-9, -9, 9, -9, 9, 9, -9, 9]);
      expect(faults(mesh, cutSurface(mesh, patch).mesh)[0]).toBe(0);
    }
  });

  it('is closed after sequences of cuts', () => {
    const random = seededRandom(6);
    for (let n = 0; n < 4; n++) {
      let now = mesh;
      for (let m = 0; m < 6; m++) {
        const next = cutSurface(now, randomPatch(mesh, kinds[m % 4], random), 0.2).mesh;
        const [open, change] = faults(now, next);
        expect(open).toBe(0);
        expect(change).toBeLessThan(1e-12);
        now = next;
      }
    }
  });
});

it('gives the parts of a plane cut the volumes that geometry says', () => {
  const mesh = box({ size: 1, divisions: 3 });
  const { mesh: cut } = cutSurface(mesh, createPatch([0.03, 0, 0], [1, 0, 0], [0, 1, 0], [-2, -2, 2, -2, 2, 2, -2, 2]));
  const { componentCount, triangleComponents } = analyseTopology(cut);
  expect(componentCount).toBe(2);
  const volumes = [0, 1].map((part) => {
    const triangles = cut.triangles.filter((_, k) => triangleComponents[Math.trunc(k / 3)] === part);
    return signedVolume(cut.positions, triangles);
  });
  expect(Math.abs(Math.max(...volumes) - 0.53)).toBeLessThan(1e-12);
  expect(Math.abs(Math.min(...volumes) - 0.47)).toBeLessThan(1e-12);
});

it.each([
  ['next to it', [-0.2, -3, 0.9, -3, 0.9, 3, -0.2, 3], [0, 0, 1], 0],
  ['over it', [-1.3, -3, 0.3, -3, 0.3, 3, -1.3, 3], [0, 0, 1], 0],
  ['on it', [-3, -3, -0.2, -3, -0.2, 3, -3, 3], [0, 0, 1], 0],
  ['a little above it', [-0.2, -3, 0.9, -3, 0.9, 3, -0.2, 3], [0, 0, 1], 1e-4],
  ['at an angle to it', [-0.2, -3, 0.9, -3, 0.9, 3, -0.2, 3], [-0.17, 0, 1], 0],
] as const)('goes on from an older cut, %s', (_, domain, normal, above) => {
  for (const [, mesh] of meshes.slice(0, 4)) {
    const older = createPatch([0, 0, 0.013], [0, 0, 1], [1, 0, 0], [-3, -3, -0.2, -3, -0.2, 3, -3, 3]);
    const first = cutSurface(mesh, older, 0.3).mesh;
    const next = cutSurface(first, createPatch([0, 0, 0.013 + above], normal, [1, 0, 0], domain), 0.3).mesh;
    expect(faults(first, next)[0]).toBe(0);
  }
});

it('leaves a mesh alone that the patch misses', () => {
  const mesh = box();
  const missed = cutSurface(mesh, createPatch([3, 0, 0], [1, 0, 0], [0, 1, 0], [-2, -2, 2, -2, 2, 2, -2, 2]));
  expect(missed.mesh).toBe(mesh);
  // Wholly inside: an invisible pocket.
  const pocket = cutSurface(
    mesh,
    createPatch([0, 0, 0], [1, 0, 0], [0, 1, 0], [-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1]),
  );
  expect(pocket.mesh).toBe(mesh);
});
