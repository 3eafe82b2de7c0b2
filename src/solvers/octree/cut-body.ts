// Cuts a body in motion along a patch in world space: its surface where it is, its matter where the nodes have it, and its rest
// shape with both. The result is a body of its own with the same state.

import { pointAt, type Vec3 } from '../../math/vec3.js';
import { boundingSphere, vertexAreas, vertexNormals } from '../../mesh/measure.js';
import { MOMENT_STRIDE } from '../moments.js';
import type { ForestChange } from './change.js';
import { cutForest } from './cut.js';
import { copyForest } from './forest-copy.js';
import { nearestVoxel } from './nearest-voxel.js';
import type { OctreeDynamics } from './octree-dynamics.js';
import { OctreeModel } from './octree-model.js';
import { type CutPatch, isInDomain } from './patch.js';
import { buildRegionRest } from './region-rest.js';
import { bindSkin, interpolateSkin, pointUnder } from './skin.js';
import { createRestFinder } from './skin-inverse.js';
import { cutSurface, type SurfaceCut } from './surface-cut/cut-surface.js';
import { transferState } from './transfer.js';
import { voxelCentre } from './voxels.js';

export interface BodyCut {
  readonly model: OctreeModel;
  /** The surface after the cut, where it is; the model's rest data has it at rest. */
  readonly surface: SurfaceCut;
  /** Of its vertices [m/s]. */
  readonly velocities: Float64Array;
  readonly change: ForestChange;
}

/**
 * @param positions of the surface's vertices [m].
 * @param velocities of them [m/s].
 * @param spacing the longest edge of cut faces [m].
 * @returns undefined where the patch misses surface and matter.
 * @throws CutFailure where the surface cannot be cut so.
 */
export function cutBody(
  model: OctreeModel,
  positions: Float64Array,
  velocities: Float64Array,
  patch: CutPatch,
  spacing: number,
): BodyCut | undefined {
  const { rest } = model;
  const surface = cutSurface({ positions, triangles: rest.mesh.triangles }, patch, spacing);
  const { forest } = copyForest(model.forest);
  const before = model.dynamics.copyOver(buildRegionRest(forest));
  before.writeFrames();
  const restPositions = findRestPositions(rest.mesh.positions, surface, createRestFinder({ dynamics: before, forest }));
  const place = placeVoxels(before, forest.owners.slice());
  const change = cutForest(forest, patch, place);
  if (surface.origins.length === 0 && change.updated.size === 0) return undefined;
  const dynamics = transferState(before, forest, change);
  const mesh = { positions: restPositions, triangles: surface.mesh.triangles };
  const areas = vertexAreas(mesh);
  const area = areas.reduce((sum, a) => sum + a, 0);
  const massShares = areas.map((a) => a / area);
  const near = (q: number): Vec3 => place(q, voxelCentre(forest.grid, q));
  const vertexVoxels = bindVertices(model, surface, restPositions, patch, near, forest.grid);
  const cutRest = {
    ...rest,
    count: massShares.length,
    order: Uint32Array.from(massShares, (_, vertex) => vertex),
    mesh,
    size: 2 * boundingSphere(restPositions).radius,
    massShares,
    forest,
    regions: dynamics.rest,
    vertexVoxels,
    skin: bindSkin(restPositions, massShares, vertexVoxels, forest, dynamics.rest.leaves, {
      skin: model.skin,
      leaves: before.rest.leaves,
      vertexVoxels: rest.vertexVoxels,
      relinked: change.relinked,
    }),
  };
  const cut = new OctreeModel(cutRest, model.settings, dynamics);
  cut.takeSurface(surface.mesh.positions);
  return { model: cut, surface, velocities: findVelocities(velocities, cut, surface), change };
}

/** Where matter at rest is: moved by the frame of the leaf that owned it before the cut. */
function placeVoxels({ rest, positions, frames }: OctreeDynamics, owners: Int32Array) {
  const placeOf = new Map(rest.leaves.map((leaf, i) => [leaf.id, i]));
  return (voxel: number, [x, y, z]: Vec3): Vec3 => {
    const i = placeOf.get(owners[voxel]) as number;
    const row = MOMENT_STRIDE * i;
    const arm = [x, y, z].map((at, c) => at - rest.positions[3 * i + c] - rest.centre[c]);
    return [0, 1, 2].map((c) => {
      const s = row + 4 * c;
      return positions[3 * i + c] + frames[s] * arm[0] + frames[s + 1] * arm[1] + frames[s + 2] * arm[2];
    }) as unknown as Vec3;
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
  origins.forEach(({ between }, n) => {
    if (between.length === 0) return;
    for (let c = 0, k = before.length + 3 * n; c < 3; c++, k++) {
      velocities[k] = between.reduce((sum, [vertex, weight]) => sum + weight * before[3 * vertex + c], 0);
    }
  });
  return velocities;
}

/** The voxel under each vertex, on its own side of the cut. */
function bindVertices(
  { rest, forest: before }: OctreeModel,
  { mesh, origins }: SurfaceCut,
  restPositions: Float64Array,
  patch: CutPatch,
  near: (voxel: number) => Vec3,
  grid: typeof before.grid,
): Int32Array {
  const count = rest.count;
  const voxels = new Int32Array(count + origins.length);
  const normals = vertexNormals(restPositions, mesh.triangles);
  for (let i = 0; i < voxels.length; i++) {
    const at = pointAt(mesh.positions, i);
    const side = i < count ? (patch.height(...at) >= 0 ? 1 : -1) : origins[i - count].side;
    const isOwnSide = (q: number): boolean => {
      if (side === 0) return true;
      const p = near(q);
      return patch.height(...p) >= 0 === side > 0 || !isInDomain(patch, ...patch.chart(...p));
    };
    const known = i < count ? rest.vertexVoxels[i] : -1;
    if (known >= 0 && grid.bits[known] !== 0 && isOwnSide(known)) {
      voxels[i] = known;
      continue;
    }
    const under = pointUnder(pointAt(restPositions, i), pointAt(normals, i), grid);
    const found = nearestVoxel(grid, under, isOwnSide);
    voxels[i] = found >= 0 ? found : nearestVoxel(grid, under);
  }
  return voxels;
}
