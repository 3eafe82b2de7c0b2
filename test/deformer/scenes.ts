// The prototype's five scenes around a body of half size 1, and small bodies for them.

import type { DeformerCollider } from '../../src/deformer/collider-settings.js';
import type { Quaternion } from '../../src/math/quaternion.js';
import { icosphere } from '../../src/mesh/generate/index.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';

/** 45° about z: a box with an edge downwards. */
const EDGE_DOWN: Quaternion = [0, 0, 0.3826834323650898, 0.9238795325112867];

/** Depths of the ball and the edge from above, and heights of the plane, as in the prototype unless given. */
export const ball = (depth = 0.35): DeformerCollider[] => [
  { shape: 'sphere', radius: 0.5, position: [0, 1.5 - depth, 0] },
];
export const edge = (depth = 0.35): DeformerCollider[] => [
  { shape: 'box', size: [2, 2, 2], rotation: EDGE_DOWN, position: [0, 1 - depth + Math.SQRT2, 0] },
];
export const plane = (depth = 2 / 3): DeformerCollider[] => [{ shape: 'plane', normal: [0, 1, 0], offset: depth - 1 }];
export const squeeze = (depth = 0.5): DeformerCollider[] => [
  { shape: 'plane', normal: [1, 0, 0], offset: depth - 1 },
  { shape: 'plane', normal: [-1, 0, 0], offset: depth - 1 },
];
export const swallow = (): DeformerCollider[] => [{ shape: 'sphere', radius: 0.9, position: [0, 0.9, 0] }];

export const SCENES: readonly [string, readonly DeformerCollider[]][] = [
  ['ball', ball()],
  ['edge', edge()],
  ['plane', plane()],
  ['squeeze', squeeze()],
  ['swallow', swallow()],
];

/** A sphere's scene at the top of another body. */
export function atTopOf(mesh: TriangleMesh, colliders: readonly DeformerCollider[]): DeformerCollider[] {
  let top = 0;
  const { positions } = mesh;
  for (let v = 1; 3 * v < positions.length; v++) if (positions[3 * v + 1] > positions[3 * top + 1]) top = v;
  const at = [positions[3 * top], positions[3 * top + 1] - 1, positions[3 * top + 2]];
  return colliders.map((collider) => {
    if (collider.shape === 'plane') return collider;
    const [x, y, z] = collider.position ?? [0, 0, 0];
    return { ...collider, position: [x + at[0], y + at[1], z + at[2]] };
  });
}

/** Deepest that a vertex is in colliders of these scenes, by closed forms; below zero where none is. */
export function depthIn(colliders: readonly DeformerCollider[], positions: Float64Array): number {
  let depth = -Infinity;
  for (const collider of colliders) {
    const [px, py, pz] = collider.position ?? [0, 0, 0];
    for (let k = 0; k < positions.length; k += 3) {
      const [x, y, z] = [positions[k] - px, positions[k + 1] - py, positions[k + 2] - pz];
      depth = Math.max(depth, depthAt(collider, x, y, z));
    }
  }
  return depth;
}

function depthAt(collider: DeformerCollider, x: number, y: number, z: number): number {
  if (collider.shape === 'sphere') return collider.radius - Math.sqrt(x * x + y * y + z * z);
  if (collider.shape === 'plane') {
    const [nx, ny, nz] = collider.normal;
    return (collider.offset ?? 0) - (nx * x + ny * y + nz * z);
  }
  // The box, turned back by 45°: its sides are 1 from its middle.
  const [u, v] = [Math.SQRT1_2 * (x + y), Math.SQRT1_2 * (y - x)];
  return Math.min(1 - Math.abs(u), 1 - Math.abs(v), 1 - Math.abs(z));
}

/** 162 vertices in a helper mesh of 285: a frame takes some ten milliseconds. */
export const smallSphere = () => icosphere({ detail: 2 });
export const SMALL_DEPTH = 2;

export function greatestApart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
