// Vertices in one place: groups of vertices with equal positions, or within a distance, by hashing cells of a grid.

const HASH_X = 0x9e3779b1;
const HASH_Y = 0x85ebca77;
const HASH_Z = 0xc2b2ae3d;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

/** A whole number that is equal for equal values; −0 counts as 0. */
function bitsOf(value: number): number {
  float[0] = value + 0;
  return words[0] ^ Math.imul(words[1], HASH_Z);
}

/** Chains of group heads by hash of a grid cell. */
class CellTable {
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  private readonly mask: number;

  constructor(count: number) {
    this.mask = 2 ** Math.ceil(Math.log2(2 * count + 2)) - 1;
    this.first = new Int32Array(this.mask + 1).fill(-1);
    this.next = new Int32Array(count);
  }

  slotOf(x: number, y: number, z: number): number {
    const hash = Math.imul(x, HASH_X) ^ Math.imul(y, HASH_Y) ^ Math.imul(z, HASH_Z);
    return Math.imul(hash ^ (hash >>> 15), HASH_X) & this.mask;
  }

  insert(slot: number, vertex: number): void {
    this.next[vertex] = this.first[slot];
    this.first[slot] = vertex;
  }

  /** Lowest vertex in the slot within the squared distance of `vertex`, or `best` where that is lower. */
  lowest(slot: number, positions: ArrayLike<number>, vertex: number, squared: number, best: number): number {
    for (let other = this.first[slot]; other >= 0; other = this.next[other]) {
      if (best >= 0 && other > best) continue;
      const dx = positions[3 * other] - positions[3 * vertex];
      const dy = positions[3 * other + 1] - positions[3 * vertex + 1];
      const dz = positions[3 * other + 2] - positions[3 * vertex + 2];
      // Without a tolerance no square may round a tiny difference to 0.
      const near = squared > 0 ? dx * dx + dy * dy + dz * dz <= squared : dx === 0 && dy === 0 && dz === 0;
      if (near) best = other;
    }
    return best;
  }
}

/**
 * For each vertex the head of its group: the lowest vertex in its place. With a tolerance [m], heads are chosen in
 * vertex order and every other vertex joins the lowest head within the tolerance, so no group spans more than twice
 * that. Non-finite vertices stay alone.
 * @example
 * ```ts
 * const groups = groupCoincidentVertices([0, 0, 0, 1, 0, 0, 0, 0, 0]); // 0, 1, 0
 * ```
 */
export function groupCoincidentVertices(positions: ArrayLike<number>, tolerance = 0): Uint32Array {
  const count = Math.floor(positions.length / 3);
  const heads = new Uint32Array(count);
  const table = new CellTable(count);
  // Cells twice as wide as the tolerance: a ball around a vertex reaches into at most two cells per axis.
  const scale = 1 / (2 * tolerance);
  const exact = !(tolerance > 0) || !Number.isFinite(scale) || tolerance * tolerance === 0;
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v];
    const y = positions[3 * v + 1];
    const z = positions[3 * v + 2];
    heads[v] = v;
    if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) continue;
    let head = -1;
    let slot: number;
    if (exact) {
      slot = table.slotOf(bitsOf(x), bitsOf(y), bitsOf(z));
      head = table.lowest(slot, positions, v, 0, -1);
    } else {
      const cx = Math.floor(x * scale);
      const cy = Math.floor(y * scale);
      const cz = Math.floor(z * scale);
      const sx = x * scale - cx < 0.5 ? -1 : 1;
      const sy = y * scale - cy < 0.5 ? -1 : 1;
      const sz = z * scale - cz < 0.5 ? -1 : 1;
      slot = table.slotOf(cx, cy, cz);
      for (let corner = 0; corner < 8; corner++) {
        const nearby = table.slotOf(corner & 1 ? cx + sx : cx, corner & 2 ? cy + sy : cy, corner & 4 ? cz + sz : cz);
        head = table.lowest(nearby, positions, v, tolerance * tolerance, head);
      }
    }
    if (head < 0) table.insert(slot, v);
    else heads[v] = head;
  }
  return heads;
}
