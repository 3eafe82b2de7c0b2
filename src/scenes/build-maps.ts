// From what a scene file says is painted on a body to a factor for each vertex.

import { boundsOf } from '../mesh/measure.js';
import { selectVertices } from '../mesh/select-vertices.js';
import { vertexCount } from '../mesh/triangle-mesh.js';
import type { AttributedMesh } from '../mesh/vertex-attributes.js';
import { type BodyMaps, MAP_NAMES } from '../solvers/maps.js';
import type { SceneMap, SceneMaps } from './map-schema.js';
import { SceneError, showValue } from './scene-errors.js';
import type { Scene } from './scene-schema.js';

type RegionMap = Extract<SceneMap, readonly unknown[]>;
type AttributeMap = Extract<SceneMap, { attribute: string }>;

const isRegions = (map: SceneMap): map is RegionMap => Array.isArray(map);

/** A colour's channel goes by both names. */
const nameOf = ({ attribute, channel }: AttributeMap): string => (channel ? `${attribute}.${channel}` : attribute);

/** The vertex attributes that maps need, as `readMesh` takes them. */
export function attributesOf(maps: SceneMaps | undefined): string[] {
  const needed = Object.values(maps ?? {}).flatMap((map) => (map && 'attribute' in map ? [nameOf(map)] : []));
  return [...new Set(needed)];
}

/** Those that the bodies of a scene need of a mesh file, by its path as it stands in the scene. */
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
    if (map) built[name] = buildMap(map, mesh, `${place}.${name}`);
  }
  return built;
}

function buildMap(map: SceneMap, mesh: AttributedMesh, place: string): ArrayLike<number> {
  if (isRegions(map)) return paintRegions(map, mesh, place);
  if ('attribute' in map) return readAttribute(map, mesh, place);
  const count = vertexCount(mesh);
  if (map.values.length === count) return map.values;
  throw new SceneError(`${place}.values`, `expected ${count} factors, one per vertex, got ${map.values.length}`);
}

function paintRegions(regions: RegionMap, mesh: AttributedMesh, place: string): Float64Array {
  const factors = new Float64Array(vertexCount(mesh)).fill(1);
  for (const [index, { region, factor }] of regions.entries()) {
    const selected = selectVertices(mesh, 'ball' in region ? { sphere: region.ball } : region);
    if (selected.length === 0) {
      const [low, high] = boundsOf(mesh.positions);
      const extent = `${showValue([...low])} to ${showValue([...high])}`;
      throw new SceneError(
        `${place}[${index}].region`,
        `expected at least one vertex in it (at rest the mesh spans ${extent}), got none`,
      );
    }
    for (const vertex of selected) factors[vertex] = factor;
  }
  return factors;
}

function readAttribute(map: AttributeMap, mesh: AttributedMesh, place: string): Float64Array {
  const values = mesh.attributes && Object.hasOwn(mesh.attributes, nameOf(map)) && mesh.attributes[nameOf(map)];
  if (!values || values.length !== vertexCount(mesh)) {
    throw new SceneError(
      `${place}.attribute`,
      `expected a number per vertex that the mesh file has (COLOR_0 with a channel, _NAME, or a property of PLY), got ${showValue(nameOf(map))}`,
    );
  }
  const [low, high] = [Math.min(map.from, map.to), Math.max(map.from, map.to)];
  return values.map((value) => {
    const share = Math.min(1, Math.max(0, value));
    // Rounding must not lead out of the range.
    return Math.min(high, Math.max(low, (1 - share) * map.from + share * map.to));
  });
}
