// A body on the GPU and its image on the host, a body of the WebAssembly backend: everything outside of the stages works on the image. What
// changed there since the two were alike goes to the GPU before a substep; a sync makes them alike again.

import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { PinReach } from '../../solvers/pin-reach.js';
import type { ElasticSettings } from '../../solvers/solver-settings.js';
import type { BodyImage } from '../wasm/body-image.js';
import type { WasmBody } from '../wasm/wasm-body.js';
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
import type { SeenContact } from './hard-contact.js';
import { BODY, BODY_CONTACT, CHUNK } from './layout.js';
import { PARTICLE_BYTES, type PackedPlace } from './packed-bodies.js';
import { packRest } from './packed-rest.js';

const differs = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return true;
  return false;
};

/** Of a particle's marks, that it lies deep in another body; see contact-touch. */
const DEEP_MARK = 4;

/** What bodies may have touched. */
export interface Around {
  readonly colliders: readonly Obstacle[];
  readonly bodies: readonly GpuBody[];
  /** Two bodies pressed each other. */
  press(first: number, second: number): void;
}

export class GpuBody {
  /** The image as it was when both were alike. */
  private readonly known: {
    positions: Float32Array;
    velocities: Float32Array;
    rotations: Float32Array;
    origin: Float64Array;
  };
  private readonly state: BodyImage;
  /** What positions on the GPU are relative to, as far as is known here [m]. */
  private origin: [number, number, number] = [0, 0, 0];
  private readonly grid: number;
  private readonly mass: number;
  /** Whether the GPU has nothing of it yet. */
  private isNew = true;
  private hadPins = false;
  private pushed = false;
  /** What its particles told with the last sync. */
  seen: SeenContact = { deep: false, own: false };

  constructor(
    readonly image: WasmBody,
    public place: PackedPlace,
    /** Its place in the list. */
    public number: number,
  ) {
    this.grid = gridOf(image.prepared.volume.size);
    this.state = image.image;
    this.mass = image.masses.reduce((sum, mass) => sum + mass, 0);
    const { positions, velocities, origin } = this.state.state;
    this.known = {
      positions: positions.slice(),
      velocities: velocities.slice(),
      rotations: this.state.rotations,
      origin: origin.slice(),
    };
  }

  /** Whether it is a body, as that is prepared now. */
  isOf(image: WasmBody): boolean {
    return image === this.image && packRest(image.prepared) === this.place.rest;
  }

  /** What its positions are relative to, as of the last sync [m]. */
  get knownOrigin(): readonly number[] {
    return this.origin;
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

  /** Whether the host has put it elsewhere. */
  private get wasMoved(): boolean {
    const { positions, origin } = this.state.state;
    return differs(origin, this.known.origin) || differs(positions, this.known.positions);
  }

  /** Whether the GPU knows best where it is. */
  get isAhead(): boolean {
    return !this.isNew && !this.wasMoved;
  }

  /** Sends what the host changed. */
  upload(buffers: Buffers): void {
    const { image, known, place, state } = this;
    const { velocities } = state.state;
    const { frictions } = image.contactRest;
    this.pushed = false;
    if (!this.isAhead) {
      const positions = image.shell.packed.worldPositions();
      this.origin = originFor(positions, this.grid);
      writeFrame(buffers, this.number, this.origin, state.pressedSpeed);
      writePositions(buffers, place, positions, this.origin);
      writeVelocities(buffers, place, velocities, frictions);
      if (image.contactSettings.selfContact) this.forgetContacts(buffers);
    } else if (differs(velocities, known.velocities)) {
      this.pushed = true;
      const data = new Float32Array(4 * CHUNK * place.rest.chunks);
      for (let k = 0; k < velocities.length; k++) data[k] = velocities[k] - known.velocities[k];
      buffers.write('pushes', data, PARTICLE_BYTES.pushes * place.first);
    }
    const { rotations } = state;
    if (this.isNew || differs(rotations, known.rotations)) writeRotations(buffers, place, rotations);
    this.isNew = false;
    this.remember();
    this.writePins(buffers);
  }

  /** Its vertices have passed nothing of it on their way to where they were put. */
  private forgetContacts(buffers: Buffers): void {
    const { first, rest } = this.place;
    const data = new Uint32Array(BODY_CONTACT.words * CHUNK * rest.chunks);
    buffers.write('bodyContacts', data, 4 * BODY_CONTACT.words * first);
  }

  /** From here on both are alike. */
  private remember(): void {
    const { positions, velocities, origin } = this.state.state;
    this.known.positions.set(positions);
    this.known.velocities.set(velocities);
    this.known.rotations.set(this.state.rotations);
    this.known.origin.set(origin);
  }

  private writePins(buffers: Buffers): void {
    const { image, place, origin, state } = this;
    const hasPins = image.pins.length > 0;
    if (!hasPins && !this.hadPins) return;
    this.hadPins = hasPins;
    const { pinned, targets } = state.pinning;
    const { origin: from } = state.state;
    const data = new Float32Array(4 * CHUNK * place.rest.chunks);
    for (let i = 0; i < pinned.length; i++) {
      if (!hasPins || pinned[i] === 0) continue;
      for (let c = 0; c < 3; c++) data[4 * i + c] = targets[4 * i + c] + (from[c] - origin[c]);
      data[4 * i + 3] = 1;
    }
    buffers.write('pins', data, PARTICLE_BYTES.pins * place.first);
  }

  /** How far its pins reach, if it has any. */
  get pinReach(): PinReach | undefined {
    const { pins, substep } = this.image;
    return pins.length > 0 ? substep.pinReach.reach : undefined;
  }

  writeRecord(floats: Float32Array, words: Uint32Array, timeStep: number): void {
    const { image } = this;
    const settings = image.settings as ElasticSettings;
    const { inflation, asleep, contactSettings, prepared } = image;
    if (!asleep) inflation.approach(settings.volume ? settings.volume.target : 1, timeStep);
    const input: BodyInput = {
      ...{ settings, prepared, contactSettings, asleep, mass: this.mass },
      ...{ anchored: image.pins.length > 0, pushed: this.pushed, anchor: this.origin },
      volumeShare: settings.volume ? image.recovery.volumeShareOf(0) * inflation.factor : 0,
      restScale: inflation.scale,
      keepsOffItself: image.substep.keepsOffItself(),
    };
    writeBodyRecord(floats, words, BODY.words * this.number, this.place, input, timeStep);
  }

  /** Takes over what came back. */
  take(read: ReadState, around: Around, timeStep: number): void {
    const { image, place, known, state } = this;
    const { positions, starts, velocities, changes, origin } = state.state;
    // Who moved it meanwhile has the last word; what was added to its velocities stays added.
    if (image.asleep || this.wasMoved) return;
    const added = velocities.map((v, k) => v - known.velocities[k]);
    const { count } = place.rest;
    this.origin = read.originOf(this.number);
    origin.set(this.origin);
    state.pressedSpeed = read.pressedSpeedOf(this.number);
    for (let i = 0; i < count; i++) {
      const at = 4 * (place.first + i);
      for (let c = 0; c < 3; c++) {
        positions[4 * i + c] = read.positions[at + c];
        starts[4 * i + c] = read.starts[at + c];
        velocities[4 * i + c] = read.velocities[at + c];
      }
      changes[i] = Math.abs(read.positions[at + 3]);
    }
    state.rotations = read.quaternions.subarray(4 * place.first, 4 * (place.first + count));
    const touchesMoving = this.takeContacts(read, around);
    state.publish(timeStep, touchesMoving);
    this.remember();
    for (let k = 0; k < added.length; k++) {
      if (added[k] !== 0) velocities[k] += added[k];
    }
  }

  /** Whether it touches an obstacle that moves. */
  private takeContacts({ contacts: read }: ReadState, { colliders, bodies, press }: Around): boolean {
    const { image, state } = this;
    const { colliding } = state;
    const masses = massesByPlace(image);
    const positions = image.shell.packed.worldPositions();
    const given = new Float64Array(3);
    const outward = new Float64Array(3);
    let touchesMoving = false;
    let touched = 0;
    let [deep, own] = [false, false];
    for (let i = 0; i < colliding.length; i++) {
      const at = 16 * (this.place.first + i);
      const mark = read[at + 7];
      colliding[i] = mark > 0 ? 1 : 0;
      deep ||= mark >= DEEP_MARK;
      if (mark > 0 || read[at + 11] !== 0) touched++;
      for (let c = 4; c < 7; c++) touchesMoving ||= mark % 2 === 1 && read[at + c] !== 0;
      // Two slots of who gave what in all substeps of the step.
      for (let slot = at + 8; slot < at + 16; slot += 4) {
        const other = read[slot + 3];
        if (other === 0) break;
        for (let c = 0; c < 3; c++) given[c] = masses[i] * read[slot + c];
        writeOutward(outward, read.subarray(at, at + 3), given);
        const particle = { mass: masses[i], positions, at: 3 * i, given, outward };
        if (other > 0) this.touch(colliders[other - 1], particle);
        else this.meet(bodies[-other - 1], particle, press);
        own ||= bodies[-other - 1] === this;
      }
    }
    this.seen = { deep, own };
    image.contactCount = Math.max(image.contactCount, touched);
    return touchesMoving;
  }

  private touch(obstacle: Obstacle, { mass, positions, at, given, outward }: TouchingParticle): void {
    this.image.touches.with(obstacle).add(mass, positions, at, given, outward, obstacle.end.position);
  }

  /** What touches another body is known to the one that is listed first. */
  private meet(other: GpuBody, particle: TouchingParticle, press: Around['press']): void {
    if (other === this) return;
    const { mass, positions, at, given, outward } = particle;
    const isFirst = this.number < other.number;
    const [first, second] = isFirst ? [this, other] : [other, this];
    const side = isFirst ? 1 : -1;
    const turned = (vector: Float64Array) => vector.map((x) => side * x);
    first.image.touches.with(second.image).add(mass, positions, at, turned(given), turned(outward), [0, 0, 0]);
    if (given.some((x) => x !== 0)) press(first.number, second.number);
  }
}

/** A particle in contact: its mass [kg], where it is in `positions` [m], what it got [kg m/s], the way out. */
interface TouchingParticle {
  readonly mass: number;
  readonly positions: Float64Array;
  readonly at: number;
  readonly given: Float64Array;
  readonly outward: Float64Array;
}

/** Least cosine between what was given and a normal that it may come of: friction adds to it. */
const COMES_OF = 0.3;

/** The way out of what gave something: the normal of the last contact, or where it was another's the way of what was given. */
function writeOutward(outward: Float64Array, normal: ArrayLike<number>, given: Float64Array): void {
  const size = Math.sqrt(given[0] ** 2 + given[1] ** 2 + given[2] ** 2);
  const along = given[0] * normal[0] + given[1] * normal[1] + given[2] * normal[2];
  const isKnown = size === 0 || along >= COMES_OF * size;
  for (let c = 0; c < 3; c++) outward[c] = isKnown ? normal[c] : given[c] / size;
}

/** [kg], in the solver's order. */
function massesByPlace({ masses, places }: WasmBody): Float64Array {
  const byPlace = new Float64Array(masses.length);
  places.forEach((place, vertex) => {
    byPlace[place] = masses[vertex];
  });
  return byPlace;
}
