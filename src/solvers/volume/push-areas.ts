// How far a volume correction moves each vertex for its weight: its rest area, made even between neighbours.

import type { MeshAdjacency } from '../../mesh/adjacency.js';

/**
 * Passes of the umbrella filter over the areas. Areas that alternate from vertex to vertex (where diagonals do, as in `box`, by a
 * factor of 2) would be a checkerboard push that adds up, step by step, to teeth: a bar turned by 360° had a mean angle of 42°
 * between neighbouring triangles, and 8° so. Equal areas are no cure: on uneven meshes small triangles were pushed out as spikes.
 */
const PASSES = 4;
/** Share of the neighbours' mean in a pass: ¾ takes what alternates most, −½ of it in each pass. */
const SMOOTHING = 0.75;

/** Areas, A ← ¼A + ¾·mean of the neighbours, four times [m²]. */
export function smoothAreas(areas: Float64Array, adjacency: MeshAdjacency): Float64Array {
  const { neighbourOffsets: offsets, neighbours } = adjacency;
  let smooth = areas;
  for (let pass = 0; pass < PASSES; pass++) {
    const last = smooth;
    smooth = last.map((own, i) => {
      let sum = 0;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) sum += last[neighbours[e]];
      return (1 - SMOOTHING) * own + (SMOOTHING * sum) / (offsets[i + 1] - offsets[i]);
    });
  }
  return smooth;
}
