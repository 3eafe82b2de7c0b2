// The world of a scene: made when it is mounted, advanced with each picture, gone when it is unmounted.

import { useFrame, useThree } from '@react-three/fiber';
import { createElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Vec3 } from '../math/vec3.js';
import { ColliderView } from '../three/collider-view.js';
import { createWorkerWorld } from '../worker/create-worker-world.js';
import { createWorld } from '../world/create-world.js';
import type { WorldOptions } from '../world/world-options.js';
import { useRaisedError } from './raised-error.js';
import { SoftScene, SoftSceneContext, type SoftWorld } from './soft-context.js';

/** What a `<SoftPhysics>` takes. */
export interface SoftPhysicsProps extends Pick<WorldOptions, 'gravity' | 'timeStep' | 'backend' | 'threads'> {
  /** Whether the world lives in a worker: steps and preparation then never hold up the page. */
  readonly worker?: boolean;
  /** Whether time stands still. */
  readonly paused?: boolean;
  /** Whether bodies are shown between two steps, as smooth as the pictures are; true unless set. */
  readonly interpolate?: boolean;
  /** Whether colliders are shown as lines. */
  readonly debug?: boolean;
  readonly children?: ReactNode;
}

/** Longest time between two pictures that is made up for [s]: one that is drawn on demand may come after minutes. */
const LONGEST_FRAME = 0.1;

/**
 * A world for everything inside. What is inside is mounted when the world is there.
 *
 * @example
 * ```ts
 * const { createElement } = await import('react');
 * // <SoftPhysics worker gravity={[0, -9.81, 0]}> … </SoftPhysics>
 * const scene = createElement(SoftPhysics, { worker: true, gravity: [0, -9.81, 0] });
 * console.log(scene.props.gravity);
 * ```
 */
export function SoftPhysics({
  gravity,
  timeStep,
  backend,
  threads,
  worker = false,
  paused = false,
  interpolate = true,
  debug = false,
  children,
}: SoftPhysicsProps): ReactNode {
  const [world, setWorld] = useState<SoftWorld>();
  const raise = useRaisedError();
  const first = useRef(gravity);
  first.current = gravity;
  useEffect(() => {
    let mounted = true;
    let made: SoftWorld | undefined;
    const options = { gravity: first.current, timeStep, backend, threads };
    const making: Promise<SoftWorld> = worker ? createWorkerWorld(options) : createWorld(options);
    making.then(
      (ready) => {
        // It may have been unmounted meanwhile, as StrictMode does.
        if (!mounted) return ready.dispose();
        made = ready;
        setWorld(ready);
      },
      (error) => mounted && raise(error),
    );
    return () => {
      mounted = false;
      setWorld(undefined);
      made?.dispose();
    };
  }, [worker, timeStep, backend, threads, raise]);
  return world && createElement(Running, { world, gravity, paused, interpolate, debug, children });
}

interface RunningProps {
  readonly world: SoftWorld;
  readonly gravity: Vec3 | undefined;
  readonly paused: boolean;
  readonly interpolate: boolean;
  readonly debug: boolean;
  readonly children?: ReactNode;
}

function Running({ world, gravity, paused, interpolate, debug, children }: RunningProps): ReactNode {
  const { invalidate } = useThree();
  const scene = useMemo(() => new SoftScene(world, () => invalidate()), [world, invalidate]);
  const text = gravity?.join();
  useEffect(() => {
    if (gravity && !isGone(world) && text !== world.gravity.join()) world.gravity = gravity;
    scene.invalidate();
  }, [world, scene, text, gravity]);
  scene.interpolate = interpolate;
  const isPaused = useRef(paused);
  useEffect(() => {
    isPaused.current = paused;
    scene.invalidate();
  }, [scene, paused]);
  useFrame((_, delta) => {
    if (isGone(world) || isPaused.current) return;
    scene.before();
    const done = world.advance(Math.min(delta, LONGEST_FRAME));
    scene.after();
    // On demand: as long as something moves there is another picture to draw.
    const goOn = (): void => {
      if (!isGone(world) && world.bodies.some(({ asleep }) => !asleep)) scene.invalidate();
    };
    if (typeof done === 'number') goOn();
    else void done.then(goOn);
  });
  return createElement(
    SoftSceneContext.Provider,
    { value: scene },
    children,
    debug && createElement(ColliderLines, { scene }),
  );
}

/** Whether a world was disposed of. */
const isGone = (world: SoftWorld): boolean => world.disposed;

function ColliderLines({ scene }: { readonly scene: SoftScene }): ReactNode {
  const view = useMemo(() => new ColliderView(scene.world), [scene]);
  useEffect(() => {
    const leave = scene.join({ after: () => view.update() });
    return () => {
      leave();
      view.dispose();
    };
  }, [scene, view]);
  return createElement('primitive', { object: view, dispose: null });
}
