// The rest position of a point inside a deformed body: where the skin would have to be bound to be there.

import type { Vec3 } from '../../math/vec3.js';
import { MOMENT_STRIDE } from '../moments.js';
import { applyInverse } from './frame-inverse.js';
import { nearestVoxel } from './nearest-voxel.js';
import type { OctreeNode } from './node.js';
import type { OctreeModel } from './octree-model.js';
import { findInfluences, twoRings } from './skin.js';

/** Steps of the fixed point: each leaves a tenth of the residual or less where frames of neighbours differ little. */
const STEPS = 6;
/** What may be left of it, in voxels: as six such steps leave, and single precision sees. */
const NEAR_ENOUGH = 1e-6;
/** How far from matter a point may be to be carried by it as the skin is, in voxels. */
const REACH = 6;

/** A function from points where the body is to points at rest. Frames must be up to date. */
export function createRestFinder({
  dynamics,
  forest,
}: Pick<OctreeModel, 'dynamics' | 'forest'>): (point: Vec3) => Vec3 {
  const { rest, positions, frames } = dynamics;
  const places = new Map(rest.leaves.map((leaf, i) => [leaf, i]));
  const back = new Float64Array(3);
  const rings = new Map<OctreeNode, OctreeNode[]>();
  const ringsOf = (leaf: OctreeNode): OctreeNode[] => {
    const known = rings.get(leaf) ?? twoRings(leaf);
    rings.set(leaf, known);
    return known;
  };
  const near2 = (NEAR_ENOUGH * forest.grid.voxelSize) ** 2;
  return (point) => {
    let nearest = 0;
    let least = Infinity;
    for (let i = 0, k = 0; i < rest.leaves.length; i++, k += 3) {
      const distance2 =
        (point[0] - positions[k]) ** 2 + (point[1] - positions[k + 1]) ** 2 + (point[2] - positions[k + 2]) ** 2;
      if (distance2 >= least) continue;
      least = distance2;
      nearest = i;
    }
    const at: [number, number, number] = [0, 0, 0];
    const k = 3 * nearest;
    const row = MOMENT_STRIDE * nearest;
    applyInverse(frames, row, point[0] - positions[k], point[1] - positions[k + 1], point[2] - positions[k + 2], back);
    for (let c = 0; c < 3; c++) at[c] = rest.leaves[nearest].rest[c] + back[c];
    for (let step = 0; step < STEPS; step++) {
      const voxel = nearestVoxel(forest.grid, at, undefined, REACH);
      // Where there is no matter, what is nearest goes on.
      if (voxel < 0) break;
      const owner = forest.ownerOf(voxel);
      const miss = [point[0], point[1], point[2]];
      for (const [leaf, weight] of findInfluences(at, owner, ringsOf(owner), forest.grid)) {
        const i = places.get(leaf) as number;
        const arm = at.map((x, c) => x - leaf.rest[c]);
        for (let c = 0; c < 3; c++) {
          const s = MOMENT_STRIDE * i + 4 * c;
          const carried = frames[s] * arm[0] + frames[s + 1] * arm[1] + frames[s + 2] * arm[2];
          miss[c] -= weight * (positions[3 * i + c] + carried);
        }
      }
      if (miss[0] ** 2 + miss[1] ** 2 + miss[2] ** 2 < near2) break;
      applyInverse(frames, MOMENT_STRIDE * (places.get(owner) as number), miss[0], miss[1], miss[2], back);
      for (let c = 0; c < 3; c++) at[c] += back[c];
    }
    return at;
  };
}
