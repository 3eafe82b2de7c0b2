// The voxel inside the solid that is nearest to a point.

import type { Vec3 } from '../../math/vec3.js';
import type { VoxelGrid } from './voxels.js';

/**
 * Number of the nearest voxel inside that is accepted, by the distance of its centre; −1 where there is none, or none within `most`
 * voxels along each axis.
 */
export function nearestVoxel(
  { origin, voxelSize, counts, bits }: VoxelGrid,
  point: Vec3,
  accept: (voxel: number) => boolean = () => true,
  most = Infinity,
): number {
  const [nx, ny, nz] = counts;
  const at = [0, 1, 2].map((k) => (point[k] - origin[k]) / voxelSize - 0.5);
  const mid = at.map((x, k) => Math.min(counts[k] - 1, Math.max(0, Math.round(x))));
  let best = -1;
  let best2 = Infinity;
  // Cubic shells around the point; a shell of radius r holds nothing nearer than r − ½ − what the point is off the grid.
  const off = Math.max(...at.map((x, k) => Math.abs(x - mid[k])));
  for (let r = 0; r <= Math.min(most, Math.max(nx, ny, nz)); r++) {
    if (best >= 0 && r - off > 0 && (r - off) ** 2 > best2) break;
    for (let z = Math.max(0, mid[2] - r); z <= Math.min(nz - 1, mid[2] + r); z++) {
      for (let y = Math.max(0, mid[1] - r); y <= Math.min(ny - 1, mid[1] + r); y++) {
        const onShell = Math.abs(z - mid[2]) === r || Math.abs(y - mid[1]) === r;
        for (let x = mid[0] - r; x <= mid[0] + r; x += onShell || r === 0 ? 1 : 2 * r) {
          if (x < 0 || x >= nx) continue;
          const q = x + nx * (y + ny * z);
          if (bits[q] === 0) continue;
          const distance2 = (x - at[0]) ** 2 + (y - at[1]) ** 2 + (z - at[2]) ** 2;
          if (distance2 >= best2 || !accept(q)) continue;
          best = q;
          best2 = distance2;
        }
      }
    }
  }
  return best;
}
