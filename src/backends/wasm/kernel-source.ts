// Where a user's own kernels may come from. A file of its own, because users' compilers read its declarations: it names
// nothing that only the DOM's types have, which programs for Node often leave out.

/** A compiled `WebAssembly.Module`, where the types know it. */
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : never;

/** Kernels from elsewhere: a compiled module, its bytes or where to fetch them. */
export type KernelSource = CompiledModule | ArrayBuffer | ArrayBufferView | URL | string;
