// Levels of detail of a body, as a model offers them: cells that can be halved and joined while it moves.

/**
 * Whether a cell is meant: by the position of its node [m], the length of its side [m], and whether it is coarser (−1) than at rest,
 * the same (0) or finer (1).
 */
export type CellTest = (x: number, y: number, z: number, size: number, finer: -1 | 0 | 1) => boolean;

/** What a model with levels of detail can do between steps. Momentum is kept, and the surface stays where it is. */
export interface DetailedModel {
  /** Halves cells, and what comes of them, up to `levels` times; returns how many nodes came. */
  refine(test: CellTest, levels: number): number;
  /** Joins cells, where all that would be one are meant; returns how many nodes went. */
  coarsen(test: CellTest): number;
}
