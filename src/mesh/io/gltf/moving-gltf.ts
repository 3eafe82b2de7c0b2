// A glTF file as a mesh that moves: morph targets, then skins, then nodes, at any time. Vertices are those of `readMesh`, in its order.

import { describeKnown } from '../../../math/known-fields.js';
import { JsonValue } from '../json-value.js';
import { MeshReadError } from '../mesh-read-error.js';
import type { MovingMesh, ReadMovingOptions } from '../moving-mesh.js';
import { assemble, checkHead, listUses, type Use } from './gltf.js';
import { openGltf } from './gltf-container.js';
import { type DecodedPrimitive, decodeExcerpt } from './gltf-decode.js';
import { GltfExcerpt } from './gltf-excerpt.js';
import type { Transform } from './gltf-placement.js';
import { GltfRig } from './gltf-rig.js';
import { transformPositions } from './transform.js';

/** Joints and weights of a vertex come in fours; more sets follow the first. */
const INFLUENCES = [0, 1].flatMap((set) => [
  { semantic: `JOINTS_${set}`, types: ['VEC4'] },
  { semantic: `WEIGHTS_${set}`, types: ['VEC4'] },
]);

interface MovingPart {
  readonly use: Use;
  readonly primitive: DecodedPrimitive;
  readonly firstVertex: number;
  /** Number of the skin; null where the node alone moves it. */
  readonly skin: number | null;
  /** Weights of the morph targets where they are not animated. */
  readonly weights: readonly number[];
}

export async function readMovingGltf(bytes: Uint8Array, options: ReadMovingOptions): Promise<MovingMesh> {
  const { json, binary } = openGltf(bytes);
  const root = new JsonValue(json, '');
  checkHead(root);
  const excerpt = new GltfExcerpt(root, INFLUENCES, true);
  const rig = new GltfRig(root, excerpt, options.animation);
  const uses = listUses(root, excerpt);
  const decoded = await decodeExcerpt(excerpt, root.field('buffers'), binary, options);
  rig.bind(decoded);
  const { positions, triangles, parts } = assemble(uses, excerpt, decoded.primitives);
  const moving = uses.map((use, i): MovingPart => {
    const primitive = decoded.primitives[use.primitive];
    const part = { use, primitive, firstVertex: parts[i].firstVertex, ...describeUse(root, use) };
    if (part.skin !== null)
      checkInfluences(primitive, rig.jointCount(part.skin), excerpt.primitives[use.primitive].path);
    return part;
  });
  return {
    mesh: { positions, triangles },
    vertexCount: positions.length / 3,
    duration: rig.duration,
    nodes: rig.names,
    nodeAt(name, time) {
      const node = rig.names.indexOf(name);
      if (node >= 0) return rig.transformsAt(time)[node];
      const known = rig.names.filter((one) => one !== '');
      throw new RangeError(
        `node: ${describeKnown(name, known.length > 0 ? known : ['a node with a name'])}, got ${JSON.stringify(name)}`,
      );
    },
    positionsAt(time) {
      const transforms = rig.transformsAt(time);
      const all = new Float64Array(positions.length);
      for (const part of moving) {
        const { node, transform } = part.use.placement;
        const own = applyTargets(part, node === null ? undefined : rig.weightsAt(node, time));
        const out = all.subarray(3 * part.firstVertex, 3 * part.firstVertex + own.length);
        if (part.skin === null) transformPositions(node === null ? transform : transforms[node], own, out);
        else applySkin(part.primitive, rig.jointsAt(part.skin, transforms), own, out);
      }
      return all;
    },
  };
}

function describeUse(root: JsonValue, { placement }: Use): Pick<MovingPart, 'skin' | 'weights'> {
  const { node, mesh } = placement;
  const definition = node === null ? new JsonValue({}, '') : root.field('nodes').item(node);
  const skin = definition.field('skin');
  const own = definition.field('weights');
  const given = own.exists ? own : root.field('meshes').item(mesh).field('weights');
  return {
    skin: skin.exists ? skin.index(root.field('skins')) : null,
    weights: given.exists ? given.numbers(new Array(given.length).fill(0)) : [],
  };
}

function checkInfluences({ attributes }: DecodedPrimitive, joints: number, path: string): void {
  for (const set of [0, 1]) {
    const [indices, weights] = [attributes[`JOINTS_${set}`], attributes[`WEIGHTS_${set}`]];
    if (set === 0 && !(indices && weights))
      throw new MeshReadError(`${path}.attributes: expected JOINTS_0 and WEIGHTS_0`);
    const wrong = indices?.find((joint) => joint >= joints);
    if (wrong !== undefined)
      throw new MeshReadError(`${path}.attributes.JOINTS_${set}: expected joints below ${joints}, found ${wrong}`);
    if (weights && !weights.every(Number.isFinite))
      throw new MeshReadError(`${path}.attributes.WEIGHTS_${set}: expected finite numbers`);
  }
}

function applyTargets({ primitive, weights }: MovingPart, animated: readonly number[] | undefined): Float64Array {
  const rest = primitive.attributes.POSITION as Float64Array;
  const factors = animated ?? weights;
  let moved = rest;
  primitive.targets.forEach((target, t) => {
    const factor = factors[t] ?? 0;
    if (!target || factor === 0) return;
    if (moved === rest) moved = rest.slice();
    for (let i = 0; i < moved.length; i++) moved[i] += factor * target[i];
  });
  return moved;
}

/** Weights should sum to 1; files that round them are read as if they did. */
function applySkin(
  { attributes }: DecodedPrimitive,
  joints: readonly Transform[],
  from: Float64Array,
  to: Float64Array,
): void {
  const sets = [0, 1].flatMap((set) => {
    const [indices, weights] = [attributes[`JOINTS_${set}`], attributes[`WEIGHTS_${set}`]];
    return indices && weights ? [{ indices, weights }] : [];
  });
  const m = new Float64Array(12);
  for (let v = 0; v < from.length / 3; v++) {
    let total = 0;
    m.fill(0);
    for (const { indices, weights } of sets) {
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        if (weights[k] === 0) continue;
        total += weights[k];
        const joint = joints[indices[k]];
        for (let i = 0; i < 12; i++) m[i] += weights[k] * joint[i];
      }
    }
    const [x, y, z] = [from[3 * v], from[3 * v + 1], from[3 * v + 2]];
    for (let c = 0; c < 3; c++) {
      const sum = m[c] * x + m[3 + c] * y + m[6 + c] * z + m[9 + c];
      // What no joint moves stays.
      to[3 * v + c] = total > 0 ? sum / total : from[3 * v + c];
    }
  }
}
