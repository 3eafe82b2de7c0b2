// Opens a glTF file: JSON text, or the binary container (GLB) with the JSON and a first buffer in it.

import { findJsonFault } from '../json-fault.js';
import { MeshReadError } from '../mesh-read-error.js';

export interface GltfContainer {
  readonly json: unknown;
  /** The buffer inside a GLB file; null where there is none. */
  readonly binary: Uint8Array | null;
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

function parse(bytes: Uint8Array, at: number): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MeshReadError(`byte ${at}: expected JSON in UTF-8`);
  }
  try {
    return JSON.parse(text);
  } catch {
    const fault = findJsonFault(text);
    if (fault === undefined) throw new MeshReadError(`byte ${at}: expected JSON that is less deeply nested`);
    const found = fault.found === undefined ? 'the end of the text' : `"${fault.found.replace(/[^\x20-\x7e]/, '?')}"`;
    throw new MeshReadError(
      `line ${fault.line}: expected ${fault.expected} in the JSON of a glTF file at column ${fault.column}, found ${found}`,
    );
  }
}

/** Told by its first bytes: files of either kind are found under either ending. */
export function openGltf(bytes: Uint8Array): GltfContainer {
  if (bytes.length === 0) throw new MeshReadError('byte 0: expected a glTF file, the file is empty');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint32(0, true) !== MAGIC) return { json: parse(bytes, 0), binary: null };
  if (bytes.length < 20) throw new MeshReadError(`byte ${bytes.length}: expected the header of a GLB file`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw new MeshReadError(`byte 4: expected version 2 of GLB, found ${version}`);
  const length = view.getUint32(8, true);
  if (length > bytes.length) {
    throw new MeshReadError(`byte 8: expected ${length} bytes, the file has ${bytes.length}`);
  }
  const chunk = (at: number, kind: number, name: string): Uint8Array => {
    const size = view.getUint32(at, true);
    if (view.getUint32(at + 4, true) !== kind) throw new MeshReadError(`byte ${at + 4}: expected the chunk "${name}"`);
    if (at + 8 + size > length) {
      throw new MeshReadError(`byte ${at}: expected a chunk of ${size} bytes within the file's ${length}`);
    }
    return bytes.subarray(at + 8, at + 8 + size);
  };
  const json = chunk(12, JSON_CHUNK, 'JSON');
  const after = 20 + json.length;
  // Chunks of other kinds may follow; only the second can be the buffer.
  const hasBinary = after + 8 <= length && view.getUint32(after + 4, true) === BINARY_CHUNK;
  return { json: parse(json, 20), binary: hasBinary ? chunk(after, BINARY_CHUNK, 'BIN') : null };
}
