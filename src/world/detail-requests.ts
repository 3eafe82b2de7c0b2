// Asking a body for finer or coarser cells by hand.

import type { BackendBody } from '../backends/backend.js';
import { distanceFrom, type VertexRegion } from '../mesh/select-vertices.js';
import type { CellTest, DetailedModel } from '../solvers/detail.js';

/** Half a diagonal of a cube: no point of a cell is further from its middle, in sides. */
const HALF_DIAGONAL = Math.sqrt(3) / 2;

/** The cells that reach into a region; all of them without one. */
export function cellsIn(region: VertexRegion | undefined): CellTest {
  if (!region) return () => true;
  const distance = distanceFrom(region);
  return (x, y, z, size) => distance(x, y, z) <= HALF_DIAGONAL * size;
}

/** Throws RangeError where a body's solver has no levels of detail. */
export function expectDetailed(what: string, { hostModel: model, prepared }: BackendBody): DetailedModel {
  if (!model?.refine || !model.coarsen) {
    const got = prepared.solver.type;
    throw new RangeError(`${what}: expected a body of a solver with levels of detail, got one of ${got}`);
  }
  return { refine: model.refine.bind(model), coarsen: model.coarsen.bind(model) };
}
