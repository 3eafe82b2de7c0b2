// Settings of bodies that a scene gives by keyframes: what they are when, and who sets them.

import type { Body } from '../world/body.js';
import type { BodyChanges } from '../world/body-settings.js';
import type { World } from '../world/world.js';
import { bodyName, type Scene } from './scene-schema.js';

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

/** Settings that belong together: the volume's. */
const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const settingAt = (value: unknown, time: number): unknown => {
  if (isKeys(value)) return valueAt(value, time);
  return isGroup(value) ? settingsAt(value, time) : value;
};

/** Settings, and those of their groups, as they are at a time [s]. */
export const settingsAt = <T extends object>(settings: T, time: number): T =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, settingAt(value, time)])) as T;

/** What of settings goes by keyframes and is another at a time [s] than it is now. */
function changesAt(settings: object, now: Readonly<Record<string, unknown>>, time: number): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const current = now[name];
    if (isGroup(value)) {
      const inside = isGroup(current) ? changesAt(value, current, time) : {};
      if (Object.keys(inside).length > 0) changes[name] = inside;
    } else if (isKeys(value) && valueAt(value, time) !== current) changes[name] = valueAt(value, time);
  }
  return changes;
}

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
    const changes = changesAt(solver, body.settings as unknown as Record<string, unknown>, time);
    // What stays as it is wakes nobody.
    if (Object.keys(changes).length > 0) body.set(changes as BodyChanges);
  });
}
