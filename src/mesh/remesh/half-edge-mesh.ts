// A closed triangle mesh that can be edited: collapse, flip and split of edges, each with the checks that keep it a
// closed 2-manifold. Half-edge h is a corner of triangle ⌊h/3⌋; it starts at `origin[h]` and its twin runs the other way.
// Based on: M. Botsch et al., "Polygon Mesh Processing", 2010, chapter 2; link condition from T. Dey et al.,
// "Topology preserving edge contraction", 1998.

import type { TriangleMesh } from '../triangle-mesh.js';

const NONE = 0xffffffff;

export const nextHalfEdge = (h: number): number => (h % 3 === 2 ? h - 2 : h + 1);
export const previousHalfEdge = (h: number): number => (h % 3 === 0 ? h + 2 : h - 1);

export class HalfEdgeMesh {
  /** x, y, z per vertex; removed vertices keep stale values. */
  readonly positions: Float64Array;
  /** Vertex where a half-edge starts; NONE for removed triangles. */
  private readonly origin: Uint32Array;
  private readonly twin: Uint32Array;
  /** One half-edge starting at each vertex; NONE for removed vertices. */
  private readonly outgoing: Uint32Array;
  private readonly freeVertices: number[] = [];
  private readonly freeTriangles: number[] = [];
  /** Vertices and half-edges ever used: upper ends for loops. */
  vertexEnd: number;
  halfEdgeEnd: number;

  /** `maxVertices`: room for splits. Throws a RangeError when the mesh is not a closed, oriented 2-manifold. */
  constructor(mesh: TriangleMesh, maxVertices = mesh.positions.length / 3) {
    const vertices = mesh.positions.length / 3;
    const room = Math.max(vertices, maxVertices);
    this.vertexEnd = vertices;
    this.halfEdgeEnd = mesh.triangles.length;
    this.positions = new Float64Array(3 * room);
    this.positions.set(mesh.positions);
    // Every split adds a vertex and two triangles.
    this.origin = new Uint32Array(mesh.triangles.length + 6 * (room - vertices)).fill(NONE);
    this.origin.set(mesh.triangles);
    this.twin = new Uint32Array(this.origin.length).fill(NONE);
    this.outgoing = new Uint32Array(room).fill(NONE);
    this.connect();
  }

  get vertexCount(): number {
    return this.vertexEnd - this.freeVertices.length;
  }

  /** Vertices there is room for. */
  get capacity(): number {
    return this.outgoing.length;
  }

  isVertex(v: number): boolean {
    return this.outgoing[v] !== NONE;
  }

  isHalfEdge(h: number): boolean {
    return this.origin[h] !== NONE;
  }

  startOf(h: number): number {
    return this.origin[h];
  }

  endOf(h: number): number {
    return this.origin[nextHalfEdge(h)];
  }

  twinOf(h: number): number {
    return this.twin[h];
  }

  /** The corner across from half-edge h in its triangle. */
  apexOf(h: number): number {
    return this.origin[previousHalfEdge(h)];
  }

  outgoingOf(v: number): number {
    return this.outgoing[v];
  }

  /** The next half-edge starting at the same vertex, counter-clockwise seen from outside. */
  turn(h: number): number {
    return this.twin[previousHalfEdge(h)];
  }

  valence(v: number): number {
    const first = this.outgoing[v];
    let count = 0;
    let h = first;
    do {
      count++;
      h = this.turn(h);
    } while (h !== first);
    return count;
  }

  /** The half-edge from u to v, or −1. */
  find(u: number, v: number): number {
    const first = this.outgoing[u];
    let h = first;
    do {
      if (this.endOf(h) === v) return h;
      h = this.turn(h);
    } while (h !== first);
    return -1;
  }

  lengthOf(h: number): number {
    return Math.sqrt(this.squaredDistance(this.origin[h], this.endOf(h)));
  }

  squaredDistance(u: number, v: number): number {
    const p = this.positions;
    const x = p[3 * u] - p[3 * v];
    const y = p[3 * u + 1] - p[3 * v + 1];
    const z = p[3 * u + 2] - p[3 * v + 2];
    return x * x + y * y + z * z;
  }

  /** Whether the two ends of h share exactly the two apexes, so that merging them keeps a 2-manifold. */
  canCollapse(h: number): boolean {
    const u = this.origin[h];
    const v = this.endOf(h);
    // The apexes lose an edge each; three are the fewest.
    if (this.valence(this.apexOf(h)) <= 3 || this.valence(this.apexOf(this.twin[h])) <= 3) return false;
    let shared = 0;
    const first = this.outgoing[u];
    let a = first;
    do {
      const w = this.endOf(a);
      if (w !== v && this.find(v, w) >= 0) shared++;
      a = this.turn(a);
    } while (a !== first);
    return shared === 2;
  }

  /** Merges the start of h into its end; the caller has asked `canCollapse` and places the end. */
  collapse(h: number): void {
    const t = this.twin[h];
    const u = this.origin[h];
    const v = this.endOf(h);
    const first = this.outgoing[u];
    let a = first;
    do {
      const following = this.turn(a);
      this.origin[a] = v;
      a = following;
    } while (a !== first);
    const [a1, a2] = [nextHalfEdge(h), previousHalfEdge(h)];
    const [b1, b2] = [nextHalfEdge(t), previousHalfEdge(t)];
    const left = this.origin[a2];
    const right = this.origin[b2];
    const [upper, lower] = [this.twin[a1], this.twin[a2]];
    const [upperBack, lowerBack] = [this.twin[b1], this.twin[b2]];
    this.pair(upper, lower);
    this.pair(upperBack, lowerBack);
    this.outgoing[left] = upper;
    this.outgoing[v] = lower;
    this.outgoing[right] = upperBack;
    this.outgoing[u] = NONE;
    this.freeVertices.push(u);
    this.removeTriangle(h);
    this.removeTriangle(t);
  }

  /** Whether turning h within its two triangles keeps a 2-manifold. */
  canFlip(h: number): boolean {
    const t = this.twin[h];
    if (this.valence(this.origin[h]) <= 3 || this.valence(this.origin[t]) <= 3) return false;
    return this.find(this.apexOf(h), this.apexOf(t)) < 0;
  }

  /** Turns the edge: afterwards h runs from the apex of its twin to its own apex. */
  flip(h: number): void {
    const t = this.twin[h];
    const [a1, a2] = [nextHalfEdge(h), previousHalfEdge(h)];
    const [b1, b2] = [nextHalfEdge(t), previousHalfEdge(t)];
    const [u, v, c, d] = [this.origin[h], this.origin[t], this.origin[a2], this.origin[b2]];
    const [va, ca, ub, db] = [this.twin[a1], this.twin[a2], this.twin[b1], this.twin[b2]];
    // Triangle of h: d → c → u; triangle of t: c → d → v.
    this.origin[h] = d;
    this.origin[a1] = c;
    this.origin[a2] = u;
    this.origin[t] = c;
    this.origin[b1] = d;
    this.origin[b2] = v;
    this.pair(a1, ca);
    this.pair(a2, ub);
    this.pair(b1, db);
    this.pair(b2, va);
    this.outgoing[u] = a2;
    this.outgoing[v] = b2;
    this.outgoing[c] = a1;
    this.outgoing[d] = b1;
  }

  /** Puts a new vertex at the middle of h, joined to both apexes, and returns it. */
  split(h: number): number {
    const t = this.twin[h];
    const [a1, b2] = [nextHalfEdge(h), previousHalfEdge(t)];
    const [u, v, c, d] = [this.origin[h], this.origin[t], this.apexOf(h), this.apexOf(t)];
    const m = this.freeVertices.pop() ?? this.vertexEnd++;
    if (3 * m >= this.positions.length) throw new RangeError(`no room for more than ${m} vertices`);
    for (let k = 0; k < 3; k++) {
      this.positions[3 * m + k] = (this.positions[3 * u + k] + this.positions[3 * v + k]) / 2;
    }
    const [outerA, outerB] = [this.twin[a1], this.twin[b2]];
    const e = this.addTriangle(m, v, c);
    const f = this.addTriangle(v, m, d);
    // The old triangles become u, m, c and m, u, d.
    this.origin[a1] = m;
    this.origin[t] = m;
    this.pair(e, f);
    this.pair(e + 1, outerA);
    this.pair(e + 2, a1);
    this.pair(f + 1, b2);
    this.pair(f + 2, outerB);
    this.outgoing[m] = e;
    this.outgoing[u] = h;
    this.outgoing[v] = f;
    this.outgoing[c] = e + 2;
    this.outgoing[d] = b2;
    return m;
  }

  /** The mesh without gaps in the numbering. */
  toTriangleMesh(): TriangleMesh {
    const renamed = new Uint32Array(this.vertexEnd);
    const positions = new Float64Array(3 * this.vertexCount);
    let count = 0;
    for (let v = 0; v < this.vertexEnd; v++) {
      if (!this.isVertex(v)) continue;
      for (let k = 0; k < 3; k++) positions[3 * count + k] = this.positions[3 * v + k];
      renamed[v] = count++;
    }
    const triangles = new Uint32Array(this.halfEdgeEnd - 3 * this.freeTriangles.length);
    let corner = 0;
    for (let h = 0; h < this.halfEdgeEnd; h++) {
      if (this.origin[h] !== NONE) triangles[corner++] = renamed[this.origin[h]];
    }
    return { positions, triangles };
  }

  private pair(g: number, h: number): void {
    this.twin[g] = h;
    this.twin[h] = g;
  }

  private removeTriangle(h: number): void {
    const first = h - (h % 3);
    this.origin.fill(NONE, first, first + 3);
    this.freeTriangles.push(first);
  }

  private addTriangle(a: number, b: number, c: number): number {
    let first = this.freeTriangles.pop();
    if (first === undefined) {
      first = this.halfEdgeEnd;
      this.halfEdgeEnd += 3;
    }
    this.origin[first] = a;
    this.origin[first + 1] = b;
    this.origin[first + 2] = c;
    return first;
  }

  private connect(): void {
    const known = new Map<number, number>();
    const stride = this.vertexEnd;
    for (let h = 0; h < this.halfEdgeEnd; h++) {
      const u = this.origin[h];
      const v = this.endOf(h);
      if (known.has(u * stride + v)) throw new RangeError(`edge ${u}–${v} has two triangles on the same side`);
      known.set(u * stride + v, h);
      this.outgoing[u] = h;
      const other = known.get(v * stride + u);
      if (other !== undefined) this.pair(h, other);
    }
    const open = this.twin.subarray(0, this.halfEdgeEnd).indexOf(NONE);
    if (open >= 0) throw new RangeError(`edge ${this.origin[open]}–${this.endOf(open)} is open`);
    const corners = new Uint32Array(this.vertexEnd);
    for (let h = 0; h < this.halfEdgeEnd; h++) corners[this.origin[h]]++;
    for (let v = 0; v < this.vertexEnd; v++) {
      if (corners[v] === 0) throw new RangeError(`vertex ${v} belongs to no triangle`);
      if (this.valence(v) !== corners[v]) throw new RangeError(`vertex ${v} joins several surfaces`);
    }
  }
}
