// Where the meshes of a glTF scene stand: the nodes of the scene with a mesh, and their transforms.
// Our own walk because the library splits every matrix into translation, rotation and scale, which loses a shear.

import type { JsonValue } from '../json-value.js';

/** Column by column, four columns of three numbers: the images of x, y, z and of the origin. */
export type Transform = readonly number[];

export interface MeshPlacement {
  readonly mesh: number;
  /** Number of the node; null in a file without nodes. */
  readonly node: number | null;
  /** Of the node, or else of the mesh. */
  readonly name: string;
  readonly transform: Transform;
}

export const IDENTITY: Transform = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
const IDENTITY_MATRIX = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** First `inner`, then `outer`. */
export function combine(outer: Transform, inner: Transform): Transform {
  if (inner === IDENTITY) return outer;
  if (outer === IDENTITY) return inner;
  const product: number[] = [];
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 3; row++) {
      let sum = column === 3 ? outer[9 + row] : 0;
      for (let k = 0; k < 3; k++) sum += outer[3 * k + row] * inner[3 * column + k];
      product.push(sum);
    }
  }
  return product;
}

export function transformOf(node: JsonValue): Transform {
  const matrix = node.field('matrix');
  if (matrix.exists) {
    const m = matrix.numbers(IDENTITY_MATRIX);
    if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) matrix.fail('a matrix whose last row is 0, 0, 0, 1');
    return [0, 1, 2, 3].flatMap((column) => m.slice(4 * column, 4 * column + 3));
  }
  const { rotation, scale, translation } = partsOf(node);
  return composeTransform(translation, rotation, scale);
}

/** A node's translation, rotation and scale, as they stand in the file. */
export function partsOf(node: JsonValue) {
  const rotation = node.field('rotation').numbers([0, 0, 0, 1]);
  if (!(rotation.reduce((sum, value) => sum + value * value, 0) > 0))
    node.field('rotation').fail('a quaternion other than 0');
  const scale = node.field('scale').numbers([1, 1, 1]);
  return { rotation, scale, translation: node.field('translation').numbers([0, 0, 0]) };
}

export function composeTransform(
  translation: ArrayLike<number>,
  rotation: ArrayLike<number>,
  scale: ArrayLike<number>,
): Transform {
  const [x, y, z, w] = [rotation[0], rotation[1], rotation[2], rotation[3]];
  const [sx, sy, sz] = [scale[0], scale[1], scale[2]];
  const square = x * x + y * y + z * z + w * w;
  // Of unit length by the specification; written in single precision it is so only to 1e-7.
  const s = 2 / square;
  const transform = [
    ...[1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)].map((value) => sx * value),
    ...[s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)].map((value) => sy * value),
    ...[s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)].map((value) => sz * value),
    ...[translation[0], translation[1], translation[2]],
  ];
  return transform.every((value, i) => value === IDENTITY[i]) ? IDENTITY : transform;
}

/** Nodes to start from: those of the scene; without scenes those that no node has as a child. */
function rootNodes(root: JsonValue, nodes: JsonValue): number[] {
  const scenes = root.field('scenes');
  if (scenes.length > 0) {
    const chosen = root.field('scene');
    const scene = scenes.item(chosen.exists ? chosen.index(scenes) : 0);
    return scene
      .field('nodes')
      .items()
      .map((entry) => entry.index(nodes));
  }
  const isChild = new Uint8Array(nodes.length);
  for (const node of nodes.items()) for (const child of node.field('children').items()) isChild[child.index(nodes)] = 1;
  return [...isChild.keys()].filter((i) => !isChild[i]);
}

/** Every mesh of the scene, in the order in which a walk down its nodes meets them. */
export function placeMeshes(root: JsonValue): MeshPlacement[] {
  const nodes = root.field('nodes');
  const meshes = root.field('meshes');
  if (nodes.length === 0) {
    return meshes
      .items()
      .map((mesh, i) => ({ mesh: i, node: null, name: mesh.field('name').name(), transform: IDENTITY }));
  }
  const placements: MeshPlacement[] = [];
  const reached = new Uint8Array(nodes.length);
  // A stack of our own: nodes may be nested more deeply than functions.
  const pending = rootNodes(root, nodes)
    .reverse()
    .map((node) => ({ node, outer: IDENTITY }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = nodes.item(next.node);
    if (reached[next.node]) node.fail('a tree of nodes, but this one is reached twice; a node that is');
    reached[next.node] = 1;
    const transform = combine(next.outer, transformOf(node));
    if (!transform.every(Number.isFinite)) node.fail('a transform of finite numbers, its parents included');
    if (node.field('mesh').exists) {
      const mesh = node.field('mesh').index(meshes);
      const name = node.field('name').name() || meshes.item(mesh).field('name').name();
      placements.push({ mesh, node: next.node, name, transform });
    }
    const children = node.field('children').items();
    for (const child of children.reverse()) pending.push({ node: child.index(nodes), outer: transform });
  }
  return placements;
}
