// Geometry taken out of three.js' scene graph: in coordinates of the world or of a frame in it, indexed, every attribute an array of its
// own.

import {
  BufferAttribute,
  BufferGeometry,
  type InterleavedBufferAttribute,
  Matrix3,
  type Matrix4,
  type Mesh,
  type SkinnedMesh,
  Vector3,
  Vector4,
} from 'three';
import { writeAttributeValues } from './attribute-values.js';

export interface PlainAttribute {
  readonly itemSize: number;
  readonly values: Float32Array;
}

export interface PlainGeometry {
  /** x, y, z per vertex [m]. */
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  /** Number of the material of each triangle; null where there is one material for all. */
  readonly materials: Uint32Array | null;
  /** Everything but positions, by three.js' names. */
  readonly attributes: ReadonlyMap<string, PlainAttribute>;
}

/** Reads a mesh as it stands in the world, in its pose; or as `matrix` places it. World matrices must be up to date. */
export function readPlainGeometry(mesh: Mesh, matrix: Matrix4 = mesh.matrixWorld): PlainGeometry {
  const { geometry } = mesh;
  const position = geometry.getAttribute('position');
  const count = position?.count ?? 0;
  const positions = new Float64Array(3 * count);
  const point = new Vector3();
  for (let i = 0; i < count; i++) {
    mesh
      .getVertexPosition(i, point)
      .applyMatrix4(matrix)
      .toArray(positions, 3 * i);
  }
  const mirrored = matrix.determinant() < 0;
  const { triangles, materials } = readTriangles(geometry, count, mirrored);
  const attributes = new Map<string, PlainAttribute>();
  // Morph targets turn normals too; then they are made anew from the triangles.
  const morphed = mesh.morphTargetInfluences?.some((share) => share !== 0);
  for (const [name, attribute] of Object.entries(geometry.attributes)) {
    if (name === 'position' || name.startsWith('skin') || attribute.count !== count) continue;
    if (morphed && (name === 'normal' || name === 'tangent')) continue;
    const plain = readAttribute(attribute);
    if (name === 'normal' || name === 'tangent') poseDirections(mesh, plain);
    attributes.set(name, turn(name, plain, matrix));
  }
  return { positions, triangles, materials, attributes };
}

function readAttribute(attribute: BufferAttribute | InterleavedBufferAttribute): PlainAttribute {
  const { itemSize, count } = attribute;
  return { itemSize, values: writeAttributeValues(attribute, new Float32Array(itemSize * count)) };
}

/** Turns directions with the bones of a skinned mesh: what these do to a vertex is linear but for a shift. */
function poseDirections(mesh: Mesh, { itemSize, values }: PlainAttribute): void {
  if (!(mesh as Partial<SkinnedMesh>).isSkinnedMesh) return;
  const skinned = mesh as SkinnedMesh;
  const [shift, direction] = [new Vector3(), new Vector3()];
  for (let i = 0; i < values.length / itemSize; i++) {
    skinned.applyBoneTransform(i, shift.set(0, 0, 0));
    skinned.applyBoneTransform(i, direction.fromArray(values, itemSize * i)).sub(shift);
    direction.toArray(values, itemSize * i);
  }
}

/** Turns normals and tangents by a matrix. */
function turn(name: string, attribute: PlainAttribute, matrix: Matrix4): PlainAttribute {
  const { itemSize, values } = attribute;
  if (name === 'normal' && itemSize === 3) {
    const turned = new Matrix3().getNormalMatrix(matrix);
    const normal = new Vector3();
    for (let k = 0; k < values.length; k += 3)
      normal.fromArray(values, k).applyMatrix3(turned).normalize().toArray(values, k);
  } else if (name === 'tangent' && itemSize === 4) {
    const tangent = new Vector4();
    const direction = new Vector3();
    for (let k = 0; k < values.length; k += 4) {
      tangent.fromArray(values, k);
      direction.set(tangent.x, tangent.y, tangent.z).transformDirection(matrix).toArray(values, k);
      // In a mirror the bitangent, which is a cross product, comes out on the other side.
      if (matrix.determinant() < 0) values[k + 3] = -values[k + 3];
    }
  }
  return attribute;
}

function readTriangles(geometry: BufferGeometry, count: number, mirrored: boolean) {
  const index = geometry.getIndex();
  const length = Math.floor((index ? index.count : count) / 3) * 3;
  const triangles = new Uint32Array(length);
  for (let k = 0; k < length; k++) triangles[k] = index ? index.getX(k) : k;
  // In a mirror triangles would show their back.
  if (mirrored) for (let t = 0; t < length; t += 3) triangles.subarray(t + 1, t + 3).reverse();
  let materials: Uint32Array | null = null;
  if (geometry.groups.length > 0) {
    materials = new Uint32Array(length / 3);
    for (const { start, count: size, materialIndex } of geometry.groups)
      materials.fill(materialIndex ?? 0, Math.floor(start / 3), Math.min(length, start + size) / 3);
  }
  return { triangles, materials };
}

/** The triangles that are wanted, with the vertices that they use. */
export function selectTriangles(plain: PlainGeometry, wanted: (triangle: number) => boolean): PlainGeometry {
  const numbers = new Map<number, number>();
  const triangles: number[] = [];
  const materials: number[] = [];
  for (let t = 0; t < plain.triangles.length / 3; t++) {
    if (!wanted(t)) continue;
    for (let k = 0; k < 3; k++) {
      const vertex = plain.triangles[3 * t + k];
      if (!numbers.has(vertex)) numbers.set(vertex, numbers.size);
      triangles.push(numbers.get(vertex) as number);
    }
    if (plain.materials) materials.push(plain.materials[t]);
  }
  const kept = [...numbers.keys()];
  const positions = new Float64Array(3 * kept.length);
  kept.forEach((vertex, i) => {
    positions.set(plain.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  });
  const attributes = new Map<string, PlainAttribute>();
  for (const [name, { itemSize, values }] of plain.attributes) {
    const chosen = new Float32Array(itemSize * kept.length);
    kept.forEach((vertex, i) => {
      chosen.set(values.subarray(itemSize * vertex, itemSize * (vertex + 1)), itemSize * i);
    });
    attributes.set(name, { itemSize, values: chosen });
  }
  return {
    positions,
    triangles: Uint32Array.from(triangles),
    materials: plain.materials ? Uint32Array.from(materials) : null,
    attributes,
  };
}

/** Back to three.js; runs of triangles with one material become groups. */
export function toBufferGeometry({ positions, triangles, materials, attributes }: PlainGeometry): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(triangles, 1));
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  for (const [name, { itemSize, values }] of attributes)
    geometry.setAttribute(name, new BufferAttribute(values, itemSize));
  if (materials) {
    for (let from = 0; from < materials.length; ) {
      let to = from + 1;
      while (to < materials.length && materials[to] === materials[from]) to++;
      geometry.addGroup(3 * from, 3 * (to - from), materials[from]);
      from = to;
    }
  }
  return geometry;
}
