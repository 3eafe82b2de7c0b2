// The kernels' compiled modules: inlined, decoded and compiled once; or whatever the user brings.

import type { KernelSource } from './kernel-source.js';
import { KERNELS, SHARED_AT } from './kernels.generated.js';

/** What the host calls of a kernel instance. */
export interface KernelExports {
  attach(world: number, workingMemory: number, mayBlock: number, spins: number): void;
  step(thread: number): void;
}

const KERNEL_FUNCTIONS = ['attach', 'step'] satisfies (keyof KernelExports)[];

const compiled = new Map<boolean, Promise<WebAssembly.Module>>();

/** The inlined module, with or without shared memory. */
export function inlinedModule(shared: boolean): Promise<WebAssembly.Module> {
  let module = compiled.get(shared);
  if (!module) {
    module = unpack(shared).then((bytes) => WebAssembly.compile(bytes));
    compiled.set(shared, module);
    // What was refused once may be allowed, or find room, the next time.
    module.catch(() => compiled.delete(shared));
  }
  return module;
}

/** Every engine with SIMD that still gets updates unpacks gzip. The same instructions work on a memory that is not shared. */
export async function unpack(shared: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const letters = atob(KERNELS);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const bytes = await decompress(packed);
  bytes[SHARED_AT] = shared ? 3 : 1;
  return bytes;
}

/** Chunk by chunk: a Response would collect them, but Node takes 10 ms to load what makes one. */
async function decompress(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const [chunks] = await Promise.all([collect(readable), writer.write(packed), writer.close()]);
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

async function collect<Chunk>(readable: ReadableStream<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const reader = readable.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return chunks;
}

/** Loads what the user brings; a source that is no module of these kernels is refused. */
export async function loadModule(source: KernelSource): Promise<WebAssembly.Module> {
  const refuse = (found: unknown) => new RangeError(`kernels: expected isochore's kernels.wasm, got ${found}`);
  const module = await compileSource(source).catch((error) => {
    throw refuse(`${source instanceof URL || typeof source === 'string' ? `${source}: ` : ''}${error.message}`);
  });
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (!KERNEL_FUNCTIONS.every((name) => names.includes(name)))
    throw refuse(`a module of ${names.join(', ') || 'nothing'}`);
  return module;
}

async function compileSource(source: KernelSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source as BufferSource);
  const response = await fetch(source);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** How long a thread waits for another that may need its processor [ms]. */
export const NAP = 0.05;

/** The calling thread's instance for a memory; every thread has its own. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelExports {
  const flags = new Int32Array(memory.buffer);
  const imports = {
    env: {
      memory,
      now: () => performance.now(),
      sleep: (at: number, value: number) => Atomics.wait(flags, at >> 2, value),
      nap: () => Atomics.wait(flags, 0, Atomics.load(flags, 0), NAP),
      wake: (at: number) => Atomics.notify(flags, at >> 2),
      abort: () => {},
    },
  };
  return new WebAssembly.Instance(module, imports).exports as unknown as KernelExports;
}

/** Whether this engine runs four-lane WebAssembly: a module of one function that makes such a value. */
export function supportsSimd(): boolean {
  const probe = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ];
  return typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.from(probe));
}
