// What can be changed while a scene runs, on top of what the scene itself says.

import { type NumberField, VOLUME_DEFAULTS } from 'isochore';
import { BUILT_IN_SOLVERS, type Scene } from 'isochore/scenes';

type SceneBody = Scene['bodies'][number];

/** Of one body, or of all of them. What is left out is as in the scene. */
export interface BodySettings {
  /** ω in rings (cells of a lattice). */
  regionSize?: number;
  stiffness?: number;
  damping?: number;
  volume?: boolean;
  /** α */
  globalShare?: number;
  /** β */
  innerShare?: number;
  /** σ_min, of the longest inner pair. */
  innerLow?: number;
  /** σ_max, of the shortest inner pair. */
  innerHigh?: number;
  /** Volume to be kept, in volumes at rest. */
  target?: number;
}

export interface WorldSettings {
  /** Downwards [m/s²]. */
  gravity?: number;
  /** Of all obstacles and bodies. */
  friction?: number;
  /** Δt [s]. */
  timeStep?: number;
  backend?: 'auto' | 'wasm' | 'reference';
  threads?: number;
}

/** The key of `bodies` that means all of them. */
export const ALL_BODIES = '*';

export interface Settings {
  readonly world: WorldSettings;
  readonly bodies: Readonly<Record<string, BodySettings>>;
}

export const NO_SETTINGS: Settings = { world: {}, bodies: {} };

/** Where the slider of ω stands while a body's regions are given by their radius. */
const FIRST_RINGS = 3;

/** The fields of a body's solver. */
const fieldsOf = ({ solver }: SceneBody) => BUILT_IN_SOLVERS.find(({ type }) => type === solver.type)?.fields ?? {};

/** What a body's solver says, in the terms of `BodySettings`. */
export function bodySettingsOf({ solver }: SceneBody): Required<BodySettings> {
  const volume = solver.volume === false ? VOLUME_DEFAULTS : solver.volume;
  return {
    regionSize: (solver.regionSize as number | undefined) ?? FIRST_RINGS,
    stiffness: solver.stiffness,
    damping: solver.damping,
    volume: solver.volume !== false,
    globalShare: volume.globalShare,
    innerShare: volume.innerShare,
    innerLow: volume.innerStiffness[0],
    innerHigh: volume.innerStiffness[1],
    target: volume.target,
  };
}

function applyToBody(body: SceneBody, given: BodySettings): SceneBody {
  if (Object.keys(given).length === 0) return body;
  const s = { ...bodySettingsOf(body), ...given };
  const volume = s.volume && {
    globalShare: s.globalShare,
    innerShare: s.innerShare,
    innerStiffness: [s.innerLow, s.innerHigh] as [number, number],
    target: s.target,
  };
  const { solver } = body;
  const shared = { ...solver, stiffness: s.stiffness, damping: s.damping, volume };
  if (given.regionSize === undefined) return { ...body, solver: shared };
  const fields: Record<string, { instead?: string }> = fieldsOf(body);
  const field = fields.regionSize as NumberField | undefined;
  if (!field) return { ...body, solver: shared };
  // What stands in its place otherwise is out.
  const others = Object.keys(fields).filter((name) => field.instead && fields[name].instead === field.instead);
  const unset = Object.fromEntries(others.map((name) => [name, undefined]));
  const regionSize = Math.min(given.regionSize, field.high);
  return { ...body, solver: { ...shared, ...unset, regionSize } };
}

/** The settings of one body: those for all, then its own. */
export const settingsFor = (settings: Settings, name: string): BodySettings => ({
  ...settings.bodies[ALL_BODIES],
  ...settings.bodies[name],
});

/** The scene with the settings in it; `backend` and `threads` are no part of a scene. */
export function applySettings(scene: Scene, settings: Settings): Scene {
  const { gravity, friction, timeStep } = settings.world;
  return {
    ...scene,
    gravity: gravity === undefined ? scene.gravity : [0, 0 - gravity, 0],
    timeStep: timeStep ?? scene.timeStep,
    bodies: scene.bodies.map((body, index) => ({
      ...applyToBody(body, settingsFor(settings, body.name ?? `body${index}`)),
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
      bodies.map((body) =>
        Object.entries(fieldsOf(body))
          .filter(([, { change }]) => change === 'prepared')
          .map(([name]) => body.solver[name]),
      ),
    ]);
  return frame(before, settingsBefore) !== frame(after, settingsAfter);
}
