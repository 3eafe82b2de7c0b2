// The light of the pictures: a soft key lamp, a fill lamp and a sky made of many weak lamps. Each has a shadow map, so soft
// shadows and ambient occlusion come out of one mechanism.
// Based on: L. Williams, "Casting curved shadows on curved surfaces", 1978.

import { add, cross, dot, normalize, scale, type Vec3 } from '../math/vec3.js';
import { type Channel, rasterise } from './rasterise.js';

export const SHADOW_SIZE = 512;
/** Cells along a side of the floor for pictures of this width [px] and more; smaller ones need fewer. */
const [FLOOR_SIZE, FLOOR_WIDTH] = [400, 720];
/** Grain that hides the steps of the shadow maps; restarted for every picture. */
let noise = 1;

/** What throws shadows: three points per triangle; triangles with an opacity below 1 throw none. */
export interface Casters {
  readonly points: Channel;
  readonly opacity: Float32Array;
}

export interface Lamp {
  direction: Vec3;
  colour: Vec3;
  right: Vec3;
  up: Vec3;
  scale: number;
  centre: Vec3;
  map: Channel;
}

function makeLamp(direction: Vec3, colour: Vec3, casters: Casters, centre: Vec3, radius: number): Lamp {
  const right = normalize(cross([0.13, 1, 0.07], direction));
  const up = cross(direction, right);
  const lamp = { direction, colour, right, up, centre, scale: SHADOW_SIZE / 2 / (radius * 1.02) };
  const screen = new Float32Array(casters.points.length);
  for (let i = 0; i < screen.length; i += 3) {
    const p: Vec3 = [
      casters.points[i] - centre[0],
      casters.points[i + 1] - centre[1],
      casters.points[i + 2] - centre[2],
    ];
    screen[i] = SHADOW_SIZE / 2 + dot(p, right) * lamp.scale;
    screen[i + 1] = SHADOW_SIZE / 2 + dot(p, up) * lamp.scale;
    screen[i + 2] = dot(p, direction);
  }
  const map = new Float32Array(SHADOW_SIZE * SHADOW_SIZE).fill(Number.NEGATIVE_INFINITY);
  rasterise(screen, SHADOW_SIZE, SHADOW_SIZE, (pixel, t, _a, _b, _c, depth) => {
    if (casters.opacity[t] >= 1 && depth > map[pixel]) map[pixel] = depth;
  });
  return { ...lamp, map };
}

/** Points spread evenly over a disc (sunflower spiral). */
function discPoint(i: number, count: number): [number, number] {
  const r = Math.sqrt((i + 0.5) / count);
  return [r * Math.cos(i * 2.399963), r * Math.sin(i * 2.399963)];
}

/** @param count how many, of which two in seven are the key lamp. */
export function makeLamps(casters: Casters, key: Vec3, centre: Vec3, radius: number, count: number): Lamp[] {
  noise = 1;
  const lamps: Lamp[] = [];
  const side = normalize(cross([0, 1, 0], key), [1, 0, 0]);
  const keys = Math.round((2 * count) / 7);
  for (let i = 0; i < keys; i++) {
    const [u, v] = discPoint(i, keys);
    const towards = normalize(add(key, add(scale(side, 0.16 * u), scale(cross(key, side), 0.16 * v))));
    lamps.push(makeLamp(towards, scale([2.05, 1.95, 1.8], 1 / keys), casters, centre, radius));
  }
  lamps.push(makeLamp(normalize([-key[0], 0.5, -key[2] * 0.4]), [0.22, 0.25, 0.3], casters, centre, radius));
  const skies = count - keys;
  for (let i = 0; i < skies; i++) {
    const [x, z] = discPoint(i, skies);
    const towards: Vec3 = [x * 0.97, Math.sqrt(1 - 0.94 * (x * x + z * z)), z * 0.97];
    // Directions are already denser where a level surface receives more, hence 1/cosine.
    lamps.push(makeLamp(towards, scale([0.55, 0.6, 0.68], 1 / (skies * towards[1])), casters, centre, radius));
  }
  return lamps;
}

/** A point in the lights' eyes: where it is, its normal, and how wide around it the shadow maps are asked [texels]. */
export interface Receiver {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
  spread: number;
}

/**
 * Adds up the light that reaches a point into `out`; `bias` keeps it out of its own shadow [m]. The samples of a pixel
 * share the work: sample `share` of `shares` asks every shares-th lamp, and the pixel's average has asked them all.
 */
export function gatherLight(
  lamps: Lamp[],
  at: Receiver,
  bias: number,
  share: number,
  shares: number,
  out: Channel,
): void {
  out.fill(0);
  const { nx, ny, nz } = at;
  for (let l = share; l < lamps.length; l += shares) {
    const { direction: d, colour, right, up, centre, map, scale: s } = lamps[l];
    // Slightly wrapped around, so that the terminator of a coarse mesh does not show its triangles.
    const cosine = (nx * d[0] + ny * d[1] + nz * d[2] + 0.1) / 1.1;
    if (cosine <= 0) continue;
    const x = at.x + nx * bias - centre[0];
    const y = at.y + ny * bias - centre[1];
    const z = at.z + nz * bias - centre[2];
    noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0;
    const u =
      SHADOW_SIZE / 2 + (x * right[0] + y * right[1] + z * right[2]) * s + at.spread * ((noise >>> 24) / 128 - 1);
    const v =
      SHADOW_SIZE / 2 + (x * up[0] + y * up[1] + z * up[2]) * s + at.spread * (((noise >>> 16) & 255) / 128 - 1);
    const inside = u >= 0 && v >= 0 && u < SHADOW_SIZE && v < SHADOW_SIZE;
    if (inside && map[Math.floor(v) * SHADOW_SIZE + Math.floor(u)] > x * d[0] + y * d[1] + z * d[2] + bias) continue;
    for (let k = 0; k < 3; k++) out[k] += shares * cosine * colour[k];
  }
}

/** Share of the open light on a square of floor around the scene, as an image. */
export interface Floor {
  height: number;
  left: number;
  back: number;
  cell: number;
  /** Cells along a side. */
  size: number;
  shares: Channel;
}

export function lightFloor(
  lamps: Lamp[],
  open: Channel,
  height: number,
  centre: Vec3,
  radius: number,
  bias: number,
  width: number,
): Floor {
  const size = Math.min(FLOOR_SIZE, Math.round((FLOOR_SIZE * width) / FLOOR_WIDTH));
  const cell = (7 * radius) / size;
  const left = centre[0] - 3.5 * radius;
  const back = centre[2] - 3.5 * radius;
  const shares = new Float32Array(3 * size * size);
  const light = new Float32Array(3);
  const at: Receiver = { x: 0, y: height, z: 0, nx: 0, ny: 1, nz: 0, spread: 8 };
  for (let i = 0; i < size * size; i++) {
    at.x = left + (i % size) * cell;
    at.z = back + Math.floor(i / size) * cell;
    gatherLight(lamps, at, 0.5 * bias, 0, 1, light);
    for (let k = 0; k < 3; k++) shares[3 * i + k] = light[k] / open[k];
  }
  // Two passes of a 1-2-1 filter along both axes smooth out the grain.
  for (const stride of [3, 3 * size, 3, 3 * size]) {
    const from = shares.slice();
    for (let i = stride; i < shares.length - stride; i++) {
      shares[i] = 0.25 * from[i - stride] + 0.5 * from[i] + 0.25 * from[i + stride];
    }
  }
  return { height, left, back, cell, size, shares };
}

export function askFloor({ left, back, cell, size, shares }: Floor, x: number, z: number, out: Channel): void {
  const u = (x - left) / cell;
  const v = (z - back) / cell;
  const column = Math.floor(u);
  const row = Math.floor(v);
  out.fill(1);
  const border = Math.min(column, row, size - 2 - column, size - 2 - row);
  if (border < 2) return;
  const fade = Math.min(1, (10 * (border - 2)) / size);
  for (let k = 0; k < 3; k++) {
    const i = 3 * (row * size + column) + k;
    const near = shares[i] + (u - column) * (shares[i + 3] - shares[i]);
    const j = i + 3 * size;
    const far = shares[j] + (u - column) * (shares[j + 3] - shares[j]);
    out[k] = 1 - fade + fade * (near + (v - row) * (far - near));
  }
}
