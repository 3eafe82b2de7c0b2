// What is drawn of a track: its triangles over vertices that are split along seams, with texture coordinates, parts and materials. Normals
// go over seams of the texture, and not over edges that the file has made hard.

import { dot, pointAt, type Vec3 } from '../math/vec3.js';
import { groupCoincidentVertices } from '../mesh/coincident-vertices.js';
import type { MeshLook } from '../mesh/io/read-look.js';
import { boundsOf, diagonalOf } from '../mesh/measure.js';
import { type MeshMaterial, plainMaterial } from '../mesh/mesh-material.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { asVisibleMesh, type MeshPart } from '../mesh/visible-mesh.js';
import { WELD_DEFAULTS } from '../mesh/weld.js';

/** A mesh as it is drawn, with the vertex of the body that each of its own follows. */
export interface DrawnMesh {
  /** Triangle by triangle those of the track's mesh. */
  readonly triangles: Uint32Array;
  /** The vertex of the track's mesh for each. */
  readonly sources: Uint32Array;
  /** For each the first of those that it has its normal in common with. */
  readonly smooth: Uint32Array;
  /** u, v per vertex as in glTF, v downwards; null where there are none. */
  readonly uvs: Float32Array | null;
  readonly parts: readonly MeshPart[];
  /** Of each part. */
  readonly materials: readonly MeshMaterial[];
}

/** Normals of a file that are further apart than 1° are those of a hard edge. */
const SMOOTH = Math.cos(Math.PI / 180);
/** Hues of the bodies go round the circle by the golden angle, which keeps neighbours apart. */
const HUE_STEP = 0.381966;

/** A body without a file: one part in a colour of its own. */
export function plainDrawn(mesh: TriangleMesh, name: string, index: number): DrawnMesh {
  const each = Uint32Array.from({ length: mesh.positions.length / 3 }, (_, v) => v);
  const { parts } = asVisibleMesh(mesh, name);
  const materials = [plainMaterial(name, bodyColour(index))];
  return { triangles: mesh.triangles, sources: each, smooth: each, uvs: null, parts, materials };
}

/** As a file has it; parts without a material have the body's colour. */
export function fileDrawn({ visible, sources, materials }: MeshLook, name: string, index: number): DrawnMesh {
  const plain = plainMaterial(name, bodyColour(index));
  const { triangles, uvs, parts } = visible;
  return {
    ...{ triangles, sources, uvs, parts, smooth: smoothGroups(visible.positions, visible.normals) },
    materials: parts.map(
      ({ materialIndex }) => (materialIndex === null ? undefined : materials[materialIndex]) ?? plain,
    ),
  };
}

/** Of its number among the bodies. */
export function bodyColour(index: number): MeshMaterial['baseColor'] {
  const hue = (0.55 + index * HUE_STEP) % 1;
  const channel = (shift: number) => 0.25 + 0.6 * Math.min(1, Math.max(0, Math.abs(((hue + shift) % 1) * 6 - 3) - 1));
  return [channel(0), channel(2 / 3), channel(1 / 3), 1];
}

function smoothGroups(positions: Float64Array, normals: Float32Array | null): Uint32Array {
  const heads = groupCoincidentVertices(positions, WELD_DEFAULTS.tolerance * diagonalOf(boundsOf(positions)));
  if (!normals) return Uint32Array.from(heads);
  const groups = new Map<number, number[]>();
  return Uint32Array.from(heads, (head, v) => {
    const known = groups.get(head) ?? [];
    groups.set(head, known);
    const same = known.find((u) => isSmooth(pointAt(normals, u), pointAt(normals, v)));
    if (same === undefined) known.push(v);
    return same ?? v;
  });
}

/** Whether a surface goes on smoothly over what has these normals, of any length; it does where there are none. */
export const isSmooth = (a: Vec3 | undefined, b: Vec3 | undefined): boolean =>
  !a || !b || dot(a, b) > SMOOTH * Math.sqrt(dot(a, a) * dot(b, b));

/**
 * Unit normals of what is drawn, weighted by area; one along z where there is none.
 * @param positions of the track's mesh.
 */
export function drawnNormals({ triangles, sources, smooth }: DrawnMesh, positions: ArrayLike<number>): Float32Array {
  const sums = new Float64Array(3 * sources.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * sources[triangles[t]];
    const b = 3 * sources[triangles[t + 1]];
    const c = 3 * sources[triangles[t + 2]];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    for (let k = 0; k < 3; k++) {
      const at = 3 * smooth[triangles[t + k]];
      sums[at] += uy * vz - uz * vy;
      sums[at + 1] += uz * vx - ux * vz;
      sums[at + 2] += ux * vy - uy * vx;
    }
  }
  const normals = new Float32Array(sums.length);
  for (let v = 0; v < smooth.length; v++) {
    const at = 3 * smooth[v];
    const length = Math.sqrt(sums[at] ** 2 + sums[at + 1] ** 2 + sums[at + 2] ** 2);
    if (length > 0) for (let k = 0; k < 3; k++) normals[3 * v + k] = sums[at + k] / length;
    else normals[3 * v + 2] = 1;
  }
  return normals;
}

/** Vectors of the track's vertices for those that are drawn. */
export const gatherDrawn = (drawn: DrawnMesh, vectors: Float32Array): Float32Array<ArrayBuffer> =>
  gatherPart(drawn, { firstVertex: 0, vertexCount: drawn.sources.length }, vectors);

/** The same for those of a part. */
export function gatherPart(
  { sources }: Pick<DrawnMesh, 'sources'>,
  { firstVertex, vertexCount }: Pick<MeshPart, 'firstVertex' | 'vertexCount'>,
  vectors: Float32Array,
): Float32Array<ArrayBuffer> {
  const out = new Float32Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++)
    for (let k = 0; k < 3; k++) out[3 * v + k] = vectors[3 * sources[firstVertex + v] + k];
  return out;
}

/** What a part has of values of all vertices that are drawn, `size` numbers each. */
export const slicePart = <Values extends Float32Array | Int8Array>(
  values: Values,
  size: number,
  { firstVertex, vertexCount }: MeshPart,
): Values => values.slice(size * firstVertex, size * (firstVertex + vertexCount)) as Values;

/** Corners of a part's triangles among its own vertices. */
export const partCorners = (
  { triangles }: DrawnMesh,
  { firstVertex, firstTriangle, triangleCount }: MeshPart,
): Uint32Array => triangles.slice(3 * firstTriangle, 3 * (firstTriangle + triangleCount)).map((v) => v - firstVertex);
