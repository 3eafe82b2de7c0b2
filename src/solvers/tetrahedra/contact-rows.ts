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
  /** Coulomb's coefficient, and the obstacle's velocity along its surface [m/s]. */
  frictions = new Float64Array(64);
  slides = new Float64Array(3 * 64);
  /** Impulse along the normal so far in this step [N·s]; pressing is positive. */
  impulses = new Float64Array(64);
  /** 1 where the node moves with the surface; friction's impulse so far in this step [N·s]. */
  sticks = new Uint8Array(64);
  drags = new Float64Array(3 * 64);

  clear(): void {
    this.count = 0;
  }

  /** Adds a row without friction; `setFriction` gives it some. */
  add(node: number, obstacle: number, nx: number, ny: number, nz: number, gap: number, speed: number): number {
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
    this.frictions[i] = 0;
    this.sticks[i] = 0;
    this.slides.fill(0, 3 * i, 3 * i + 3);
    this.drags.fill(0, 3 * i, 3 * i + 3);
    return i;
  }

  /** Friction of row i against a surface that moves with (ux, uy, uz) [m/s], of which the part along the normal is known. */
  setFriction(i: number, friction: number, ux: number, uy: number, uz: number): void {
    const { normals, speeds, slides } = this;
    this.frictions[i] = friction;
    slides[3 * i] = ux - speeds[i] * normals[3 * i];
    slides[3 * i + 1] = uy - speeds[i] * normals[3 * i + 1];
    slides[3 * i + 2] = uz - speeds[i] * normals[3 * i + 2];
  }

  /** n·v of row i's node. */
  along(i: number, v: Float64Array): number {
    const k = 3 * this.nodes[i];
    return this.normals[3 * i] * v[k] + this.normals[3 * i + 1] * v[k + 1] + this.normals[3 * i + 2] * v[k + 2];
  }

  /** Writes how row i's node slips along the surface [m/s], and returns how fast. */
  writeSlip(i: number, v: Float64Array, slip: Float64Array): number {
    const along = this.along(i, v);
    let square = 0;
    for (let c = 0; c < 3; c++) {
      slip[c] = v[3 * this.nodes[i] + c] - along * this.normals[3 * i + c] - this.slides[3 * i + c];
      square += slip[c] * slip[c];
    }
    return Math.sqrt(square);
  }

  private grow(): void {
    const wider = <T extends Uint32Array | Float64Array | Uint8Array>(list: T): T => {
      const wide = new (list.constructor as new (length: number) => T)(2 * list.length);
      wide.set(list);
      return wide;
    };
    this.nodes = wider(this.nodes);
    this.obstacles = wider(this.obstacles);
    this.normals = wider(this.normals);
    this.gaps = wider(this.gaps);
    this.speeds = wider(this.speeds);
    this.frictions = wider(this.frictions);
    this.slides = wider(this.slides);
    this.impulses = wider(this.impulses);
    this.sticks = wider(this.sticks);
    this.drags = wider(this.drags);
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

  /** Takes row j of a list over; where it is held already, with the list's normal, gap and speed. Returns its row. */
  take(rows: ContactRows, j: number): number {
    const { nodes, obstacles, normals, gaps, speeds, frictions, slides } = rows;
    const held = this.find(nodes[j], obstacles[j]);
    if (held !== NONE) {
      for (let k = 0; k < 3; k++) this.normals[3 * held + k] = normals[3 * j + k];
      for (let k = 0; k < 3; k++) this.slides[3 * held + k] = slides[3 * j + k];
      this.gaps[held] = gaps[j];
      this.speeds[held] = speeds[j];
      return held;
    }
    this.add(nodes[j], obstacles[j], normals[3 * j], normals[3 * j + 1], normals[3 * j + 2], gaps[j], speeds[j]);
    this.frictions[this.count - 1] = frictions[j];
    for (let k = 0; k < 3; k++) this.slides[3 * this.count - 3 + k] = slides[3 * j + k];
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
      return row;
    }
    while (this.next[last] !== NONE) last = this.next[last];
    this.next[last] = row;
    return row;
  }
}
