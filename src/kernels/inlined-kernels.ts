// Kernels that a solver brings along: a small WebAssembly module of its own, inlined in its folder, with a memory per body. Compiled
// when first needed and at once, as models are made. They do what the model in TypeScript does, operation by operation in double
// precision, so that the bits are the same where an engine refuses to compile.

import type { CompiledModule, KernelMemory } from './engine-types.js';

const PAGE = 65536;

/** One body's instance: its memory, which never grows, and the module's functions. */
export interface KernelInstance<E> {
  readonly memory: ArrayBuffer;
  readonly exports: E;
  /** What other threads need to work on it too. */
  readonly module: CompiledModule;
  readonly shared: KernelMemory;
}

export class InlinedKernels<E> {
  /** Base64 of a module that imports its memory, `env.memory`. */
  private readonly text: string;
  /** Where the text was compiled for a memory that threads share: place of the byte that says so. */
  private readonly sharedAt: number | undefined;
  /** For a memory that is not shared, and for one that is; false once the engine has refused it. */
  private readonly modules: [alone?: WebAssembly.Module | false, shared?: WebAssembly.Module | false] = [];

  constructor(text: string, sharedAt?: number) {
    this.text = text;
    this.sharedAt = sharedAt;
  }

  /** An instance with at least so many bytes of memory, all zero; nothing where the engine has no SIMD or allows no WebAssembly. */
  instantiate(bytes: number, isShared = false): KernelInstance<E> | undefined {
    const { modules, text, sharedAt } = this;
    const kind = isShared ? 1 : 0;
    modules[kind] ??= compile(text, isShared ? undefined : sharedAt);
    const module = modules[kind];
    if (!module) return undefined;
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: isShared });
    const wake = (at: number) => Atomics.notify(new Int32Array(memory.buffer), at >> 2);
    const instance = new WebAssembly.Instance(module, { env: { memory, wake, abort: () => {} } });
    return { memory: memory.buffer, exports: instance.exports as E, module, shared: memory };
  }
}

/** `aloneAt`: place of the byte that is to say that the memory is not shared: a maximum alone. */
function compile(text: string, aloneAt?: number): WebAssembly.Module | false {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    if (aloneAt !== undefined) bytes[aloneAt] = 1;
    return new WebAssembly.Module(bytes);
  } catch {
    return false;
  }
}
