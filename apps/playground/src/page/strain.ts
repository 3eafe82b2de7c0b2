// How far the edges round each vertex are stretched or squeezed, as a number for colours.

import type { BodyInfo } from '../protocol.js';

/** Mean |length/rest length − 1| that gets the last colour. */
const FULL_STRAIN = 0.35;

export class StrainMeter {
  private readonly edges: Uint32Array;
  private readonly rest: Float32Array;
  private readonly perVertex: Float32Array;
  private readonly values: Float32Array;

  constructor(bodies: readonly BodyInfo[]) {
    const edges: number[] = [];
    const rest: number[] = [];
    const vertices = bodies.reduce((sum, { count }) => sum + count, 0);
    const degrees = new Float32Array(vertices);
    for (const { triangles, rest: x, start } of bodies) {
      for (let k = 0; k < triangles.length; k++) {
        const [a, b] = [triangles[k], triangles[k % 3 === 2 ? k - 2 : k + 1]];
        // In a closed mesh every edge comes once in each direction.
        if (a > b) continue;
        edges.push(start + a, start + b);
        rest.push(Math.sqrt([0, 1, 2].reduce((sum, c) => sum + (x[3 * a + c] - x[3 * b + c]) ** 2, 0)));
        degrees[start + a]++;
        degrees[start + b]++;
      }
    }
    this.edges = Uint32Array.from(edges);
    this.rest = Float32Array.from(rest);
    this.perVertex = degrees.map((degree) => 1 / (FULL_STRAIN * Math.max(1, degree)));
    this.values = new Float32Array(vertices);
  }

  /** 0…1 and beyond, per vertex; the array is the same every time. */
  measure(x: Float32Array): Float32Array {
    const { edges, rest, values, perVertex } = this;
    values.fill(0);
    for (let e = 0; e < rest.length; e++) {
      const [a, b] = [edges[2 * e], edges[2 * e + 1]];
      const dx = x[3 * a] - x[3 * b];
      const dy = x[3 * a + 1] - x[3 * b + 1];
      const dz = x[3 * a + 2] - x[3 * b + 2];
      const strain = Math.abs(Math.sqrt(dx * dx + dy * dy + dz * dz) / rest[e] - 1);
      values[a] += strain;
      values[b] += strain;
    }
    for (let v = 0; v < values.length; v++) values[v] *= perVertex[v];
    return values;
  }
}
