// Nodes and surface of a body in the memory of kernels, which do the same operations in the same order as the loops of their
// parents: the bits are the same.

import { InlinedKernels } from '../../kernels/inlined-kernels.js';
import type { LinearField } from '../linear-fields.js';
import type { RigidMotion } from '../rigid-motion.js';
import * as layout from './kernel-layout.js';
import { KernelMemory } from './kernel-memory.js';
import { KERNELS } from './kernels.generated.js';
import { OctreeDynamics } from './octree-dynamics.js';
import { OctreeSurface } from './octree-surface.js';
import type { Plasticity } from './plasticity.js';
import { motionOf } from './surface-momentum.js';

interface Exports {
  /** No flow where `creep` is negative. */
  writeFrames(restScale: number, yields: number, creep: number, most: number, timeStep: number): void;
  pull(share: number, timeStep: number): void;
  damp(share: number, partShare: number): void;
  /** To an address. */
  place(out: number): void;
  placeStarts(): void;
  measureShell(): void;
  measureCarried(timeStep: number): void;
  moveByField(timeStep: number): void;
  follow(): void;
  followVelocities(): void;
  longestStray(): number;
}

type Arrays = (field: number) => Float64Array;

const kernels = /* @__PURE__ */ new InlinedKernels<Exports>(KERNELS);

class KernelDynamics extends OctreeDynamics {
  constructor(
    { rest, restScale }: OctreeDynamics,
    arrays: Arrays,
    private readonly exports: Exports,
  ) {
    super(rest, {
      positions: arrays(layout.POSITIONS),
      velocities: arrays(layout.VELOCITIES),
      quaternions: arrays(layout.QUATERNIONS),
      flows: arrays(layout.FLOWS),
      frames: arrays(layout.FRAMES),
      origin: arrays(layout.ORIGIN),
      pulls: arrays(layout.PULLS),
    });
    this.restScale = restScale;
  }

  override writeFrames(plasticity: Plasticity | false = false, timeStep = 0): void {
    const { yield: yields, creep, max } = plasticity || { yield: 0, creep: -1, max: 0 };
    this.exports.writeFrames(this.restScale, yields, creep, max, timeStep);
  }

  protected override pull(share: number, timeStep: number): void {
    this.exports.pull(share, timeStep);
  }

  protected override takeMotion(share: number, partShare: number): void {
    this.exports.damp(share, partShare);
  }
}

class KernelSurface extends OctreeSurface {
  protected override readonly momenta: Float64Array;
  private readonly shellPositions: Float64Array;
  private readonly shellVelocities: Float64Array;
  private readonly changes: Float64Array;
  private readonly field: Float64Array;
  private readonly held: Uint8Array;

  constructor(
    { binding }: OctreeSurface,
    dynamics: OctreeDynamics,
    arrays: Arrays,
    private readonly exports: Exports,
  ) {
    super(binding, dynamics, {
      carried: arrays(layout.CARRIED),
      carriedVelocities: arrays(layout.CARRIED_VELOCITIES),
      starts: arrays(layout.STARTS),
    });
    this.momenta = arrays(layout.MOMENTA);
    this.shellPositions = arrays(layout.SHELL_POSITIONS);
    this.shellVelocities = arrays(layout.SHELL_VELOCITIES);
    this.changes = arrays(layout.CHANGES);
    this.field = arrays(layout.FIELD);
    const { buffer } = this.field;
    this.held = new Uint8Array(buffer, new Uint32Array(buffer)[layout.HELD / 4], binding.skin.massShares.length);
  }

  override place(out: Float64Array): void {
    const inside = out.buffer === this.carried.buffer ? out : this.shellPositions;
    this.exports.place(inside.byteOffset);
    if (inside !== out) out.set(inside);
  }

  override placeStarts(changes: Float64Array): void {
    this.exports.placeStarts();
    changes.set(this.changes);
  }

  override measure(positions: Float64Array, velocities: Float64Array, out: RigidMotion): void {
    this.shellPositions.set(positions);
    this.shellVelocities.set(velocities);
    this.exports.measureShell();
    motionOf(this.momenta, this.shellPositions, out);
  }

  override measureCarried(timeStep: number, out: RigidMotion): void {
    this.exports.measureCarried(timeStep);
    motionOf(this.momenta, this.starts, out);
  }

  override move(shift: ArrayLike<number>, { centre, mean, gradient }: LinearField, timeStep: number): void {
    this.field.set(centre);
    this.field.set(mean, 3);
    this.field.set(gradient, 6);
    this.field.set(shift, 15);
    this.exports.moveByField(timeStep);
  }

  override follow(positions: Float64Array, velocities: Float64Array): void {
    this.shellPositions.set(positions);
    this.shellVelocities.set(velocities);
    this.exports.follow();
  }

  /** The shell's positions are those of `follow`. */
  override longestStray(_: Float64Array, held: Uint8Array): number {
    this.held.set(held);
    return this.exports.longestStray();
  }

  override followVelocities(): void {
    this.exports.followVelocities();
  }
}

export const isInKernels = (surface: OctreeSurface): boolean => surface instanceof KernelSurface;

/** The same nodes and surface in kernels; nothing where the engine has none. */
export function createInKernels(
  dynamics: OctreeDynamics,
  surface: OctreeSurface,
): { readonly dynamics: OctreeDynamics; readonly surface: OctreeSurface } | undefined {
  const memory = new KernelMemory(dynamics, surface);
  const instance = kernels.instantiate(memory.bytes);
  if (!instance) return undefined;
  const arrays = memory.fill(instance.memory);
  const inside = new KernelDynamics(dynamics, arrays, instance.exports);
  return { dynamics: inside, surface: new KernelSurface(surface, inside, arrays, instance.exports) };
}
