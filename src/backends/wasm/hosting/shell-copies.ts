// The shell of a hosted body between the host's double precision and the kernels' single. Small kernels do it where there are any, in
// a memory that the shell's arrays lie in; loops do the same elsewhere.

import { InlinedKernels } from '../../../kernels/inlined-kernels.js';
import { KERNELS } from './kernels.generated.js';

interface Exports {
  fall(positions: number, velocities: number, count: number, x: number, y: number, z: number, timeStep: number): void;
  narrow(from: number, to: number, count: number, x: number, y: number, z: number): void;
  addChanges(now: number, before: number, to: number, count: number, x: number, y: number, z: number): void;
}

const kernels = /* @__PURE__ */ new InlinedKernels<Exports>(KERNELS);

/** What the compiler itself needs comes before the arrays. */
const ARRAYS = 1024;
/** Bytes per particle: three vectors of three doubles; what was given of these, and one that is read, of four floats each. */
const BYTES = 3 * 24 + 4 * 16;

/** Vectors of a hosted shell: three numbers per particle in double precision. */
export class ShellCopies {
  readonly positions: Float64Array;
  readonly starts: Float64Array;
  readonly velocities: Float64Array;
  /** What the kernels were last given, four numbers per particle, and what is read of them. */
  private readonly givenPositions: Float32Array;
  private readonly givenStarts: Float32Array;
  private readonly givenVelocities: Float32Array;
  private readonly read: Float32Array;
  private readonly exports: Exports | undefined;

  /** `withKernels` false is for tests, which compare. */
  constructor(
    private readonly count: number,
    withKernels = true,
  ) {
    const bytes = ARRAYS + BYTES * count;
    const instance = withKernels ? kernels.instantiate(bytes) : undefined;
    const memory = instance?.memory ?? new ArrayBuffer(bytes);
    this.exports = instance?.exports;
    // Those of four floats first: they lie at whole vectors.
    const floats = (n: number) => new Float32Array(memory, ARRAYS + 16 * n * count, 4 * count);
    const doubles = (n: number) => new Float64Array(memory, ARRAYS + 64 * count + 24 * n * count, 3 * count);
    this.givenPositions = floats(0);
    this.givenStarts = floats(1);
    this.givenVelocities = floats(2);
    this.read = floats(3);
    this.positions = doubles(0);
    this.starts = doubles(1);
    this.velocities = doubles(2);
  }

  /** v ← v + (x, y, z), x ← x + Δt·v. */
  fall(x: number, y: number, z: number, timeStep: number): void {
    const { positions, velocities, exports, count } = this;
    if (exports) {
      exports.fall(positions.byteOffset, velocities.byteOffset, count, x, y, z, timeStep);
      return;
    }
    for (let k = 0; k < velocities.length; k += 3) {
      velocities[k] += x;
      velocities[k + 1] += y;
      velocities[k + 2] += z;
      positions[k] += timeStep * velocities[k];
      positions[k + 1] += timeStep * velocities[k + 1];
      positions[k + 2] += timeStep * velocities[k + 2];
    }
  }

  /** Writes positions and starts relative to an origin, and velocities, for the kernels. */
  give(origin: ArrayLike<number>, positions: Float32Array, starts: Float32Array, velocities: Float32Array): void {
    this.narrow(this.positions, this.givenPositions, origin[0], origin[1], origin[2]);
    this.narrow(this.starts, this.givenStarts, origin[0], origin[1], origin[2]);
    this.narrow(this.velocities, this.givenVelocities, 0, 0, 0);
    positions.set(this.givenPositions);
    starts.set(this.givenStarts);
    velocities.set(this.givenVelocities);
  }

  /** Adds what the kernels changed since; their origin has moved by `shift`. What they left alone keeps all digits. */
  take(shift: ArrayLike<number>, positions: Float32Array, velocities: Float32Array): void {
    this.addChanges(positions, this.givenPositions, this.positions, shift[0], shift[1], shift[2]);
    this.addChanges(velocities, this.givenVelocities, this.velocities, 0, 0, 0);
  }

  private narrow(from: Float64Array, to: Float32Array, x: number, y: number, z: number): void {
    const { exports, count } = this;
    if (exports) {
      exports.narrow(from.byteOffset, to.byteOffset, count, x, y, z);
      return;
    }
    for (let k = 0, p = 0; k < from.length; k += 3, p += 4) {
      to[p] = from[k] - x;
      to[p + 1] = from[k + 1] - y;
      to[p + 2] = from[k + 2] - z;
    }
  }

  private addChanges(now: Float32Array, before: Float32Array, to: Float64Array, x: number, y: number, z: number): void {
    const { exports, count, read } = this;
    if (exports) {
      read.set(now);
      exports.addChanges(read.byteOffset, before.byteOffset, to.byteOffset, count, x, y, z);
      return;
    }
    for (let k = 0, p = 0; k < to.length; k += 3, p += 4) {
      to[k] += x + (now[p] - before[p]);
      to[k + 1] += y + (now[p + 1] - before[p + 1]);
      to[k + 2] += z + (now[p + 2] - before[p + 2]);
    }
  }
}
