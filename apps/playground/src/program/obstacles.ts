// The obstacles as the page handles them: dragged by the user, and the plate that can be added to any scene.

import type { Collider, Vec3, World } from 'isochore';
import { boundsOf } from 'isochore';
import { poseAt } from '../../../../src/math/motion.js';
import { distance, mix } from '../../../../src/math/vec3.js';

/** Fastest that a dragged obstacle moves [m/s]: faster ones would shoot bodies away. */
const FASTEST = 6;
const FOLLOW_TIME = 0.05;

export class Obstacles {
  /** Where the user drags them, by place. */
  private readonly targets = new Map<number, Vec3>();
  press: Collider | undefined;

  constructor(private readonly world: World) {}

  get list(): readonly Collider[] {
    return this.world.colliders;
  }

  /** Places that the user has moved, with where they are. */
  get moved(): ReadonlyMap<number, Vec3> {
    return new Map([...this.targets].map(([index]) => [index, this.poseOf(index, this.world.time).position]));
  }

  poseOf(index: number, time: number) {
    const { motion, rest } = this.list[index];
    return poseAt(motion, time, rest);
  }

  moveTo(index: number, position: Vec3): void {
    if (!this.list[index]) return;
    this.targets.set(index, position);
    for (const body of this.world.bodies) body.wake();
  }

  /** Puts one where it is to stay. */
  place(index: number, position: Vec3): void {
    const collider = this.list[index];
    if (!collider) return;
    collider.rest = { ...this.poseOf(index, this.world.time), position };
    collider.motion = [];
    this.targets.set(index, position);
  }

  /** Sets the motions of the dragged ones for the next step. */
  follow(): void {
    const { time, timeStep } = this.world;
    for (const [index, target] of this.targets) {
      const collider = this.list[index];
      const { position, rotation } = this.poseOf(index, time);
      const share = Math.min(1, timeStep / FOLLOW_TIME);
      const away = distance(position, target) * share;
      const farthest = FASTEST * timeStep;
      const next = mix(position, target, away > farthest ? (share * farthest) / away : share);
      collider.rest = { position: next, rotation };
      collider.motion = [
        { time, position, rotation },
        { time: time + timeStep, position: next, rotation },
      ];
    }
  }

  /** Adds the plate above all bodies, or takes it away. */
  setPress(on: boolean): void {
    if (on === Boolean(this.press)) return;
    if (this.press) {
      this.targets.delete(this.list.indexOf(this.press));
      this.world.remove(this.press);
      this.press = undefined;
      return;
    }
    const boxes = this.world.bodies.map((body) => boundsOf(body.positions));
    const low = [0, 1, 2].map((k) => Math.min(...boxes.map(([lowest]) => lowest[k])));
    const high = [0, 1, 2].map((k) => Math.max(...boxes.map(([, highest]) => highest[k])));
    const size = Math.max(...this.world.bodies.map(({ prepared }) => prepared.volume.size));
    const thickness = 0.08 * size;
    this.press = this.world.addCollider({
      name: 'press',
      shape: 'box',
      size: [high[0] - low[0] + 0.8 * size, thickness, high[2] - low[2] + 0.8 * size],
      position: [(low[0] + high[0]) / 2, high[1] + thickness + 0.1 * size, (low[2] + high[2]) / 2],
      friction: 0.5,
    });
  }
}
