// Kernels that a solver brings along: a small WebAssembly module of its own, inlined in its folder, with a memory per body. Compiled
// when first needed and at once, as models are made. They do what the model in TypeScript does, operation by operation in double
// precision, so that the bits are the same where an engine refuses to compile.

const PAGE = 65536;

/** One body's instance: its memory, which never grows, and the module's functions. */
export interface KernelInstance<E> {
  readonly memory: ArrayBuffer;
  readonly exports: E;
}

export class InlinedKernels<E> {
  /** Base64 of a module that imports its memory, `env.memory`. */
  private readonly text: string;
  /** False once the engine has refused it. */
  private module: WebAssembly.Module | false | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** An instance with at least so many bytes of memory, all zero; nothing where the engine has no SIMD or allows no WebAssembly. */
  instantiate(bytes: number): KernelInstance<E> | undefined {
    this.module ??= compile(this.text);
    if (!this.module) return undefined;
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const instance = new WebAssembly.Instance(this.module, { env: { memory, abort: () => {} } });
    return { memory: memory.buffer, exports: instance.exports as E };
  }
}

function compile(text: string): WebAssembly.Module | false {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  } catch {
    return false;
  }
}
