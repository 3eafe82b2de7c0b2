// The deformer's settings: what is fixed when it is made, and what an artist may set for each frame.

import { expectNumber, expectPositive, expectVector, showInput } from '../math/expect.js';
import { describeKnown, expectKnownFields } from '../math/known-fields.js';
import { power } from '../math/power.js';
import { HELPER_DEPTHS } from './helper-mesh.js';

/** What may be set anew for each frame. */
export interface DeformerFrameSettings {
  /** How far a dent is felt: 0 soft and local … 1 stiff and global. */
  readonly reach: number;
  /** Volume after the deformation, as a share of the input's. */
  readonly volume: number;
  /** Share of the deformation that is shown; between 0 and 1 nothing is promised about volume and contact. */
  readonly envelope: number;
  /** How firmly the body as a whole stays where it is, from 0 to 1; true is 1. */
  readonly holdCentroid: boolean | number;
  /**
   * Share of the deformation by distance from the colliders before contact [m]: pairs of a distance, ascending, and a share from 0 to 1, with
   * straight lines between them. Volume and contact are exact all the same, as far as the shares let vertices move.
   */
  readonly falloff: Falloff;
}

/** Shares by distance, see `DeformerFrameSettings.falloff`. */
export type Falloff = readonly (readonly [distance: number, share: number])[];

/** Numbers painted on the mesh, one per vertex. */
export interface DeformerMaps {
  /** How firmly places are held where the animator put them, from 0; 1 unless painted. */
  readonly hold?: ArrayLike<number>;
  /** How stiff the flesh is, above 0; 1 unless painted. */
  readonly stiffness?: ArrayLike<number>;
  /** Which vertices collide: those from 0.5. */
  readonly collision?: ArrayLike<number>;
}

/** All settings of a deformer. */
export interface DeformerSettings extends DeformerFrameSettings {
  /** `minimise` for the result, `iterate` for the paper's own iteration, which neither converges nor keeps its volume. */
  readonly mode: DeformerMode;
  /** Depth of the octree, 1 to 8; `auto` for leaves no smaller than the mesh's mean edge. */
  readonly depth: 'auto' | number;
  /** Largest step at which the minimum counts as reached, in half sizes of the body: 1e-3 for previews. */
  readonly tolerance: number;
  /** Iterations of the paper's mode. */
  readonly iterations: number;
  readonly maps: DeformerMaps;
}

/** Names of the ways to deform. */
export const DEFORMER_MODES = ['minimise', 'iterate'] as const;
/** A way to deform. */
export type DeformerMode = (typeof DEFORMER_MODES)[number];

/** Settings of `createDeformer` where none are given. */
export const DEFORMER_DEFAULTS: DeformerSettings = Object.freeze({
  mode: 'minimise',
  depth: 'auto',
  // 0.7 half sizes: soft enough for a dent, and no tetrahedron inverts in any of the prototype's scenes.
  reach: 0.42,
  volume: 1,
  envelope: 1,
  holdCentroid: 0,
  falloff: Object.freeze([]),
  tolerance: 1e-4,
  iterations: 200,
  maps: Object.freeze({}),
});

export const FRAME_FIELDS = ['reach', 'volume', 'envelope', 'holdCentroid', 'falloff'] as const;

/** Shortest and longest reach [half sizes]. */
const REACHES = [0.2, 4] as const;

/** Length over which a dent is felt [half sizes] for a reach from 0 to 1. */
export const reachLength = (reach: number): number => REACHES[0] * power(REACHES[1] / REACHES[0], reach);

export function expectFrameSettings(place: string, settings: Partial<DeformerFrameSettings>): void {
  const { reach = 0, volume = 1, envelope = 1, holdCentroid = 0, falloff = [] } = settings;
  expectNumber(`${place}reach`, reach, 0, 1);
  expectNumber(`${place}volume`, volume, 0.5, 2);
  expectNumber(`${place}envelope`, envelope, 0, 1);
  if (typeof holdCentroid !== 'boolean') expectNumber(`${place}holdCentroid`, holdCentroid, 0, 1);
  expectFalloff(`${place}falloff`, falloff);
}

function expectFalloff(place: string, falloff: Falloff): void {
  if (!Array.isArray(falloff)) {
    throw new RangeError(`${place}: expected pairs of a distance and a share, got ${showInput(falloff)}`);
  }
  let before = -Infinity;
  falloff.forEach((pair, i) => {
    expectVector(`${place}[${i}]`, pair, 2);
    expectNumber(`${place}[${i}] share`, pair[1], 0, 1);
    if (!(pair[0] > before)) throw new RangeError(`${place}[${i}]: expected ascending distances, got ${pair[0]}`);
    before = pair[0];
  });
}

/** Settings with the defaults for what is not given. Throws where one makes no sense. */
export function deformerSettings(given: Partial<DeformerSettings>, vertexCount: number): DeformerSettings {
  expectKnownFields('createDeformer', given, Object.keys(DEFORMER_DEFAULTS));
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const settings: DeformerSettings = { ...DEFORMER_DEFAULTS, ...Object.fromEntries(present) };
  const { mode, depth, maps } = settings;
  if (!DEFORMER_MODES.includes(mode)) {
    throw new RangeError(`mode: ${describeKnown(String(mode), DEFORMER_MODES)}, got ${showInput(mode)}`);
  }
  if (depth !== 'auto') expectWhole('depth', depth, HELPER_DEPTHS[0], HELPER_DEPTHS[1]);
  expectPositive('tolerance', settings.tolerance);
  expectWhole('iterations', settings.iterations, 1, 100_000);
  expectFrameSettings('', settings);
  expectKnownFields('maps', maps, ['hold', 'stiffness', 'collision']);
  for (const name of ['hold', 'stiffness', 'collision'] as const) expectMap(name, maps[name], vertexCount);
  return Object.freeze(settings);
}

function expectWhole(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new RangeError(`${name}: expected an integer from ${low} to ${high}, got ${showInput(value)}`);
}

function expectMap(name: keyof DeformerMaps, map: ArrayLike<number> | undefined, vertexCount: number): void {
  if (map === undefined) return;
  if (map?.length !== vertexCount) {
    throw new RangeError(`maps.${name}: expected ${vertexCount} numbers, one per vertex, got ${showInput(map)}`);
  }
  for (let v = 0; v < vertexCount; v++) {
    if (Number.isFinite(map[v]) && map[v] >= 0 && (name !== 'stiffness' || map[v] > 0)) continue;
    const words = name === 'stiffness' ? 'numbers above 0' : 'numbers from 0';
    throw new RangeError(`maps.${name}: expected ${words}, got ${showInput(map[v])} at vertex ${v}`);
  }
}
