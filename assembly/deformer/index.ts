// The module of the deformer: see src/deformer/kernels.ts for what is exported, and solver-room.ts for where its arrays lie.
// All of it in double precision and in the order of the TypeScript beside it, so that the bits are the same.

export { addElastic, sumLogarithms } from './elastic-energy';
export { clearRows, copyRows, forward, giveRows, scaleRows, subtractRows, takeRows } from './sparse-factor';
export { backward } from './sparse-substitution';
export { addContacts, listBall, lumpContacts, sumContacts } from './contacts';
export { factorDense, solveDense } from './contact-response';
export { carry, giveBack, writeFoundation, writeVolumeGradient } from './carried-surface';
export { addScaled, addScaledDot, dot, greatest, writeScaled, writeSum, writeSumDot } from './vectors';
