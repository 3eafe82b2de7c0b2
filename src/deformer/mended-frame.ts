// Frames with numbers that are none, as broken keyframes and caches have them: what can be used of such a frame.

import { rotate } from '../math/quaternion.js';
import { add, pointAt, subtract, type Vec3 } from '../math/vec3.js';
import type { DeformerCollider } from './collider-settings.js';
import type { DeformerFrame, MendedFrame } from './deform-frame.js';
import { fitRigid } from './rigid-fit.js';

/** Points that tell how a body has turned, at least. */
const LEAST_POINTS = 3;

/**
 * A frame whose numbers are all finite: colliders that are nowhere are left out, and vertices that are nowhere go where the others' rigid
 * motion takes them from the bound mesh.
 */
export function mendFrame(frame: DeformerFrame, bound: Float64Array): MendedFrame {
  const asked = frame.colliders;
  const colliders = asked.filter(isSomewhere);
  const { input } = frame;
  if (!input || input.length !== bound.length) return { frame: { ...frame, colliders }, asked, flags: [] };
  const mended = mendInput(input, bound);
  return { frame: { ...frame, colliders, input: mended }, asked, flags: mended === input ? [] : ['input-mended'] };
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

/** Vertices with those that are nowhere where the others' rigid motion takes them from the bound mesh; the same where there are none such. */
export function mendInput(input: ArrayLike<number>, bound: Float64Array): ArrayLike<number> {
  if (areFinite(input)) return input;
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
