// Which way is out: the push field turns with its regions, and nobody's push takes volume.

import { describe, expect, it } from 'vitest';
import { box, duck, prepare, surface, vertexNormals } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { rotationMatrix } from '../../../src/solvers/rotation.js';
import { writeStraightening, writeTurnedPushes } from '../../../src/solvers/volume/outward.js';

const { volume, particles } = prepare(duck({ vertices: 400 }), surface({ regionSize: 2 }));
const { positions, triangles } = particles.mesh;

function pushesOf(
  q: readonly number[],
  points: Float64Array,
  straight = 0,
): { outward: Float64Array; normals: Float64Array } {
  const normals = vertexNormals(points, triangles);
  const rotations = Float64Array.from({ length: 4 * particles.count }, (_, k) => q[k % 4]);
  const outward = new Float64Array(points.length);
  const straightening = new Float64Array(particles.count).fill(straight);
  writeTurnedPushes(volume, volume.pushes, rotations, normals, straightening, outward);
  return { outward, normals };
}

const dotAt = (a: ArrayLike<number>, b: ArrayLike<number>, k: number) =>
  a[k] * b[k] + a[k + 1] * b[k + 1] + a[k + 2] * b[k + 2];

describe('writeTurnedPushes', () => {
  it('turns with the body', () => {
    const q = [0.5, -0.1, 0.7, 0.5].map((c, _, all) => c / Math.sqrt(all.reduce((sum, x) => sum + x * x, 0)));
    const matrix = new Float64Array(9);
    rotationMatrix(Float64Array.from(q), 0, matrix);
    const turned = (v: ArrayLike<number>) =>
      Float64Array.from({ length: v.length }, (_, k) => {
        const [c, at] = [k % 3, k - (k % 3)];
        return matrix[3 * c] * v[at] + matrix[3 * c + 1] * v[at + 1] + matrix[3 * c + 2] * v[at + 2];
      });
    const expected = turned(pushesOf([0, 0, 0, 1], positions).outward);
    const found = pushesOf(q, turned(positions)).outward;
    // Rounding of vectors of the size of a vertex area, some 1e-2 here.
    for (let k = 0; k < found.length; k++) expect(Math.abs(found[k] - expected[k])).toBeLessThan(1e-15);
  });

  it('points out of any surface, however it lies to its regions', () => {
    const random = seededRandom(71);
    const crumpled = positions.map((x) => x + 0.3 * (random() - 0.5));
    const { outward, normals } = pushesOf([0.6, 0, 0, 0.8], crumpled);
    let leaning = 0;
    for (let k = 0; k < normals.length; k += 3) {
      const length = Math.sqrt(dotAt(volume.pushes, volume.pushes, k) * dotAt(normals, normals, k));
      // A tenth of its length along the normal, but for rounding.
      const share = dotAt(outward, normals, k) / length;
      expect(share).toBeGreaterThan(0.1 - 1e-12);
      if (share < 0.1 + 1e-12) leaning++;
    }
    expect(leaning).toBeGreaterThan(20);
  });

  it('is along the normals, as long as it was along them, where all of what is along the surface is taken', () => {
    const { outward: before, normals } = pushesOf([0, 0, 0, 1], positions);
    const { outward } = pushesOf([0, 0, 0, 1], positions, 1);
    for (let k = 0; k < normals.length; k += 3) {
      const along = dotAt(before, normals, k) / dotAt(normals, normals, k);
      // Rounding of vectors of the size of a vertex area, some 1e-2 here.
      for (let c = k; c < k + 3; c++) expect(Math.abs(outward[c] - along * normals[c])).toBeLessThan(1e-15);
    }
  });

  it('leaves the push of a collapsed vertex as its region has it', () => {
    const { outward } = pushesOf([0, 0, 0, 1], new Float64Array(positions.length));
    expect(outward).toEqual(volume.pushes);
  });
});

describe('writeStraightening', () => {
  it('is twice the share of the neighbours in contact, at most all', () => {
    const { neighbours: lists, neighbourOffsets: offsets } = volume.neighbours;
    const around = lists.slice(offsets[7], offsets[8]);
    const straight = new Float64Array(particles.count);
    for (let touching = 0; touching <= around.length; touching++) {
      const colliding = new Uint8Array(particles.count);
      for (const neighbour of around.subarray(0, touching)) colliding[neighbour] = 1;
      writeStraightening(volume.neighbours, colliding, straight);
      expect(Math.abs(straight[7] - Math.min(1, (2 * touching) / around.length))).toBeLessThan(1e-15);
    }
  });
});

describe('the push field', () => {
  it('of a face is its normal times its area, of an edge as far out of both faces', () => {
    // Far from other edges than one, a region sees a corner of two planes; areas are the same but at the edges.
    const { volume: rest, particles: body } = prepare(box({ size: 4, divisions: 24 }), surface({ regionSize: 3 }));
    const at = (x: number, y: number, z: number): number[] => {
      const places = Array.from({ length: body.count }, (_, i) => 3 * i);
      const distance = (k: number) =>
        Math.abs(body.mesh.positions[k] - x) +
        Math.abs(body.mesh.positions[k + 1] - y) +
        Math.abs(body.mesh.positions[k + 2] - z);
      const k = places.reduce((best, other) => (distance(other) < distance(best) ? other : best));
      return [...rest.pushes.subarray(k, k + 3)];
    };
    const [faceX, area, faceZ] = at(0, 2, 0);
    // A mean of alternating areas, which counts those with more neighbours more often.
    expect(Math.abs(area / (4 / 24) ** 2 - 1)).toBeLessThan(0.2);
    expect(Math.abs(faceX / area) + Math.abs(faceZ / area)).toBeLessThan(1e-6);
    const [edgeX, edgeY, edgeZ] = at(2, 2, 0);
    // Along the unit normal it would be 0.71 out of each. Areas at edges are those of other vertices or a little less.
    for (const out of [edgeX, edgeY]) expect(out / area).toBeGreaterThan(0.6);
    expect(Math.abs(edgeZ / area)).toBeLessThan(0.03);
  });

  it('has no pattern of the mesh: on a face it is the same to a hundredth', () => {
    const { volume: rest, particles: body } = prepare(box({ size: 4, divisions: 24 }), surface({ regionSize: 2 }));
    const { positions: x } = body.mesh;
    /** On the top face, six edges or more from its edges: areas are smoothed over four, regions reach two. */
    const isInside = (k: number) => k % 3 === 1 && x[k] === 2 && Math.abs(x[k - 1]) < 1.01 && Math.abs(x[k + 1]) < 1.01;
    const pushes = rest.pushes.filter((_, k) => isInside(k));
    expect(pushes.length).toBeGreaterThan(100);
    // Of areas that differ by a factor of 2 the four passes leave a sixteenth, and the mean of a region a tenth of that.
    expect(Math.max(...pushes) / Math.min(...pushes) - 1).toBeLessThan(0.01);
  });
});
