// What parts of a physical scene share: the world, and who wants to know of what.

import { createContext, useContext, useSyncExternalStore } from 'react';
import type { WorkerWorld } from '../worker/worker-world.js';
import type { World } from '../world/world.js';

/** The world of a scene: on the page, or in a worker. */
export type SoftWorld = World | WorkerWorld;

/** Called once per picture. */
export interface FramePart {
  /** Before the world advances. */
  before?(): void;
  /** After it has: the time to show it. */
  after?(): void;
}

/** One physical scene. */
export class SoftScene {
  private readonly parts = new Set<FramePart>();
  private readonly watchers = new Set<() => void>();
  private version = 0;
  /** Whether bodies are shown between two steps. */
  interpolate = true;

  constructor(
    readonly world: SoftWorld,
    /** Asks for a picture, where they are drawn on demand. */
    readonly invalidate: () => void,
  ) {}

  /** Takes part in each picture; what it returns ends it. */
  join(part: FramePart): () => void {
    this.parts.add(part);
    return () => void this.parts.delete(part);
  }

  before(): void {
    for (const part of [...this.parts]) part.before?.();
  }

  after(): void {
    for (const part of [...this.parts]) part.after?.();
  }

  /** Something was made or has gone: who waits for it looks again. */
  changed(): void {
    this.version++;
    for (const watcher of [...this.watchers]) watcher();
    this.invalidate();
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  };

  readonly getVersion = (): number => this.version;
}

export const SoftSceneContext = createContext<SoftScene | null>(null);

export function useSoftScene(): SoftScene {
  const scene = useContext(SoftSceneContext);
  if (!scene) throw new Error('expected to be inside of <SoftPhysics>');
  return scene;
}

/** Renders again whenever a body or a collider of the scene was made or has gone. */
export function useSoftThings(): SoftScene {
  const scene = useSoftScene();
  useSyncExternalStore(scene.watch, scene.getVersion, scene.getVersion);
  return scene;
}
