// A scene at a frame rate: simulated step by step, and between two steps interpolated as the world itself does for display.

import { showInput } from '../math/expect.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { type Frame, type PlaySceneOptions, playScene } from '../scenes/play-scene.js';
import { bodyName, type Scene } from '../scenes/scene-schema.js';
import type { Body } from '../world/body.js';
import type { CutFaces } from '../world/body-views.js';

/** Which frames of which bodies. */
export interface BakeFramesOptions extends Omit<PlaySceneOptions, 'steps'> {
  /** Frames per second; 30 unless given. */
  fps?: number;
  /** Times of the first and the last frame [s]; the whole scene unless given. */
  from?: number;
  to?: number;
  /** Names of the bodies to take; all unless given. */
  bodies?: readonly string[];
}

/** One body in one frame. */
export interface BodyFrame {
  /** Its place among those taken. */
  readonly body: number;
  readonly name: string;
  /** The mesh that its vertices are those of; another one after a change of topology, and how many there were. */
  readonly mesh: TriangleMesh;
  readonly topology: number;
  /** Along which it was cut. */
  readonly faces?: CutFaces;
  /** [m], a copy. */
  readonly positions: Float32Array;
}

/** The bodies of a scene at a frame. */
export interface BakedStep {
  /** Steps done. */
  readonly step: Frame;
  /** Those that are taken, in their order. */
  readonly bodies: readonly Body[];
  /** Number of the first of the frames, from 0; those between the step before and this one. */
  readonly first: number;
  readonly frames: readonly (readonly BodyFrame[])[];
}

/** When frames are, and how many steps they take. */
export interface BakeTimes {
  readonly fps: number;
  readonly from: number;
  readonly frameCount: number;
  readonly steps: number;
}

/** How far a frame may be beside a step and still be it, in steps. */
const SAME_TIME = 1e-6;
export const FPS = 30;
const MOST_FRAMES = 10_000_000;

export function bakeTimes(scene: Scene, options: Pick<BakeFramesOptions, 'fps' | 'from' | 'to'>): BakeTimes {
  const { fps = FPS, from = 0, to = scene.steps * scene.timeStep } = options;
  if (!(fps > 0 && fps <= 10_000))
    throw new RangeError(`fps: expected a number above 0, up to 10000, got ${showInput(fps)}`);
  if (!(from >= 0 && Number.isFinite(from)))
    throw new RangeError(`from: expected seconds from 0, got ${showInput(from)}`);
  if (!(to >= from && Number.isFinite(to)))
    throw new RangeError(`to: expected seconds from ${from}, got ${showInput(to)}`);
  const frameCount = Math.floor((to - from) * fps + SAME_TIME) + 1;
  if (frameCount > MOST_FRAMES) throw new RangeError(`expected at most ${MOST_FRAMES} frames, got ${frameCount}`);
  const last = from + (frameCount - 1) / fps;
  return { fps, from, frameCount, steps: Math.ceil(last / scene.timeStep - SAME_TIME) };
}

/**
 * Yields after every step the frames up to it; most steps have none or one.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 20 });
 * for await (const { first, frames } of bakeFrames(scene, { fps: 30 })) console.log(first, frames.length);
 * ```
 */
export async function* bakeFrames(
  scene: Scene,
  options: BakeFramesOptions = {},
): AsyncGenerator<BakedStep, void, undefined> {
  const { fps, from, frameCount, steps } = bakeTimes(scene, options);
  const { timeStep } = scene;
  const wanted = chooseBodies(scene, options.bodies);
  let before: { readonly mesh: TriangleMesh; readonly positions: Float64Array }[] = [];
  for await (const step of playScene(scene, { ...options, steps })) {
    const bodies = wanted.map((index) => step.bodies[index]);
    const isResumed = step.step === options.resume?.step;
    const end = Math.min(frameCount, firstAfter(step.step * timeStep, from, fps));
    const first = isResumed ? end : step.step === 0 ? 0 : firstAfter((step.step - 1) * timeStep, from, fps);
    const frames = [];
    for (let n = first; n < end; n++) {
      const share = 1 - (step.step - (from + n / fps) / timeStep);
      frames.push(bodies.map((body, k) => takeBody(body, k, before[k], share)));
    }
    yield { step, bodies, first, frames };
    before = bodies.map(({ mesh, positions }) => ({ mesh, positions: Float64Array.from(positions) }));
  }
}

/** Number of the first frame after a time [s]. */
const firstAfter = (time: number, from: number, fps: number): number =>
  Math.max(0, Math.floor((time - from) * fps + SAME_TIME) + 1);

/** `share` of the way from the step before; all of it where the topology has changed or there was none. */
export function takeBody(
  { name, mesh, positions, topologyVersion: topology, cutFaces: faces }: Body,
  body: number,
  before?: { readonly mesh: TriangleMesh; readonly positions: Float64Array },
  share = 1,
): BodyFrame {
  const isStep = !before || before.mesh !== mesh || share > 1 - SAME_TIME;
  const mixed = isStep
    ? Float32Array.from(positions)
    : Float32Array.from(positions, (x, k) => before.positions[k] + share * (x - before.positions[k]));
  return { ...{ body, name, mesh, topology, positions: mixed }, ...(faces && { faces }) };
}

/** Places of the bodies that are taken, among the scene's. */
export function chooseBodies(scene: Scene, names: readonly string[] | undefined): number[] {
  const known = scene.bodies.map(bodyName);
  for (const name of names ?? []) {
    if (!known.includes(name))
      throw new RangeError(`body: expected one of ${known.join(', ')}, got ${showInput(name)}`);
  }
  return known.flatMap((name, index) => (!names || names.includes(name) ? [index] : []));
}
