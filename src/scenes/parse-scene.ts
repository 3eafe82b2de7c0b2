// From the text of a scene file, or from a value, to a checked scene with its defaults filled in.

import { findJsonFault } from '../mesh/io/json-fault.js';
import type { AnySolverMaker } from '../solvers/built-in.js';
import { SceneError, sceneErrorFrom, showValue } from './scene-errors.js';
import { type Scene, sceneSchema, sceneSchemaWith } from './scene-schema.js';

/** Solvers that a scene may name besides the built-in ones. */
export interface SceneOptions {
  /** Solvers of one's own that the scene may name, see `defineSolver`; the same are given to whoever builds it. */
  readonly solvers?: readonly AnySolverMaker[];
}

/**
 * Reads the text of a scene file. Throws SceneError.
 * @example
 * ```ts
 * const scene = parseScene('{ "isochore": 1, "bodies": [{ "mesh": { "shape": "duck" } }] }');
 * ```
 */
export function parseScene(text: string, options: SceneOptions = {}): Scene {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const fault = findJsonFault(json);
    if (!fault) throw new SceneError('', 'expected JSON');
    const found = fault.found === undefined ? 'the end of the file' : showValue(fault.found);
    throw new SceneError(`line ${fault.line}, column ${fault.column}`, `expected ${fault.expected}, got ${found}`);
  }
  return checkScene(value, options);
}

/**
 * Checks a scene given as a value, such as a built-in one or one made by a program. Throws SceneError.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'duck' } }] }); // SceneError names what is wrong
 * ```
 */
export function checkScene(value: unknown, { solvers }: SceneOptions = {}): Scene {
  const result = (solvers ? sceneSchemaWith(solvers) : sceneSchema).safeParse(value);
  if (!result.success) throw sceneErrorFrom(result.error.issues, value);
  return result.data;
}
