// Where a user's own kernels may come from. A file of its own, because users' compilers read its declarations.

import type { CompiledModule } from '../../kernels/engine-types.js';

/** Kernels from elsewhere: a compiled module, its bytes or where to fetch them. */
export type KernelSource = CompiledModule | ArrayBuffer | ArrayBufferView | URL | string;
