// A detailed model on a coarse simulation: the armadillo of 26 002 vertices on about 1000, at rest and under a bend by 90°.
// The bend is known in closed form, so that the model can be compared with itself bent vertex by vertex.

import { beforeAll, describe, expect, it } from 'vitest';
import { boundsOf, embed, makeSimulatable, ReferenceSkin, readMesh, type TriangleMesh } from '../../src/index.js';
import { buildAdjacency } from '../../src/mesh/adjacency.js';
import { diagonalOf } from '../../src/mesh/measure.js';
import { readSharedMesh, sharedMeshesAvailable } from '../shared-meshes.js';
import { angleAt, mapPoints, worstDistance } from './visible-meshes.js';

const absent = sharedMeshesAvailable ? '' : ' (../shared/meshes absent: skipped)';

describe.skipIf(!sharedMeshesAvailable)(`the armadillo${absent}`, () => {
  let visible: TriangleMesh;
  let cage: TriangleMesh;
  let size: number;
  let skin: ReferenceSkin;
  beforeAll(async () => {
    visible = await readMesh(readSharedMesh('closed/armadillo_26k.off'), 'armadillo_26k.off');
    cage = (await makeSimulatable(visible, { vertices: 1000 })).bodies[0].mesh;
    size = diagonalOf(boundsOf(visible.positions));
    skin = new ReferenceSkin(embed(cage, visible), () => cage.positions);
  });

  it('is exact at rest', () => {
    expect(visible.positions.length / 3).toBe(26_002);
    expect(Math.abs(cage.positions.length / 3 - 1000)).toBeLessThan(20);
    skin.update();
    expect(worstDistance(skin.positions, visible.positions)).toBeLessThan(1e-6 * size);
  });

  it('shows no facets under a bend by 90°', () => {
    skin.update(mapPoints(cage.positions, bendAbout(visible)));
    const edges = buildAdjacency(visible);
    const before = widestAngles(visible, visible.positions, skin.embedding.normals, edges);
    const after = widestAngles(visible, skin.positions, skin.normals, edges);
    // The requirement. The true bend has +4° between vertices and −13° between triangles: what is on the inside of the
    // bend is pressed together.
    expect(after.vertices - before.vertices).toBeLessThan(10);
    expect(after.triangles - before.triangles).toBeLessThan(10);
    // And between neighbouring triangles everywhere, not only at the sharpest edge: the true bend adds up to 25°, the skin may
    // add 10° to that. One of the 78 000 edges adds 14°: a crease of 59°, 74° in the true bend, whose sides are bound to
    // different folds of the cage. Requiring all of them would be a statement about where the cage's triangles happen to lie.
    const growth = after.atEdges.map((angle, e) => angle - before.atEdges[e]);
    expect(growth.filter((angle) => angle > 25 + 10).length).toBeLessThanOrEqual(1);
    expect(growth.reduce((most, angle) => Math.max(most, angle), 0)).toBeLessThan(25 + 20);
  });

  it('lies where the bend would have taken it', () => {
    const bend = bendAbout(visible);
    skin.update(mapPoints(cage.positions, bend));
    // Offsets of up to 2.8 % of the size turn with gradients over two rings, 5 % of the size: at a curvature of π/2 over
    // 0.7 of the size the outermost is off by 0.05·2.2 of the offset, 0.3 % of the size; twice that is allowed.
    expect(worstDistance(skin.positions, mapPoints(visible.positions, bend)) / size).toBeLessThan(0.006);
  });
});

/** Rolls the height of a mesh up over a quarter of a circle, forwards. */
function bendAbout({ positions }: TriangleMesh): (point: readonly number[]) => number[] {
  const [low, high] = boundsOf(positions);
  const radius = (high[1] - low[1]) / (Math.PI / 2);
  const middle = (low[2] + high[2]) / 2;
  return ([x, y, z]) => {
    const angle = (y - low[1]) / radius;
    const inner = radius - (z - middle);
    return [x, low[1] + inner * Math.sin(angle), middle + radius - inner * Math.cos(angle)];
  };
}

/** Widest angle between the normals of two neighbouring vertices, and of two neighbouring triangles [°]; all of the latter. */
function widestAngles(
  { triangles }: TriangleMesh,
  points: ArrayLike<number>,
  normals: ArrayLike<number>,
  { edgeCount, edgeVertices, edgeTriangles }: ReturnType<typeof buildAdjacency>,
) {
  const faces = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Array.from({ length: 3 }, (_, d) => points[3 * triangles[t + k] + d]));
    const [u, v] = [b, c].map((corner) => corner.map((value, d) => value - a[d]));
    faces.set([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], t);
  }
  let vertices = 0;
  const atEdges = new Float64Array(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    vertices = Math.max(vertices, angleAt(normals, edgeVertices[2 * e], normals, edgeVertices[2 * e + 1]));
    atEdges[e] = angleAt(faces, edgeTriangles[2 * e], faces, edgeTriangles[2 * e + 1]);
  }
  return { vertices, triangles: atEdges.reduce((most, angle) => Math.max(most, angle), 0), atEdges };
}
