// The solver's kernels: what assembly/solvers/tetrahedra exports. Arguments are places in the body's memory [bytes] and counts.

import { InlinedKernels } from '../../kernels/inlined-kernels.js';
import type { TeamKernels } from '../../kernels/kernel-team.js';
import { KERNELS, SHARED_AT } from './kernels.generated.js';

export interface TetraKernels extends TeamKernels {
  dot(a: number, b: number, count: number): number;
  scaleInto(y: number, factor: number, v: number, count: number): void;
  lanczos(y: number, v: number, r1: number, factor: number, count: number): number;
  shift(y: number, r1: number, r2: number, factor: number, count: number): void;
  advance(
    v: number,
    w: number,
    w1: number,
    w2: number,
    x: number,
    before: number,
    delta: number,
    scale: number,
    phi: number,
    count: number,
  ): void;
  blend(residual: number, r: number, keep: number, add: number, count: number): number;
  descend(x: number, r: number, d: number, q: number, step: number, count: number): number;
  turn(d: number, z: number, share: number, count: number): void;

  decompose(
    first: number,
    count: number,
    x: number,
    tetrahedra: number,
    gradients: number,
    batch: number,
    scratch: number,
  ): void;
  writeModes(count: number, kind: number, mu: number, least: number, batch: number): number;
  addElements(
    first: number,
    count: number,
    tetrahedra: number,
    gradients: number,
    scales: number,
    slots: number,
    batch: number,
    scratch: number,
    forces: number,
    values: number,
    factor: number,
  ): void;
  multiplyBlocks(starts: number, columns: number, values: number, rows: number, x: number, y: number): void;
  invertDiagonal(starts: number, values: number, count: number, inverses: number): void;
  applyBlocks(inverses: number, r: number, z: number, count: number): void;

  projectField(inverseMasses: number, heldCounts: number, held: number, nodes: number, field: number): void;
  applyInverseMass(
    inverseMasses: number,
    heldCounts: number,
    held: number,
    nodes: number,
    forces: number,
    out: number,
  ): void;

  ringVectors(x: number, tetrahedra: number, slots: number, count: number, out: number, entries: number): void;
  divergence(starts: number, columns: number, vectors: number, nodes: number, v: number, out: number): void;
  pressureForce(starts: number, columns: number, vectors: number, nodes: number, p: number, out: number): void;
  takeVectors(vectors: number, mirror: number, entries: number, out: number, back: number): void;
  multiplyRings(
    starts: number,
    columns: number,
    outward: number,
    back: number,
    inverseMasses: number,
    heldCounts: number,
    held: number,
    nodes: number,
    x: number,
    given: number,
    change: number,
    y: number,
  ): void;
  volumes(x: number, tetrahedra: number, count: number, out: number): void;
  ringSums(tetrahedra: number, perTetra: number, count: number, out: number, nodes: number): void;

  pressureMatrix(
    starts: number,
    pairStarts: number,
    pairs: number,
    ringVectors: number,
    inverseMasses: number,
    heldCounts: number,
    held: number,
    nodes: number,
    values: number,
    entries: number,
  ): void;
  factor(
    order: number,
    starts: number,
    values: number,
    entries: number,
    lowerStarts: number,
    lowerColumns: number,
    sources: number,
    spans: number,
    mirror: number,
    byRow: number,
    byColumn: number,
    inverses: number,
    row: number,
    nodes: number,
    shift: number,
    mean: number,
  ): number;
  solveFactors(
    order: number,
    lowerStarts: number,
    lowerColumns: number,
    byRow: number,
    upperStarts: number,
    upperColumns: number,
    byColumn: number,
    inverses: number,
    r: number,
    result: number,
    z: number,
    nodes: number,
  ): void;
}

export const TETRA_KERNELS = new InlinedKernels<TetraKernels>(KERNELS, SHARED_AT);
