// Turns whatever is wrong with a scene into one line: the field, what was expected, what was found.

import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A scene that cannot be used. The message is one line, `field: expected …, got …`; callers put the file's name before it. */
export class SceneError extends Error {
  override readonly name = 'SceneError';

  constructor(
    /** Such as `bodies[0].solver.regionSize`; empty where the whole file is meant. */
    readonly field: string,
    fault: string,
  ) {
    super(field ? `${field}: ${fault}` : fault);
  }
}

/** The error for the fault that helps most among the issues found. */
export function sceneErrorFrom(issues: readonly Issue[], scene: unknown): SceneError {
  const all = issues.map(innermost);
  const missing = all[0].code !== 'unrecognized_keys' && valueAt(scene, all[0].path) === undefined;
  // A misspelt field is reported twice, as a missing one and as an unknown one: the second shows the spelling.
  const issue = (missing && all.find((other) => other.code === 'unrecognized_keys')) || all[0];
  if (issue.code === 'unrecognized_keys') {
    return new SceneError(formatPath([...issue.path, issue.keys[0]]), issue.message);
  }
  const got = (issue.code === 'custom' && issue.params?.got) || showValue(valueAt(scene, issue.path));
  return new SceneError(formatPath(issue.path), `expected ${issue.message}, got ${got}`);
}

/** Follows a union into the branch that was meant: the only one whose kind of value fits, or whose fields are those given. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const fitting = issue.errors.filter((branch) => !branch.some(isWrongKind));
  const known = fitting.filter((branch) => !branch.some(isForeign));
  const meant = fitting.length === 1 ? fitting : known;
  if (meant.length !== 1) return issue;
  const inner = meant[0][0];
  return innermost({ ...inner, path: [...issue.path, ...inner.path] });
}

const isWrongKind = (issue: Issue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

/** A field that the branch does not have. */
const isForeign = (issue: Issue): boolean => issue.path.length === 0 && issue.code === 'unrecognized_keys';

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** `bodies[0].solver.regionSize`; names that are no plain words stand in quotes. */
export function formatPath(path: Path): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[\w$-]+$/.test(String(key))) text += text ? `.${String(key)}` : String(key);
    else text += `[${showValue(String(key))}]`;
  }
  return text;
}

const LONGEST_TEXT = 60;

/** A value in a few words, on one line whatever it holds. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
  }
  if (Array.isArray(value)) {
    const isShort = value.length <= 4 && value.every((item) => typeof item !== 'object' || item === null);
    return isShort ? `[${value.map(showValue).join(', ')}]` : `a list of ${value.length}`;
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
