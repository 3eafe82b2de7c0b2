// The memory layout, described once for kernels and host.

export * from '../../../src/solvers/octree/kernel-layout';
