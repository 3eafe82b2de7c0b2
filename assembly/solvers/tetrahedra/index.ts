// The module of the tetrahedra solver: see src/solvers/tetrahedra/kernels.ts for what is exported, and memory.ts for where its arrays lie.
// All of it in the precision and in the order of the TypeScript, so that the bits are the same.

export { advance, blend, descend, dot, lanczos, scaleInto, shift, turn } from './vectors';
export { decompose } from './decompose';
export { writeModes } from './modes';
export { addElements } from './elements';
export { applyBlocks, invertDiagonal, multiplyBlocks } from './blocks';
export { applyInverseMass, projectField } from './projection';
export { divergence, pressureForce, ringSums, ringVectors, volumes } from './rings';
export { multiplyRings, takeVectors } from './ring-product';
export { pressureMatrix } from './pressure-matrix';
export { factor, solveFactors } from './incomplete-cholesky';
export { help, perform, performAlone, settle } from './team';
