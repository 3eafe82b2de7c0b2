// Cuts a body in motion along a patch in world space: its surface where it is, its matter where the nodes have it, and its rest
// shape with both. The result is a body of its own with the same state.

import { pointAt, type Vec3 } from '../../math/vec3.js';
import { boundingSphere, vertexNormals } from '../../mesh/measure.js';
import { findPieces } from '../../mesh/mesh-pieces.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { SolidModule } from '../blade.js';
import { MOMENT_STRIDE } from '../moments.js';
import type { CutFaces } from '../solver-rest.js';
import type { ForestChange } from './change.js';
import { cutForest, type Deformation } from './cut.js';
import type { OctreeForest } from './forest.js';
import { copyForest } from './forest-copy.js';
import { nearestVoxel } from './nearest-voxel.js';
import type { OctreeNode } from './node.js';
import type { OctreeDynamics } from './octree-dynamics.js';
import { OctreeModel } from './octree-model.js';
import { type CutPatch, isInDomain } from './patch.js';
import { sharePieceMasses } from './piece-masses.js';
import { faceSpacingOf, type OctreeRest } from './rest.js';
import { bindSkin, interpolateSkin, pointUnder } from './skin.js';
import { createRestFinder } from './skin-inverse.js';
import { cutSurface, type SurfaceCut } from './surface-cut/cut-surface.js';
import { transferState } from './transfer.js';
import { type CutPieces, findVoxelPieces } from './voxel-pieces.js';
import { type VoxelGrid, voxelCentre } from './voxels.js';

export interface BodyCut {
  readonly model: OctreeModel;
  /** The surface after the cut, where it is; the model's rest data has it at rest. */
  readonly surface: SurfaceCut;
  /** Of its vertices [m/s]. */
  readonly velocities: Float64Array;
  readonly change: ForestChange;
}

/** Along what a body is cut: a patch where the body is, or at rest. */
export interface BodyBlade {
  readonly patch: CutPatch;
  readonly isAtRest?: boolean;
  readonly fallback?: SolidModule;
}

/**
 * @param positions of the surface's vertices [m].
 * @param velocities of them [m/s].
 * @returns undefined where the patch misses the surface.
 * @throws CutFailure where the surface cannot be cut so.
 */
export function cutBody(
  model: OctreeModel,
  positions: Float64Array,
  velocities: Float64Array,
  { patch, isAtRest = false, fallback }: BodyBlade,
): BodyCut | undefined {
  const { rest } = model;
  const { triangles } = rest.mesh;
  const faceSpacing = faceSpacingOf(rest);
  const cut = cutSurface(
    { positions: isAtRest ? rest.mesh.positions : positions, triangles },
    patch,
    faceSpacing,
    fallback,
  );
  if (cut.origins.length === 0) return undefined;
  const { forest, copies } = copyForest(model.forest);
  const leaves = model.dynamics.rest.leaves.map((leaf) => copies.get(leaf) as OctreeNode);
  const before = model.dynamics.copyOver({ ...model.dynamics.rest, leaves });
  before.writeFrames();
  const restPositions = isAtRest
    ? cut.mesh.positions
    : findRestPositions(rest.mesh.positions, cut, createRestFinder({ dynamics: before, forest }));
  const mesh = { positions: restPositions, triangles: cut.mesh.triangles };
  const place: Deformation = isAtRest ? (_, at) => at : placeVoxels(before, forest.owners.slice());
  const pieces = findCutPieces(forest.grid, mesh, cut, rest.count);
  const change = cutForest(forest, patch, isAtRest ? undefined : place, { pieces });
  const dynamics = transferState(before, forest, change);
  const massShares = sharePieceMasses(mesh, pieces.pieceOf, pieces.isSlit.length);
  const near = (q: number): Vec3 => place(q, voxelCentre(forest.grid, q));
  const binding = { patch, near, forest, pieces };
  const vertexVoxels = bindVertices(model, cut, restPositions, binding);
  joinBindings(vertexVoxels, restPositions, pieces.pieceOf, forest, dynamics.rest);
  const cutRest = {
    ...rest,
    count: massShares.length,
    order: Uint32Array.from(massShares, (_, vertex) => vertex),
    mesh,
    size: 2 * boundingSphere(restPositions).radius,
    massShares,
    forest,
    regions: dynamics.rest,
    cutFaces: findFaces(rest, cut),
    partOf: undefined,
    uncutCount: rest.uncutCount ?? rest.count,
    faceSpacing,
    vertexVoxels,
    skin: bindSkin(restPositions, massShares, vertexVoxels, forest, dynamics.rest.leaves, {
      skin: model.skin,
      leaves: before.rest.leaves,
      vertexVoxels: rest.vertexVoxels,
      relinked: change.relinked,
    }),
  };
  const after = new OctreeModel(cutRest, model.settings, dynamics);
  const surface = isAtRest
    ? { ...cut, mesh: { positions: placeSurface(positions, after, cut), triangles: cut.mesh.triangles } }
    : cut;
  after.takeSurface(surface.mesh.positions);
  return { model: after, surface, velocities: findVelocities(velocities, after, cut), change };
}

/** The faces of this cut and of those before. A vertex where two of them meet has the texture of the later one. */
function findFaces(
  { cutFaces, count }: OctreeRest,
  { mesh, origins, charts, firstFace, sources }: SurfaceCut,
): CutFaces {
  const marks = new Uint8Array(mesh.triangles.length / 3).fill(1, firstFace);
  const uvs = new Float64Array(2 * (count + origins.length));
  uvs.set(charts, 2 * count);
  if (cutFaces) {
    uvs.set(cutFaces.uvs);
    sources.forEach((source, n) => {
      marks[n] = cutFaces.marks[source];
    });
  }
  return { marks, uvs };
}

/** Where the vertices of a surface that was cut at rest are: on the surface between those of before, on the cut as the nodes have them. */
function placeSurface(before: Float64Array, model: OctreeModel, { origins }: SurfaceCut): Float64Array {
  const positions = new Float64Array(before.length + 3 * origins.length);
  model.writeByNodes(positions);
  positions.set(before);
  setBetween(before, origins, positions);
  return positions;
}

/** Sets what new vertices on the surface have of those between which they are, 3 numbers each. */
function setBetween(before: Float64Array, origins: SurfaceCut['origins'], out: Float64Array): void {
  origins.forEach(({ between }, n) => {
    if (between.length === 0) return;
    for (let c = 0, k = before.length + 3 * n; c < 3; c++, k++) {
      let sum = 0;
      for (const [vertex, weight] of between) sum += weight * before[3 * vertex + c];
      out[k] = sum;
    }
  });
}

/** Where matter at rest is: moved by the frame of the leaf that owned it before the cut. */
function placeVoxels({ rest, positions, frames }: OctreeDynamics, owners: Int32Array): Deformation {
  const places = new Int32Array(rest.leaves.reduce((most, { id }) => Math.max(most, id), 0) + 1);
  rest.leaves.forEach(({ id }, i) => {
    places[id] = i;
  });
  return (voxel, at) => {
    const i = places[owners[voxel]];
    const row = MOMENT_STRIDE * i;
    const k = 3 * i;
    const x = at[0] - rest.positions[k] - rest.centre[0];
    const y = at[1] - rest.positions[k + 1] - rest.centre[1];
    const z = at[2] - rest.positions[k + 2] - rest.centre[2];
    return [
      positions[k] + frames[row] * x + frames[row + 1] * y + frames[row + 2] * z,
      positions[k + 1] + frames[row + 4] * x + frames[row + 5] * y + frames[row + 6] * z,
      positions[k + 2] + frames[row + 8] * x + frames[row + 9] * y + frames[row + 10] * z,
    ];
  };
}

/** Rest positions of all vertices after the cut. Both sides have the same, so that the volume at rest is kept as well. */
function findRestPositions(
  before: Float64Array,
  { mesh, origins }: SurfaceCut,
  findRest: (point: Vec3) => Vec3,
): Float64Array {
  const positions = new Float64Array(mesh.positions.length);
  positions.set(before);
  origins.forEach(({ between }, n) => {
    const k = before.length + 3 * n;
    const isTwin = n > 0 && [0, 1, 2].every((c) => mesh.positions[k + c] === mesh.positions[k - 3 + c]);
    if (between.length === 0) {
      positions.set(isTwin ? positions.subarray(k - 3, k) : findRest(pointAt(mesh.positions, k / 3)), k);
      return;
    }
    for (const [vertex, weight] of between) {
      for (let c = 0; c < 3; c++) positions[k + c] += weight * before[3 * vertex + c];
    }
  });
  return positions;
}

/** Velocities of all vertices after the cut: on the surface those between which they are, on the cut those of the nodes. */
function findVelocities(before: Float64Array, { skin, dynamics }: OctreeModel, { origins }: SurfaceCut): Float64Array {
  const velocities = new Float64Array(before.length + 3 * origins.length);
  interpolateSkin(skin, dynamics.velocities, velocities);
  velocities.set(before);
  setBetween(before, origins, velocities);
  return velocities;
}

/** Closed pieces of the surface after a cut, and whose matter is whose. */
interface SurfacePieces extends CutPieces {
  /** The piece of each vertex. */
  readonly pieceOf: Uint32Array;
}

/** @param mesh at rest. */
function findCutPieces(grid: VoxelGrid, mesh: TriangleMesh, { origins }: SurfaceCut, before: number): SurfacePieces {
  const { pieceOf, count } = findPieces(mesh);
  const sides = [new Uint8Array(count), new Uint8Array(count)];
  origins.forEach(({ side }, n) => {
    if (side !== 0) sides[side > 0 ? 1 : 0][pieceOf[before + n]] = 1;
  });
  const isSlit = sides[0].map((below, piece) => below & sides[1][piece]);
  return { pieceOf, isSlit, ...findVoxelPieces(grid, mesh, pieceOf, count) };
}

/** What the vertices of a surface that was cut are bound to. */
interface Binding {
  readonly patch: CutPatch;
  /** Where a voxel is, in the space of the patch. */
  readonly near: (voxel: number) => Vec3;
  readonly forest: OctreeForest;
  readonly pieces: SurfacePieces;
}

/** The voxel under each vertex: of its own piece, and on its own side of the cut. A piece without matter hangs as a whole on one beside it. */
function bindVertices(
  { rest }: OctreeModel,
  { mesh, origins }: SurfaceCut,
  restPositions: Float64Array,
  { patch, near, forest, pieces }: Binding,
): Int32Array {
  const { grid } = forest;
  const count = rest.count;
  const voxels = new Int32Array(count + origins.length).fill(-1);
  const normals = vertexNormals(restPositions, mesh.triangles);
  const sideOf = (i: number): number =>
    i < count ? (patch.height(...pointAt(mesh.positions, i)) >= 0 ? 1 : -1) : origins[i - count].side;
  const isOnSide = (q: number, side: number): boolean => {
    if (side === 0) return true;
    const p = near(q);
    return patch.height(...p) >= 0 === side > 0 || !isInDomain(patch, ...patch.chart(...p));
  };
  const hasMatter = new Uint8Array(pieces.isSlit.length);
  for (let q = 0; q < grid.bits.length; q++) if (grid.bits[q] !== 0 && pieces.of[q] >= 0) hasMatter[pieces.of[q]] = 1;
  for (let i = 0; i < voxels.length; i++) {
    const piece = pieces.pieceOf[i];
    if (hasMatter[piece] === 0) continue;
    const isOwn = (q: number): boolean => pieces.of[q] === piece;
    const side = pieces.isSlit[piece] === 1 ? sideOf(i) : 0;
    const isMeant = (q: number): boolean => isOwn(q) && isOnSide(q, side);
    const known = i < count ? rest.vertexVoxels[i] : -1;
    if (known >= 0 && grid.bits[known] !== 0 && isMeant(known)) {
      voxels[i] = known;
      continue;
    }
    const under = pointUnder(pointAt(restPositions, i), pointAt(normals, i), grid);
    for (const accept of [isMeant, isOwn]) if (voxels[i] < 0) voxels[i] = nearestVoxel(grid, under, accept);
  }
  const sharedBy = new Map<number, number>();
  for (let i = 0; i < voxels.length; i++) {
    if (voxels[i] >= 0) continue;
    const piece = pieces.pieceOf[i];
    const at = pointAt(restPositions, i);
    const side = sideOf(i);
    let shared = sharedBy.get(piece) ?? nearestVoxel(grid, at, (q) => isOnSide(q, side));
    if (shared < 0) shared = nearestVoxel(grid, at);
    sharedBy.set(piece, shared);
    voxels[i] = shared;
  }
  return voxels;
}

/**
 * Binds all vertices of a closed piece to one part of the matter, that of most of them. Crumbs of a piece may have been given to several
 * parts beside it, which would tear it: pieces of ten voxels lost half of their volume so.
 */
function joinBindings(
  voxels: Int32Array,
  rest: Float64Array,
  pieceOf: Uint32Array,
  forest: OctreeForest,
  { leaves, parts, partCount }: OctreeDynamics['rest'],
): void {
  if (partCount === 1) return;
  const partOf = new Map(leaves.map((leaf, i) => [leaf, parts[i]]));
  const votes = new Map<number, Map<number, number>>();
  for (let i = 0; i < voxels.length; i++) {
    const part = partOf.get(forest.ownerOf(voxels[i])) as number;
    const own = votes.get(pieceOf[i]) ?? new Map<number, number>();
    votes.set(pieceOf[i], own.set(part, (own.get(part) ?? 0) + 1));
  }
  for (const [piece, own] of votes) {
    if (own.size === 1) continue;
    const [part] = [...own].reduce((most, one) => (one[1] > most[1] ? one : most));
    const isOwn = (q: number): boolean => partOf.get(forest.ownerOf(q)) === part;
    for (let i = 0; i < voxels.length; i++) {
      if (pieceOf[i] !== piece || isOwn(voxels[i])) continue;
      voxels[i] = nearestVoxel(forest.grid, pointAt(rest, i), isOwn);
    }
  }
}
