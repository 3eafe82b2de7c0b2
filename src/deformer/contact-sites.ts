// Where the surface is held out of colliders: its vertices, and the middles of its edges. With vertices alone a sharp edge cuts as
// deep into the triangles between them as a third of their edges: 0.047 half sizes of a sphere with edges of 0.15.

import { triangleArea, vertexAreas, vertexNormals } from '../mesh/measure.js';

/** Share of a triangle's area that its vertices have; the rest is its edges'. */
const VERTEX_SHARE = 0.5;

export class ContactSites {
  /** The vertices come first, then the edges. */
  readonly count: number;
  readonly vertexCount: number;
  /** Both ends of each edge. */
  readonly ends: Uint32Array;
  /** The three edges of each triangle. */
  private readonly triangleEdges: Uint32Array;

  constructor(
    private readonly triangles: Uint32Array,
    vertexCount: number,
  ) {
    this.vertexCount = vertexCount;
    const numbers = new Map<number, number>();
    const ends: number[] = [];
    this.triangleEdges = triangles.map((a, i) => {
      const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, ends.length / 2);
      ends.push(a, b);
      return ends.length / 2 - 1;
    });
    this.ends = Uint32Array.from(ends);
    this.count = vertexCount + ends.length / 2;
  }

  /** Vertices as they are, edges at their middles. */
  place(positions: Float64Array, out: Float64Array): void {
    const { ends, vertexCount } = this;
    out.set(positions);
    for (let e = 0, at = 3 * vertexCount; 2 * e < ends.length; e++, at += 3) {
      const a = 3 * ends[2 * e];
      const b = 3 * ends[2 * e + 1];
      out[at] = 0.5 * (positions[a] + positions[b]);
      out[at + 1] = 0.5 * (positions[a + 1] + positions[b + 1]);
      out[at + 2] = 0.5 * (positions[a + 2] + positions[b + 2]);
    }
  }

  /** Adds forces on the sites to the vertices that they hang on. */
  giveBack(forces: Float64Array, out: Float64Array): void {
    const { ends, vertexCount } = this;
    for (let i = 0; i < 3 * vertexCount; i++) out[i] += forces[i];
    for (let e = 0, at = 3 * vertexCount; 2 * e < ends.length; e++, at += 3) {
      for (let k = 0; k < 3; k++) {
        const half = 0.5 * forces[at + k];
        if (half === 0) continue;
        out[3 * ends[2 * e] + k] += half;
        out[3 * ends[2 * e + 1] + k] += half;
      }
    }
  }

  /** Area of each site; they sum to the surface's. */
  areas(positions: Float64Array): Float64Array {
    const { triangles, triangleEdges, vertexCount } = this;
    const out = new Float64Array(this.count);
    const own = vertexAreas({ positions, triangles });
    for (let v = 0; v < vertexCount; v++) out[v] = VERTEX_SHARE * own[v];
    for (let t = 0; t < triangles.length; t += 3) {
      const area = triangleArea(positions, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
      for (let k = 0; k < 3; k++) out[vertexCount + triangleEdges[t + k]] += ((1 - VERTEX_SHARE) / 3) * area;
    }
    return out;
  }

  /** Sum of area × normal at each site: an edge has the mean of its ends. */
  normals(positions: Float64Array): Float64Array {
    const out = new Float64Array(3 * this.count);
    this.place(vertexNormals(positions, this.triangles), out);
    return out;
  }

  /** 1 where all ends have 1. */
  spread(takesPart: Uint8Array): Uint8Array {
    const { ends, vertexCount } = this;
    const out = new Uint8Array(this.count);
    out.set(takesPart);
    for (let e = 0; 2 * e < ends.length; e++)
      out[vertexCount + e] = takesPart[ends[2 * e]] & takesPart[ends[2 * e + 1]];
    return out;
  }
}
