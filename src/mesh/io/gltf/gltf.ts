// Reads glTF 2.0, as JSON or binary: all triangles of the scene with their nodes' transforms, as one mesh with parts.
// Skins and morph targets are passed over: a skinned mesh stands in its bind pose, where its node puts it.

import type { VertexAttributes } from '../../vertex-attributes.js';
import type { MeshPart, VisibleMesh } from '../../visible-mesh.js';
import { JsonValue } from '../json-value.js';
import { MeshReadError } from '../mesh-read-error.js';
import { MOST_ELEMENTS } from '../polygons.js';
import type { ReadMeshOptions } from '../read-options.js';
import { type GltfAttribute, parseAttributes, pickChannel, refusePart } from './gltf-attributes.js';
import { openGltf } from './gltf-container.js';
import { type DecodedPrimitive, decodeExcerpt } from './gltf-decode.js';
import { GltfExcerpt } from './gltf-excerpt.js';
import { type MeshPlacement, placeMeshes } from './gltf-placement.js';
import { listTriangles, mostTriangles } from './primitive-triangles.js';
import { transformDirections, transformPositions, turnsOver } from './transform.js';

/** Extensions that a file may require: those that are read, and those that change how it looks but not its shape. */
const KNOWN_EXTENSIONS =
  /^(KHR_draco_mesh_compression|(EXT|KHR)_meshopt_compression|KHR_mesh_quantization|(KHR|EXT|MSFT)_(materials|texture|lights)_\w+)$/;

/** One use of a primitive by a node. */
export interface Use {
  readonly placement: MeshPlacement;
  readonly primitive: number;
}

export function checkHead(root: JsonValue): void {
  const version = root.field('asset').field('version');
  if (!/^2\.\d+$/.test(version.name())) version.fail('version "2.0" of glTF');
  for (const extension of root.field('extensionsRequired').items()) {
    if (!KNOWN_EXTENSIONS.test(extension.name())) extension.fail('an extension that is known here');
  }
}

/** Every primitive of every placed mesh, in order; the sums are bounded before anything is decoded. */
export function listUses(root: JsonValue, excerpt: GltfExcerpt): Use[] {
  const meshes = root.field('meshes');
  const primitivesOf = new Map<number, number[]>();
  const uses: Use[] = [];
  let vertexCount = 0;
  let triangleCount = 0;
  for (const placement of placeMeshes(root)) {
    const primitives = primitivesOf.get(placement.mesh) ?? excerpt.addMesh(meshes.item(placement.mesh));
    primitivesOf.set(placement.mesh, primitives);
    for (const primitive of primitives) {
      vertexCount += excerpt.primitives[primitive].vertexCount;
      triangleCount += mostTriangles(excerpt.primitives[primitive]);
      if (Math.max(vertexCount, triangleCount) > MOST_ELEMENTS) {
        const path = `meshes[${placement.mesh}]`;
        throw new MeshReadError(`${path}: expected at most ${MOST_ELEMENTS} vertices and triangles in all, got more`);
      }
      uses.push({ placement, primitive });
    }
  }
  if (triangleCount === 0) throw new MeshReadError('meshes: expected triangles in the scene, got none');
  return uses;
}

/** All uses in one mesh. */
export function assemble(
  uses: readonly Use[],
  excerpt: GltfExcerpt,
  decoded: readonly DecodedPrimitive[],
): VisibleMesh {
  const parts: MeshPart[] = [];
  const pieces: Uint32Array[] = [];
  let [firstVertex, firstTriangle] = [0, 0];
  for (const { placement, primitive } of uses) {
    const { vertexCount, material, materialIndex } = excerpt.primitives[primitive];
    const triangles = listTriangles(excerpt.primitives[primitive], decoded[primitive].indices);
    // A mirrored part keeps its outside only if its triangles are turned.
    const turned = turnsOver(placement.transform);
    for (let i = 0; i < triangles.length; i += 3) {
      const [b, c] = [triangles[i + 1], triangles[i + 2]];
      triangles[i] += firstVertex;
      triangles[i + 1] = (turned ? c : b) + firstVertex;
      triangles[i + 2] = (turned ? b : c) + firstVertex;
    }
    pieces.push(triangles);
    const triangleCount = triangles.length / 3;
    const counts = { firstVertex, vertexCount, firstTriangle, triangleCount };
    parts.push({ name: placement.name, material, materialIndex, ...counts });
    firstVertex += vertexCount;
    firstTriangle += triangleCount;
  }
  const triangles = new Uint32Array(3 * firstTriangle);
  const positions = new Float64Array(3 * firstVertex);
  const has = (name: 'NORMAL' | 'TANGENT' | 'TEXCOORD_0') => decoded.some(({ attributes }) => attributes[name]);
  const normals = has('NORMAL') ? new Float32Array(3 * firstVertex) : null;
  const tangents = has('TANGENT') ? new Float32Array(4 * firstVertex) : null;
  const uvs = has('TEXCOORD_0') ? new Float32Array(2 * firstVertex) : null;
  uses.forEach(({ placement, primitive }, i) => {
    const { POSITION, NORMAL, TANGENT, TEXCOORD_0 } = decoded[primitive].attributes;
    const at = parts[i].firstVertex;
    triangles.set(pieces[i], 3 * parts[i].firstTriangle);
    transformPositions(placement.transform, POSITION as Float64Array, positions.subarray(3 * at));
    if (NORMAL && normals) transformDirections(placement.transform, NORMAL, normals.subarray(3 * at), 3);
    if (TANGENT && tangents) transformDirections(placement.transform, TANGENT, tangents.subarray(4 * at), 4);
    if (TEXCOORD_0 && uvs) uvs.set(TEXCOORD_0, 2 * at);
  });
  return { positions, triangles, normals, tangents, uvs, parts };
}

/** What was asked for and is there, over all uses. */
function assembleExtras(
  extras: readonly GltfAttribute[],
  uses: readonly Use[],
  excerpt: GltfExcerpt,
  decoded: readonly DecodedPrimitive[],
): VertexAttributes {
  const found: Record<string, Float64Array> = {};
  const total = uses.reduce((sum, { primitive }) => sum + excerpt.primitives[primitive].vertexCount, 0);
  for (const extra of extras) {
    if (!uses.some(({ primitive }) => decoded[primitive].attributes[extra.semantic])) continue;
    const all = new Float64Array(total);
    let at = 0;
    for (const { primitive } of uses) {
      const { path, vertexCount } = excerpt.primitives[primitive];
      const values = decoded[primitive].attributes[extra.semantic] ?? refusePart(path, extra);
      all.set(pickChannel(extra, values, vertexCount), at);
      at += vertexCount;
    }
    found[extra.name] = all;
  }
  return found;
}

export async function readGltf(bytes: Uint8Array, options: ReadMeshOptions): Promise<VisibleMesh> {
  const { json, binary } = openGltf(bytes);
  const root = new JsonValue(json, '');
  checkHead(root);
  const extras = parseAttributes(options.attributes ?? []);
  const excerpt = new GltfExcerpt(root, extras);
  const uses = listUses(root, excerpt);
  const { primitives: decoded } = await decodeExcerpt(excerpt, root.field('buffers'), binary, options);
  const mesh = assemble(uses, excerpt, decoded);
  return extras.length > 0 ? { ...mesh, attributes: assembleExtras(extras, uses, excerpt, decoded) } : mesh;
}
