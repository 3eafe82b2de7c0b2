// Runs one of three's loaders on bytes that were checked before. Loaders are imported only when a file needs them.

import type { BufferGeometry } from 'three';
import { MeshReadError } from './mesh-read-error.js';

interface Loader {
  parse(data: ArrayBuffer): BufferGeometry;
}

/** Positions that the loader finds, as doubles. What it would print to the console is dropped. */
export async function loadPositions(
  format: string,
  load: () => Promise<Loader>,
  data: ArrayBuffer,
): Promise<Float64Array> {
  let loader: Loader;
  try {
    loader = await load();
  } catch {
    throw new MeshReadError(`byte 0: expected the package "three" to be installed, which reads ${format} files`);
  }
  const { error, warn, log } = console;
  const silent = () => {};
  Object.assign(console, { error: silent, warn: silent, log: silent });
  try {
    return new Float64Array(loader.parse(data).getAttribute('position').array);
  } catch (problem) {
    throw new MeshReadError(`byte 0: expected ${format}, three's loader says: ${String(problem).split('\n', 1)[0]}`);
  } finally {
    Object.assign(console, { error, warn, log });
  }
}
