// From the text of a scene file, or from a value, to a checked scene with its defaults filled in.

import { findJsonFault } from '../mesh/io/json-fault.js';
import { SceneError, sceneErrorFrom, showValue } from './scene-errors.js';
import { type Scene, sceneSchema } from './scene-schema.js';

/** Reads the text of a scene file. Throws SceneError. */
export function parseScene(text: string): Scene {
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
  return checkScene(value);
}

/** Checks a scene given as a value, such as a built-in one or one made by a program. Throws SceneError. */
export function checkScene(value: unknown): Scene {
  const result = sceneSchema.safeParse(value);
  if (!result.success) throw sceneErrorFrom(result.error.issues, value);
  return result.data;
}
