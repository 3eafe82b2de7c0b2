// A sphere with triangles of very different sizes.

import { icosphere, type TriangleMesh } from '../../src/index.js';

const RADIUS = 0.5;

/** A sphere whose vertices are drawn towards its upper pole: the angle θ from it becomes π (θ/π)^power. */
export function gradedSphere(power: number, detail = 4): TriangleMesh {
  const { positions, triangles } = icosphere({ detail, radius: RADIUS });
  const drawn = positions.slice();
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = positions.subarray(k, k + 3);
    const angle = Math.acos(Math.max(-1, Math.min(1, y / RADIUS)));
    const smaller = Math.PI * (angle / Math.PI) ** power;
    const across = Math.hypot(x, z);
    const scale = across > 1e-12 ? (RADIUS * Math.sin(smaller)) / across : 0;
    drawn.set([x * scale, RADIUS * Math.cos(smaller), z * scale], k);
  }
  return { positions: drawn, triangles };
}
