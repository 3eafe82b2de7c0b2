// Bytes of a file being written: the same calls give text or binary numbers.

export class ByteList {
  private bytes = new Uint8Array(1 << 12);
  private view = new DataView(this.bytes.buffer);
  private length = 0;
  /** Whether the line of text has a number already. */
  private hasNumber = false;

  constructor(
    private readonly isBinary: boolean,
    private readonly littleEndian = true,
  ) {}

  /** ASCII as it is. */
  text(text: string): this {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[this.length++] = text.charCodeAt(i);
    return this;
  }

  /** A whole number, of 4 bytes where binary. */
  int(value: number): this {
    if (!this.isBinary) return this.number(value);
    this.reserve(4);
    this.view.setInt32(this.length, value, this.littleEndian);
    this.length += 4;
    return this;
  }

  /** A whole number, of 8 bytes where binary. */
  long(value: number): this {
    if (!this.isBinary) return this.number(value);
    this.reserve(8);
    this.view.setBigInt64(this.length, BigInt(value), this.littleEndian);
    this.length += 8;
    return this;
  }

  /** A number of 8 bytes where binary; as text with all its digits, and the sign of a zero. */
  real(value: number): this {
    if (!this.isBinary) return this.number(value);
    this.reserve(8);
    this.view.setFloat64(this.length, value, this.littleEndian);
    this.length += 8;
    return this;
  }

  /** Ends a line of text; nothing where binary. */
  end(): this {
    if (this.isBinary) return this;
    this.hasNumber = false;
    return this.text('\n');
  }

  /** Ends a block of binary numbers with a new line; text has one. */
  finishBlock(): this {
    return this.isBinary ? this.text('\n') : this;
  }

  /** Rows of `size` numbers, each after what `before` gives for it. */
  rows(values: ArrayLike<number>, size: number, before: (row: number) => number[]): this {
    for (let row = 0; row * size < values.length; row++) {
      for (const value of before(row)) this.int(value);
      for (let k = row * size; k < (row + 1) * size; k++) this.real(values[k]);
      this.end();
    }
    return this;
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  private number(value: number): this {
    const text = Object.is(value, -0) ? '-0' : String(value);
    this.text(this.hasNumber ? ` ${text}` : text);
    this.hasNumber = true;
    return this;
  }

  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const wider = new Uint8Array(2 * (this.length + size));
    wider.set(this.bytes);
    this.bytes = wider;
    this.view = new DataView(wider.buffer);
  }
}
