// A body of the WebAssembly backend whose solver has no kernels: its model moves the shell in double precision on the host; contact,
// volume and all that users see of the body are the kernels', which have the shell in single precision.

import type { Vec3 } from '../../math/vec3.js';
import { InnerMass } from '../../solvers/inner-mass.js';
import { addField, type Model, type RigidField, type Shell } from '../../solvers/model.js';
import type { Surroundings } from '../../solvers/model-contacts.js';
import type { Prepared } from '../../solvers/solver.js';
import type { Profile, StepInput } from '../backend.js';
import { PinnedParticles } from '../pinned-particles.js';
import { ShellCopies } from './hosting/shell-copies.js';

/** The kernels' arrays of one body: vectors of four numbers, relative to the body's origin. */
export interface KernelShell {
  readonly positions: Float32Array;
  readonly starts: Float32Array;
  readonly velocities: Float32Array;
  readonly changes: Float32Array;
  readonly origin: Float64Array;
}

const NOTHING = new Float64Array(0);

export class HostedModel {
  readonly model: Model;
  /** In the solver's order. */
  readonly shell: Shell;
  readonly innerMass?: InnerMass;
  /** The vertex of each particle. */
  private readonly order: Uint32Array;
  readonly pins: PinnedParticles;
  /** The shell's vectors, and what of them the kernels were given. */
  private readonly copies: ShellCopies;
  /** What the positions that they were given are relative to [m]. */
  private readonly givenOrigin = new Float64Array(3);
  /** How far the origin moved since. */
  private readonly shift = new Float64Array(3);
  /** Particles that the model has moved since the kernels' last stage. */
  settled: readonly number[] = [];
  /** Which particles are pinned or in contact. */
  private readonly held: Uint8Array;

  constructor(prepared: Prepared, bodyMass: number, threads: number) {
    const { count, massShares, order } = prepared.particles;
    this.order = order;
    this.model = prepared.solver.create(prepared, { mass: bodyMass, kernels: true, threads });
    this.copies = new ShellCopies(count);
    const { positions, starts, velocities } = this.copies;
    positions.set(prepared.particles.mesh.positions);
    this.shell = {
      count,
      positions,
      starts,
      velocities,
      masses: massShares.map((share) => share * bodyMass),
      changes: new Float64Array(count),
      anchored: false,
    };
    this.innerMass = InnerMass.of(this.model.inner, bodyMass);
    this.pins = new PinnedParticles(count);
    this.held = new Uint8Array(count);
  }

  /** predict, match and damp, and what the kernels need to know of it; `around` has what the caller knows of its surroundings. */
  move(
    input: StepInput,
    around: Pick<Surroundings, 'colliders' | 'frictions' | 'isRecovering'>,
    kernel: KernelShell,
    profile: Profile,
  ): void {
    this.begin(input, profile);
    const begin = performance.now();
    this.model.match(this.shell, input.timeStep, { ...around, gravity: input.gravity, pinned: this.pins.pinned });
    profile.match += performance.now() - begin;
    this.end(input, kernel, profile);
  }

  /** What comes before `match`. */
  begin({ gravity, timeStep }: StepInput, profile: Profile): void {
    const begin = performance.now();
    this.predict(gravity, timeStep);
    profile.predict += performance.now() - begin;
  }

  /** What comes after it. */
  end({ timeStep }: StepInput, kernel: KernelShell, profile: Profile): void {
    const begin = performance.now();
    this.pins.hold(this.shell, timeStep);
    this.model.damp(this.shell, timeStep);
    this.pins.hold(this.shell, timeStep);
    this.give(kernel);
    profile.damp += performance.now() - begin;
  }

  private predict(gravity: Vec3, timeStep: number): void {
    const { positions, starts } = this.shell;
    starts.set(positions);
    const [fx, fy, fz] = gravity.map((g) => timeStep * g);
    this.copies.fall(fx, fy, fz, timeStep);
    const inner = this.model.inner?.velocities ?? NOTHING;
    for (let k = 0; k < inner.length; k += 3) {
      inner[k] += fx;
      inner[k + 1] += fy;
      inner[k + 2] += fz;
    }
    this.pins.hold(this.shell, timeStep);
  }

  /** Writes the shell to the kernels. */
  private give({ positions, starts, velocities, changes, origin }: KernelShell): void {
    changes.set(this.shell.changes);
    this.copies.give(origin, positions, starts, velocities);
    this.givenOrigin.set(origin);
  }

  /** What contact and volume changed is changed in the shell, which keeps its digits. */
  private take({ positions, velocities, origin }: KernelShell): void {
    const { givenOrigin, shift } = this;
    for (let c = 0; c < 3; c++) shift[c] = origin[c] - givenOrigin[c];
    this.copies.take(shift, positions, velocities);
  }

  /**
   * Lets the model follow what the kernels did to the shell. Whether it could not, and has moved all particles but those in contact
   * or pinned: these stages have to be done once more.
   */
  follow(kernel: KernelShell, colliding: Uint8Array): boolean {
    const { shell, model, held } = this;
    const { pinned } = this.pins;
    this.take(kernel);
    model.takeOver?.(shell);
    for (let i = 0; i < held.length; i++) held[i] = pinned[i] | colliding[i];
    if (!model.pullBack?.(shell, held)) {
      this.settle(kernel);
      return false;
    }
    this.give(kernel);
    return true;
  }

  private settle(kernel: KernelShell): void {
    const { positions, velocities } = this.shell;
    this.settled = this.model.settle?.(this.shell) ?? [];
    for (const i of this.settled) {
      for (let c = 0; c < 3; c++) {
        kernel.positions[4 * i + c] = positions[3 * i + c] - kernel.origin[c];
        kernel.velocities[4 * i + c] = velocities[3 * i + c];
      }
    }
  }

  /** The same after they were done once more. */
  followAgain(kernel: KernelShell): void {
    this.take(kernel);
    this.model.takeOver?.(this.shell);
    this.settle(kernel);
  }

  /** The shell gets positions and velocities from outside, in the mesh's own vertex order. */
  load(positions: ArrayLike<number>, velocities: ArrayLike<number>): void {
    const { order } = this;
    const gather = (source: ArrayLike<number>): Float64Array => {
      const out = new Float64Array(3 * order.length);
      for (let place = 0; place < order.length; place++) {
        for (let c = 0; c < 3; c++) out[3 * place + c] = source[3 * order[place] + c];
      }
      return out;
    };
    this.replace(gather(positions), gather(velocities));
  }

  private replace(positions: Float64Array, velocities: Float64Array): void {
    const { shell, model } = this;
    model.replace?.(shell, positions, velocities);
    shell.positions.set(positions);
    shell.velocities.set(velocities);
  }

  /**
   * Adds to the shell's velocities [m/s]; with mass inside, the momentum there is kept. Returns what the shell got beyond that, in the
   * solver's order.
   */
  addVelocities(added: Float64Array): Float64Array {
    const { shell, innerMass } = this;
    const positions = shell.positions.slice();
    const velocities = shell.velocities.map((velocity, k) => velocity + added[k]);
    const asked = velocities.slice();
    if (!innerMass) this.replace(positions, velocities);
    else {
      innerMass.keepThrough({ positions, velocities, masses: shell.masses }, () => this.replace(positions, velocities));
      shell.velocities.set(velocities);
    }
    return velocities.map((velocity, k) => velocity - asked[k]);
  }

  /** Adds a rigid velocity field to all of it. */
  push(field: RigidField): void {
    addField(field, this.shell.positions, this.shell.velocities);
    this.innerMass?.push(field);
  }

  /** Σ m v of all of it [kg m/s]. */
  momentum(): Vec3 {
    const sum: [number, number, number] = [0, 0, 0];
    const { velocities, masses } = this.shell;
    for (let k = 0; k < velocities.length; k++) sum[k % 3] += masses[Math.trunc(k / 3)] * velocities[k];
    this.innerMass?.addMomentum(sum);
    return sum;
  }

  /** Live arrays by name. */
  state() {
    const { positions, starts, velocities, changes } = this.shell;
    const { pinned, targets: pinTargets, changes: pinChanges } = this.pins;
    return { positions, starts, velocities, changes, pinned, pinTargets, pinChanges };
  }
}
