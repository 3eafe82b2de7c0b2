// Frames with numbers that are none, as broken keyframes and caches have them: what can be used of such a frame.

import { rotate } from '../math/quaternion.js';
import { add, pointAt, subtract, type Vec3 } from '../math/vec3.js';
import type { DeformerCollider } from './collider-settings.js';
import type { DeformerFrame } from './deform-frame.js';
import type { DeformerFlag } from './report.js';
import { fitRigid } from './rigid-fit.js';

/** Points that tell how a body has turned, at least. */
const LEAST_POINTS = 3;

/**
 * A frame whose numbers are all finite, and what was done for it: colliders that are nowhere are left out, and vertices that are nowhere go
 * where the others' rigid motion takes them from the bound mesh.
 */
export function mendFrame(
  frame: DeformerFrame,
  bound: Float64Array,
): { readonly frame: DeformerFrame; readonly flags: readonly DeformerFlag[] } {
  const flags: DeformerFlag[] = [];
  const colliders = frame.colliders.filter(isSomewhere);
  if (colliders.length < frame.colliders.length) flags.push('collider-left-out');
  const { input } = frame;
  if (!input || input.length !== bound.length || areFinite(input)) return { frame: { ...frame, colliders }, flags };
  flags.push('input-mended');
  return { frame: { ...frame, colliders, input: mendInput(input, bound) }, flags };
}

/** Whether all of a collider's own numbers are finite; those of its mesh or landscape are checked where they are made. */
function isSomewhere(collider: DeformerCollider): boolean {
  if (typeof collider !== 'object' || collider === null) return true;
  return Object.entries(collider).every(([field, value]) => {
    if (field === 'mesh' || field === 'heights') return true;
    return typeof value === 'number' ? Number.isFinite(value) : !Array.isArray(value) || areFinite(value);
  });
}

function areFinite(values: ArrayLike<unknown>): boolean {
  for (let i = 0; i < values.length; i++)
    if (typeof values[i] === 'number' && !Number.isFinite(values[i])) return false;
  return true;
}

function mendInput(input: ArrayLike<number>, bound: Float64Array): Float64Array {
  const out = Float64Array.from(input);
  const known: number[] = [];
  for (let v = 0; 3 * v < out.length; v++) if (areFinite(out.subarray(3 * v, 3 * v + 3))) known.push(v);
  const place = known.length < LEAST_POINTS ? (point: Vec3) => point : motionOf(known, bound, out);
  const isKnown = new Set(known);
  for (let v = 0; 3 * v < out.length; v++) if (!isKnown.has(v)) out.set(place(pointAt(bound, v)), 3 * v);
  return out;
}

/** The rigid motion that brings these vertices nearest to where they are. */
function motionOf(vertices: readonly number[], from: Float64Array, to: Float64Array): (point: Vec3) => Vec3 {
  const pick = (points: Float64Array): number[] => vertices.flatMap((v) => pointAt(points, v));
  const { rotation, fromCentre, toCentre } = fitRigid(pick(from), pick(to));
  return (point) => add(toCentre, rotate(rotation, subtract(point, fromCentre)));
}
