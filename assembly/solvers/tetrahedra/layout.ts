// Where things are that threads tell each other, and which tasks there are: as the host has them.

export * from '../../../src/kernels/kernel-layout';
export * from '../../../src/solvers/tetrahedra/kernel-layout';
