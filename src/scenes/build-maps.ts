// From what a scene file says is painted on a body to a factor for each vertex.

import { boundsOf } from '../mesh/measure.js';
import { selectVertices } from '../mesh/select-vertices.js';
import { vertexCount } from '../mesh/triangle-mesh.js';
import type { AttributedMesh } from '../mesh/vertex-attributes.js';
import { type BodyMaps, MAP_NAMES, type MapName, mapRange } from '../solvers/maps.js';
import type { MapLayer, SceneMap, SceneMaps } from './map-schema.js';
import { SceneError, showValue } from './scene-errors.js';
import type { Scene } from './scene-schema.js';

type AttributeLayer = Extract<MapLayer, { attribute: string }>;

/** The vertex attributes that maps need, as `readMesh` takes them. */
export function attributesOf(maps: SceneMaps | undefined): string[] {
  const layers = Object.values(maps ?? {}).flatMap((map) => map ?? []);
  const needed = layers.flatMap((layer) => ('attribute' in layer ? [layer.attribute] : []));
  return [...new Set(needed)];
}

/**
 * Those that the bodies of a scene need of a mesh file, by its path as it stands in the scene.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: 'a.ply', maps: { density: [{ attribute: 'weight' }] } }] });
 * console.log(sceneAttributes(scene, 'a.ply')); // weight
 * ```
 */
export const sceneAttributes = (scene: Scene, path: string): string[] => [
  ...new Set(scene.bodies.flatMap(({ mesh, maps }) => (mesh === path ? attributesOf(maps) : []))),
];

/** Factors by vertex of a mesh; `place` is where the maps stand in the scene. */
export const buildMaps = (maps: SceneMaps | undefined, mesh: AttributedMesh, place: string): BodyMaps =>
  buildNamedMaps(maps, mesh, place, MAP_NAMES);

/** Those of some names. */
export function buildNamedMaps(
  maps: SceneMaps | undefined,
  mesh: AttributedMesh,
  place: string,
  names: readonly string[],
): Record<string, ArrayLike<number>> {
  const built: Record<string, ArrayLike<number>> = {};
  for (const name of names) {
    const map = (maps as Record<string, SceneMap | undefined> | undefined)?.[name];
    if (map) built[name] = buildMap(map, mesh, `${place}.${name}`, rangeOf(name));
  }
  return built;
}

/** Maps of posers are weights. */
const rangeOf = (name: string): readonly [number, number] =>
  MAP_NAMES.includes(name as MapName) ? mapRange(name as MapName) : [0, 1000];

type Range = readonly [low: number, high: number];

/** Layer upon layer; 1 where nothing is painted. */
function buildMap(layers: SceneMap, mesh: AttributedMesh, place: string, range: Range): Float64Array {
  const factors = new Float64Array(vertexCount(mesh)).fill(1);
  for (const [index, layer] of layers.entries()) paintLayer(layer, mesh, `${place}[${index}]`, range, factors);
  return factors;
}

function paintLayer(layer: MapLayer, mesh: AttributedMesh, place: string, range: Range, factors: Float64Array): void {
  if ('attribute' in layer) {
    factors.set(readAttribute(layer, mesh, place, range));
  } else if ('values' in layer) {
    const { length } = layer.values;
    if (length !== factors.length)
      throw new SceneError(`${place}.values`, `expected ${factors.length} factors, one per vertex, got ${length}`);
    factors.set(layer.values);
  } else {
    const region = 'ball' in layer ? { sphere: layer.ball } : { box: layer.box };
    const selected = selectVertices(mesh, region);
    if (selected.length === 0) {
      const [low, high] = boundsOf(mesh.positions);
      const extent = `${showValue([...low])} to ${showValue([...high])}`;
      throw new SceneError(
        `${place}.${'ball' in layer ? 'ball' : 'box'}`,
        `expected at least one vertex in it (at rest the mesh spans ${extent}), got none`,
      );
    }
    for (const vertex of selected) factors[vertex] = layer.value;
  }
}

function readAttribute(layer: AttributeLayer, mesh: AttributedMesh, place: string, [low, high]: Range): Float64Array {
  const { attribute, from, to } = layer;
  const values = mesh.attributes && Object.hasOwn(mesh.attributes, attribute) && mesh.attributes[attribute];
  if (!values || values.length !== vertexCount(mesh)) {
    throw new SceneError(
      `${place}.attribute`,
      `expected a number per vertex that the mesh file has (COLOR_0.r, _NAME, or a property of PLY), got ${showValue(attribute)}`,
    );
  }
  const factorOf = (value: number): number => {
    if (from === undefined && to === undefined) return value;
    const share = Math.min(1, Math.max(0, value));
    return (1 - share) * (from ?? 0) + share * (to ?? 1);
  };
  // What a file holds, and rounding, must not lead out of the range.
  return Float64Array.from(values, (value) => Math.min(high, Math.max(low, factorOf(value))));
}
