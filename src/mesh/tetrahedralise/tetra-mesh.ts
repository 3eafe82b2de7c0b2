// What a mesh of tetrahedra is, and its boundary.

import { showInput } from '../../math/expect.js';
import type { TriangleMesh } from '../triangle-mesh.js';

/**
 * Tetrahedra over shared nodes. `positions` holds x, y, z per node [m]; `tetrahedra` four nodes each, ordered so that the
 * first three, seen from the fourth, run clockwise: (x₁−x₀)·((x₂−x₀)×(x₃−x₀)) > 0.
 */
export interface TetraMesh {
  readonly positions: Float64Array;
  readonly tetrahedra: Uint32Array;
}

/** A mesh of its own arrays; plain lists will do as well. `place` is what the user calls it. */
export function copyTetraMesh(place: string, mesh: TetraMesh): TetraMesh {
  const positions = Float64Array.from(mesh.positions ?? []);
  const tetrahedra = Uint32Array.from(mesh.tetrahedra);
  const count = positions.length / 3;
  const wrong = positions.findIndex((x) => !Number.isFinite(x));
  if (count === 0 || !Number.isInteger(count) || wrong >= 0) {
    throw new RangeError(`${place}.positions: expected x, y, z per node, got ${showInput(mesh.positions)}`);
  }
  if (tetrahedra.length === 0 || tetrahedra.length % 4 !== 0) {
    throw new RangeError(`${place}.tetrahedra: expected four nodes each, got ${tetrahedra.length} numbers`);
  }
  const far = tetrahedra.find((node) => node >= count);
  if (far !== undefined) {
    throw new RangeError(`${place}.tetrahedra: expected nodes from 0 to ${count - 1}, got ${far}`);
  }
  return Object.freeze({ positions, tetrahedra });
}

/** Corners of the face opposite to each corner, counter-clockwise seen from outside a positive tetrahedron. */
export const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
] as const;

/** Six times the signed volume of tetrahedron t [m³]. */
export function sixVolume(positions: ArrayLike<number>, tetrahedra: ArrayLike<number>, t: number): number {
  const a = 3 * tetrahedra[4 * t];
  const b = 3 * tetrahedra[4 * t + 1];
  const c = 3 * tetrahedra[4 * t + 2];
  const d = 3 * tetrahedra[4 * t + 3];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const wx = positions[d] - positions[a];
  const wy = positions[d + 1] - positions[a + 1];
  const wz = positions[d + 2] - positions[a + 2];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

/** The surface of a mesh of tetrahedra. */
export interface TetraBoundary {
  /** The boundary as a mesh of its own, outward. */
  readonly mesh: TriangleMesh;
  /** Node of each of its vertices, ascending. */
  readonly nodes: Uint32Array;
  /** Tetrahedron behind each of its triangles. */
  readonly behind: Uint32Array;
}

/** Faces that belong to one tetrahedron only; a face of three or more is refused by `findFaceOfThree`. */
export function boundaryOf({ positions, tetrahedra }: TetraMesh): TetraBoundary {
  const single = singleFaces(tetrahedra);
  const isOuter = new Uint8Array(positions.length / 3);
  const corners: number[] = [];
  const behind: number[] = [];
  for (const face of single) {
    const t = face >> 2;
    for (const corner of FACES[face & 3]) {
      const node = tetrahedra[4 * t + corner];
      isOuter[node] = 1;
      corners.push(node);
    }
    behind.push(t);
  }
  const vertexOf = new Uint32Array(isOuter.length);
  const nodes: number[] = [];
  for (let n = 0; n < isOuter.length; n++) if (isOuter[n]) vertexOf[n] = nodes.push(n) - 1;
  const shell = new Float64Array(3 * nodes.length);
  nodes.forEach((n, v) => {
    for (let k = 0; k < 3; k++) shell[3 * v + k] = positions[3 * n + k];
  });
  return {
    mesh: { positions: shell, triangles: Uint32Array.from(corners, (n) => vertexOf[n]) },
    nodes: Uint32Array.from(nodes),
    behind: Uint32Array.from(behind),
  };
}

/** A tetrahedron with a face that two others have as well, or -1. */
export function findFaceOfThree(tetrahedra: Uint32Array): number {
  const faces = sortedFaces(tetrahedra);
  for (let i = 2; i < faces.length; i++) if (sameFace(faces[i - 2], faces[i])) return faces[i].face >> 2;
  return -1;
}

interface Face {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  /** 4·tetrahedron + opposite corner. */
  readonly face: number;
}

const sameFace = (a: Face, b: Face): boolean => a.low === b.low && a.middle === b.middle && a.high === b.high;

function sortedFaces(tetrahedra: Uint32Array): Face[] {
  const faces: Face[] = [];
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    for (let k = 0; k < 4; k++) {
      const [a, b, c] = FACES[k].map((corner) => tetrahedra[4 * t + corner]);
      const low = Math.min(a, b, c);
      const high = Math.max(a, b, c);
      faces.push({ low, middle: a + b + c - low - high, high, face: 4 * t + k });
    }
  }
  return faces.sort((p, q) => p.low - q.low || p.middle - q.middle || p.high - q.high || p.face - q.face);
}

/** Faces of one tetrahedron only, ascending. */
function singleFaces(tetrahedra: Uint32Array): number[] {
  const faces = sortedFaces(tetrahedra);
  const single: number[] = [];
  for (let i = 0; i < faces.length; i++) {
    const before = i > 0 && sameFace(faces[i - 1], faces[i]);
    const after = i + 1 < faces.length && sameFace(faces[i], faces[i + 1]);
    if (!before && !after) single.push(faces[i].face);
  }
  return single.sort((a, b) => a - b);
}
