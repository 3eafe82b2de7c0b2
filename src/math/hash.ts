// A 64-bit fingerprint of the bits of arrays, to compare states of two runs.
// Based on: FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), as two 32-bit lanes with different primes.

/** Feeds arrays in order; `digest` gives 16 hexadecimal digits. */
export class StateHash {
  private low = 0x811c9dc5;
  private high = 0x9747b28c;

  update(values: Float64Array | Float32Array | Uint32Array): this {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    let low = this.low;
    let high = this.high;
    for (let i = 0; i < bytes.length; i++) {
      low = Math.imul(low ^ bytes[i], 0x01000193);
      high = Math.imul(high ^ bytes[i], 0x85ebca6b) ^ (high >>> 15);
    }
    this.low = low;
    this.high = high;
    return this;
  }

  digest(): string {
    return [this.high, this.low].map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
