// The deformer's kernels (assembly/deformer), which do what the loops beside their calls do, to the same bits. Places are in bytes.

import { InlinedKernels } from '../kernels/inlined-kernels.js';
import { KERNELS } from './kernels.generated.js';

export interface DeformerKernels {
  dot(a: number, b: number, count: number): number;
  addScaled(a: number, b: number, scale: number, count: number): void;
  addScaledDot(a: number, b: number, scale: number, c: number, count: number): number;
  writeSum(out: number, a: number, b: number, scale: number, count: number): void;
  writeSumDot(out: number, a: number, b: number, scale: number, count: number): number;
  writeScaled(out: number, a: number, scale: number, count: number): void;
  greatest(a: number, count: number): number;
  carry(count: number, corners: number, weights: number, x: number, rest: number, surface: number, out: number): void;
  giveBack(count: number, corners: number, weights: number, forces: number, gradient: number): void;
  writeVolumeGradient(triangleCount: number, triangles: number, vertexCount: number, p: number, out: number): number;
  writeFoundation(count: number, springs: number, x: number, rest: number, gradient: number): number;
  addElastic(
    pairCount: number,
    tets: number,
    gradients: number,
    weights: number,
    above: number,
    before: number,
    x: number,
    out: number,
    lambda: number,
    beta: number,
    rest: number,
  ): number;
  sumLogarithms(pairCount: number, weights: number, above: number): number;
  addContacts(count: number, planes: number, stiffnesses: number, ends: number, vertices: number, out: number): number;
  sumContacts(count: number, planes: number, stiffnesses: number, ends: number, vertices: number): number;
  lumpContacts(
    count: number,
    planes: number,
    stiffnesses: number,
    ends: number,
    vertices: number,
    least: number,
    corners: number,
    weights: number,
    stiffness: number,
    pushes: number,
  ): void;
  /** Returns the first site that it leaves to others, or `siteCount`. */
  listBall(
    site: number,
    siteCount: number,
    ball: number,
    travel: number,
    band: number,
    near: number,
    siteStiffnesses: number,
    siteEnds: number,
    vertices: number,
    planes: number,
    stiffnesses: number,
    ends: number,
  ): number;
  forward: Substitution;
  backward: Substitution;
  takeRows(count: number, places: number, b: number, x: number): void;
  giveRows(count: number, places: number, x: number, out: number): void;
  scaleRows(count: number, inverses: number, x: number): void;
  copyRows(nodeCount: number, nodes: number, firsts: number, from: number, to: number): void;
  clearRows(nodeCount: number, nodes: number, firsts: number, to: number): void;
  subtractRows(nodeCount: number, nodes: number, firsts: number, inverses: number, part: number, x: number): void;
  /** 1 where the matrix is positive definite. */
  factorDense(matrix: number, count: number, inverses: number, scaled: number): number;
  solveDense(matrix: number, count: number, inverses: number, z: number): void;
}

type Substitution = (
  nodeCount: number,
  nodes: number,
  firsts: number,
  rowStarts: number,
  rows: number,
  panelStarts: number,
  panels: number,
  x: number,
) => void;

export const deformerKernels = new InlinedKernels<DeformerKernels>(KERNELS);
