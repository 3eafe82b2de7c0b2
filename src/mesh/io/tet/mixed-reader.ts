// Reads words of text and binary numbers from the same bytes, as Gmsh's and VTK's files mix them; says where it fails.

import { MeshReadError } from '../mesh-read-error.js';
import { MOST_ELEMENTS } from '../polygons.js';

const NEWLINE = 10;
const SPACE = 32;
/** Longer words are no numbers and no names. */
const LONGEST_WORD = 400;

export class MixedReader {
  at = 0;
  /** Whether numbers are binary from here on. */
  isBinary = false;
  littleEndian = true;
  private lineNumber = 1;
  private readonly view: DataView;
  private readonly commentByte: number;

  /** `comment`: the character from which on a line of text is passed over; '' for none. */
  constructor(
    private readonly bytes: Uint8Array,
    expected: string,
    comment = '',
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.commentByte = comment === '' ? -1 : comment.charCodeAt(0);
    if (bytes.length === 0) throw new MeshReadError(`byte 0: expected ${expected}, the file is empty`);
  }

  /** Throws; null stands for the end of the file. */
  fail(expected: string, found: string | number | null): never {
    const printable = typeof found === 'string' ? found.slice(0, 40).replace(/[^\x20-\x7e]/g, '?') : '';
    const shown = found === null ? 'the end of the file' : typeof found === 'number' ? found : `"${printable}"`;
    const place = this.isBinary ? `byte ${this.at}` : `line ${this.lineNumber}`;
    throw new MeshReadError(`${place}: expected ${expected}, found ${shown}`);
  }

  /** Next word of text, or null at the end. */
  word(): string | null {
    const { bytes } = this;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at];
      if (byte === NEWLINE) this.lineNumber++;
      else if (byte === this.commentByte) {
        while (this.at + 1 < bytes.length && bytes[this.at + 1] !== NEWLINE) this.at++;
      } else if (byte > SPACE) break;
    }
    if (this.at === bytes.length) return null;
    const start = this.at;
    while (this.at < bytes.length && bytes[this.at] > SPACE && this.at - start < LONGEST_WORD) this.at++;
    return String.fromCharCode(...bytes.subarray(start, this.at));
  }

  /** The word that follows, without passing it. */
  peek(): string | null {
    const { at, lineNumber } = this;
    const word = this.word();
    this.at = at;
    this.lineNumber = lineNumber;
    return word;
  }

  /** What is left of the line, which is passed with its end. */
  line(): string {
    const start = this.at;
    while (this.at < this.bytes.length && this.bytes[this.at] !== NEWLINE) this.at++;
    const text = new TextDecoder('latin1').decode(this.bytes.subarray(start, this.at));
    if (this.at < this.bytes.length) {
      this.at++;
      this.lineNumber++;
    }
    return text.trim();
  }

  /** A word that must be this one. */
  expectWord(wanted: string): void {
    const word = this.word();
    if (word !== wanted) this.fail(wanted, word);
  }

  /** Moves behind the next place where this text stands. */
  passText(wanted: string): void {
    const first = wanted.charCodeAt(0);
    for (let at = this.at; at + wanted.length <= this.bytes.length; at++) {
      if (this.bytes[at] === NEWLINE) this.lineNumber++;
      if (this.bytes[at] !== first) continue;
      let k = 1;
      while (k < wanted.length && this.bytes[at + k] === wanted.charCodeAt(k)) k++;
      if (k < wanted.length) continue;
      this.at = at + wanted.length;
      return;
    }
    this.at = this.bytes.length;
    this.fail(wanted, null);
  }

  /** A whole number of text. */
  textInteger(expected: string): number {
    const word = this.word();
    if (word === null || !/^[+-]?\d{1,15}$/.test(word)) this.fail(expected, word);
    return Number(word);
  }

  /** A finite number of text. */
  textNumber(expected: string): number {
    const word = this.word();
    const value = word === null ? Number.NaN : Number(word);
    if (!Number.isFinite(value)) this.fail(expected, word);
    return value;
  }

  /** A whole number, of 4 bytes where binary. */
  int(expected: string): number {
    if (!this.isBinary) return this.textInteger(expected);
    this.need(4, expected);
    this.at += 4;
    return this.view.getInt32(this.at - 4, this.littleEndian);
  }

  /** A whole number, of 8 bytes where binary. */
  long(expected: string): number {
    if (!this.isBinary) return this.textInteger(expected);
    this.need(8, expected);
    this.at += 8;
    return Number(this.view.getBigInt64(this.at - 8, this.littleEndian));
  }

  /** A finite number, of 8 bytes where binary, or of 4. */
  real(expected: string, size: 4 | 8 = 8): number {
    if (!this.isBinary) return this.textNumber(expected);
    this.need(size, expected);
    this.at += size;
    const at = this.at - size;
    const value =
      size === 8 ? this.view.getFloat64(at, this.littleEndian) : this.view.getFloat32(at, this.littleEndian);
    if (!Number.isFinite(value)) this.fail(expected, String(value));
    return value;
  }

  /** Refuses counts that cannot be: each of the things takes at least `bytesEach` of what is left of the file. */
  checkCount(count: number, what: string, bytesEach = 2): void {
    if (count < 0 || count > MOST_ELEMENTS) this.fail(`0 to ${MOST_ELEMENTS} ${what}`, count);
    if (count * bytesEach > this.bytes.length - this.at) this.fail(`${count} ${what}`, null);
  }

  private need(size: number, expected: string): void {
    if (this.at + size <= this.bytes.length) return;
    this.at = this.bytes.length;
    this.fail(expected, null);
  }
}
