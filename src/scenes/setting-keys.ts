// Settings of bodies that a scene gives by keyframes: what they are when, and who sets them.

import type { Body } from '../world/body.js';
import type { BodyChanges } from '../world/body-settings.js';
import type { World } from '../world/world.js';
import { bodyName, type Scene } from './scene-schema.js';
import type { SceneSolver } from './solver-schema.js';

/** A value at a time [s]. */
export interface SettingKey {
  readonly time: number;
  readonly value: number;
}

const isKeys = (value: unknown): value is readonly SettingKey[] =>
  Array.isArray(value) && typeof value[0]?.value === 'number';

/** The value at a time [s]. */
export function valueAt(keys: readonly SettingKey[], time: number): number {
  const next = keys.findIndex((key) => key.time > time);
  if (next <= 0) return keys[next === 0 ? 0 : keys.length - 1].value;
  const [before, after] = [keys[next - 1], keys[next]];
  return before.value + ((after.value - before.value) * (time - before.time)) / (after.time - before.time);
}

/** A solver with the settings that it has at a time [s]. */
export const settingsAt = (solver: SceneSolver, time: number): SceneSolver =>
  Object.fromEntries(
    Object.entries(solver).map(([name, value]) => [name, isKeys(value) ? valueAt(value, time) : value]),
  ) as SceneSolver;

/**
 * Sets what goes by keyframes to where it is at the end of the step that comes next; `elapsed` is what went before the world's own
 * time [s]. Whoever steps the world of a scene by hand calls it before each step, as `cutDue`; `playScene` does.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }] });
 * const { world, bodies } = await buildScene(scene);
 * setDue(scene, world, bodies); // before a step, where a program plays a scene itself
 * world.step();
 * ```
 */
export function setDue(scene: Scene, world: World, bodies: readonly Body[], elapsed = 0): void {
  const time = elapsed + (world.stepCount + 1) * world.timeStep;
  scene.bodies.forEach((one, index) => {
    const { solver } = one;
    const body = bodies.find(({ name }) => name === bodyName(one, index));
    if (!body) return;
    for (const [name, keys] of Object.entries(solver)) {
      if (!isKeys(keys)) continue;
      const value = valueAt(keys, time);
      // What stays as it is wakes nobody.
      if ((body.settings as unknown as Record<string, unknown>)[name] === value) continue;
      body.set({ [name]: value } as BodyChanges);
    }
  });
}
