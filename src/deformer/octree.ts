// The octree that the helper mesh is cut from. It lives on whole numbers: a leaf of the greatest depth has size 2, so that
// corners, centres and the middles of faces and edges are lattice points, and nothing needs a tolerance.

/** Steps to the six neighbours over faces; the opposite of step k is step k ^ 1. */
export const FACE_STEPS: readonly (readonly [number, number, number])[] = [
  [-1, 0, 0],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
];

export const NO_NODE = -1;

export class Octree {
  /** Size of the root in lattice units. */
  readonly span: number;
  /** Lowest corner and size of each node in lattice units. */
  readonly x = [0];
  readonly y = [0];
  readonly z = [0];
  readonly size: number[];
  /** The first of eight children, which follow each other; 0 for a leaf. */
  readonly children = [0];

  constructor(readonly depth: number) {
    this.span = 1 << (depth + 1);
    this.size = [this.span];
  }

  get nodeCount(): number {
    return this.size.length;
  }

  isLeaf(node: number): boolean {
    return this.children[node] === 0;
  }

  /** Cuts a leaf into eight; child number bits are x, y, z. */
  split(node: number): number {
    const half = this.size[node] / 2;
    const first = this.nodeCount;
    this.children[node] = first;
    for (let c = 0; c < 8; c++) {
      this.x.push(this.x[node] + (c & 1) * half);
      this.y.push(this.y[node] + ((c >> 1) & 1) * half);
      this.z.push(this.z[node] + (c >> 2) * half);
      this.size.push(half);
      this.children.push(0);
    }
    return first;
  }

  /** The leaf around a point, or the node of size `smallest` where that is not yet one; NO_NODE outside of the root. */
  find(x: number, y: number, z: number, smallest = 0): number {
    const { span } = this;
    if (!(x >= 0 && y >= 0 && z >= 0 && x < span && y < span && z < span)) return NO_NODE;
    let node = 0;
    while (this.children[node] !== 0 && this.size[node] > smallest) {
      const half = this.size[node] / 2;
      const right = x >= this.x[node] + half ? 1 : 0;
      const upper = y >= this.y[node] + half ? 2 : 0;
      const front = z >= this.z[node] + half ? 4 : 0;
      node = this.children[node] + right + upper + front;
    }
    return node;
  }

  /** The node of the same size beside a node, or the larger leaf that is there; NO_NODE outside of the root. */
  beside(node: number, dx: number, dy: number, dz: number): number {
    const size = this.size[node];
    return this.find(this.x[node] + dx * size, this.y[node] + dy * size, this.z[node] + dz * size, size);
  }

  /**
   * Splits leaves until none is more than twice as large as any of its 26 neighbours. With all 26 an edge of a face between
   * two sizes is never cut again, which leaves no special cases to the tetrahedra.
   */
  balance(): void {
    const queue: number[] = [];
    for (let node = 0; node < this.nodeCount; node++) if (this.isLeaf(node)) queue.push(node);
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at];
      if (!this.isLeaf(node)) continue;
      for (let step = 0; step < 27; step++) {
        const dx = (step % 3) - 1;
        const dy = (Math.floor(step / 3) % 3) - 1;
        const dz = Math.floor(step / 9) - 1;
        for (;;) {
          const other = this.beside(node, dx, dy, dz);
          if (other === NO_NODE || this.size[other] <= 2 * this.size[node]) break;
          const first = this.split(other);
          for (let c = 0; c < 8; c++) queue.push(first + c);
        }
      }
    }
  }
}
