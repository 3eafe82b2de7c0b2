// Random edits of half-edge meshes: whatever is allowed leaves a closed manifold of the same genus.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { icosphere, torus } from '../../../src/mesh/generate/index.js';
import { signedVolume } from '../../../src/mesh/measure.js';
import { HalfEdgeMesh } from '../../../src/mesh/remesh/half-edge-mesh.js';
import { assertClosedManifold, eulerCharacteristic } from '../generate/mesh-checks.js';

describe('HalfEdgeMesh', () => {
  it('gives back what it was made of', () => {
    const mesh = torus({ majorSegments: 9, minorSegments: 5 });
    expect(new HalfEdgeMesh(mesh).toTriangleMesh()).toEqual(mesh);
  });

  it.each([
    ['sphere', icosphere({ detail: 2 })],
    ['torus', torus({ majorSegments: 14, minorSegments: 8 })],
  ])('stays a closed manifold through random edits of a %s', (_name, mesh) => {
    const random = seededRandom(11);
    const edited = new HalfEdgeMesh(mesh, 400);
    let [collapses, flips, splits] = [0, 0, 0];
    for (let i = 0; i < 4000; i++) {
      const h = Math.floor(random() * edited.halfEdgeEnd);
      if (!edited.isHalfEdge(h)) continue;
      const kind = random();
      if (kind < 0.35 && edited.canCollapse(h)) {
        edited.collapse(h);
        collapses++;
      } else if (kind < 0.7 && edited.canFlip(h)) {
        edited.flip(h);
        flips++;
      } else if (kind >= 0.7 && edited.vertexCount < 400) {
        edited.split(h);
        splits++;
      }
      if (i % 200 === 0) expect(() => assertClosedManifold(edited.toTriangleMesh())).not.toThrow();
    }
    expect(Math.min(collapses, flips, splits)).toBeGreaterThan(300);
    const result = edited.toTriangleMesh();
    expect(() => assertClosedManifold(result)).not.toThrow();
    expect(result.positions.length / 3).toBe(mesh.positions.length / 3 + splits - collapses);
    expect(eulerCharacteristic(result)).toBe(eulerCharacteristic(mesh));
  });

  it('collapses down to a tetrahedron and no further', () => {
    const edited = new HalfEdgeMesh(icosphere({ detail: 1 }));
    for (let pass = 0; pass < 50; pass++) {
      for (let h = 0; h < edited.halfEdgeEnd; h++)
        if (edited.isHalfEdge(h) && edited.canCollapse(h)) edited.collapse(h);
    }
    expect(edited.vertexCount).toBe(4);
    expect(() => assertClosedManifold(edited.toTriangleMesh())).not.toThrow();
  });

  it('keeps the volume when splitting', () => {
    const mesh = icosphere({ detail: 1 });
    const edited = new HalfEdgeMesh(mesh, 100);
    for (let h = 0; h < 58 * 3; h += 3) if (edited.vertexCount < 100) edited.split(h);
    const result = edited.toTriangleMesh();
    const before = signedVolume(mesh.positions, mesh.triangles);
    // Rounding of some hundred terms of order 0.01.
    expect(Math.abs(signedVolume(result.positions, result.triangles) - before)).toBeLessThan(1e-13);
  });

  it('turns an edge into the other diagonal', () => {
    const edited = new HalfEdgeMesh(icosphere({ detail: 1 }));
    const [apex, opposite] = [edited.apexOf(0), edited.apexOf(edited.twinOf(0))];
    const [start, end] = [edited.startOf(0), edited.endOf(0)];
    edited.flip(0);
    expect([edited.startOf(0), edited.endOf(0)]).toEqual([opposite, apex]);
    expect(edited.find(start, end)).toBe(-1);
  });

  it('refuses meshes that are open, crowded or pinched', () => {
    const { positions, triangles } = icosphere({ detail: 0 });
    expect(() => new HalfEdgeMesh({ positions, triangles: triangles.slice(3) })).toThrow(/is open/);
    const doubled = Uint32Array.of(...triangles, ...triangles.slice(0, 3));
    expect(() => new HalfEdgeMesh({ positions, triangles: doubled })).toThrow(/two triangles on the same side/);
    const pinched = Uint32Array.of(...triangles, ...triangles.map((v) => (v === 0 ? 0 : v + 11)));
    const both = Float64Array.of(...positions, ...positions.slice(3).map((x) => -x));
    expect(() => new HalfEdgeMesh({ positions: both, triangles: pinched })).toThrow(/joins several surfaces/);
    const loose = Float64Array.of(...positions, 9, 9, 9);
    expect(() => new HalfEdgeMesh({ positions: loose, triangles })).toThrow(/belongs to no triangle/);
  });
});
