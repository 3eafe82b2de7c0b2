// Contacts of nodes with obstacles as the step sees them: a list of who may touch what, and those that hold at present.

/** Where nodes may touch obstacles within a step. */
export interface ContactSource {
  /**
   * Adds a row for every node that is, or may come, near an obstacle within the step: its distance from where the obstacle
   * will be at the end of the step, the unit normal there, away from the obstacle, and the obstacle's own speed along it.
   * `isPlaced` where positions are those at the end of the step already.
   */
  list(positions: Float64Array, velocities: Float64Array, timeStep: number, rows: ContactRows, isPlaced: boolean): void;
}

/** Rows of contacts; grows, never shrinks. */
export class ContactRows {
  count = 0;
  nodes = new Uint32Array(64);
  /** Whatever tells the source's obstacles apart. */
  obstacles = new Uint32Array(64);
  /** Unit normals, away from the obstacle. */
  normals = new Float64Array(3 * 64);
  /** Signed distance [m] to the obstacle where it is at the end of the step. */
  gaps = new Float64Array(64);
  /** The obstacle's velocity along the normal [m/s]. */
  speeds = new Float64Array(64);
  /** Impulse along the normal so far in this step [N·s]; pressing is positive. */
  impulses = new Float64Array(64);

  clear(): void {
    this.count = 0;
  }

  add(node: number, obstacle: number, nx: number, ny: number, nz: number, gap: number, speed: number): void {
    if (this.count === this.nodes.length) this.grow();
    const i = this.count++;
    this.nodes[i] = node;
    this.obstacles[i] = obstacle;
    this.normals[3 * i] = nx;
    this.normals[3 * i + 1] = ny;
    this.normals[3 * i + 2] = nz;
    this.gaps[i] = gap;
    this.speeds[i] = speed;
    this.impulses[i] = 0;
  }

  /** n·v of row i's node. */
  along(i: number, v: Float64Array): number {
    const k = 3 * this.nodes[i];
    return this.normals[3 * i] * v[k] + this.normals[3 * i + 1] * v[k + 1] + this.normals[3 * i + 2] * v[k + 2];
  }

  private grow(): void {
    const wider = <T extends Uint32Array | Float64Array>(list: T, make: (length: number) => T): T => {
      const wide = make(2 * list.length);
      wide.set(list);
      return wide;
    };
    const whole = (length: number) => new Uint32Array(length);
    const real = (length: number) => new Float64Array(length);
    this.nodes = wider(this.nodes, whole);
    this.obstacles = wider(this.obstacles, whole);
    this.normals = wider(this.normals, real);
    this.gaps = wider(this.gaps, real);
    this.speeds = wider(this.speeds, real);
    this.impulses = wider(this.impulses, real);
  }
}

const NONE = -1;

/** The contacts that hold: rows that a node is found by. */
export class ActiveContacts extends ContactRows {
  /** First row of each node, and the next one after each row. */
  private readonly first: Int32Array;
  private next = new Int32Array(64);

  constructor(nodeCount: number) {
    super();
    this.first = new Int32Array(nodeCount).fill(NONE);
  }

  override clear(): void {
    for (let i = 0; i < this.count; i++) this.first[this.nodes[i]] = NONE;
    super.clear();
  }

  find(node: number, obstacle: number): number {
    for (let i = this.first[node]; i !== NONE; i = this.next[i]) if (this.obstacles[i] === obstacle) return i;
    return NONE;
  }

  /** Row of the node that follows row i in the order in which they came; its first one after `NONE`. */
  rowOf(node: number, after = NONE): number {
    return after === NONE ? this.first[node] : this.next[after];
  }

  /** Takes row j of a list over; where it is held already, with the list's normal, gap and speed. */
  take(rows: ContactRows, j: number): void {
    const { nodes, obstacles, normals, gaps, speeds } = rows;
    const held = this.find(nodes[j], obstacles[j]);
    if (held !== NONE) {
      for (let k = 0; k < 3; k++) this.normals[3 * held + k] = normals[3 * j + k];
      this.gaps[held] = gaps[j];
      this.speeds[held] = speeds[j];
      return;
    }
    this.add(nodes[j], obstacles[j], normals[3 * j], normals[3 * j + 1], normals[3 * j + 2], gaps[j], speeds[j]);
    if (this.next.length < this.nodes.length) {
      const wide = new Int32Array(this.nodes.length);
      wide.set(this.next);
      this.next = wide;
    }
    const row = this.count - 1;
    this.next[row] = NONE;
    let last = this.first[nodes[j]];
    if (last === NONE) {
      this.first[nodes[j]] = row;
      return;
    }
    while (this.next[last] !== NONE) last = this.next[last];
    this.next[last] = row;
  }
}
