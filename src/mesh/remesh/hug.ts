// Fits a coarse closed mesh to a fine surface: vertices move to where their triangles lie closest to it on the whole, and
// edges flip to the diagonal that follows it. Vertices find creases by that, as planes of both sides draw at them, and
// edges come to run along creases instead of cutting them.
// Based on: H. Hoppe et al., Mesh optimization, 1993 (vertices by least squares of the distances of samples). Different
// from the paper: samples are taken on the coarse mesh, and distances are to the tangent planes of the fine one.

import type { TriangleMesh } from '../triangle-mesh.js';
import type { NearestPoint } from '../triangle-tree-nearest.js';
import { keepsFacing } from './facing.js';
import { oppositeCotangents } from './flip-edges.js';
import { HalfEdgeMesh, nextHalfEdge, previousHalfEdge } from './half-edge-mesh.js';
import { splitLongest } from './vertex-count.js';

/** Weights of a triangle's corners at the middles of the nine parts that it is cut into. */
const SAMPLES = Float64Array.of(
  ...[7, 1, 1, 4, 4, 1, 4, 1, 4, 1, 7, 1, 1, 4, 4, 1, 1, 7, 5, 2, 2, 2, 5, 2, 2, 2, 5].map((ninths) => ninths / 9),
);
/** Holds vertices where the surface does not, along it: a share of how strongly it holds them on the whole. */
const STAY = 0.02;
/** Longest way of a vertex in one round, in lengths of its edges. */
const STRIDE = 0.25;
/** An edge flips where that brings its middle to this share of its distance from the surface. */
const GAIN = 0.5;
/** Middles this close, in edge lengths, are on the surface. */
const ON = 0.02;

/**
 * Flips may fold two triangles by up to a right angle (cosine), and neither they nor moves leave triangles flatter
 * than this (height / longest side).
 */
const SHARPEST_FOLD = -0.1;
const FLATTEST = 0.2;

/** Middles farther away than this, in edge lengths, show as dents: the edge needs a vertex there. */
const FAR = 0.05;
/** Sides shorter than this, relative to the longest of both triangles, are not split. */
const SHORT = 0.7;
/** Rounds before and after vertices are added. */
const ROUNDS = 5;

/**
 * Dents show more than their area says: a sample counts more by this times its squared distance in edge lengths, up to
 * MOST times. Without, some of a cube's rims keep nicks.
 */
const DENT = 1000;
const MOST = 20;

type Point = readonly [number, number, number];

/** Normal of triangle abc, as long as twice its area. */
function normalOf(p: ArrayLike<number>, a: number, b: number, c: number): Point {
  const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
  const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Whether edge ab of triangles abc and bad may become cd. */
function staysRound(mesh: HalfEdgeMesh, a: number, b: number, c: number, d: number): boolean {
  const first = normalOf(mesh.positions, d, c, a);
  const second = normalOf(mesh.positions, c, d, b);
  const [m, n] = [Math.sqrt(dot(first, first)), Math.sqrt(dot(second, second))];
  const longest = Math.max(...[a, b, c, d].flatMap((v, i, all) => all.slice(i).map((w) => mesh.squaredDistance(v, w))));
  return Math.min(m, n) > FLATTEST * longest && dot(first, second) > SHARPEST_FOLD * m * n;
}

/** Distance of the middle of two vertices. */
function distanceOf({ positions: p }: HalfEdgeMesh, surface: NearestPoint, a: number, b: number): number {
  const middle = (k: number) => (p[3 * a + k] + p[3 * b + k]) / 2;
  surface.find(middle(0), middle(1), middle(2));
  return surface.distance;
}

function flipToFollow(mesh: HalfEdgeMesh, surface: NearestPoint): void {
  for (let h = 0; h < mesh.halfEdgeEnd; h++) {
    if (!mesh.isHalfEdge(h) || h > mesh.twinOf(h) || !mesh.canFlip(h)) continue;
    const [a, b, c, d] = [mesh.startOf(h), mesh.endOf(h), mesh.apexOf(h), mesh.apexOf(mesh.twinOf(h))];
    const on = ON * mesh.lengthOf(h);
    const isRound = oppositeCotangents(mesh, h) >= 0;
    const now = distanceOf(mesh, surface, a, b);
    if (isRound && now < on) continue;
    const then = distanceOf(mesh, surface, c, d);
    const gains = isRound ? then < GAIN * now : then < Math.max(on, now);
    if (gains && staysRound(mesh, a, b, c, d)) mesh.flip(h);
  }
}

/** Sums of the samples around each vertex: the six entries of Σ w n nᵀ, and Σ w r n with the distance r to the plane. */
function sumPlanes(mesh: HalfEdgeMesh, surface: NearestPoint, sums: Float64Array): void {
  const p = mesh.positions;
  const { positions, triangles } = surface.tree;
  sums.fill(0);
  for (let h = 0; h < mesh.halfEdgeEnd; h += 3) {
    if (!mesh.isHalfEdge(h)) continue;
    const corners = [mesh.startOf(h), mesh.endOf(h), mesh.apexOf(h)];
    const [a, b, c] = [3 * corners[0], 3 * corners[1], 3 * corners[2]];
    const own = normalOf(p, corners[0], corners[1], corners[2]);
    const twoArea = Math.sqrt(dot(own, own));
    for (let sample = 0; sample < SAMPLES.length; sample += 3) {
      const u = SAMPLES[sample];
      const v = SAMPLES[sample + 1];
      const w = SAMPLES[sample + 2];
      const x = u * p[a] + v * p[b] + w * p[c];
      const y = u * p[a + 1] + v * p[b + 1] + w * p[c + 1];
      const z = u * p[a + 2] + v * p[b + 2] + w * p[c + 2];
      if (!surface.find(x, y, z)) continue;
      const t = 3 * surface.triangle;
      const n = normalOf(positions, triangles[t], triangles[t + 1], triangles[t + 2]);
      const length = Math.sqrt(dot(n, n));
      // The far side of a thin part is nearest to nothing of the near one.
      if (!(length > 0) || dot(n, own) < 0) continue;
      const nx = n[0] / length;
      const ny = n[1] / length;
      const nz = n[2] / length;
      const { point } = surface;
      const r = nx * (point[0] - x) + ny * (point[1] - y) + nz * (point[2] - z);
      const stress = twoArea * (1 + Math.min(MOST, (DENT * r * r) / twoArea));
      for (let k = 0; k < 3; k++) {
        // Corners share a sample by its weights, which never overshoots.
        const weight = SAMPLES[sample + k] * stress;
        const s = 9 * corners[k];
        sums[s] += weight * nx * nx;
        sums[s + 1] += weight * ny * ny;
        sums[s + 2] += weight * nz * nz;
        sums[s + 3] += weight * ny * nz;
        sums[s + 4] += weight * nz * nx;
        sums[s + 5] += weight * nx * ny;
        sums[s + 6] += weight * r * nx;
        sums[s + 7] += weight * r * ny;
        sums[s + 8] += weight * r * nz;
      }
    }
  }
}

/** The way to the middle of a vertex's neighbours, along the surface. */
function middleAround(mesh: HalfEdgeMesh, v: number): Point {
  const p = mesh.positions;
  const sum = [0, 0, 0];
  const normal: [number, number, number] = [0, 0, 0];
  let count = 0;
  const first = mesh.outgoingOf(v);
  let h = first;
  do {
    const n = normalOf(mesh.positions, v, mesh.endOf(h), mesh.apexOf(h));
    for (let k = 0; k < 3; k++) {
      sum[k] += p[3 * mesh.endOf(h) + k] - p[3 * v + k];
      normal[k] += n[k];
    }
    count++;
    h = mesh.turn(h);
  } while (h !== first);
  const way: Point = [sum[0] / count, sum[1] / count, sum[2] / count];
  const square = dot(normal, normal);
  const along = square > 0 ? dot(way, normal) / square : 0;
  return [way[0] - along * normal[0], way[1] - along * normal[1], way[2] - along * normal[2]];
}

/** Where the sums draw a vertex; the matrix is positive definite by `STAY`. */
function solveMove(mesh: HalfEdgeMesh, sums: Float64Array, v: number): Point {
  const s = 9 * v;
  const stay = STAY * (sums[s] + sums[s + 1] + sums[s + 2]);
  const middle = middleAround(mesh, v);
  const [a, b, c] = [sums[s] + stay, sums[s + 1] + stay, sums[s + 2] + stay];
  const [d, e, f] = [sums[s + 3], sums[s + 4], sums[s + 5]];
  const [x, y, z] = middle.map((value, k) => sums[s + 6 + k] + stay * value);
  const [bc, ca, ab] = [b * c - d * d, c * a - e * e, a * b - f * f];
  const [de, ef, fd] = [d * e - f * c, e * f - d * a, f * d - e * b];
  const determinant = a * bc + f * de + e * fd;
  if (!(determinant > 0)) return [0, 0, 0];
  return [
    (bc * x + de * y + fd * z) / determinant,
    (de * x + ca * y + ef * z) / determinant,
    (fd * x + ef * y + ab * z) / determinant,
  ];
}

/** Least height of the triangles at a vertex over their longest sides, were it at (x, y, z). */
function roundnessAround(mesh: HalfEdgeMesh, v: number, x: number, y: number, z: number): number {
  const p = mesh.positions;
  let least = Infinity;
  const first = mesh.outgoingOf(v);
  let h = first;
  do {
    const [b, c] = [3 * mesh.endOf(h), 3 * mesh.apexOf(h)];
    const [bx, by, bz] = [p[b] - x, p[b + 1] - y, p[b + 2] - z];
    const [cx, cy, cz] = [p[c] - x, p[c + 1] - y, p[c + 2] - z];
    const [nx, ny, nz] = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx];
    const sides = [
      bx * bx + by * by + bz * bz,
      cx * cx + cy * cy + cz * cz,
      (bx - cx) ** 2 + (by - cy) ** 2 + (bz - cz) ** 2,
    ];
    least = Math.min(least, Math.sqrt(nx * nx + ny * ny + nz * nz) / Math.max(...sides));
    h = mesh.turn(h);
  } while (h !== first);
  return least;
}

/** Moves all vertices and flips edges, `rounds` times. */
function draw(mesh: HalfEdgeMesh, surface: NearestPoint, rounds: number): void {
  const p = mesh.positions;
  const sums = new Float64Array(9 * mesh.capacity);
  for (let round = 0; round < rounds; round++) {
    flipToFollow(mesh, surface);
    sumPlanes(mesh, surface, sums);
    for (let v = 0; v < mesh.vertexEnd; v++) {
      if (!mesh.isVertex(v)) continue;
      const move = solveMove(mesh, sums, v);
      const length = Math.sqrt(dot(move, move));
      if (!(length > 0)) continue;
      const share = Math.min(1, (STRIDE * mesh.lengthOf(mesh.outgoingOf(v))) / length);
      const [x, y, z] = move.map((value, k) => p[3 * v + k] + share * value);
      if (!keepsFacing(mesh, v, -1, x, y, z)) continue;
      const roundness = roundnessAround(mesh, v, x, y, z);
      const isRound =
        roundness > FLATTEST || roundness >= roundnessAround(mesh, v, p[3 * v], p[3 * v + 1], p[3 * v + 2]);
      if (isRound) p.set([x, y, z], 3 * v);
    }
  }
}

/** Splits the edges whose middles are farthest from the surface, relative to their length, up to `count` of them. */
function splitFarthest(mesh: HalfEdgeMesh, surface: NearestPoint, count: number): void {
  const far: { h: number; gap: number }[] = [];
  for (let h = 0; h < mesh.halfEdgeEnd; h++) {
    if (!mesh.isHalfEdge(h) || h > mesh.twinOf(h)) continue;
    const gap = distanceOf(mesh, surface, mesh.startOf(h), mesh.endOf(h));
    if (gap > FAR * mesh.lengthOf(h)) far.push({ h, gap });
  }
  far.sort((a, b) => b.gap - a.gap || a.h - b.h);
  for (const { h } of far.slice(0, count)) {
    const longest = Math.max(
      ...[h, mesh.twinOf(h)].flatMap((g) => [g, nextHalfEdge(g), previousHalfEdge(g)]).map((g) => mesh.lengthOf(g)),
    );
    // Halving a short side makes two flat triangles of one.
    if (mesh.lengthOf(h) > SHORT * longest) mesh.split(h);
  }
}

/**
 * `mesh` is a closed 2-manifold near `surface`, with at most `vertices` vertices. Those that it lacks it gets where it
 * follows the surface worst, and then where its edges are longest.
 */
export function hug(mesh: TriangleMesh, surface: NearestPoint, vertices: number): TriangleMesh {
  const edited = new HalfEdgeMesh(mesh, Math.max(vertices, mesh.positions.length / 3));
  draw(edited, surface, ROUNDS);
  splitFarthest(edited, surface, Math.max(0, vertices - edited.vertexCount));
  splitLongest(edited, new Float64Array(edited.capacity).fill(1), vertices);
  draw(edited, surface, ROUNDS);
  return edited.toTriangleMesh();
}
