// Pictures of some frames of a bake, drawn without a browser: all from one place, from which everything is seen that moves.

import { encode } from 'fast-png';
import { add, cross, dot, normalize, scale, subtract, type Vec3 } from '../math/vec3.js';
import { boundsOf, centreOf } from '../mesh/measure.js';
import type { Bounds } from '../mesh/triangle-mesh.js';
import { type RenderObject, render } from '../picture/render.js';
import { type BakedScene, frameNumber, type Track } from './baked-scene.js';
import { plainDrawn } from './drawn-mesh.js';
import { placeObstacle } from './obstacle-pose.js';

export interface StillPicture {
  /** [s] */
  readonly time: number;
  readonly png: Uint8Array;
}

export interface StillPicturesOptions {
  /** How many, from the first frame to the last. */
  readonly count?: number;
  /** [px] */
  readonly width?: number;
  readonly height?: number;
}

/** Towards the camera. */
const VIEW = normalize([0.5, 0.42, 1]);
const RIGHT = normalize(cross([0, 1, 0], VIEW));
const UP = cross(VIEW, RIGHT);
/** Field of view from top to bottom [degrees], and how much of the picture is filled. */
const FOV = 35;
const FILLED = 0.85;
/** Enough for pictures of this size, and four times as fast as those of the documentation. */
const LAMPS = 21;
const OBSTACLES = '#c3ccd3';

export async function stillPictures(
  baked: BakedScene,
  { count = 4, width = 432, height = 288 }: StillPicturesOptions = {},
): Promise<StillPicture[]> {
  const frames = spread(baked.frameCount, count);
  const points: number[] = [];
  for (const n of frames)
    for (const { positions } of await bodiesAt(baked, n)) points.push(...boundsOf(positions).flat());
  if (points.length === 0) return [];
  const bounds = boundsOf(points);
  const target = centreOf(bounds);
  const eye = add(target, scale(VIEW, distanceFor(bounds, width / height)));
  const pictures: StillPicture[] = [];
  for (const n of frames) {
    const { objects, ground } = await sceneAt(baked, n, eye);
    const { data } = render({ objects, eye, target, width, height, ground, fov: FOV, lamps: LAMPS });
    const time = baked.start + frameNumber(baked, n) / baked.fps;
    pictures.push({ time, png: encode({ width, height, data, channels: 4, depth: 8 }) });
  }
  return pictures;
}

/** From which all corners of a box are in the picture [m]. */
function distanceFor(bounds: Bounds, aspect: number): number {
  const reach = FILLED * Math.tan((FOV * Math.PI) / 360);
  const centre = centreOf(bounds);
  const distances = Array.from({ length: 8 }, (_, corner) => {
    const from = subtract([bounds[corner & 1][0], bounds[(corner >> 1) & 1][1], bounds[corner >> 2][2]], centre);
    const beside = Math.max(Math.abs(dot(from, UP)), Math.abs(dot(from, RIGHT)) / aspect);
    return dot(from, VIEW) + beside / reach;
  });
  return Math.max(1e-6, ...distances);
}

/** As evenly as whole frames allow, the first and the last among them. */
export function spread(frameCount: number, count: number): number[] {
  const steps = Math.max(1, Math.min(count, frameCount) - 1);
  return [...new Set(Array.from({ length: steps + 1 }, (_, k) => Math.round((k * (frameCount - 1)) / steps)))];
}

interface ShownBody {
  readonly track: Track;
  readonly index: number;
  readonly positions: Float32Array;
}

async function bodiesAt({ tracks }: BakedScene, n: number): Promise<ShownBody[]> {
  const there = [...tracks.entries()].filter(
    ([, { firstFrame, frameCount }]) => n >= firstFrame && n < firstFrame + frameCount,
  );
  return Promise.all(
    there.map(async ([index, track]) => ({ track, index, positions: await track.frame(n - track.firstFrame) })),
  );
}

async function sceneAt(
  baked: BakedScene,
  n: number,
  eye: Vec3,
): Promise<{ objects: RenderObject[]; ground: number | null }> {
  const bodies = await bodiesAt(baked, n);
  const centres = bodies.map(({ positions }) => centreOf(boundsOf(positions)));
  let ground: number | null = null;
  const objects = bodies.flatMap(({ track, index, positions }) => drawBody(track, index, positions));
  for (const obstacle of baked.obstacles) {
    const positions = placeObstacle(baked, obstacle, n);
    const bounds = boundsOf(positions);
    // A floor is drawn without end.
    if (bounds[0][1] === bounds[1][1] && obstacle.mesh.triangles.length === 6) {
      ground = Math.max(ground ?? Number.NEGATIVE_INFINITY, bounds[0][1]);
      continue;
    }
    const isBefore = centres.some((centre) => meetsBox(eye, centre, bounds));
    const { triangles } = obstacle.mesh;
    // What hides a body is seen through.
    objects.push({ positions, triangles, colour: OBSTACLES, ...(isBefore && { opacity: 0.25 }) });
  }
  return { objects, ground };
}

/** Whether the way from one point to another leads through a box. */
function meetsBox(from: Vec3, to: Vec3, [low, high]: Bounds): boolean {
  let [first, last] = [0, 1];
  for (let k = 0; k < 3; k++) {
    const way = to[k] - from[k];
    const [a, b] = [(low[k] - from[k]) / way, (high[k] - from[k]) / way];
    if (way === 0 && (from[k] < low[k] || from[k] > high[k])) return false;
    if (way === 0) continue;
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last;
}

/** An object for each of its materials. */
function drawBody({ mesh, name, drawn }: Track, index: number, positions: Float32Array): RenderObject[] {
  const { parts, materials } = drawn ?? plainDrawn(mesh, name, index);
  return parts.map(({ firstTriangle, triangleCount }, n) => ({
    positions,
    triangles: mesh.triangles.subarray(3 * firstTriangle, 3 * (firstTriangle + triangleCount)),
    colour: toHex(materials[n].baseColor),
  }));
}

/** From linear light, as screens have it. */
const toHex = ([r, g, b]: readonly number[]): string =>
  `#${[r, g, b]
    .map((x) =>
      Math.round(255 * x ** (1 / 2.2))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
