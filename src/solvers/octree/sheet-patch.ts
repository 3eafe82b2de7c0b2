// A sheet of triangles as a patch that bodies are cut along: heights are over its nearest point, and beyond its border over its
// continuation there.

import type { Vec3 } from '../../math/vec3.js';
import { vertexNormals } from '../../mesh/measure.js';
import { buildTriangleTree } from '../../mesh/triangle-tree.js';
import { NearestPoint } from '../../mesh/triangle-tree-nearest.js';
import { type CutPatch, innerSide, moveDomain } from './patch.js';
import type { Sheet } from './sheet.js';

/** A weight below this is none: the point is on the edge. */
const ON_EDGE = 1e-9;

export function createSheetPatch(sheet: Sheet, lifted = 0): CutPatch {
  const { positions, triangles, charts } = sheet;
  const normals = vertexNormals(positions, triangles);
  const nearest = new NearestPoint(buildTriangleTree(positions, triangles));
  const border = findBorder(triangles, positions.length / 3);
  /** Whether a point of a triangle is on the sheet's border: on one of its edges there, or in a vertex. */
  const isOnBorder = (t: number, weights: readonly number[]): boolean => {
    for (let c = 0; c < 3; c++) {
      if (weights[c] < ON_EDGE && border.edges[t + ((c + 1) % 3)] === 1) return true;
      if (weights[c] > 1 - ON_EDGE && border.vertices[triangles[t + c]] === 1) return true;
    }
    return false;
  };
  const domain = lifted === 0 ? sheet.domain : moveDomain(sheet.domain, lifted);
  const slab = findSlab(positions, normals);
  /** The point asked for last, and what was found: its height and its place in the plane. */
  const asked = [Number.NaN, 0, 0];
  let [height, u, v] = [0, 0, 0];
  const look = (x: number, y: number, z: number): void => {
    if (x === asked[0] && y === asked[1] && z === asked[2]) return;
    [asked[0], asked[1], asked[2]] = [x, y, z];
    nearest.find(x, y, z);
    const { point, weights, triangle } = nearest;
    const [a, b, c] = [triangles[3 * triangle], triangles[3 * triangle + 1], triangles[3 * triangle + 2]];
    const [wa, wb, wc] = weights;
    const nx = wa * normals[3 * a] + wb * normals[3 * b] + wc * normals[3 * c];
    const ny = wa * normals[3 * a + 1] + wb * normals[3 * b + 1] + wc * normals[3 * c + 1];
    const nz = wa * normals[3 * a + 2] + wb * normals[3 * b + 2] + wc * normals[3 * c + 2];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    const [dx, dy, dz] = [x - point[0], y - point[1], z - point[2]];
    height = (dx * nx + dy * ny + dz * nz) / length - lifted;
    u = wa * charts[2 * a] + wb * charts[2 * b] + wc * charts[2 * c];
    v = wa * charts[2 * a + 1] + wb * charts[2 * b + 1] + wc * charts[2 * c + 1];
    if (isOnBorder(3 * triangle, weights)) continueChart(a, b, c, dx, dy, dz);
  };
  /** Goes on from the border as the triangle there does; out of the domain in any case. */
  const continueChart = (a: number, b: number, c: number, dx: number, dy: number, dz: number): void => {
    const edge = (p: number, q: number) => [0, 1, 2].map((k) => positions[3 * q + k] - positions[3 * p + k]);
    const [e, f] = [edge(a, b), edge(a, c)];
    const [ee, ef, ff] = [dotOf(e, e), dotOf(e, f), dotOf(f, f)];
    const determinant = ee * ff - ef * ef;
    const [de, df] = [dotOf([dx, dy, dz], e), dotOf([dx, dy, dz], f)];
    const beta = determinant > 0 ? (ff * de - ef * df) / determinant : 0;
    const gamma = determinant > 0 ? (ee * df - ef * de) / determinant : 0;
    const du = beta * (charts[2 * b] - charts[2 * a]) + gamma * (charts[2 * c] - charts[2 * a]);
    const dv = beta * (charts[2 * b + 1] - charts[2 * a + 1]) + gamma * (charts[2 * c + 1] - charts[2 * a + 1]);
    const isIn = (p: number, q: number): boolean => {
      for (let k = 0; 2 * k < sheet.domain.length; k++) if (!(innerSide(sheet.domain, k, p, q) > 0)) return false;
      return true;
    };
    if (isIn(u + du, v + dv)) {
      const [middleU, middleV] = middleOf(sheet.domain);
      const away = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const reach = Math.sqrt((u - middleU) ** 2 + (v - middleV) ** 2) || 1;
      u += (away * (u - middleU)) / reach;
      v += (away * (v - middleV)) / reach;
      return;
    }
    u += du;
    v += dv;
  };
  const lift = (atU: number, atV: number): Vec3 => {
    let best = -Infinity;
    const out: [number, number, number] = [0, 0, 0];
    for (let t = 0; t < triangles.length && best < 0; t += 3) {
      const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      const [ua, va] = [charts[2 * a], charts[2 * a + 1]];
      const [ub, vb] = [charts[2 * b] - ua, charts[2 * b + 1] - va];
      const [uc, vc] = [charts[2 * c] - ua, charts[2 * c + 1] - va];
      const area = ub * vc - vb * uc;
      if (!(area > 0)) continue;
      const beta = ((atU - ua) * vc - (atV - va) * uc) / area;
      const gamma = (ub * (atV - va) - vb * (atU - ua)) / area;
      const least = Math.min(1 - beta - gamma, beta, gamma);
      if (least <= best) continue;
      best = least;
      const normal = [0, 1, 2].map(
        (k) => (1 - beta - gamma) * normals[3 * a + k] + beta * normals[3 * b + k] + gamma * normals[3 * c + k],
      );
      const length = Math.sqrt(dotOf(normal, normal)) || 1;
      for (let k = 0; k < 3; k++) {
        const [p, q, r] = [positions[3 * a + k], positions[3 * b + k], positions[3 * c + k]];
        out[k] = (1 - beta - gamma) * p + beta * q + gamma * r + (lifted * normal[k]) / length;
      }
    }
    return out;
  };
  return {
    height(x, y, z) {
      look(x, y, z);
      return height;
    },
    chart(x, y, z) {
      look(x, y, z);
      return [u, v];
    },
    isNear(x, y, z, reach) {
      const within = reach + Math.abs(lifted);
      if (!isNearSlab(slab, x, y, z, within)) return false;
      nearest.find(x, y, z);
      return nearest.squaredDistance <= within * within;
    },
    surface: () => ({ positions: lifted === 0 ? positions : liftAll(positions, normals, lifted), triangles }),
    lift,
    moved: (shift) => createSheetPatch(sheet, shift),
    isBent: true,
    domain,
  };
}

/** Points moved along their normals. */
function liftAll(positions: Float64Array, normals: Float64Array, lifted: number): Float64Array {
  const out = positions.slice();
  for (let k = 0; k < out.length; k += 3) {
    const length = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2) || 1;
    for (let c = 0; c < 3; c++) out[k + c] += (lifted * normals[k + c]) / length;
  }
  return out;
}

/** A box around a sheet, and its mean normal with how far its vertices are along that: least and most. */
interface Slab {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly normal: Float64Array;
}

function findSlab(positions: Float64Array, normals: Float64Array): Slab {
  const normal = new Float64Array(3);
  normals.forEach((n, k) => {
    normal[k % 3] += n;
  });
  const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2) || 1;
  for (let c = 0; c < 3; c++) normal[c] /= length;
  const [low, high] = [new Float64Array(4).fill(Infinity), new Float64Array(4).fill(-Infinity)];
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = [positions[k], positions[k + 1], positions[k + 2]];
    [x, y, z, normal[0] * x + normal[1] * y + normal[2] * z].forEach((at, c) => {
      low[c] = Math.min(low[c], at);
      high[c] = Math.max(high[c], at);
    });
  }
  return { low, high, normal };
}

function isNearSlab({ low, high, normal }: Slab, x: number, y: number, z: number, reach: number): boolean {
  if (x < low[0] - reach || x > high[0] + reach || y < low[1] - reach || y > high[1] + reach) return false;
  const along = normal[0] * x + normal[1] * y + normal[2] * z;
  return z >= low[2] - reach && z <= high[2] + reach && along >= low[3] - reach && along <= high[3] + reach;
}

const dotOf = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function middleOf(domain: Float64Array): [number, number] {
  let [u, v] = [0, 0];
  for (let k = 0; k < domain.length; k += 2) {
    u += domain[k];
    v += domain[k + 1];
  }
  return [(2 * u) / domain.length, (2 * v) / domain.length];
}

/** The border of triangles: whether the edge from each of their corners to the next, and each vertex, is on it. */
function findBorder(triangles: Uint32Array, count: number): { edges: Uint8Array; vertices: Uint8Array } {
  const next = (k: number): number => triangles[k % 3 === 2 ? k - 2 : k + 1];
  const known = new Set<number>();
  for (let k = 0; k < triangles.length; k++) known.add(triangles[k] * count + next(k));
  const edges = new Uint8Array(triangles.length);
  const vertices = new Uint8Array(count);
  for (let k = 0; k < triangles.length; k++) {
    if (known.has(next(k) * count + triangles[k])) continue;
    edges[k] = 1;
    vertices[triangles[k]] = 1;
    vertices[next(k)] = 1;
  }
  return { edges, vertices };
}
