// A first picture of things without a size: the graphics card makes its programs while the first scene is still being prepared.

import type { BodyInfo, ObstacleInfo } from '../protocol.js';
import { ObstacleMeshes } from './obstacle-meshes.js';
import { SoftBodies } from './soft-bodies.js';
import type { Stage } from './stage.js';

const BODY: BodyInfo = {
  ...{ name: '', start: 0, count: 3, triangles: Uint32Array.of(0, 1, 2), rest: new Float32Array(9) },
  ...{ conserved: true, size: 0 },
};

/** One that is seen through and one that is not. */
const OBSTACLES = ['press', 'block'].map(
  (name) => ({ name, shape: 'box', size: [0, 0, 0], motion: [] }) as unknown as ObstacleInfo,
);

/** With the last material the programs would go. */
const kept: (SoftBodies | ObstacleMeshes)[] = [];

/** Draws them once. */
export function rehearse(stage: Stage): void {
  kept.push(new SoftBodies([BODY], [], () => {}), new ObstacleMeshes(OBSTACLES));
  const groups = kept.map(({ group }) => group);
  stage.add(...groups);
  stage.drawNow();
  stage.remove(...groups);
}
