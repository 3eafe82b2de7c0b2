// The deformer's kernels (assembly/deformer), which do what the loops beside their calls do, to the same bits. Places are in bytes.

import { InlinedKernels } from '../kernels/inlined-kernels.js';
import { KERNELS } from './kernels.generated.js';

export interface DeformerKernels {
  dot(a: number, b: number, count: number): number;
  addScaled(a: number, b: number, scale: number, count: number): void;
  addElastic(
    pairCount: number,
    tets: number,
    gradients: number,
    weights: number,
    x: number,
    out: number,
    lambda: number,
    beta: number,
    rest: number,
  ): number;
  forward: Substitution;
  backward: Substitution;
  spreadHalf(row: number, factors: number, block: number, used: number, stride: number, count: number): void;
  spreadPair(
    row: number,
    second: number,
    factors: number,
    block: number,
    used: number,
    stride: number,
    count: number,
  ): void;
  squareHalf(
    out: number,
    outStride: number,
    block: number,
    inverses: number,
    rows: number,
    count: number,
    scaled: number,
  ): void;
  /** 1 where the matrix is positive definite. */
  factorDense(matrix: number, count: number, inverses: number, scaled: number): number;
  solveDense(matrix: number, count: number, inverses: number, z: number): void;
  project(half: number, x: number, rows: number, count: number, sums: number, apart: number): void;
  addPulls(half: number, x: number, inverses: number, rows: number, count: number, pulls: number, apart: number): void;
}

type Substitution = (
  nodeCount: number,
  firsts: number,
  rowStarts: number,
  rows: number,
  panelStarts: number,
  panels: number,
  x: number,
) => void;

export const deformerKernels = new InlinedKernels<DeformerKernels>(KERNELS);
