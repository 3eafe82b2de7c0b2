// The part of a lattice tetrahedron that lies inside: a tetrahedron, a pyramid or a prism, cut into tetrahedra so that
// neighbours cut their common faces alike.
// Based on: F. Labelle, J. Shewchuk, Isosurface stuffing, 2007, §3 (the parity rule for trapezoids with a long base).

export interface CutLattice {
  /** Per lattice point: 1 inside, 0 on the surface, -1 outside. */
  readonly signs: Int8Array;
  /** Per lattice point: whether the sum of its cell's coordinates is odd. Both ends of a long edge differ in it. */
  readonly isOdd: Uint8Array;
  /** Whether an edge is a long one, along an axis. */
  isLong(a: number, b: number): boolean;
  /** The node where the surface cuts the edge from a (inside) to b (outside). */
  cut(a: number, b: number): number;
}

type Emit = (a: number, b: number, c: number, d: number) => void;

/** Emits tetrahedra of the inner part of the lattice tetrahedron (a, b, c, d), oriented either way. */
export function fillTetrahedron(lattice: CutLattice, corners: readonly number[], emit: Emit): void {
  const { signs } = lattice;
  const inner = corners.filter((c) => signs[c] > 0);
  const outer = corners.filter((c) => signs[c] < 0);
  const on = corners.filter((c) => signs[c] === 0);
  if (inner.length === 0) return;
  if (outer.length === 0) {
    emit(corners[0], corners[1], corners[2], corners[3]);
  } else if (inner.length === 1) {
    const [a, b, c] = [...on, ...outer.map((o) => lattice.cut(inner[0], o))];
    emit(inner[0], a, b, c);
  } else if (inner.length === 2 && outer.length === 1) {
    const [a, b] = inner;
    const [cutA, cutB] = [lattice.cut(a, outer[0]), lattice.cut(b, outer[0])];
    // The pyramid over the trapezoid (a, b, cutB, cutA).
    if (startsAtFirst(lattice, a, b, outer[0])) {
      emit(on[0], a, b, cutB);
      emit(on[0], a, cutB, cutA);
    } else {
      emit(on[0], a, b, cutA);
      emit(on[0], b, cutB, cutA);
    }
  } else if (inner.length === 2) {
    const [a, b] = inner;
    const [c, d] = outer;
    const upper = [a, lattice.cut(a, c), lattice.cut(a, d)];
    const lower = [b, lattice.cut(b, c), lattice.cut(b, d)];
    const onC = startsAtFirst(lattice, a, b, c);
    // The trapezoid on the surface is this prism's own: its diagonal is one that leaves the prism divisible.
    fillPrism(upper, lower, [onC, !onC, !startsAtFirst(lattice, a, b, d)], emit);
  } else {
    const [o] = outer;
    const lower = inner.map((c) => lattice.cut(c, o));
    const [a, b, c] = inner;
    fillPrism(
      inner,
      lower,
      [startsAtFirst(lattice, a, b, o), startsAtFirst(lattice, b, c, o), startsAtFirst(lattice, c, a, o)],
      emit,
    );
  }
}

/**
 * Whether the diagonal of the trapezoid (a, b, cut of b, cut of a) starts at a. Where one cut edge is long, it starts at
 * that edge's inner end; where neither is, ab is long, and it starts at the odd end.
 */
function startsAtFirst(lattice: CutLattice, a: number, b: number, outer: number): boolean {
  if (lattice.isLong(a, outer)) return true;
  if (lattice.isLong(b, outer)) return false;
  return lattice.isOdd[a] === 1;
}

/**
 * A prism between two triangles with corner i over corner i. `starts[i]`: the diagonal of the side from corner i to the
 * next starts at the upper corner i and ends at the lower next one; otherwise the other way round.
 */
function fillPrism(upper: readonly number[], lower: readonly number[], starts: readonly boolean[], emit: Emit): void {
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    // Both diagonals next to edge i end at its upper corner, or both at its lower one.
    const atUpper = starts[i] && !starts[k];
    const atLower = !starts[i] && starts[k];
    if (!atUpper && !atLower) continue;
    const [near, far] = atUpper ? [upper, lower] : [lower, upper];
    // Seen from the other triangle every diagonal starts at its other end.
    const opposite = atUpper ? starts[j] : !starts[j];
    emit(near[i], far[i], far[j], far[k]);
    if (opposite) {
      emit(near[i], near[j], near[k], far[k]);
      emit(near[i], near[j], far[k], far[j]);
    } else {
      emit(near[i], near[j], near[k], far[j]);
      emit(near[i], near[k], far[k], far[j]);
    }
    return;
  }
}
