// The posed bodies of a scene, and the colliders that press into them, at any time: what the deformer is asked, frame by frame.

import { mayTouch } from '../contact/groups.js';
import type { DeformerCollider } from '../deformer/collider-settings.js';
import type { DeformerFrame } from '../deformer/deform-frame.js';
import type { DeformerTask } from '../deformer/frame-messages.js';
import { mendInput } from '../deformer/mended-frame.js';
import { partColliders } from '../deformer/part-colliders.js';
import type { DeformerFlag } from '../deformer/report.js';
import { poseAt } from '../math/motion.js';
import { rotate } from '../math/quaternion.js';
import { add, pointAt, scale as scaleVector, type Vec3 } from '../math/vec3.js';
import { boneMesh } from '../mesh/boned-mesh.js';
import type { MovingMesh } from '../mesh/io/moving-mesh.js';
import { joinVertices } from '../mesh/joined-vertices.js';
import { selectVertices } from '../mesh/select-vertices.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { poserFor } from '../solvers/built-in.js';
import { MAP_NAMES } from '../solvers/maps.js';
import { attributesOf, buildNamedMaps } from './build-maps.js';
import { keyedAt } from './keyed-values.js';
import type { MapLayer, SceneMap, SceneMaps } from './map-schema.js';
import { carryPose, type NodeMotion } from './node-motion.js';
import { SceneError, showValue } from './scene-errors.js';
import { type MeshSource, makeMesh, scaleMesh } from './scene-mesh.js';
import { bodyName, type Scene } from './scene-schema.js';

type SceneBody = Scene['bodies'][number];
type SceneCollider = Scene['colliders'][number];

/** What posed bodies need from outside. */
export interface PoseSceneOptions extends MeshSource {
  /** Gives the moving mesh that a body or a collider names by its path. Without it such are refused. */
  loadMoving?: (path: string, options: { readonly animation?: string | number }) => Promise<MovingMesh>;
}

/** A posed body: what deforms it, and how its vertices go there and back. */
export interface PosedBody extends DeformerTask {
  /** Its place among the scene's bodies. */
  readonly index: number;
  readonly name: string;
  /** How it pushes those that give way to it. */
  readonly press: SceneBody['press'];
  /** As its file has it, seams and all, where the scene puts it [m]. */
  readonly shown: TriangleMesh;
  /** Values by vertex of the file, `size` each, for the vertices of the deformer, which has no seams. */
  toBound(values: ArrayLike<number>, size: number): Float64Array;
  /** Vectors by vertex of the file from those of the deformer. */
  toShown(positions: Float64Array): Float64Array;
  /** What is to be said of all its frames. */
  readonly flags: readonly DeformerFlag[];
  /** The posed bodies that it gives way to: their places among these, and how they push. */
  readonly behind: readonly { readonly body: number; at(time: number): ReturnType<typeof pressAt> }[];
  /**
   * The frame at a time [s]: its input, its settings and the colliders that it may touch.
   * @param others vertices of the bodies that it gives way to, as they came out at that time; without them they are left out.
   */
  frameAt(time: number, others?: readonly Float64Array[]): DeformerFrame;
}

/**
 * The posed bodies of a scene, none where it has none. Throws SceneError for what only shows with the files at hand.
 * @example
 * ```ts
 * const bodies = await poseScene(checkScene(findScene('imprint')?.make()));
 * ```
 */
export const poseScene = async (scene: Scene, options: PoseSceneOptions = {}): Promise<readonly PosedBody[]> =>
  (await openPosed(scene, options)).bodies;

/** What of a scene is a function of time. */
export interface OpenScene {
  readonly bodies: readonly PosedBody[];
  /** In the scene's order. */
  readonly colliders: readonly OpenCollider[];
}

/**
 * Opens what the posed bodies of a scene need: their inputs, and their colliders at any time.
 * @example
 * ```ts
 * const { bodies } = await openPosed(checkScene(findScene('imprint')?.make()), {});
 * ```
 */
export async function openPosed(scene: Scene, options: PoseSceneOptions): Promise<OpenScene> {
  const inputs = new Map<number, MovingMesh>();
  const meshes = new Map<number, TriangleMesh>();
  for (const [index, body] of scene.bodies.entries()) {
    if (!poserFor(body.solver)) continue;
    const mesh = await makeMesh(body.mesh, `bodies[${index}].mesh`, options, attributesOf(body.maps));
    meshes.set(index, mesh);
    const input = await openInput(body, mesh, `bodies[${index}].input`, options);
    if (input) inputs.set(index, input);
  }
  const colliders = await Promise.all(
    scene.colliders.map((collider, index) => openCollider(collider, index, scene, inputs, options)),
  );
  const bodies: PosedBody[] = [];
  for (const [index, mesh] of meshes)
    bodies.push(bindBody(scene.bodies[index], index, mesh, inputs.get(index), colliders, bodies));
  return { bodies, colliders };
}

async function openInput(
  { input }: SceneBody,
  mesh: TriangleMesh,
  place: string,
  options: PoseSceneOptions,
): Promise<MovingMesh | undefined> {
  if (input === undefined) return undefined;
  if (typeof input === 'object' && 'bones' in input) {
    try {
      return boneMesh(mesh, input.bones);
    } catch (error) {
      throw new SceneError(place, (error as Error).message);
    }
  }
  const { file, animation = undefined } = typeof input === 'string' ? { file: input } : input;
  const moving = await loadMoving(file, animation, place, options);
  const count = mesh.positions.length / 3;
  if (moving.vertexCount !== count) {
    const got = `${showValue(file)} with ${moving.vertexCount}`;
    throw new SceneError(place, `expected a file with the ${count} vertices of the mesh, got ${got}`);
  }
  return moving;
}

async function loadMoving(
  file: string,
  animation: string | number | undefined,
  place: string,
  options: PoseSceneOptions,
): Promise<MovingMesh> {
  try {
    if (!options.loadMoving) throw new Error('no moving meshes can be loaded here');
    return await options.loadMoving(file, { animation });
  } catch (error) {
    throw new SceneError(place, `expected a moving mesh, got ${showValue(file)} (${(error as Error).message})`);
  }
}

/** A collider of a scene with posed bodies, at any time. */
export interface OpenCollider {
  /** When the node that carries it comes to rest [s]; undefined where none does. */
  readonly carriedUntil: number | undefined;
  readonly groups: Pick<SceneCollider, 'group' | 'collidesWith'>;
  at(time: number): DeformerCollider;
}

async function openCollider(
  collider: SceneCollider,
  index: number,
  scene: Scene,
  inputs: ReadonlyMap<number, MovingMesh>,
  options: PoseSceneOptions,
): Promise<OpenCollider> {
  const { name, position, rotation, motion, press, group, collidesWith } = collider;
  const shape = await shapeOf(collider, index, options);
  const carrier = await openCarrier(collider, index, scene, inputs, options);
  return {
    groups: { group, collidesWith },
    carriedUntil: carrier?.moving.duration,
    at(time) {
      const pose = poseAt(motion, time, { position, rotation });
      return {
        ...shape,
        ...pressAt(press, time),
        name: name ?? `colliders[${index}]`,
        ...(carrier ? carryPose(carrier, time, pose) : pose),
      };
    },
  };
}

/** What the deformer needs to know of a shape. */
async function shapeOf(collider: SceneCollider, index: number, options: PoseSceneOptions): Promise<DeformerCollider> {
  switch (collider.shape) {
    case 'plane':
      return { shape: 'plane', normal: collider.normal, offset: collider.offset };
    case 'box':
      return { shape: 'box', size: collider.size };
    case 'sphere':
      return { shape: 'sphere', radius: collider.radius };
    case 'capsule':
    case 'cylinder':
      return { shape: collider.shape, radius: collider.radius, height: collider.height };
    case 'glass':
      return { shape: 'glass', radius: collider.radius, height: collider.height, wall: collider.wall };
    case 'heightfield':
      return { shape: 'heightfield', heights: collider.heights, size: collider.size };
    case 'mesh': {
      const mesh = await makeMesh(collider.mesh, `colliders[${index}].mesh`, options);
      return { shape: 'mesh', mesh: scaleMesh(mesh, collider.scale) };
    }
  }
}

/** The node that carries a collider, where one does. */
async function openCarrier(
  { follow }: SceneCollider,
  index: number,
  scene: Scene,
  inputs: ReadonlyMap<number, MovingMesh>,
  options: PoseSceneOptions,
): Promise<NodeMotion | undefined> {
  if (!follow) return undefined;
  const place = `colliders[${index}].follow`;
  const { node } = follow;
  let moving: MovingMesh;
  let body: SceneBody | undefined;
  if (follow.file !== undefined) moving = await loadMoving(follow.file, follow.animation, place, options);
  else {
    const at = scene.bodies.findIndex((one, i) => bodyName(one, i) === follow.body);
    const input = inputs.get(at);
    if (!input) throw new SceneError(`${place}.body`, `expected a body with an input, got ${showValue(follow.body)}`);
    moving = input;
    body = scene.bodies[at];
  }
  try {
    moving.nodeAt(node, 0);
  } catch (error) {
    throw new SceneError(place, (error as Error).message);
  }
  return {
    moving,
    node,
    ...(body && { body: { position: body.position, rotation: body.rotation, scale: body.scale } }),
  };
}

function bindBody(
  body: SceneBody,
  index: number,
  mesh: TriangleMesh,
  input: MovingMesh | undefined,
  colliders: readonly OpenCollider[],
  before: readonly PosedBody[],
): PosedBody {
  const place = (points: Float64Array): Float64Array => placePoints(body, points);
  const shown = { positions: place(mesh.positions), triangles: mesh.triangles };
  const { mesh: bound, toJoined: toBound, toShown } = joinVertices(shown);
  const own = colliders.filter(({ groups }) => mayTouch(groups, body));
  const poser = poserFor(body.solver);
  if (!poser) throw new SceneError(`bodies[${index}].solver`, 'expected one that poses');
  const { type: _, ...values } = body.solver;
  const { falloff, keys = [], yieldsTo = [], self } = body.posing ?? {};
  const given = body.maps && spreadValues(body.maps, shown.positions.length, bound.positions.length, toShown);
  const maps = buildNamedMaps(given, mesh, `bodies[${index}].maps`, [...MAP_NAMES, ...Object.keys(poser.maps)]);
  const parts =
    self && selectParts(self.parts, scaleMesh(mesh, body.scale), toBound, `bodies[${index}].posing.self.parts`);
  const behind = yieldsTo.map((name) => {
    const number = before.findIndex((one) => one.name === name);
    return { body: number, at: (time: number) => pressAt(before[number].press, time) };
  });
  const boundMaps = Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, toBound(map, 1)]));
  return {
    index,
    name: bodyName(body, index),
    mesh: bound,
    press: body.press,
    settings: poser.settings(values, boundMaps),
    ...{ shown, toBound, toShown, behind },
    flags: isFile(body.input) && input?.duration === 0 ? ['input-still'] : [],
    frameAt(time, others = []) {
      const posed = input && toBound(place(samplePositions(input, time)), 3);
      const keyed = keyedAt(keys, time);
      return {
        ...{ ...poser.frameSettings(keyed), ...((keyed.falloff ?? falloff) && { falloff: keyed.falloff ?? falloff }) },
        colliders: [
          ...own.map((collider) => collider.at(time)),
          ...(self && parts
            ? partColliders(bound, parts, { ...self, input: mendInput(posed ?? bound.positions, bound.positions) })
            : []),
          ...others.map((positions, k): DeformerCollider => {
            const { body: number, at } = behind[k];
            const { name, mesh: other } = before[number];
            return { name, ...at(time), shape: 'mesh', mesh: { positions, triangles: other.triangles } };
          }),
        ],
        ...(posed && { input: posed }),
      };
    },
  };
}

const isFile = (input: SceneBody['input']): boolean =>
  typeof input === 'string' || (typeof input === 'object' && 'file' in input);

/** Vertices at a time [s]; not numbers where a file has none then. */
function samplePositions(input: MovingMesh, time: number): Float64Array {
  try {
    return input.positionsAt(time);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Float64Array(3 * input.vertexCount).fill(Number.NaN);
  }
}

/** Maps whose values are those of the body without its seams, as a brush paints them, for the vertices of its file. */
function spreadValues(
  maps: SceneMaps,
  shownLength: number,
  boundLength: number,
  toShown: PosedBody['toShown'],
): SceneMaps {
  if (shownLength === boundLength) return maps;
  const spread = (layer: MapLayer): MapLayer => {
    if (!('values' in layer) || 3 * layer.values.length !== boundLength) return layer;
    const shown = toShown(Float64Array.from({ length: boundLength }, (_, k) => layer.values[Math.floor(k / 3)]));
    return { values: Array.from({ length: shownLength / 3 }, (_, v) => shown[3 * v]) };
  };
  const entries = Object.entries(maps as Record<string, SceneMap | undefined>);
  return Object.fromEntries(entries.map(([name, map]) => [name, map?.map(spread)])) as SceneMaps;
}

/** How something pushes at a time [s]. */
function pressAt(press: SceneCollider['press'], time: number) {
  if (!press) return {};
  const { keys, ...rest } = press;
  return { ...rest, ...keyedAt(keys, time) };
}

/** Vertices of the parts, of the bound mesh. Boxes are in the space of the scaled mesh. */
function selectParts(
  parts: readonly { readonly box: readonly [Vec3, Vec3] }[],
  mesh: TriangleMesh,
  toBound: PosedBody['toBound'],
  place: string,
): number[][] {
  return parts.map(({ box }, n) => {
    const within = new Float64Array(mesh.positions.length / 3);
    for (const v of selectVertices(mesh, { box })) within[v] = 1;
    const chosen = toBound(within, 1);
    const vertices = [...chosen.keys()].filter((v) => chosen[v] === 1);
    if (vertices.length < 3)
      throw new SceneError(`${place}[${n}].box`, 'expected a box with vertices of the body, got none');
    return vertices;
  });
}

/** Where a scene puts the points of a body. */
export function placePoints(
  { position, rotation, scale }: Pick<SceneBody, 'position' | 'rotation' | 'scale'>,
  points: Float64Array,
): Float64Array {
  if (scale === 1 && [...position, ...rotation].every((x, i) => x === (i === 6 ? 1 : 0))) return points;
  const length = Math.sqrt(rotation.reduce((sum, x) => sum + x * x, 0));
  const turn = rotation.map((x) => x / length) as unknown as typeof rotation;
  const placed = new Float64Array(points.length);
  for (let v = 0; v < points.length / 3; v++)
    placed.set(add(position as Vec3, rotate(turn, scaleVector(pointAt(points, v), scale))), 3 * v);
  return placed;
}
