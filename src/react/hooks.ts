// Hooks into the world of a scene.

import { useEffect, useRef } from 'react';
import type { WorkerContactEvent } from '../worker/frame-reader.js';
import type { ContactEvent } from '../world/contact-events.js';
import type { World } from '../world/world.js';
import { type SoftWorld, useSoftScene, useSoftThings } from './soft-context.js';
import { type SoftRef, thingsOf } from './soft-handles.js';

/**
 * The world of the `<SoftPhysics>` around.
 *
 * @example
 * ```ts
 * function Count() {   // inside of <SoftPhysics>
 *   return useSoftWorld().bodies.length;
 * }
 * console.log(Count.name);
 * ```
 */
export const useSoftWorld = (): SoftWorld => useSoftScene().world;

/**
 * Calls back before each step; with a world in a worker before those of each picture.
 *
 * @example
 * ```ts
 * function Clock() {   // inside of <SoftPhysics>
 *   useBeforeStep((world) => console.log(world.time));
 *   return null;
 * }
 * console.log(Clock.name);
 * ```
 */
export function useBeforeStep(callback: (world: SoftWorld) => void): void {
  useStep(callback, 'onBeforeStep');
}

/**
 * Calls back after each step; with a world in a worker after those of each picture.
 *
 * @example
 * ```ts
 * function Clock() {   // inside of <SoftPhysics>
 *   useAfterStep((world) => console.log(world.time));
 *   return null;
 * }
 * console.log(Clock.name);
 * ```
 */
export function useAfterStep(callback: (world: SoftWorld) => void): void {
  useStep(callback, 'onAfterStep');
}

function useStep(callback: (world: SoftWorld) => void, when: 'onBeforeStep' | 'onAfterStep'): void {
  const scene = useSoftScene();
  const latest = useRef(callback);
  latest.current = callback;
  useEffect(() => {
    const { world } = scene;
    if (world.disposed) return;
    const call = (): void => latest.current(world);
    return when in world
      ? (world as World)[when](call)
      : scene.join(when === 'onBeforeStep' ? { before: call } : { after: call });
  }, [scene, when]);
}

/**
 * Calls back with the contacts of a `<SoftBody>` or a `<SoftCollider>`, by its ref.
 *
 * @example
 * ```ts
 * const { createRef } = await import('react');
 * const ball = createRef<never>();   // of <SoftBody ref={ball}>
 * function Sound() {
 *   useContact(ball, ({ phase, impulse }) => console.log(phase, impulse));
 *   return null;
 * }
 * console.log(Sound.name);
 * ```
 */
export function useContact(ref: SoftRef, callback: (event: ContactEvent | WorkerContactEvent) => void): void {
  const scene = useSoftThings();
  const latest = useRef(callback);
  latest.current = callback;
  const { current } = ref;
  useEffect(() => {
    const world = scene.world as World;
    if (world.disposed) return;
    const things = thingsOf({ current }).filter(({ removed }) => !removed);
    const ends = things.map((thing) => world.onContact(thing, (event) => latest.current(event)));
    return () => {
      for (const end of ends) end();
    };
  }, [scene, current]);
}
