// How a body looks after it was cut: what is left of its surface has the texture coordinates, parts and materials that its file has
// there, interpolated where triangles were divided; the faces of the cuts are a part of their own.

import { pointAt, scale, type Vec3 } from '../math/vec3.js';
import type { MeshLook } from '../mesh/io/read-look.js';
import { type MeshMaterial, plainMaterial } from '../mesh/mesh-material.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree, closestPoint } from '../mesh/triangle-tree.js';
import type { MeshPart } from '../mesh/visible-mesh.js';
import type { CutFaces } from '../world/body-views.js';
import type { Track } from './baked-scene.js';
import { bodyColour, type DrawnMesh, isSmooth } from './drawn-mesh.js';

/** Texture coordinates that are nearer to each other are the same: far below a texel. */
const SAME_UV = 1e-5;

/** What one corner of a triangle has beside its place. */
interface Corner {
  readonly uv: readonly [number, number];
  /** Not of unit length; undefined where the file has none. */
  readonly normal?: Vec3;
}

/** What a triangle of the surface is part of, and what its corners have. */
interface Surface {
  readonly part: number;
  cornerOf(vertex: number): Corner;
}

/** What a cut body looks like: its faces, and the look of its file. */
export interface CutLook {
  /** Along which it was cut. */
  readonly faces?: CutFaces;
  /** Of its file. */
  readonly look?: MeshLook;
  /** Name of the body, and its number among them: its colour stays what it was. */
  readonly body: string;
  readonly index: number;
}

/**
 * A track that was cut, with its triangles sorted by what they look like.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 20 });
 * const baked = await bakeScene(scene);
 * const track = showCut(baked.tracks[0], { body: 'ball', index: 0 });
 * ```
 */
export function showCut(track: Track, { faces, look, body, index }: CutLook): Track {
  const { mesh } = track;
  const outer: MeshMaterial = plainMaterial(body, bodyColour(index));
  const materials = look ? partMaterials(look, outer) : [outer];
  const facePart = materials.length;
  const isFace = new Uint8Array(mesh.triangles.length / 3);
  for (const t of faces?.triangles ?? []) isFace[t] = 1;
  const surfaceOf = look ? findSurfaces(mesh, look) : () => ({ part: 0, cornerOf: (): Corner => ({ uv: [0, 0] }) });
  const onFace: Surface = {
    part: facePart,
    cornerOf: (v) => ({ uv: [faces?.uvs[2 * v] ?? 0, faces?.uvs[2 * v + 1] ?? 0] }),
  };
  const surfaces = Array.from(isFace, (marked, t) => (marked === 1 ? onFace : surfaceOf(t)));
  const order = [...surfaces.keys()].sort((a, b) => surfaces[a].part - surfaces[b].part || a - b);
  const triangles = Uint32Array.from(order.flatMap((t) => [...mesh.triangles.subarray(3 * t, 3 * t + 3)]));
  const sorted = order.map((t) => surfaces[t]);
  const all = [...materials, plainMaterial(`${body}-cut`, faceColour(outer))];
  const hasUvs = faces !== undefined || Boolean(look?.visible.uvs);
  const drawn = drawSurfaces(triangles, sorted, { materials: all, facePart, hasUvs });
  return { ...track, mesh: { positions: mesh.positions, triangles }, drawn };
}

const partMaterials = ({ visible, materials }: MeshLook, plain: MeshMaterial): MeshMaterial[] =>
  visible.parts.map(({ materialIndex }) => (materialIndex === null ? undefined : materials[materialIndex]) ?? plain);

/** Paler than the outside. */
const faceColour = ({ baseColor: [r, g, b] }: MeshMaterial): MeshMaterial['baseColor'] =>
  [...[r, g, b].map((x) => 0.55 * x + 0.4), 1] as unknown as MeshMaterial['baseColor'];

/** By the file's triangle that is nearest to the middle of each: at rest those of the surface lie in it. */
function findSurfaces(mesh: TriangleMesh, { mesh: file, visible }: MeshLook): (t: number) => Surface {
  const tree = buildTriangleTree(file.positions, file.triangles);
  const partOf = new Uint32Array(file.triangles.length / 3);
  visible.parts.forEach(({ firstTriangle, triangleCount }, n) => {
    partOf.fill(n, firstTriangle, firstTriangle + triangleCount);
  });
  return (t) => {
    const sum: [number, number, number] = [0, 0, 0];
    for (let c = 3 * t; c < 3 * t + 3; c++)
      for (let k = 0; k < 3; k++) sum[k] += mesh.positions[3 * mesh.triangles[c] + k];
    const source = closestPoint(tree, scale(sum, 1 / 3))?.triangle ?? 0;
    const corners = [0, 1, 2].map((c) => pointAt(file.positions, file.triangles[3 * source + c]));
    return {
      part: partOf[source],
      cornerOf: (v) => interpolate(visible, source, weightsIn(corners, pointAt(mesh.positions, v))),
    };
  };
}

/** Of the three corners, for a point in the plane of a triangle; beside it they go on. */
function weightsIn([a, b, c]: readonly Vec3[], p: Vec3): Vec3 {
  let [uu, uv, vv, pu, pv] = [0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const [u, v, w] = [b[k] - a[k], c[k] - a[k], p[k] - a[k]];
    uu += u * u;
    uv += u * v;
    vv += v * v;
    pu += w * u;
    pv += w * v;
  }
  const area = uu * vv - uv * uv;
  if (!(area > 0)) return [1, 0, 0];
  const [second, third] = [(pu * vv - pv * uv) / area, (pv * uu - pu * uv) / area];
  return [1 - second - third, second, third];
}

function interpolate({ triangles, uvs, normals }: MeshLook['visible'], source: number, weights: Vec3): Corner {
  const mix = (values: Float32Array, size: number, k: number) =>
    weights.reduce((sum, weight, c) => sum + weight * values[size * triangles[3 * source + c] + k], 0);
  return {
    uv: uvs ? [mix(uvs, 2, 0), mix(uvs, 2, 1)] : [0, 0],
    ...(normals && { normal: [mix(normals, 3, 0), mix(normals, 3, 1), mix(normals, 3, 2)] as const }),
  };
}

interface DrawOptions {
  /** Of each part; the last is that of the faces. */
  readonly materials: readonly MeshMaterial[];
  readonly facePart: number;
  readonly hasUvs: boolean;
}

/** Vertices of each part one after the other; corners of a vertex that are alike are one. */
function drawSurfaces(
  corners: Uint32Array,
  surfaces: readonly Surface[],
  { materials, facePart, hasUvs }: DrawOptions,
): DrawnMesh {
  const [triangles, sources, smooth, uvs] = [new Uint32Array(corners.length), [], [], []] as [
    Uint32Array,
    number[],
    number[],
    number[],
  ];
  const parts: MeshPart[] = [];
  const normals = new Map<number, Vec3 | undefined>();
  /** The drawn vertices of each vertex: of the part at hand, and of all of the surface. */
  const [own, smoothed] = [new Map<number, number[]>(), new Map<number, number[]>()];
  materials.forEach((material, part) => {
    own.clear();
    if (part === facePart) smoothed.clear();
    const [firstVertex, firstTriangle] = [sources.length, surfaces.findIndex((one) => one.part === part)];
    if (firstTriangle < 0) return;
    let t = firstTriangle;
    for (; t < surfaces.length && surfaces[t].part === part; t++) {
      for (let c = 3 * t; c < 3 * t + 3; c++) {
        const vertex = corners[c];
        const { uv, normal } = surfaces[t].cornerOf(vertex);
        const isAlike = (d: number) => isSmooth(normals.get(d), normal);
        const here = listOf(own, vertex);
        let drawn = here.find((d) => isNear(uvs, d, uv) && isAlike(d));
        if (drawn === undefined) {
          drawn = sources.push(vertex) - 1;
          uvs.push(...uv);
          normals.set(drawn, normal);
          const group = listOf(smoothed, vertex);
          const head = group.find(isAlike);
          if (head === undefined) group.push(drawn);
          smooth.push(head ?? drawn);
          here.push(drawn);
        }
        triangles[c] = drawn;
      }
    }
    const run = {
      firstVertex,
      vertexCount: sources.length - firstVertex,
      firstTriangle,
      triangleCount: t - firstTriangle,
    };
    parts.push({ name: material.name, material: material.name, materialIndex: part, ...run });
  });
  return {
    ...{ triangles, parts, sources: Uint32Array.from(sources), smooth: Uint32Array.from(smooth) },
    uvs: hasUvs ? Float32Array.from(uvs) : null,
    materials: parts.map(({ materialIndex }) => materials[materialIndex as number]),
  };
}

const isNear = (uvs: readonly number[], d: number, [u, v]: Corner['uv']): boolean =>
  Math.abs(uvs[2 * d] - u) < SAME_UV && Math.abs(uvs[2 * d + 1] - v) < SAME_UV;

function listOf(lists: Map<number, number[]>, key: number): number[] {
  const known = lists.get(key);
  if (known) return known;
  const list: number[] = [];
  lists.set(key, list);
  return list;
}
