// One body of the WebAssembly backend: a record and its state arrays in the kernels' memory.

import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-body.js';
import type { PreparedSurface } from '../../solvers/prepare.js';
import type { SurfaceSettings } from '../../solvers/surface/settings.js';
import { dampingPerStep, stiffnessPerStep } from '../../solvers/surface/surface-elasticity.js';
import type { BackendBody } from '../backend.js';
import type { Pin } from '../pin.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import type { RestData } from './rest-data.js';

/** State arrays: field of the record, bytes per particle. */
const STATE: readonly (readonly [field: number, bytes: number])[] = [
  [layout.BODY_POSITIONS, 16],
  [layout.BODY_STARTS, 16],
  [layout.BODY_VELOCITIES, 16],
  [layout.BODY_QUATERNIONS, 16],
  [layout.BODY_NORMALS, 16],
  [layout.BODY_OUTWARD, 16],
  [layout.BODY_DIRECTION, 16],
  [layout.BODY_CANDIDATES, 16],
  [layout.BODY_CONTACT_NORMALS, 16],
  [layout.BODY_SURFACE_VELOCITIES, 16],
  [layout.BODY_PIN_TARGETS, 16],
  [layout.BODY_CHANGES, 4],
  [layout.BODY_SHARES, 4],
  [layout.BODY_WEIGHTS, 16],
  [layout.BODY_WEIGHTS_SCRATCH, 16],
  [layout.BODY_PINNED, 1],
  [layout.BODY_COLLIDING, 1],
  [layout.BODY_HELD, 1],
  [layout.BODY_SHOWN_POSITIONS, 12],
  [layout.BODY_SHOWN_VELOCITIES, 12],
  [layout.BODY_KEPT_VELOCITIES, 16],
];
const ROW = 64;

/** Bodies do not touch each other on this backend: what would be about that stays as it is by default. */
class UntouchedSettings implements ContactSettings {
  get friction(): number {
    return CONTACT_DEFAULTS.friction;
  }
  set friction(value: number) {
    refuseOther('friction', value);
  }
  get restitution(): number {
    return CONTACT_DEFAULTS.restitution;
  }
  set restitution(value: number) {
    refuseOther('restitution', value);
  }
  get selfContact(): boolean {
    return CONTACT_DEFAULTS.selfContact;
  }
  set selfContact(value: boolean) {
    refuseOther('selfContact', value);
  }
}

function refuseOther(name: keyof ContactSettings, value: unknown): void {
  if (value === CONTACT_DEFAULTS[name]) return;
  throw new RangeError(`${name}: bodies do not touch each other on the wasm backend, expected backend: 'reference'`);
}

export class WasmBody implements BackendBody {
  /** Address of the record. */
  readonly record: number;
  readonly masses: Float64Array;
  readonly pins: Pin[] = [];
  contactCount = 0;
  /** Whether particles are marked as pinned. */
  private hadPins = false;
  settings: SurfaceSettings;
  readonly contactSettings = new UntouchedSettings();
  readonly asleep = false;
  private readonly blocks: number[] = [];
  private readonly places: Uint32Array;
  private positionsView: Float32Array;
  private velocitiesView: Float32Array;
  private removed = false;

  constructor(
    private readonly memory: WasmMemory,
    readonly prepared: PreparedSurface,
    readonly rest: RestData,
    density: number,
  ) {
    const { count, padded, chunks, rows, pointers } = rest;
    const { surface, volume, solver, mesh } = prepared;
    this.settings = solver.settings;
    const mass = density * volume.volume;
    this.masses = new Float64Array(count);
    this.places = new Uint32Array(count);
    surface.order.forEach((vertex, place) => {
      this.masses[vertex] = mass * surface.massShares[place];
      this.places[vertex] = place;
    });
    this.record = this.allocate(layout.BODY_BYTES);
    for (const [field, address] of pointers) this.setInteger(field, address);
    for (const [field, bytes] of STATE) this.setInteger(field, this.allocate(bytes * padded));
    for (const field of [layout.BODY_PREFIX, layout.BODY_FIELD_PREFIX])
      this.setInteger(field, this.allocate(rows * ROW));
    this.setInteger(layout.BODY_PARTIALS, this.allocate(chunks * layout.PARTIALS * 8));
    this.setInteger(layout.BODY_COUNT, count);
    this.setInteger(layout.BODY_CHUNKS, chunks);
    this.setNumber(layout.BODY_VOLUME, volume.volume);
    this.setNumber(layout.BODY_SIZE, volume.size);
    this.setNumber(layout.BODY_MEAN_AREA, surface.areas.reduce((sum, area) => sum + area, 0) / count);
    this.positionsView = this.view(layout.BODY_SHOWN_POSITIONS);
    this.velocitiesView = this.view(layout.BODY_SHOWN_VELOCITIES);
    this.place(mesh.positions, [0, 0, 0, 1]);
  }

  get positions(): Float32Array {
    if (!this.removed && this.positionsView.buffer !== this.memory.memory.buffer)
      this.positionsView = this.view(layout.BODY_SHOWN_POSITIONS);
    return this.positionsView;
  }

  get velocities(): Float32Array {
    if (!this.removed && this.velocitiesView.buffer !== this.memory.memory.buffer)
      this.velocitiesView = this.view(layout.BODY_SHOWN_VELOCITIES);
    return this.velocitiesView;
  }

  wake(): void {}

  place(positions: ArrayLike<number>, rotation: ArrayLike<number>): void {
    this.loadPositionsFrom(positions);
    const quaternions = this.memory.floats(this.getInteger(layout.BODY_QUATERNIONS), 4 * this.rest.padded);
    for (let k = 0; k < quaternions.length; k++) quaternions[k] = rotation[(k >> 2) % 4];
    for (let k = 0; k < positions.length; k++) this.positions[k] = positions[k];
    this.velocities.fill(0);
    this.packVelocities((_, shown) => shown);
  }

  load(): void {
    if (this.removed) return;
    this.loadPositionsFrom(this.exactPositions());
    this.packVelocities((_, shown) => shown);
  }

  loadVelocities(): void {
    if (this.removed) return;
    // Only what was added: the kernels' velocities also hold what presses against obstacles.
    this.packVelocities((kept, shown, before) => kept + (shown - before));
  }

  private packVelocities(mix: (kept: number, shown: number, before: number) => number): void {
    const { velocities } = this;
    const kept = this.memory.floats(this.getInteger(layout.BODY_KEPT_VELOCITIES), 4 * this.rest.padded);
    const packed = this.memory.floats(this.getInteger(layout.BODY_VELOCITIES), 4 * this.rest.padded);
    this.prepared.surface.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) {
        const [k, v] = [4 * place + c, 3 * vertex + c];
        packed[k] = mix(packed[k], velocities[v], kept[k]);
        kept[k] = velocities[v];
      }
    });
  }

  /** Counts what a part of a step found. */
  endPart(): void {
    this.contactCount = Math.max(this.contactCount, this.getInteger(layout.BODY_CONTACTS));
  }

  /** Writes what may have changed since the last step: settings, and where pins want their particles. */
  beginStep(time: number, timeStep: number): void {
    const { settings, pins } = this;
    const scale = this.prepared.surface.stiffnessScale;
    this.setNumber(layout.BODY_STIFFNESS, stiffnessPerStep(settings.stiffness * scale, timeStep));
    this.setNumber(layout.BODY_DAMPING, dampingPerStep(settings.damping, timeStep));
    if (settings.volume) {
      this.setNumber(layout.BODY_GLOBAL_SHARE, settings.volume.globalShare);
      this.setNumber(layout.BODY_INNER_SHARE, settings.volume.innerShare);
      this.setNumber(layout.BODY_INNER_MIN, settings.volume.innerStiffness[0]);
      this.setNumber(layout.BODY_INNER_MAX, settings.volume.innerStiffness[1]);
    }
    this.setInteger(
      layout.BODY_FLAGS,
      (pins.length > 0 ? layout.FLAG_PINS : 0) | (settings.volume ? layout.FLAG_VOLUME : 0),
    );
    if (pins.length === 0 && !this.hadPins) return;
    const pinned = this.memory.bytes(this.getInteger(layout.BODY_PINNED), this.rest.count);
    pinned.fill(0);
    this.hadPins = pins.length > 0;
    const targets = this.memory.floats(this.getInteger(layout.BODY_PIN_TARGETS), 4 * this.rest.count);
    const origin = this.memory.doubles(this.record + layout.BODY_ORIGIN, 3);
    for (const pin of pins) {
      const points = new Float64Array(3 * pin.vertices.length);
      pin.writeTargets(time, points);
      pin.vertices.forEach((vertex, n) => {
        const place = this.places[vertex];
        pinned[place] = 1;
        for (let c = 0; c < 3; c++) targets[4 * place + c] = points[3 * n + c] - origin[c];
      });
    }
  }

  /** Gives the memory back. Who still holds the body sees its last state; others may write where it was. */
  dispose(): void {
    this.positionsView = this.positions.slice();
    this.velocitiesView = this.velocities.slice();
    this.removed = true;
    for (const address of this.blocks) this.memory.release(address);
    this.blocks.length = 0;
  }

  /**
   * `positions` with all digits of those that were not written to: far from the origin single precision shows fewer than
   * the body's own frame holds.
   */
  private exactPositions(): Float64Array {
    const { positions } = this;
    const exact = Float64Array.from(positions);
    const origin = this.memory.doubles(this.record + layout.BODY_ORIGIN, 3);
    const packed = this.memory.floats(this.getInteger(layout.BODY_POSITIONS), 4 * this.rest.padded);
    this.prepared.surface.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) {
        const held = origin[c] + packed[4 * place + c];
        if (positions[3 * vertex + c] === Math.fround(held)) exact[3 * vertex + c] = held;
      }
    });
    return exact;
  }

  /** The body's frame goes to the mean of the points, so that its numbers stay small. */
  private loadPositionsFrom(positions: ArrayLike<number>): void {
    const { count, padded } = this.rest;
    const origin = this.memory.doubles(this.record + layout.BODY_ORIGIN, 3);
    origin.fill(0);
    for (let k = 0; k < 3 * count; k++) origin[k % 3] += positions[k] / count;
    const packed = this.memory.floats(this.getInteger(layout.BODY_POSITIONS), 4 * padded);
    this.prepared.surface.order.forEach((vertex, place) => {
      for (let c = 0; c < 3; c++) packed[4 * place + c] = positions[3 * vertex + c] - origin[c];
    });
  }

  private allocate(bytes: number): number {
    const address = this.memory.allocate(bytes);
    this.blocks.push(address);
    return address;
  }

  private view(field: number): Float32Array {
    return this.memory.floats(this.getInteger(field), 3 * this.rest.count);
  }

  private setInteger(field: number, value: number): void {
    this.memory.integers(this.record + field, 1)[0] = value;
  }

  private getInteger(field: number): number {
    return this.memory.integers(this.record + field, 1)[0];
  }

  private setNumber(field: number, value: number): void {
    this.memory.doubles(this.record + field, 1)[0] = value;
  }
}
