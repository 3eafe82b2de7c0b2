// The memory that a world's kernels work in: blocks handed out and taken back, views that survive growth.

/** Blocks start on multiples of this [bytes]: vectors are loaded whole. */
const ALIGNMENT = 64;
const PAGE = 65536;
const MEGABYTE = 1048576;
/** Bytes at the start that are left to the compiler. */
const RESERVED = 4096;

interface FreeBlock {
  address: number;
  bytes: number;
}

export class WasmMemory {
  /** Free blocks in order of address; the end of memory is grown on demand. */
  private free: FreeBlock[];
  private readonly sizes = new Map<number, number>();
  /** Blocks handed out for what is being made, while something is. */
  private taken: number[] | undefined;
  /** All of it, until it grows; asking the engine for it each time is slow. */
  buffer: ArrayBufferLike;
  /** All of it, for single numbers: a view for each would be garbage by the thousand in a step. */
  private words!: Uint32Array;
  private numbers!: Float64Array;
  private singles!: Float32Array;

  /** Threads of the world whose memory it is. */
  threads = 1;

  constructor(readonly memory: WebAssembly.Memory) {
    this.buffer = memory.buffer;
    this.free = [{ address: RESERVED, bytes: this.buffer.byteLength - RESERVED }];
    this.view();
  }

  /** Looks at the memory as it is now. */
  private view(): void {
    this.buffer = this.memory.buffer;
    this.words = new Uint32Array(this.buffer);
    this.numbers = new Float64Array(this.buffer);
    this.singles = new Float32Array(this.buffer);
  }

  /** Bytes handed out. */
  get used(): number {
    let sum = 0;
    for (const bytes of this.sizes.values()) sum += bytes;
    return sum;
  }

  /** Bytes of a block that was handed out. */
  sizeOf(address: number): number {
    return this.sizes.get(address) ?? 0;
  }

  /**
   * What `make` makes of blocks of this memory, or none of it: where there is no room for all of them, those that it has taken are
   * given back.
   * @throws RangeError that says so in one line, `what` being what was to be made.
   */
  makeWhole<Made>(what: string, make: () => Made): Made {
    const taken: number[] = [];
    this.taken = taken;
    try {
      return make();
    } catch (error) {
      for (const address of taken) this.release(address);
      if (!(error instanceof RangeError)) throw error;
      const [used, size] = [this.used, this.buffer.byteLength].map((bytes) => Math.ceil(bytes / MEGABYTE));
      const found = `${used} MB of ${size} in use and no more to be had`;
      throw new RangeError(`memory: expected room for ${what}, got ${found}`, { cause: error });
    } finally {
      this.taken = undefined;
    }
  }

  /** Hands out zeroed bytes. */
  allocate(bytes: number): number {
    const wanted = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    let block = this.free.find((candidate) => candidate.bytes >= wanted);
    if (!block) block = this.grow(wanted);
    const { address } = block;
    block.address += wanted;
    block.bytes -= wanted;
    if (block.bytes === 0) this.free.splice(this.free.indexOf(block), 1);
    this.sizes.set(address, wanted);
    this.taken?.push(address);
    this.bytes(address, wanted).fill(0);
    return address;
  }

  /** Takes a block back; neighbours that are free join it. */
  release(address: number): void {
    const bytes = this.sizes.get(address);
    if (bytes === undefined) return;
    this.sizes.delete(address);
    let index = this.free.findIndex((block) => block.address > address);
    if (index < 0) index = this.free.length;
    this.free.splice(index, 0, { address, bytes });
    for (const at of [index, index - 1]) {
      const [block, next] = [this.free[at], this.free[at + 1]];
      if (!block || !next || block.address + block.bytes !== next.address) continue;
      block.bytes += next.bytes;
      this.free.splice(at + 1, 1);
    }
  }

  private grow(bytes: number): FreeBlock {
    const end = this.buffer.byteLength;
    const last = this.free.at(-1);
    const atEnd = last && last.address + last.bytes === end ? last : undefined;
    const missing = bytes - (atEnd?.bytes ?? 0);
    // Doubling keeps the number of growths small; a memory near its limit gets just what is missing.
    const pages = Math.ceil(missing / PAGE);
    const generous = Math.max(pages, Math.min(end / PAGE, 4096));
    let grown = generous;
    try {
      this.memory.grow(generous);
    } catch {
      grown = pages;
      this.memory.grow(pages);
    }
    this.view();
    if (atEnd) {
      atEnd.bytes += grown * PAGE;
      return atEnd;
    }
    const block = { address: end, bytes: grown * PAGE };
    this.free.push(block);
    return block;
  }

  integer(address: number): number {
    return this.words[address >>> 2];
  }

  setInteger(address: number, value: number): void {
    this.words[address >>> 2] = value;
  }

  number(address: number): number {
    return this.numbers[address >>> 3];
  }

  setNumber(address: number, value: number): void {
    this.numbers[address >>> 3] = value;
  }

  /** A number of single precision. */
  single(address: number): number {
    return this.singles[address >>> 2];
  }

  floats(address: number, length: number): Float32Array {
    return new Float32Array(this.buffer, address, length);
  }

  integers(address: number, length: number): Uint32Array {
    return new Uint32Array(this.buffer, address, length);
  }

  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.buffer, address, length);
  }

  doubles(address: number, length: number): Float64Array {
    return new Float64Array(this.buffer, address, length);
  }
}
