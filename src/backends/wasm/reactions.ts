// What obstacles and other bodies did to a body, read from what the kernels have summed.

import type { Collider } from '../../contact/collider.js';
import { type Touches, TouchSums } from '../../contact/touches.js';
import type { Vec3 } from '../../math/vec3.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

/** Numbers of a reaction. */
const NUMBERS = layout.REACTION_WEIGHT / 8 + 1;

/** One reaction, summed over chunks. */
const reaction = new Float64Array(NUMBERS);
/** Places of the obstacles that touch a body, ascending. */
const touched: number[] = [];
/** What goes into a touch. */
const sums = new TouchSums();

/** Adds a part of a step to what the body touched; chunk by chunk in order. `origin` is where the body's frame was. */
export function addReactions(
  memory: WasmMemory,
  record: number,
  mass: number,
  origin: Vec3,
  colliders: readonly Collider[],
  touches: Touches<object>,
): void {
  const reactions = memory.integer(record + layout.BODY_REACTIONS);
  const slots = Math.min(colliders.length, layout.REACTION_SLOTS);
  const end = reactions + memory.integer(record + layout.BODY_CHUNKS) * slots * layout.REACTION_BYTES;
  listTouched(memory, reactions, end);
  for (const place of touched) {
    sumReactions(memory, reactions, end, place);
    takeReaction(mass, origin, colliders[place].end.position);
    touches.with(colliders[place]).addSums(sums);
  }
}

function listTouched(memory: WasmMemory, reactions: number, end: number): void {
  touched.length = 0;
  for (let at = reactions; at < end; at += layout.REACTION_BYTES) {
    const place = memory.integer(at + layout.REACTION_COLLIDER) - 1;
    if (place >= 0 && !touched.includes(place)) touched.push(place);
  }
  if (touched.length > 1) touched.sort((a, b) => a - b);
}

/** Sums what one obstacle did to all chunks. */
function sumReactions(memory: WasmMemory, reactions: number, end: number, place: number): void {
  reaction.fill(0);
  for (let at = reactions; at < end; at += layout.REACTION_BYTES) {
    if (memory.integer(at + layout.REACTION_COLLIDER) !== place + 1) continue;
    for (let k = 0; k < NUMBERS; k++) reaction[k] += memory.number(at + 8 * k);
  }
}

/** From the body's units and frame to the world's; the moment about the obstacle's position. */
function takeReaction(mass: number, origin: Vec3, position: Vec3): void {
  const { impulse, moment, points, normals } = sums;
  sums.weight = reaction[layout.REACTION_WEIGHT / 8];
  for (let c = 0; c < 3; c++) {
    impulse[c] = reaction[layout.REACTION_IMPULSE / 8 + c] * mass;
    moment[c] = reaction[layout.REACTION_MOMENT / 8 + c] * mass;
    points[c] = reaction[layout.REACTION_POINT / 8 + c] + origin[c] * sums.weight;
    normals[c] = reaction[layout.REACTION_NORMAL / 8 + c];
  }
  addMoment(origin[0] - position[0], origin[1] - position[1], origin[2] - position[2]);
}

/** Adds the moment of the impulse at the end of this arm. */
function addMoment(x: number, y: number, z: number): void {
  const { impulse, moment } = sums;
  moment[0] += y * impulse[2] - z * impulse[1];
  moment[1] += z * impulse[0] - x * impulse[2];
  moment[2] += x * impulse[1] - y * impulse[0];
}

/**
 * Adds what went from one body of a pair to the other: to the first with sign 1, from it with −1. `pair` is the pair's record,
 * `origin` where the first's frame was.
 */
export function addPair(memory: WasmMemory, pair: number, sign: number, origin: Vec3, touch: TouchSums): void {
  const { impulse, moment, points, normals } = sums;
  const weight = memory.single(pair + layout.PAIR_POINT + 12);
  sums.weight = weight;
  for (let c = 0; c < 3; c++) {
    impulse[c] = memory.single(pair + layout.PAIR_IMPULSE + 4 * c) * sign;
    moment[c] = 0;
    points[c] = memory.single(pair + layout.PAIR_POINT + 4 * c) + origin[c] * weight;
    normals[c] = memory.single(pair + layout.PAIR_NORMAL + 4 * c) * sign;
  }
  const share = 1 / weight;
  addMoment(points[0] * share, points[1] * share, points[2] * share);
  touch.addSums(sums);
}
