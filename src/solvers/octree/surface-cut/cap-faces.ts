// The triangles of a cut face and how they lie next to each other, by their edges: edge 3·f + c goes from corner c of face f to the next.

import type { CapVertex } from './cut-vertices.js';

/** The edge after one in its triangle. */
export const nextOf = (edge: number): number => (edge % 3 === 2 ? edge - 2 : edge + 1);

/** More than any mesh has vertices, and small enough for the product of two to be exact. */
const KEY_STRIDE = 1 << 26;

/** A pair of vertices, in either order. */
const keyOf = ({ above: a }: CapVertex, { above: b }: CapVertex): number =>
  a < b ? a * KEY_STRIDE + b : b * KEY_STRIDE + a;

export class CapFaces {
  readonly corners: CapVertex[];
  /** The same edge of the face beside it; −1 on the outline, and where bridges let more than two faces meet. */
  readonly twins: number[];
  private readonly edges = new Set<number>();

  constructor(faces: readonly (readonly CapVertex[])[]) {
    this.corners = faces.flat();
    this.twins = this.corners.map(() => -1);
    const sides = new Map<number, number[]>();
    for (let edge = 0; edge < this.corners.length; edge++) {
      const key = keyOf(this.from(edge), this.to(edge));
      this.edges.add(key);
      const known = sides.get(key);
      if (known) known.push(edge);
      else sides.set(key, [edge]);
    }
    for (const [p, q, more] of sides.values()) {
      // The two must run along the edge in opposite directions; where bridges meet they may not.
      if (q === undefined || more !== undefined || this.from(p) !== this.to(q)) continue;
      this.twins[p] = q;
      this.twins[q] = p;
    }
  }

  from(edge: number): CapVertex {
    return this.corners[edge];
  }

  to(edge: number): CapVertex {
    return this.corners[nextOf(edge)];
  }

  /** The corner across the edge. */
  opposite(edge: number): CapVertex {
    return this.corners[nextOf(nextOf(edge))];
  }

  all(): number[] {
    return this.corners.map((_, edge) => edge);
  }

  hasEdge(a: CapVertex, b: CapVertex): boolean {
    return this.edges.has(keyOf(a, b));
  }

  list(): CapVertex[][] {
    const faces: CapVertex[][] = [];
    for (let k = 0; k < this.corners.length; k += 3) faces.push(this.corners.slice(k, k + 3));
    return faces;
  }

  /** Lets the two faces at an edge meet along their other diagonal. */
  flip(edge: number): void {
    const { twins } = this;
    const twin = twins[edge];
    const [a, b, top, bottom] = [this.from(edge), this.to(edge), this.opposite(edge), this.opposite(twin)];
    const [f, g] = [edge - (edge % 3), twin - (twin % 3)];
    const [right, left] = [twins[nextOf(edge)], twins[nextOf(nextOf(edge))]];
    const [low, far] = [twins[nextOf(twin)], twins[nextOf(nextOf(twin))]];
    this.edges.delete(keyOf(a, b));
    this.edges.add(keyOf(top, bottom));
    this.set(f, [top, bottom, b]);
    this.set(g, [bottom, top, a]);
    this.join(f, g);
    this.join(f + 1, far);
    this.join(f + 2, right);
    this.join(g + 1, left);
    this.join(g + 2, low);
  }

  /** Splits the two faces at an edge by a vertex on it; returns the four faces that they become. */
  split(edge: number, middle: CapVertex): number[] {
    const twin = this.twins[edge];
    this.edges.delete(keyOf(this.from(edge), this.to(edge)));
    const first = this.halve(edge, middle);
    const second = this.halve(twin, middle);
    const firsts = [edge - (edge % 3), first, twin - (twin % 3), second];
    // From p to the middle here, from the middle to p there.
    this.join(firsts[0], second);
    this.join(first, firsts[2]);
    return firsts.map((k) => k / 3);
  }

  /** Halves the face of an edge p → q: [p, m, r] stays in its place, [m, q, r] is new; returns the new one's first edge. */
  private halve(edge: number, middle: CapVertex): number {
    const [p, q, r] = [this.from(edge), this.to(edge), this.opposite(edge)];
    const [next, last] = [this.twins[nextOf(edge)], this.twins[nextOf(nextOf(edge))]];
    const old = edge - (edge % 3);
    const own = this.corners.length;
    this.corners.push(middle, q, r);
    this.twins.push(-1, -1, -1);
    this.set(old, [p, middle, r]);
    this.join(own + 1, next);
    this.join(old + 2, last);
    this.join(old + 1, own + 2);
    for (const end of [p, q, r]) this.edges.add(keyOf(end, middle));
    return own;
  }

  private set(first: number, face: readonly CapVertex[]): void {
    for (let c = 0; c < 3; c++) this.corners[first + c] = face[c];
  }

  private join(edge: number, twin: number): void {
    this.twins[edge] = twin;
    if (twin >= 0) this.twins[twin] = edge;
  }
}
