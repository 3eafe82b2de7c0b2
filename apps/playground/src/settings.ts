// What can be changed while a scene runs, on top of what the scene itself says.

import type { Scene } from 'isochore/scenes';
import { settingsAt } from '../../../src/scenes/setting-keys.js';
import { type BodySettings, linesFor, mergeSettings, readLine, type SettingLine, writeLines } from './solver-lines.js';

type SceneBody = Scene['bodies'][number];

export interface WorldSettings {
  /** Downwards [m/s²]. */
  gravity?: number;
  /** Of all obstacles and bodies. */
  friction?: number;
  /** Δt [s]. */
  timeStep?: number;
  backend?: 'auto' | 'wasm' | 'webgpu' | 'reference';
  threads?: number;
  /** How large cells may look before they are halved [px]; 0 leaves levels of detail to the scene. */
  cellPixels?: number;
}

/** The key of `bodies` that means all of them. */
export const ALL_BODIES = '*';

export interface Settings {
  readonly world: WorldSettings;
  /** Of one body, or of all of them. What is left out is as in the scene. */
  readonly bodies: Readonly<Record<string, BodySettings>>;
}

export const NO_SETTINGS: Settings = { world: {}, bodies: {} };

/** What a body's solver says, by the keys of its lines. */
export function bodySettingsOf({ solver }: Pick<SceneBody, 'solver'>): BodySettings {
  const said = linesFor(solver).map((line) => [line.key, readLine(solver, line)] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as BodySettings;
}

/** The settings of one body: those for all, then its own. */
export const settingsFor = (settings: Settings, name: string, lines: readonly SettingLine[]): BodySettings =>
  mergeSettings(lines, settings.bodies[ALL_BODIES], settings.bodies[name]);

function applyToBody(body: SceneBody, name: string, settings: Settings): SceneBody {
  const lines = linesFor(body.solver);
  const given = settingsFor(settings, name, lines);
  return Object.keys(given).length === 0 ? body : { ...body, solver: writeLines(body.solver, lines, given) };
}

/** The scene with the settings in it; `backend` and `threads` are no part of a scene. */
export function applySettings(scene: Scene, settings: Settings): Scene {
  const { gravity, friction, timeStep } = settings.world;
  return {
    ...scene,
    gravity: gravity === undefined ? scene.gravity : [0, 0 - gravity, 0],
    timeStep: timeStep ?? scene.timeStep,
    bodies: scene.bodies.map((body, index) => ({
      ...applyToBody(body, body.name ?? `body${index}`, settings),
      friction: friction ?? body.friction,
    })),
    colliders: friction === undefined ? scene.colliders : scene.colliders.map((c) => ({ ...c, friction })),
  };
}

/** Whether going from one to the other needs the bodies to be prepared anew. */
export function needsRebuild(before: Scene, after: Scene, settingsBefore: Settings, settingsAfter: Settings): boolean {
  const frame = ({ timeStep, bodies }: Scene, { world }: Settings) =>
    JSON.stringify([
      timeStep,
      world.backend,
      world.threads,
      bodies.map(({ solver }) =>
        linesFor(solver)
          .filter(({ prepared }) => prepared)
          .map((line) => readLine(solver, line)),
      ),
    ]);
  return frame(before, settingsBefore) !== frame(after, settingsAfter);
}

/** What of a body's solver may change while its world runs, as it is at a time [s]. */
export function liveSettingsOf({ solver }: SceneBody, time: number): object {
  const live = linesFor(solver).filter(({ prepared, depth }) => !prepared && depth === 0);
  const now = settingsAt(solver, time);
  return Object.fromEntries(live.map(({ path: [name] }) => [name, now[name]]));
}
