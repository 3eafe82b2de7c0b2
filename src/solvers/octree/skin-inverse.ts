// The rest position of a point inside a deformed body: where the skin would have to be bound to be there.

import type { Vec3 } from '../../math/vec3.js';
import { MOMENT_STRIDE } from '../moments.js';
import { applyInverse } from './frame-inverse.js';
import { nearestVoxel } from './nearest-voxel.js';
import type { OctreeNode } from './node.js';
import type { OctreeModel } from './octree-model.js';
import { Influences, type Reach, reachOf } from './skin.js';

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
  const miss = new Float64Array(3);
  const influences = new Influences();
  const reaches = new Map<OctreeNode, Reach>();
  const reachFrom = (leaf: OctreeNode): Reach => {
    const known = reaches.get(leaf) ?? reachOf(leaf, forest, places);
    reaches.set(leaf, known);
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
      miss.set(point);
      influences.find(at[0], at[1], at[2], reachFrom(owner));
      for (let n = 0; n < influences.count; n++) {
        const weight = influences.weights[n];
        const i = influences.places[n];
        const { rest: centre } = rest.leaves[i];
        const [x, y, z] = [at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]];
        for (let c = 0, s = MOMENT_STRIDE * i; c < 3; c++, s += 4) {
          const carried = frames[s] * x + frames[s + 1] * y + frames[s + 2] * z;
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
