// Where the surface is held out of colliders: its vertices, and the middles of its edges. With vertices alone a sharp edge cuts as
// deep into the triangles between them as a third of their edges: 0.047 half sizes of a sphere with edges of 0.15.

import { triangleArea, vertexAreas, vertexNormals } from '../mesh/measure.js';

/** Share of a triangle's area that its vertices have; the rest is its edges'. */
const VERTEX_SHARE = 0.5;

export class ContactSites {
  /** The vertices come first, then the edges. */
  readonly count: number;
  /** The two vertices that each site is halfway between: a vertex lies halfway between itself and itself. */
  readonly ends: Uint32Array;
  /** The site of each triangle's three edges. */
  private readonly triangleEdges: Uint32Array;

  constructor(
    private readonly triangles: Uint32Array,
    readonly vertexCount: number,
  ) {
    const numbers = new Map<number, number>();
    const ends: number[] = [];
    for (let v = 0; v < vertexCount; v++) ends.push(v, v);
    this.triangleEdges = triangles.map((a, i) => {
      const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const site = ends.length / 2;
      numbers.set(key, site);
      ends.push(a, b);
      return site;
    });
    this.ends = Uint32Array.from(ends);
    this.count = ends.length / 2;
  }

  /** Where the sites are, for values per vertex, three each. */
  place(vertices: Float64Array, out: Float64Array = new Float64Array(3 * this.count)): Float64Array {
    const { ends } = this;
    for (let site = 0; site < this.count; site++) {
      const a = 3 * ends[2 * site];
      const b = 3 * ends[2 * site + 1];
      for (let k = 0; k < 3; k++) out[3 * site + k] = 0.5 * (vertices[a + k] + vertices[b + k]);
    }
    return out;
  }

  /** Area of each site; they sum to the surface's. */
  areas(positions: Float64Array): Float64Array {
    const { triangles, triangleEdges, vertexCount } = this;
    const out = new Float64Array(this.count);
    const own = vertexAreas({ positions, triangles });
    for (let v = 0; v < vertexCount; v++) out[v] = VERTEX_SHARE * own[v];
    for (let t = 0; t < triangles.length; t += 3) {
      const area = triangleArea(positions, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
      for (let k = 0; k < 3; k++) out[triangleEdges[t + k]] += ((1 - VERTEX_SHARE) / 3) * area;
    }
    return out;
  }

  /** Area × normal at each site: an edge has the mean of its ends. */
  normals(positions: Float64Array): Float64Array {
    return this.place(vertexNormals(positions, this.triangles));
  }

  /** 1 where both ends have 1. */
  spread(takesPart: Uint8Array): Uint8Array {
    const { ends } = this;
    return Uint8Array.from(
      { length: this.count },
      (_, site) => takesPart[ends[2 * site]] & takesPart[ends[2 * site + 1]],
    );
  }
}
