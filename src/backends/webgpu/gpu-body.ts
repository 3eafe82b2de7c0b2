// A body on the GPU and its image on the host, a body of the reference backend: everything outside of the stages works on the image. What
// changed there since the two were alike goes to the GPU before a substep; a sync makes them alike again.

import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { ElasticSettings } from '../../solvers/solver-settings.js';
import type { ReferenceBody } from '../reference/reference-body.js';
import { type BodyInput, writeBodyRecord } from './body-records.js';
import type { Buffers } from './buffers.js';
import {
  gridOf,
  originFor,
  type ReadState,
  writeFrame,
  writePositions,
  writeRotations,
  writeVelocities,
} from './gpu-particles.js';
import { BODY, CHUNK } from './layout.js';
import { PARTICLE_BYTES, type PackedPlace } from './packed-bodies.js';
import { packRest } from './packed-rest.js';

const differs = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return true;
  return false;
};

/** What bodies may have touched. */
export interface Around {
  readonly colliders: readonly Obstacle[];
  readonly bodies: readonly GpuBody[];
  /** Two bodies pressed each other. */
  press(first: number, second: number): void;
}

export class GpuBody {
  /** The image as it was when both were alike. */
  private readonly known: { positions: Float64Array; velocities: Float64Array; rotations: Float64Array };
  /** What positions on the GPU are relative to, as far as is known here [m]. */
  private origin: [number, number, number] = [0, 0, 0];
  private readonly grid: number;
  private readonly mass: number;
  /** Whether the GPU has nothing of it yet. */
  private isNew = true;
  private hadPins = false;
  private pushed = false;

  constructor(
    readonly image: ReferenceBody,
    public place: PackedPlace,
    /** Its place in the list. */
    public number: number,
  ) {
    this.grid = gridOf(image.prepared.volume.size);
    const { positions, velocities, masses } = image.particles;
    this.mass = masses.reduce((sum, mass) => sum + mass, 0);
    const rotations = this.rotations.slice();
    this.known = { positions: positions.slice(), velocities: velocities.slice(), rotations };
  }

  private get rotations(): Float64Array {
    return this.image.model.rotations as Float64Array;
  }

  /** Whether it is a body, as that is prepared now. */
  isOf(image: ReferenceBody): boolean {
    return image === this.image && packRest(image.prepared) === this.place.rest;
  }

  /** The GPU is to get all of it again. */
  renew(): void {
    this.isNew = true;
  }

  /** It is elsewhere in the buffers; what they held of it was copied. */
  movedTo(place: PackedPlace, number: number): void {
    this.place = place;
    this.number = number;
    this.hadPins = true;
  }

  /** Sends what the host changed. */
  upload(buffers: Buffers): void {
    const { image, known, place } = this;
    const { positions, velocities } = image.particles;
    const { frictions } = image.contactRest;
    this.pushed = false;
    if (this.isNew || differs(positions, known.positions)) {
      this.origin = originFor(positions, this.grid);
      writeFrame(buffers, this.number, this.origin);
      writePositions(buffers, place, positions, this.origin);
      writeVelocities(buffers, place, velocities, frictions);
    } else if (differs(velocities, known.velocities)) {
      this.pushed = true;
      const added = velocities.map((v, k) => v - known.velocities[k]);
      const data = new Float32Array(4 * CHUNK * place.rest.chunks);
      for (let k = 0; k < added.length; k++) data[4 * Math.trunc(k / 3) + (k % 3)] = added[k];
      buffers.write('pushes', data, PARTICLE_BYTES.pushes * place.first);
    }
    if (this.isNew || differs(this.rotations, known.rotations)) writeRotations(buffers, place, this.rotations);
    this.isNew = false;
    this.remember();
    this.writePins(buffers);
  }

  /** From here on both are alike. */
  private remember(): void {
    const { positions, velocities } = this.image.particles;
    this.known.positions.set(positions);
    this.known.velocities.set(velocities);
    this.known.rotations.set(this.rotations);
  }

  private writePins(buffers: Buffers): void {
    const { image, place } = this;
    const hasPins = image.pins.length > 0;
    if (!hasPins && !this.hadPins) return;
    this.hadPins = hasPins;
    const { pinned, targets } = image.pinning;
    const data = new Float32Array(4 * CHUNK * place.rest.chunks);
    for (let i = 0; i < pinned.length; i++) {
      if (!hasPins || pinned[i] === 0) continue;
      for (let c = 0; c < 3; c++) data[4 * i + c] = targets[3 * i + c] - this.origin[c];
      data[4 * i + 3] = 1;
    }
    buffers.write('pins', data, PARTICLE_BYTES.pins * place.first);
  }

  writeRecord(floats: Float32Array, words: Uint32Array, timeStep: number): void {
    const { image } = this;
    if (!image.asleep) image.inflate(timeStep);
    const settings = image.settings as ElasticSettings;
    const input: BodyInput = {
      ...{ settings, prepared: image.prepared, contactSettings: image.contactSettings, asleep: image.asleep },
      ...{ anchored: image.pins.length > 0, pushed: this.pushed, anchor: this.origin },
      volumeShare: settings.volume ? image.recovery.volumeShareOf(0) * image.inflation.factor : 0,
      restScale: image.inflation.scale,
      mass: this.mass,
    };
    writeBodyRecord(floats, words, BODY.words * this.number, this.place, input, timeStep);
  }

  /** Takes over what came back. */
  take(state: ReadState, around: Around, timeStep: number): void {
    const { image, place, known } = this;
    const { positions, starts, velocities, changes, count } = image.particles;
    // Who moved it meanwhile has the last word; what was added to its velocities stays added.
    if (image.asleep || differs(positions, known.positions)) return;
    const added = velocities.map((v, k) => v - known.velocities[k]);
    this.origin = state.originOf(this.number);
    const { rotations, origin } = this;
    for (let i = 0; i < count; i++) {
      const at = 4 * (place.first + i);
      for (let c = 0; c < 3; c++) {
        positions[3 * i + c] = origin[c] + state.positions[at + c];
        starts[3 * i + c] = origin[c] + state.starts[at + c];
        velocities[3 * i + c] = state.velocities[at + c];
      }
      for (let c = 0; c < 4; c++) rotations[4 * i + c] = state.quaternions[at + c];
      changes[i] = state.positions[at + 3];
    }
    this.takeContacts(state, around);
    image.publish(timeStep);
    this.remember();
    for (let k = 0; k < added.length; k++) {
      if (added[k] !== 0) velocities[k] += added[k];
    }
  }

  private takeContacts({ contacts: read }: ReadState, { colliders, bodies, press }: Around): void {
    const { contacts, colliding, particles } = this.image;
    const given = new Float64Array(3);
    const outward = new Float64Array(3);
    for (let i = 0; i < particles.count; i++) {
      const at = 12 * (this.place.first + i);
      const other = read[at + 7];
      contacts.colliding[i] = other > 0 ? 1 : 0;
      colliding[i] = read[at + 11] > 0 ? 1 : 0;
      if (other === 0) continue;
      contacts.frictions[i] = read[at + 3];
      for (let c = 0; c < 3; c++) {
        contacts.normals[3 * i + c] = outward[c] = read[at + c];
        contacts.surfaceVelocities[3 * i + c] = other > 0 ? read[at + 4 + c] : 0;
        given[c] = particles.masses[i] * read[at + 8 + c];
      }
      if (other > 0) this.touch(colliders[other - 1], i, given, outward);
      else this.meet(bodies[-other - 1], i, given, outward, press);
    }
  }

  private touch(obstacle: Obstacle, i: number, given: Float64Array, outward: Float64Array): void {
    const { touches, particles } = this.image;
    const { masses, positions } = particles;
    touches.with(obstacle).add(masses[i], positions, 3 * i, given, outward, obstacle.end.position);
  }

  /** What touches another body is known to the one that is listed first. */
  private meet(other: GpuBody, i: number, given: Float64Array, outward: Float64Array, press: Around['press']): void {
    const isFirst = this.number < other.number;
    const [first, second] = isFirst ? [this, other] : [other, this];
    const side = isFirst ? 1 : -1;
    const { masses, positions } = this.image.particles;
    const turned = (vector: Float64Array) => vector.map((x) => side * x);
    first.image.touches.with(second.image).add(masses[i], positions, 3 * i, turned(given), turned(outward), [0, 0, 0]);
    if (given.some((x) => x !== 0)) press(first.number, second.number);
  }
}
