// The bytes of a glTF file's buffers: inside the file, in data URIs, or in files beside it.

import type { JsonValue } from '../json-value.js';
import type { ReadMeshOptions } from '../read-options.js';

const DATA_URI = /^data:[^,]*;base64,/i;

function decodeDataUri(uri: JsonValue, text: string): Uint8Array {
  const head = DATA_URI.exec(text);
  if (head === null) uri.fail('a data URI in base64');
  let decoded: string;
  try {
    decoded = atob(text.slice(head[0].length));
  } catch {
    uri.fail('a data URI with well-formed base64');
  }
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}

/** A path within the file's own folder, with "." and ".." resolved; everything else is refused. */
export function toInnerPath(uri: JsonValue): string {
  const within = 'the path of a file in the folder of the glTF file or below it';
  let path = '';
  try {
    path = decodeURIComponent(String(uri.value));
  } catch {
    uri.fail('a URI with well-formed percent signs');
  }
  // A scheme or a drive, an absolute path, Windows' separators, control characters, a query.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in the name of a file
  if (typeof uri.value !== 'string' || path === '' || /^[a-z][a-z\d+.-]*:|^\/|[\\\u0000-\u001f\u007f?#]/i.test(path)) {
    uri.fail(within);
  }
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.length === 0) uri.fail(within);
      steps.pop();
    } else if (step !== '.' && step !== '') steps.push(step);
  }
  if (steps.length === 0) uri.fail(within);
  return steps.join('/');
}

/** The bytes that a URI stands for: in itself, or of a file beside this one. */
export async function loadUri(uri: JsonValue, resolve: ReadMeshOptions['resolve']): Promise<Uint8Array> {
  if (typeof uri.value === 'string' && /^data:/i.test(uri.value)) return decodeDataUri(uri, uri.value);
  const path = toInnerPath(uri);
  if (resolve === undefined) uri.fail('no file beside this one, as none can be loaded here');
  try {
    return await resolve(path);
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message.split('\n', 1)[0] : String(problem);
    uri.fail(`a file that can be read (${reason})`);
  }
}

/** Bytes of a buffer, at least as many as it declares. */
export async function loadBuffer(
  buffer: JsonValue,
  binary: Uint8Array | null,
  resolve: ReadMeshOptions['resolve'],
): Promise<Uint8Array> {
  const length = buffer.field('byteLength').integer(1, 2 ** 32);
  const uri: JsonValue = buffer.field('uri');
  let bytes: Uint8Array;
  if (uri.exists) bytes = await loadUri(uri, resolve);
  else {
    if (binary === null) buffer.fail('a "uri", as the file has no binary chunk');
    bytes = binary;
  }
  if (bytes.length < length) buffer.field('byteLength').fail(`at most ${bytes.length}, the bytes that are there`);
  return bytes;
}
