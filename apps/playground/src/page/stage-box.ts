// What the camera should see of a scene, and where its floor is.

import type { OpenedScene } from '../protocol.js';

type Box = { low: number[]; high: number[] };

/** Of many falling bodies those that start above this share of the scene's width or height are left out: they will come. */
const TALLEST = 0.8;

/** Where bodies start, by the scene; near enough for a camera. */
export function stageBox({ scene, bodies, obstacles }: OpenedScene) {
  const whole: Box = { low: [1e9, 1e9, 1e9], high: [-1e9, -1e9, -1e9] };
  const grow = (box: Box, low: readonly number[], high: readonly number[]) => {
    for (let k = 0; k < 3; k++) {
      box.low[k] = Math.min(box.low[k], low[k]);
      box.high[k] = Math.max(box.high[k], high[k]);
    }
  };
  const floors: number[] = [];
  for (const obstacle of obstacles) {
    if (obstacle.shape === 'plane') {
      if (obstacle.normal[1] > 0.9) floors.push(obstacle.offset);
      continue;
    }
    const reach = reachOf(obstacle);
    const stands = obstacle.shape === 'glass' ? 1 : 0;
    const poses = [obstacle.position, ...obstacle.motion.flatMap(({ position }) => (position ? [position] : []))];
    for (const at of poses) {
      grow(
        whole,
        at.map((x, k) => x - (k === 1 && stands ? 0 : reach[k])),
        at.map((x, k) => x + reach[k] * (k === 1 && stands ? 2 : 1)),
      );
    }
  }
  const obstacleTop = whole.high[1];
  const placed = scene.bodies.map((body, index) => restBox(bodies[index].rest, body.position));
  placed.sort((a, b) => a.low[1] - b.low[1]);
  for (const { low, high } of placed) {
    const ceiling = Math.max(obstacleTop, whole.low[1] + 1.1 * Math.max(0, whole.high[0] - whole.low[0]));
    if (scene.gravity[1] < 0 && whole.high[1] > -1e9 && low[1] > TALLEST * ceiling && placed.length > 4) continue;
    grow(whole, low, high);
  }
  const floor = floors.length > 0 ? Math.max(...floors) : whole.low[1] - (scene.gravity[1] < 0 ? 0 : 0.35);
  whole.low[1] = Math.min(whole.low[1], floor);
  return { low: whole.low as [number, number, number], high: whole.high as [number, number, number], floor };
}

function reachOf(obstacle: OpenedScene['obstacles'][number]): number[] {
  switch (obstacle.shape) {
    case 'box':
      return obstacle.size.map((edge) => edge / 2);
    case 'sphere':
      return [obstacle.radius, obstacle.radius, obstacle.radius];
    case 'capsule':
    case 'cylinder':
    case 'glass':
      return [obstacle.radius, obstacle.height / 2, obstacle.radius];
    case 'heightfield':
      return [obstacle.size[0] / 2, 0.5, obstacle.size[1] / 2];
    default:
      return [1, 1, 1];
  }
}

function restBox(rest: ArrayLike<number>, position: readonly number[]): Box {
  const box = { low: [1e9, 1e9, 1e9], high: [-1e9, -1e9, -1e9] };
  for (let k = 0; k < rest.length; k++) {
    const x = rest[k] + position[k % 3];
    box.low[k % 3] = Math.min(box.low[k % 3], x);
    box.high[k % 3] = Math.max(box.high[k % 3], x);
  }
  return box;
}
