// What recovery looks at and moves of a body, in the mesh's own vertex order, and what it may ask about what is around it.

import type { Vec3 } from '../../math/vec3.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { InnerParticles } from '../model.js';

export interface RecoverableBody {
  readonly prepared: {
    readonly mesh: TriangleMesh;
    readonly volume: { readonly volume: number; readonly size: number };
    readonly particles: { readonly order: Uint32Array };
  };
  /** What moves it; may say where it has the particles by itself, in the solver's order, and what it moves inside. */
  readonly hostModel?: { readonly carried?: Float64Array; readonly inner?: InnerParticles };
  readonly positions: Float64Array | Float32Array;
  readonly velocities: Float64Array | Float32Array;
  /** Volume and size that it is to have, in those at rest. */
  readonly inflation: { readonly factor: number; readonly scale: number };
  readonly masses: Float64Array;
  readonly pins: readonly { readonly vertices: ArrayLike<number> }[];
  /** Volume enclosed [m³]. */
  readonly volumeNow: number;
  /** Whether its surface touches, holds or is held by nothing. */
  readonly isFree: boolean;
  /** Takes over positions and velocities. */
  load(): void;
  /** Turns the regions of these vertices, or of all, as the quaternion says: the warm start of their next match. */
  turnRegions(rotation: ArrayLike<number>, vertices?: ArrayLike<number>): void;
  /** Holds its particles to a speed [m/s] until it moves slower by itself, where it can: a body of one part that is not hosted. */
  holdSpeed(speed: number): void;
}

export interface Surroundings {
  /** Whether something presses it by much more than its weight. */
  isPressed(): boolean;
  /** Stops points on their way from an origin at the obstacles. */
  stop(origin: ArrayLike<number>, points: Float64Array): void;
}

/** What is pinned stays where its pin has it. */
export function keepPinned({ pins, positions }: RecoverableBody, points: Float64Array): void {
  for (const { vertices } of pins) {
    for (let n = 0; n < vertices.length; n++) {
      for (let k = 3 * vertices[n]; k < 3 * vertices[n] + 3; k++) points[k] = positions[k];
    }
  }
}

/** How much farther some pinned vertex is from the centre of all than at rest; at least 1. */
export function pinsDrawnApart({ pins, positions, prepared: { mesh } }: RecoverableBody): number {
  if (pins.length === 0) return 1;
  const rest = mesh.positions;
  const [now, before] = [centreOfPins(pins, positions), centreOfPins(pins, rest)];
  const squareFrom = (points: ArrayLike<number>, [x, y, z]: Vec3, at: number): number =>
    (points[at] - x) ** 2 + (points[at + 1] - y) ** 2 + (points[at + 2] - z) ** 2;
  let widest = 0;
  for (const { vertices } of pins)
    for (let n = 0; n < vertices.length; n++) widest = Math.max(widest, squareFrom(rest, before, 3 * vertices[n]));
  let most = 1;
  for (const { vertices } of pins) {
    for (let n = 0; n < vertices.length; n++) {
      const square = squareFrom(rest, before, 3 * vertices[n]);
      // Those near the centre say nothing.
      if (4 * square > widest) most = Math.max(most, squareFrom(positions, now, 3 * vertices[n]) / square);
    }
  }
  return Math.sqrt(most);
}

function centreOfPins(pins: RecoverableBody['pins'], points: ArrayLike<number>): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const { vertices } of pins) {
    count += vertices.length;
    for (let n = 0; n < vertices.length; n++) for (let c = 0; c < 3; c++) sum[c] += points[3 * vertices[n] + c];
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

let room = new Float64Array(0);

/** Where the vertices are without what contact and volume did to them in the last step, where that can be told. */
export function shapeOf({ hostModel, positions, prepared }: RecoverableBody): Float64Array | Float32Array {
  const carried = hostModel?.carried;
  if (!carried) return positions;
  if (room.length < carried.length) room = new Float64Array(carried.length);
  const { order } = prepared.particles;
  for (let place = 0; place < order.length; place++) {
    for (let c = 0; c < 3; c++) room[3 * order[place] + c] = carried[3 * place + c];
  }
  return room;
}
