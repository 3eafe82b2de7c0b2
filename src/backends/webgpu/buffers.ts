// The buffers of a world on the GPU, by name; how many were ever made and how many bytes went to them.

/** GPUBufferUsage, which Node has no global for. */
export const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128 } as const;

const SMALLEST = 256;

export class Buffers {
  private readonly map = new Map<string, GPUBuffer>();
  /** Buffers made so far. */
  made = 0;
  /** Bytes sent so far. */
  bytesSent = 0;

  constructor(readonly device: GPUDevice) {}

  has(name: string): boolean {
    return this.map.has(name);
  }

  get(name: string): GPUBuffer {
    const buffer = this.map.get(name);
    if (!buffer) throw new Error(`there is no buffer ${name}`);
    return buffer;
  }

  /** Makes sure that a buffer has so many bytes; whether it is another one now. What it held is lost then. */
  reserve(name: string, bytes: number, usage: number = USAGE.STORAGE): boolean {
    const known = this.map.get(name);
    if (known && known.size >= bytes) return false;
    known?.destroy();
    const size = Math.max(SMALLEST, Math.ceil(bytes / 16) * 16);
    this.map.set(name, this.device.createBuffer({ label: name, size, usage: usage | USAGE.COPY_DST | USAGE.COPY_SRC }));
    this.made++;
    return true;
  }

  /** Writes numbers at a byte offset. */
  write(name: string, data: Float32Array | Uint32Array, offset = 0): void {
    if (data.byteLength === 0) return;
    this.bytesSent += data.byteLength;
    this.device.queue.writeBuffer(this.get(name), offset, data as Float32Array<ArrayBuffer>);
  }

  /** Bytes of all of them. */
  get bytes(): number {
    let sum = 0;
    for (const { size } of this.map.values()) sum += size;
    return sum;
  }

  dispose(): void {
    for (const buffer of this.map.values()) buffer.destroy();
    this.map.clear();
  }
}
