// What obstacles and other bodies did to a body, read from what the kernels have summed.

import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import {
  IMPULSE,
  MOMENT,
  NORMALS,
  POINTS,
  TOUCH_SUMS,
  type Touch,
  type Touches,
  WEIGHT,
} from '../../contact/response/touches.js';
import type { Vec3 } from '../../math/vec3.js';
import type { BodyRecord } from './body-record.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

/** What goes into a touch; the kernels' sums of reactions are in the same order. */
const sums = new Float64Array(TOUCH_SUMS);
/** Places of the obstacles that touch a body, ascending. */
const touched: number[] = [];

/** Where the kernels sum what obstacles do to a body: records side by side, chunk by chunk. */
export class Reactions {
  private address = 0;
  private bytes = 0;

  constructor(private readonly record: BodyRecord) {}

  /** Makes room for what each of so many obstacles does. */
  reserve(chunks: number, colliderCount: number): void {
    const { memory } = this.record;
    const slots = Math.min(colliderCount, layout.REACTION_SLOTS);
    const bytes = Math.max(1, chunks * slots) * layout.REACTION_BYTES;
    if (this.bytes === bytes) return;
    const address = memory.allocate(bytes);
    memory.release(this.address);
    this.address = address;
    this.bytes = bytes;
    this.record.setOwn(layout.BODY_REACTIONS, address);
  }

  /** Adds a substep to what the body touched; chunk by chunk in order. `origin` is where the body's frame was [m]. */
  addTo(touches: Touches<object>, chunks: number, mass: number, origin: Vec3, colliders: readonly Obstacle[]): void {
    const { memory } = this.record;
    const slots = Math.min(colliders.length, layout.REACTION_SLOTS);
    const touchedCount = listTouched(memory, this.address, chunks, slots);
    for (let n = 0; n < touchedCount; n++) {
      const collider = colliders[touched[n]];
      sumReactions(memory, this.address, chunks, slots, touched[n]);
      toWorld(mass, origin, collider.end.position);
      touches.with(collider).addSums(sums);
    }
  }

  dispose(): void {
    this.record.memory.release(this.address);
  }
}

/** Lists the places of obstacles that touch any chunk; returns how many. A chunk's records are begun in order. */
function listTouched(memory: WasmMemory, reactions: number, chunks: number, slots: number): number {
  let count = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    for (let slot = 0; slot < slots; slot++) {
      const at = reactions + (chunk * slots + slot) * layout.REACTION_BYTES;
      const place = memory.integer(at + layout.REACTION_COLLIDER) - 1;
      if (place < 0) break;
      count = insert(place, count);
    }
  }
  return count;
}

/** Puts a place among the first `count` of those touched unless it is there; returns how many there are now. */
function insert(place: number, count: number): number {
  let k = count;
  while (k > 0 && touched[k - 1] > place) k--;
  if (k > 0 && touched[k - 1] === place) return count;
  for (let n = count; n > k; n--) touched[n] = touched[n - 1];
  touched[k] = place;
  return count + 1;
}

/** Sums what one obstacle did to all chunks. */
function sumReactions(memory: WasmMemory, reactions: number, chunks: number, slots: number, place: number): void {
  sums.fill(0);
  for (let chunk = 0; chunk < chunks; chunk++) {
    for (let slot = 0; slot < slots; slot++) {
      const at = reactions + (chunk * slots + slot) * layout.REACTION_BYTES;
      const key = memory.integer(at + layout.REACTION_COLLIDER);
      if (key === 0) break;
      if (key !== place + 1) continue;
      for (let k = 0; k < TOUCH_SUMS; k++) sums[k] += memory.number(at + 8 * k);
    }
  }
}

/** From the body's units and frame to the world's; the moment about the obstacle's position. */
function toWorld(mass: number, origin: Vec3, position: Vec3): void {
  for (let c = 0; c < 3; c++) {
    sums[IMPULSE + c] *= mass;
    sums[MOMENT + c] *= mass;
    sums[POINTS + c] += origin[c] * sums[WEIGHT];
  }
  addMoment(origin[0] - position[0], origin[1] - position[1], origin[2] - position[2]);
}

/** Adds the moment of the impulse at the end of this arm. */
function addMoment(x: number, y: number, z: number): void {
  sums[MOMENT] += y * sums[IMPULSE + 2] - z * sums[IMPULSE + 1];
  sums[MOMENT + 1] += z * sums[IMPULSE] - x * sums[IMPULSE + 2];
  sums[MOMENT + 2] += x * sums[IMPULSE + 1] - y * sums[IMPULSE];
}

/**
 * Adds what went from one body of a pair to the other: to the first with sign 1, from it with −1. `pair` is the pair's record,
 * `origin` where the first's frame was.
 */
export function addPair(memory: WasmMemory, pair: number, sign: number, origin: Vec3, touch: Touch): void {
  const weight = memory.single(pair + layout.PAIR_POINT + 12);
  sums[WEIGHT] = weight;
  for (let c = 0; c < 3; c++) {
    sums[IMPULSE + c] = memory.single(pair + layout.PAIR_IMPULSE + 4 * c) * sign;
    sums[MOMENT + c] = 0;
    sums[POINTS + c] = memory.single(pair + layout.PAIR_POINT + 4 * c) + origin[c] * weight;
    sums[NORMALS + c] = memory.single(pair + layout.PAIR_NORMAL + 4 * c) * sign;
  }
  const share = 1 / weight;
  addMoment(sums[POINTS] * share, sums[POINTS + 1] * share, sums[POINTS + 2] * share);
  touch.addSums(sums);
}
