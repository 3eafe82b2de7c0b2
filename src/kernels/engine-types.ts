// Types of the engine's WebAssembly where the compiler knows them: declarations that users' compilers read name nothing that only the DOM's types
// have, which programs for Node often leave out.

/** A compiled `WebAssembly.Module`. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : never;

/** A `WebAssembly.Memory`. */
export type KernelMemory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Memory } } }
  ? Memory
  : never;
