// Shape matching of some particles as one rigid body, for the test's own solver.

import type { Shell } from '../../src/index.js';

/**
 * Draws the particles `first` … `end` − 1 to their rest shape where that fits best: centre to centre, turned by steps of the gradient's
 * from the quaternion `q` on, which it leaves as it finds it best.
 * @param rate share of the way over the time step [1/s].
 */
export function pullToRest(
  { positions: x, velocities, masses, changes }: Shell,
  rest: Float64Array,
  [first, end]: readonly [number, number],
  q: Float64Array,
  rate: number,
): void {
  const mean = (values: Float64Array) => {
    const sum = [0, 0, 0, 0];
    for (let i = first; i < end; i++) {
      for (let c = 0; c < 3; c++) sum[c] += masses[i] * values[3 * i + c];
      sum[3] += masses[i];
    }
    return sum.slice(0, 3).map((s) => s / sum[3]);
  };
  const [from, to] = [mean(rest), mean(x)];
  const turned = (at: number): number[] => {
    const [a, b, c] = from.map((f, axis) => rest[at + axis] - f);
    const [i, j, k, w] = q;
    const [s, t, u] = [2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)];
    return [a + w * s + j * u - k * t, b + w * t + k * s - i * u, c + w * u + i * t - j * s];
  };
  for (let round = 0; round < 40; round++) {
    let [tx, ty, tz, size] = [0, 0, 0, 0];
    for (let i = first; i < end; i++) {
      const k = 3 * i;
      const [a, b, c] = turned(k);
      const [p, r, s] = to.map((t, axis) => x[k + axis] - t);
      tx += masses[i] * (b * s - c * r);
      ty += masses[i] * (c * p - a * s);
      tz += masses[i] * (a * r - b * p);
      size += masses[i] * (a * p + b * r + c * s);
    }
    const [l, m, o] = [tx, ty, tz].map((t) => (0.75 * t) / size);
    const [i, j, k, w] = q;
    q.set([i + w * l + m * k - o * j, j + w * m + o * i - l * k, k + w * o + l * j - m * i, w - l * i - m * j - o * k]);
    const length = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
    for (let c = 0; c < 4; c++) q[c] /= length;
    if (Math.abs(tx) + Math.abs(ty) + Math.abs(tz) < 1e-13 * size) break;
  }
  for (let i = first; i < end; i++) {
    const goal = turned(3 * i);
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const way = to[c] + goal[c] - x[3 * i + c];
      square += way * way;
      velocities[3 * i + c] += rate * way;
    }
    changes[i] = Math.sqrt(square);
  }
}
