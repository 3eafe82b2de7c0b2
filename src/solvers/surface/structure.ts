// What a debug view can show of the surface solver: its paths and its regions, in the mesh's own vertices.

import type { BodyStructure } from '../solver.js';
import type { SurfaceRest } from './rest.js';

export function surfaceStructure({ order, pathStarts, regions }: SurfaceRest): BodyStructure {
  return {
    paths: () => Array.from(pathStarts.subarray(1), (end, path) => order.slice(pathStarts[path], end)),
    regionOf(vertex) {
      const { offsets, begins, ends } = regions;
      const place = order.indexOf(vertex);
      const members: number[] = [];
      for (let e = offsets[place]; e < offsets[place + 1]; e++) {
        for (let member = begins[e]; member < ends[e]; member++) members.push(order[member]);
      }
      return Uint32Array.from(members);
    },
  };
}
