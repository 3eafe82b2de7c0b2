// Maps painted on a body: a factor for each vertex on what holds for all of it.

import { showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';

/** Factors by vertex of the mesh, 1 where nothing changes. */
export interface BodyMaps {
  /** On the stiffness, 0…; beyond what matching can do in a step it is as stiff as that. */
  readonly stiffness?: ArrayLike<number>;
  /** On the damping, 0…; at most all of the non-rigid velocity is taken. */
  readonly damping?: ArrayLike<number>;
  /** On the density, above 0. */
  readonly density?: ArrayLike<number>;
  /** On the friction against all that it touches, 0…. */
  readonly friction?: ArrayLike<number>;
  /** On how much a vertex takes part in keeping the volume, 0…. */
  readonly volumeWeight?: ArrayLike<number>;
}

/** Names of what can be painted on a body. */
export const MAP_NAMES = ['stiffness', 'damping', 'density', 'friction', 'volumeWeight'] as const;
/** Name of something that can be painted on a body. */
export type MapName = (typeof MAP_NAMES)[number];

/** What a factor of each does, in a line. */
export const MAP_WORDS: Readonly<Record<MapName, string>> = {
  stiffness: 'Factor on the stiffness: below 1 softer, above 1 stiffer.',
  damping: 'Factor on the damping: above 1 wobbles die sooner.',
  density: 'Factor on the density: above 1 heavier.',
  friction: 'Factor on the friction: 0 is ice.',
  volumeWeight: 'Factor on how far a vertex moves to keep the volume: 0 leaves that to the others.',
};

/** Checked copies, of those that change anything. */
export type CheckedMaps = Readonly<Partial<Record<MapName, Float64Array>>>;

/** Furthest that a factor goes: beyond it single precision loses what is next to it. */
const LARGEST = 1000;

/**
 * Least and largest factor of a map.
 * @example
 * ```ts
 * const [low, high] = mapRange('stiffness');
 * ```
 */
export const mapRange = (name: MapName): readonly [number, number] => [name === 'density' ? 1 / LARGEST : 0, LARGEST];

export function checkMaps(given: BodyMaps, vertexCount: number): CheckedMaps {
  expectKnownFields('maps', given, MAP_NAMES);
  const maps: Partial<Record<MapName, Float64Array>> = {};
  for (const name of MAP_NAMES) {
    const factors = given[name];
    if (factors === undefined) continue;
    const [least] = mapRange(name);
    if (factors?.length !== vertexCount) {
      throw new RangeError(`maps.${name}: expected ${vertexCount} factors, one per vertex, got ${showInput(factors)}`);
    }
    const wrong = Array.from(factors).findIndex((f) => !(f >= least && f <= LARGEST));
    if (wrong >= 0) {
      throw new RangeError(
        `maps.${name}: expected factors from ${least} to ${LARGEST}, got ${showInput(factors[wrong])} at vertex ${wrong}`,
      );
    }
    if (Array.from(factors).some((f) => f !== 1)) maps[name] = Float64Array.from(factors);
  }
  return Object.freeze(maps);
}

/** A map in the order of the particles. */
export const orderMap = (map: Float64Array | undefined, order: Uint32Array): Float64Array | undefined =>
  map && Float64Array.from(order, (vertex) => map[vertex]);

/** Shares of the mass by area and density, Σ = 1, and the mean density factor. */
export function shareMass(areas: Float64Array, density?: Float64Array): { shares: Float64Array; factor: number } {
  const area = areas.reduce((sum, a) => sum + a, 0);
  if (!density) return { shares: areas.map((a) => a / area), factor: 1 };
  const weighted = areas.map((a, i) => a * density[i]);
  const total = weighted.reduce((sum, a) => sum + a, 0);
  return { shares: weighted.map((a) => a / total), factor: total / area };
}
