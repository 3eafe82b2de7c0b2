// What obstacles did to a body, read from the sums of its chunks.

import type { Collider } from '../../contact/collider.js';
import type { Touch, Touches } from '../../contact/touches.js';
import { add, cross, pointAt, scale, subtract, type Vec3 } from '../../math/vec3.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

const SUMS = layout.REACTION_WEIGHT / 8 + 1;

/** Adds a part of a step to what the body touched; chunk by chunk in order. */
export function addReactions(
  memory: WasmMemory,
  record: number,
  mass: number,
  origin: Vec3,
  colliders: readonly Collider[],
  touches: Touches<object>,
): void {
  const [reactions, chunks] = [layout.BODY_REACTIONS, layout.BODY_CHUNKS].map((field) =>
    memory.integer(record + field),
  );
  const all = new Map<number, Float64Array>();
  const records = chunks * Math.min(colliders.length, layout.REACTION_SLOTS);
  for (let n = 0; n < records; n++) {
    const at = reactions + n * layout.REACTION_BYTES;
    const place = memory.integer(at + layout.REACTION_COLLIDER) - 1;
    if (place < 0) continue;
    const sums = all.get(place) ?? new Float64Array(SUMS);
    all.set(place, sums);
    for (let k = 0; k < SUMS; k++) sums[k] += memory.number(at + 8 * k);
  }
  for (const place of [...all.keys()].sort((a, b) => a - b)) {
    const sums = all.get(place) as Float64Array;
    const vector = (field: number): Vec3 => pointAt(sums, field / 24);
    const weight = sums[layout.REACTION_WEIGHT / 8];
    const impulse = scale(vector(layout.REACTION_IMPULSE), mass);
    const moment = scale(vector(layout.REACTION_MOMENT), mass);
    const arm = subtract(origin, colliders[place].end.position);
    const points = add(vector(layout.REACTION_POINT), scale(origin, weight));
    const normals = vector(layout.REACTION_NORMAL);
    touches.with(colliders[place]).addSums(impulse, add(moment, cross(arm, impulse)), weight, points, normals);
  }
}

/** Adds what went from one body of a pair to the other: to the first with sign 1, from it with −1; `origin` is the first's. */
export function addPair(memory: WasmMemory, pair: number, sign: number, origin: Vec3, touch: Touch): void {
  const impulse = scale(pointAt(memory.floats(pair + layout.PAIR_IMPULSE, 3), 0), sign);
  const [x, y, z, weight] = memory.floats(pair + layout.PAIR_POINT, 4);
  const normals = scale(pointAt(memory.floats(pair + layout.PAIR_NORMAL, 3), 0), sign);
  const points = add([x, y, z], scale(origin, weight));
  touch.addSums(impulse, cross(scale(points, 1 / weight), impulse), weight, points, normals);
}
