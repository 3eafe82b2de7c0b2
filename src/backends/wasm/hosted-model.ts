// A body of the WebAssembly backend whose solver has no kernels: its model moves the shell in double precision on the host; contact,
// volume and all that users see of the body are the kernels', which have the shell in single precision.

import type { Vec3 } from '../../math/vec3.js';
import { InnerMass } from '../../solvers/inner-mass.js';
import type { Model, Shell } from '../../solvers/model.js';
import type { Prepared } from '../../solvers/solver.js';
import type { Profile, StepInput } from '../backend.js';

/** The kernels' arrays of one body: vectors of four numbers, relative to the body's origin. */
export interface KernelShell {
  readonly positions: Float32Array;
  readonly starts: Float32Array;
  readonly velocities: Float32Array;
  readonly changes: Float32Array;
  readonly origin: Float64Array;
}

const NOTHING = new Float64Array(0);
const NOWHERE = new Float64Array(3);

/** Vectors of three numbers relative to an origin, as vectors of four. Loops of few arrays are the fastest. */
function writePoints(from: Float64Array, origin: Float64Array, to: Float32Array): void {
  const [ox, oy, oz] = [origin[0], origin[1], origin[2]];
  for (let k = 0, p = 0; k < from.length; k += 3, p += 4) {
    to[p] = from[k] - ox;
    to[p + 1] = from[k + 1] - oy;
    to[p + 2] = from[k + 2] - oz;
  }
}

/** Adds to vectors of three numbers a shift and how vectors of four differ from what they were. */
function addChanges(now: Float32Array, before: Float32Array, shift: Float64Array, to: Float64Array): void {
  const [x, y, z] = [shift[0], shift[1], shift[2]];
  for (let k = 0, p = 0; k < to.length; k += 3, p += 4) {
    to[k] += x + (now[p] - before[p]);
    to[k + 1] += y + (now[p + 1] - before[p + 1]);
    to[k + 2] += z + (now[p + 2] - before[p + 2]);
  }
}

export class HostedModel {
  readonly model: Model;
  /** In the solver's order. */
  readonly shell: Shell;
  readonly innerMass?: InnerMass;
  /** Which particles are pinned, and where to [m]. */
  readonly pinned: Uint8Array;
  readonly pinTargets: Float64Array;
  /** What pins did to the velocities of their particles in this substep [m/s]. */
  readonly pinChanges: Float64Array;
  /** What the kernels were given: positions and velocities as they have them, and the origin of these. */
  private readonly givenPositions: Float32Array;
  private readonly givenVelocities: Float32Array;
  private readonly givenOrigin = new Float64Array(3);
  /** How far the origin moved since. */
  private readonly shift = new Float64Array(3);
  /** Which particles are pinned or in contact. */
  private readonly held: Uint8Array;

  constructor(prepared: Prepared, bodyMass: number) {
    const { count, massShares } = prepared.particles;
    this.model = prepared.solver.create(prepared, { mass: bodyMass, kernels: true });
    this.shell = {
      count,
      positions: prepared.particles.mesh.positions.slice(),
      starts: new Float64Array(3 * count),
      velocities: new Float64Array(3 * count),
      masses: massShares.map((share) => share * bodyMass),
      changes: new Float64Array(count),
      anchored: false,
    };
    this.innerMass = InnerMass.of(this.model.inner, bodyMass);
    this.pinned = new Uint8Array(count);
    this.pinTargets = new Float64Array(3 * count);
    this.pinChanges = new Float64Array(3 * count);
    this.givenPositions = new Float32Array(4 * count);
    this.givenVelocities = new Float32Array(4 * count);
    this.held = new Uint8Array(count);
  }

  /** predict, match and damp, and what the kernels need to know of it. */
  move({ gravity, timeStep }: StepInput, kernel: KernelShell, profile: Profile): void {
    const begin = performance.now();
    const { shell, model } = this;
    this.predict(gravity, timeStep);
    const predicted = performance.now();
    model.match(shell, timeStep);
    this.holdPins(timeStep);
    const matched = performance.now();
    model.damp(shell, timeStep);
    this.holdPins(timeStep);
    this.give(kernel);
    profile.predict += predicted - begin;
    profile.match += matched - predicted;
    profile.damp += performance.now() - matched;
  }

  private predict(gravity: Vec3, timeStep: number): void {
    const { positions, starts, velocities } = this.shell;
    starts.set(positions);
    const [fx, fy, fz] = gravity.map((g) => timeStep * g);
    for (let k = 0; k < velocities.length; k += 3) {
      velocities[k] += fx;
      velocities[k + 1] += fy;
      velocities[k + 2] += fz;
      positions[k] += timeStep * velocities[k];
      positions[k + 1] += timeStep * velocities[k + 1];
      positions[k + 2] += timeStep * velocities[k + 2];
    }
    const inner = this.model.inner?.velocities ?? NOTHING;
    for (let k = 0; k < inner.length; k += 3) {
      inner[k] += fx;
      inner[k + 1] += fy;
      inner[k + 2] += fz;
    }
    this.holdPins(timeStep);
  }

  private holdPins(timeStep: number): void {
    if (!this.shell.anchored) return;
    const { positions, starts, velocities } = this.shell;
    for (let i = 0; i < this.pinned.length; i++) {
      if (this.pinned[i] === 0) continue;
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        positions[k] = this.pinTargets[k];
        this.pinChanges[k] -= velocities[k];
        velocities[k] = (positions[k] - starts[k]) / timeStep;
        this.pinChanges[k] += velocities[k];
      }
    }
  }

  /** Writes the shell to the kernels. */
  private give({ positions, starts, velocities, changes, origin }: KernelShell): void {
    const { shell } = this;
    changes.set(shell.changes);
    writePoints(shell.positions, origin, positions);
    writePoints(shell.starts, origin, starts);
    writePoints(shell.velocities, NOWHERE, velocities);
    this.givenPositions.set(positions);
    this.givenVelocities.set(velocities);
    this.givenOrigin.set(origin);
  }

  /** What contact and volume changed is changed in the shell, which keeps its digits. */
  private take({ positions, velocities, origin }: KernelShell): void {
    const { shell, givenPositions, givenVelocities, givenOrigin, shift } = this;
    for (let c = 0; c < 3; c++) shift[c] = origin[c] - givenOrigin[c];
    addChanges(positions, givenPositions, shift, shell.positions);
    addChanges(velocities, givenVelocities, NOWHERE, shell.velocities);
  }

  /**
   * Lets the model follow what the kernels did to the shell. Whether it could not, and has moved all particles but those in contact
   * or pinned: these stages have to be done once more.
   */
  follow(kernel: KernelShell, colliding: Uint8Array): boolean {
    const { shell, model, held, pinned } = this;
    this.take(kernel);
    model.takeOver?.(shell);
    if (!model.pullBack) return false;
    for (let i = 0; i < held.length; i++) held[i] = pinned[i] | colliding[i];
    if (!model.pullBack(shell, held)) return false;
    this.give(kernel);
    return true;
  }

  /** The same after they were done once more. */
  followAgain(kernel: KernelShell): void {
    this.take(kernel);
    this.model.takeOver?.(this.shell);
  }

  /** The shell gets positions and velocities from outside, in the solver's order. */
  replace(positions: Float64Array, velocities: Float64Array): void {
    const { shell, model } = this;
    model.replace?.(shell, positions, velocities);
    shell.positions.set(positions);
    shell.velocities.set(velocities);
  }

  /** The shell's velocities change by what was added to them from outside; the momentum inside is kept. */
  replaceVelocities(velocities: Float64Array): void {
    const { shell, innerMass } = this;
    const positions = shell.positions.slice();
    if (!innerMass) this.replace(positions, velocities);
    else {
      innerMass.keepThrough({ positions, velocities, masses: shell.masses }, () => this.replace(positions, velocities));
      shell.velocities.set(velocities);
    }
  }

  /** Live arrays by name. */
  state() {
    const { positions, starts, velocities, changes } = this.shell;
    const { pinned, pinTargets, pinChanges } = this;
    return { positions, starts, velocities, changes, pinned, pinTargets, pinChanges };
  }
}
