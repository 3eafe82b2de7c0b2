// Walks over the lines of a text file, counting them for messages, and reads numbers from words.

import { MeshReadError } from './mesh-read-error.js';

/** Longest text that a JavaScript string holds for certain (V8: 2²⁹ − 24 characters). */
const LONGEST_TEXT = 0x1fffffe8;
const SNIFFED_BYTES = 4096;
const NON_FINITE = /^[+-]?(nan|inf|infinity|1\.#(inf|ind|qnan|snan)\w*)(\(.*\))?$/i;

/** Place of the first byte that no text has near its beginning, or −1. */
function findBinaryByte(bytes: Uint8Array): number {
  const end = Math.min(bytes.length, SNIFFED_BYTES);
  for (let i = 0; i < end; i++) {
    const byte = bytes[i];
    if (byte < 9 || (byte > 13 && byte < 32)) return i;
  }
  return -1;
}

/** Bytes as text, one character per byte: names may hold any bytes, what is read is ASCII. */
export function decodeText(bytes: Uint8Array, expected: string): string {
  if (bytes.length === 0) throw new MeshReadError(`byte 0: expected ${expected}, the file is empty`);
  const binary = findBinaryByte(bytes);
  if (binary >= 0) throw new MeshReadError(`byte ${binary}: expected ${expected}, found binary data`);
  if (bytes.length > LONGEST_TEXT) {
    throw new MeshReadError(
      `byte ${LONGEST_TEXT}: expected at most ${LONGEST_TEXT} bytes of text, found ${bytes.length}`,
    );
  }
  const text = new TextDecoder('latin1').decode(bytes);
  return text.startsWith('\u00ef\u00bb\u00bf') ? text.slice(3) : text;
}

export class TextLines {
  /** Number of the line last returned, from 1. */
  lineNumber = 0;
  private at = 0;
  private followingLine: number;

  constructor(
    private readonly text: string,
    /** What begins a comment; '' where there are none. */
    private readonly comment: string,
    /** Whether a backslash at its end joins a line with the next. */
    private readonly continued = false,
    /** Lines of the file before the text. */
    linesBefore = 0,
  ) {
    this.followingLine = linesBefore + 1;
  }

  /** Next line with something in it, without comment and outer spaces; null at the end. */
  next(): string | null {
    while (this.at < this.text.length) {
      this.lineNumber = this.followingLine;
      const line = this.withoutComment(this.continued ? this.nextJoined() : this.nextRaw()).trim();
      if (line !== '') return line;
    }
    this.lineNumber = this.followingLine;
    return null;
  }

  private nextJoined(): string {
    const pieces: string[] = [];
    for (;;) {
      const piece = this.nextRaw();
      if (!piece.endsWith('\\') || this.at >= this.text.length)
        return pieces.length > 0 ? pieces.join(' ') + piece : piece;
      pieces.push(piece.slice(0, -1));
    }
  }

  private nextRaw(): string {
    const { text } = this;
    const start = this.at;
    let end = start;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === 10 || code === 13) break;
    }
    this.at = text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
    if (end < text.length) this.followingLine++;
    return text.slice(start, end);
  }

  /** A comment begins a line or follows a space: "1.#INF" is a number. */
  private withoutComment(line: string): string {
    if (this.comment === '') return line;
    let at = line.indexOf(this.comment);
    while (at > 0 && line[at - 1] !== ' ' && line[at - 1] !== '\t') at = line.indexOf(this.comment, at + 1);
    return at < 0 ? line : line.slice(0, at);
  }

  /** Throws; a found of null stands for the end of the file, and of undefined for the end of the line. */
  fail(expected: string, found: string | null | undefined): never {
    let shown = found === null ? 'the end of the file' : 'the end of the line';
    if (typeof found === 'string') {
      const printable = found.slice(0, 40).replace(/[^\x20-\x7e]/g, '?');
      shown = `"${printable}${found.length > 40 ? '…' : ''}"`;
    }
    throw new MeshReadError(`line ${this.lineNumber}: expected ${expected}, found ${shown}`);
  }

  /** A coordinate. The words for NaN and infinity are let through: `validate` names the vertices that have them. */
  number(word: string | undefined, expected: string): number {
    const value = word === undefined || word === '' ? Number.NaN : Number(word);
    if (Number.isNaN(value)) {
      if (word === undefined || !NON_FINITE.test(word)) this.fail(expected, word);
      if (/inf/i.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
    }
    return value;
  }

  /** A whole number. */
  integer(word: string | undefined, expected: string): number {
    if (word === undefined || !/^[+-]?\d{1,15}$/.test(word)) this.fail(expected, word);
    return Number(word);
  }
}
