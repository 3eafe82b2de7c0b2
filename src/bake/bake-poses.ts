// Posed frames as a bake: what the deformer made, in the formats of simulations.

import type { MeshLook } from '../mesh/io/read-look.js';
import { boundsOf } from '../mesh/measure.js';
import type { PosedFrame } from '../scenes/pose-frames.js';
import type { OpenCollider, PosedBody } from '../scenes/pose-scene.js';
import { type BakedScene, distinctNames, type ObstacleTrack } from './baked-scene.js';
import { obstacleTracks, type PlacedCollider, planeExtent } from './collider-mesh.js';
import { fileDrawn } from './drawn-mesh.js';

/** How posed frames become an animation. */
export interface BakePosesOptions {
  readonly fps: number;
  /** How the bodies look, in their order; those without a look show their own vertices. */
  readonly looks?: readonly (MeshLook | undefined)[];
  /** What presses them. */
  readonly colliders?: readonly OpenCollider[];
}

/**
 * @param frames ascending, at least one.
 * @example
 * ```ts
 * const bodies = await poseScene(checkScene(findScene('imprint')?.make()));
 * const baked = bakePoses(bodies, [], { fps: 24 });
 * ```
 */
export function bakePoses(
  bodies: readonly Pick<PosedBody, 'name' | 'shown'>[],
  frames: readonly PosedFrame[],
  { fps, looks = [], colliders = [] }: BakePosesOptions,
): BakedScene {
  const names = distinctNames(bodies.map(({ name }) => name));
  return {
    ...{ fps, start: 0, frameCount: frames.length, numbers: frames.map(({ frame }) => frame - 1) },
    obstacles: poseObstacles(colliders, frames, bodies),
    tracks: bodies.map(({ shown }, n) => {
      const look = looks[n];
      return {
        ...{ name: names[n], mesh: shown, firstFrame: 0, frameCount: frames.length },
        ...(look && { drawn: fileDrawn(look, names[n], n) }),
        frame: async (k: number) => Float32Array.from(frames[k].bodies[n].positions),
      };
    }),
  };
}

/** Where colliders are in each frame; one that stays has no keyframes. */
function poseObstacles(
  colliders: readonly OpenCollider[],
  frames: readonly PosedFrame[],
  bodies: readonly Pick<PosedBody, 'shown'>[],
): ObstacleTrack[] {
  const placed = colliders.map(({ at }, n): PlacedCollider => {
    const keys = frames.map(({ time }) => {
      const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = at(time);
      return { time, position, rotation };
    });
    const isStill = keys.every(({ position, rotation }) =>
      [...position, ...rotation].every((x, k) => x === [...keys[0].position, ...keys[0].rotation][k]),
    );
    const shape = at(frames[0].time);
    return { name: shape.name ?? `collider-${n + 1}`, shape, rest: keys[0], motion: isStill ? [] : keys };
  });
  const points = bodies.flatMap(({ shown }) => boundsOf(shown.positions).flat());
  return obstacleTracks(placed, planeExtent(placed, points));
}
