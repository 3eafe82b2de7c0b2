// A priority queue of half-edges, smallest key first (binary heap). Edges whose key changed are simply pushed again; the
// reader recognises stale entries by comparing the key with the present one.

export class EdgeQueue {
  private readonly keys: number[] = [];
  private readonly edges: number[] = [];

  get size(): number {
    return this.keys.length;
  }

  /** Key of the next entry. */
  get key(): number {
    return this.keys[0];
  }

  push(edge: number, key: number): void {
    let i = this.keys.length;
    this.keys.push(key);
    this.edges.push(edge);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.precedes(key, edge, parent)) break;
      this.keys[i] = this.keys[parent];
      this.edges[i] = this.edges[parent];
      i = parent;
    }
    this.keys[i] = key;
    this.edges[i] = edge;
  }

  /** Removes and returns the half-edge with the smallest key. */
  pop(): number {
    const top = this.edges[0];
    const key = this.keys.pop() as number;
    const edge = this.edges.pop() as number;
    const count = this.keys.length;
    if (count === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= count) break;
      if (child + 1 < count && this.precedes(this.keys[child + 1], this.edges[child + 1], child)) child++;
      if (this.precedes(key, edge, child)) break;
      this.keys[i] = this.keys[child];
      this.edges[i] = this.edges[child];
      i = child;
    }
    this.keys[i] = key;
    this.edges[i] = edge;
    return top;
  }

  /** Equal keys leave in the order of their half-edges, so the result does not depend on the heap's history. */
  private precedes(key: number, edge: number, slot: number): boolean {
    return key < this.keys[slot] || (key === this.keys[slot] && edge < this.edges[slot]);
  }
}
