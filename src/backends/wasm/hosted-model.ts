// A body of the WebAssembly backend whose solver has no kernels: its model moves the shell in double precision on the host; contact,
// volume and all that users see of the body are the kernels', which have the shell in single precision.

import type { Vec3 } from '../../math/vec3.js';
import { InnerMass } from '../../solvers/inner-mass.js';
import type { Model, Shell } from '../../solvers/model.js';
import type { Surroundings } from '../../solvers/model-contacts.js';
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
  /** What the kernels were given, with all digits of that: position and velocity. */
  private readonly given: Float64Array;

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
    this.given = new Float64Array(6 * count);
  }

  /** predict, match and damp, and what the kernels need to know of it; `around` has the obstacles and frictions. */
  move(
    { gravity, timeStep }: StepInput,
    around: Pick<Surroundings, 'colliders' | 'frictions'>,
    kernel: KernelShell,
    profile: Profile,
  ): void {
    const begin = performance.now();
    const { shell, model } = this;
    this.predict(gravity, timeStep);
    const predicted = performance.now();
    model.match(shell, timeStep, { ...around, gravity, pinned: this.pinned });
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
    const fall = [timeStep * gravity[0], timeStep * gravity[1], timeStep * gravity[2]];
    starts.set(positions);
    for (let k = 0; k < velocities.length; k++) {
      velocities[k] += fall[k % 3];
      positions[k] += timeStep * velocities[k];
    }
    const inner = this.model.inner?.velocities ?? [];
    for (let k = 0; k < inner.length; k++) inner[k] += fall[k % 3];
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
    const { shell, given } = this;
    for (let i = 0, k = 0; i < shell.count; i++) {
      changes[i] = shell.changes[i];
      for (let c = 0; c < 3; c++, k++) {
        positions[4 * i + c] = shell.positions[k] - origin[c];
        starts[4 * i + c] = shell.starts[k] - origin[c];
        velocities[4 * i + c] = shell.velocities[k];
        given[6 * i + c] = origin[c] + positions[4 * i + c];
        given[6 * i + 3 + c] = velocities[4 * i + c];
      }
    }
  }

  /** What contact and volume changed is changed in the shell, which keeps its digits. */
  private take({ positions, velocities, origin }: KernelShell): void {
    const { shell, given } = this;
    for (let i = 0, k = 0; i < shell.count; i++) {
      for (let c = 0; c < 3; c++, k++) {
        shell.positions[k] += origin[c] + positions[4 * i + c] - given[6 * i + c];
        shell.velocities[k] += velocities[4 * i + c] - given[6 * i + 3 + c];
      }
    }
  }

  /**
   * Lets the model follow what the kernels did to the shell. Whether it could not, and has moved all particles but those in contact
   * or pinned: these stages have to be done once more.
   */
  follow(kernel: KernelShell, colliding: Uint8Array): boolean {
    const { shell, model } = this;
    this.take(kernel);
    model.takeOver?.(shell);
    if (
      !model.pullBack?.(
        shell,
        this.pinned.map((mark, i) => mark | (colliding[i] === 0 ? 0 : 1)),
      )
    )
      return false;
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
