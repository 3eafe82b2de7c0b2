// Particles against obstacles. Mirrors src/contact/obstacles/obstacle-contact.ts. The fourth lane of a contact normal is the
// friction coefficient.

import * as tuning from '../../../src/contact/obstacles/tuning';
import {
  BODY_COLLIDING, BODY_CONTACT_NORMALS, BODY_FRICTIONS, BODY_KINEMATIC, BODY_POSITIONS, BODY_RUN_BOXES, BODY_STARTS, BODY_SURFACE_VELOCITIES, BODY_VELOCITIES,
  BY_OBSTACLE, RUN,
} from '../../layout';
import { add4, dot3, mul4, splat4, sub4, vector30, w4, x4, y4, z4 } from '../../simd/lanes';
import * as collider from './collider';
import { distance, nx, ny, nz, setResult } from '../narrow-phase/measured';

const SWEEP_SHARE: f32 = <f32>tuning.SWEEP_SHARE;
const SWEEP_STEPS: f32 = <f32>tuning.SWEEP_STEPS;

/** Resolves particle i against the collider aimed at, if it is deeper in it; `sweeping` on the first pass. Whether it was. */
export function resolveParticle(body: usize, i: i32, timeStep: f32, sweeping: boolean, deeper: f32): boolean {
  const k = <usize>i << 4;
  const positions: usize = <usize>load<u32>(body + BODY_POSITIONS) + k;
  const x = v128.load(positions);
  if (!sweeping && collider.isClear(x)) return false;
  if (!(sweeping && sweep(v128.load(<usize>load<u32>(body + BODY_STARTS) + k), x, true))) collider.measure(x4(x), y4(x), z4(x));
  if (!(distance < -deeper)) return false;
  const normal = vector30(nx, ny, nz);
  const out = sub4(x, mul4(splat4(distance), normal));
  collider.displacementAt(x4(out), y4(out), z4(out));
  const perTime = <f32>1 / timeStep;
  const surface = vector30(collider.px * perTime, collider.py * perTime, collider.pz * perTime);
  if (collider.moves) store<u32>(body + BODY_KINEMATIC, 1);
  const colliding: usize = <usize>load<u32>(body + BODY_COLLIDING) + i;
  store<u8>(colliding, load<u8>(colliding) | BY_OBSTACLE);
  const contact = f32x4.replace_lane(normal, 3, collider.friction * frictionFactor(body, i));
  v128.store(<usize>load<u32>(body + BODY_CONTACT_NORMALS) + k, contact);
  v128.store(<usize>load<u32>(body + BODY_SURFACE_VELOCITIES) + k, surface);
  const velocities: usize = <usize>load<u32>(body + BODY_VELOCITIES) + k;
  v128.store(velocities, stopApproach(v128.load(velocities), contact, surface));
  v128.store(positions, add4(out, mul4(splat4(timeStep), slipTaken)));
  return true;
}

/** What is painted on the friction of a particle. */
// @ts-ignore: decorator
@inline export function frictionFactor(body: usize, i: i32): f32 {
  const factors: usize = load<u32>(body + BODY_FRICTIONS);
  return factors != 0 ? load<f32>(factors + (<usize>i << 2)) : 1;
}

/** What the last `stopApproach` took along the surface. */
export let slipTaken: v128 = i64x2.splat(0);

/** A velocity without its part into the obstacle, and by Coulomb's law with less slip along it. */
export function stopApproach(velocity: v128, contact: v128, surface: v128): v128 {
  slipTaken = splat4(0);
  let v = sub4(velocity, surface);
  const approach = dot3(v, contact);
  if (approach >= 0) return velocity;
  const normal = f32x4.replace_lane(contact, 3, 0);
  v = sub4(v, mul4(splat4(approach), normal));
  const slip = sqrt(dot3(v, v));
  const braked: f32 = slip > 0 ? min<f32>(1, (-w4(contact) * approach) / slip) : 0;
  slipTaken = mul4(splat4(-braked), v);
  return add4(velocity, sub4(slipTaken, mul4(splat4(approach), normal)));
}

/** Follows a fast particle's way through the obstacle's frame by sphere tracing, see the reference. */
function sweep(start: v128, end: v128, moving: boolean): boolean {
  const shortest = SWEEP_SHARE * collider.thinnest;
  if (shortest == Infinity) return false;
  if (moving) collider.toStart(x4(start), y4(start), z4(start));
  else collider.toEnd(x4(start), y4(start), z4(start));
  const ax = collider.px;
  const ay = collider.py;
  const az = collider.pz;
  collider.toEnd(x4(end), y4(end), z4(end));
  const bx = collider.px;
  const by = collider.py;
  const bz = collider.pz;
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  const length = sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > shortest)) return false;
  if (collider.isMesh()) {
    if (!collider.sweepTriangles(ax, ay, az, bx, by, bz)) return false;
    collider.turnNormal();
    return true;
  }
  const least = max<f32>(<f32>0.5 * shortest, length / SWEEP_STEPS);
  let travelled: f32 = 0;
  while (travelled < length) {
    const t = travelled / length;
    const x = ax + t * dx;
    const y = ay + t * dy;
    const z = az + t * dz;
    collider.measureLocal(x, y, z);
    if (distance < <f32>1e-4 * length) {
      if (distance < <f32>-2 * least || nx * dx + ny * dy + nz * dz >= 0) return false;
      setResult(distance + (bx - x) * nx + (by - y) * ny + (bz - z) * nz, nx, ny, nz);
      collider.turnNormal();
      return true;
    }
    travelled += max(distance, least);
  }
  return false;
}

/** Whether a point lies deeper than `tolerance` in the collider aimed at, or its way from `origin` passes through it. */
export function isForbidden(origin: v128, point: v128, tolerance: f32): boolean {
  if (!sweeps && collider.isClear(point)) return false;
  if (!(sweeps && sweep(origin, point, false))) collider.measure(x4(point), y4(point), z4(point));
  return distance < -tolerance;
}

/** Share of the way from `origin` to the point that `isForbidden` has just measured that stays outside. */
export function shareThatFits(origin: v128): f32 {
  const depth = -distance;
  collider.measure(x4(origin), y4(origin), z4(origin));
  return distance > 0 ? distance / (distance + depth) : 0;
}

let low: v128 = i64x2.splat(0);
let high: v128 = i64x2.splat(0);
/** The longest way of a particle along each axis. */
let farthest: v128 = i64x2.splat(0);
/** Whether some particle's way through the collider's frame may be so long that it has to be swept. */
export let sweeps: boolean = false;

/** The bounds of the run that begins with a particle. */
// @ts-ignore: decorator
@inline export function runBox(body: usize, first: i32): usize {
  return <usize>load<u32>(body + BODY_RUN_BOXES) + (<usize>(first / RUN) << 6);
}

/** Writes the bounds of a run. */
// @ts-ignore: decorator
@inline export function putRunBox(box: usize, least: v128, most: v128, far: v128): void {
  v128.store(box, least);
  v128.store(box, most, 16);
  v128.store(box, far, 32);
}

/** Lets the bounds of a run hold a particle at `end` after its way. */
// @ts-ignore: decorator
@inline export function extendRunBox(box: usize, end: v128, displacement: v128): void {
  v128.store(box, f32x4.pmin(v128.load(box), end));
  v128.store(box, f32x4.pmax(v128.load(box, 16), end), 16);
  v128.store(box, f32x4.pmax(v128.load(box, 32), f32x4.abs(displacement)), 32);
}

/** Takes the bounds of a run that were written before. */
// @ts-ignore: decorator
@inline export function takeRunBox(box: usize): void {
  takeBounds(v128.load(box), v128.load(box, 16), v128.load(box, 32));
}

/** Takes bounds that are known. */
export function takeBounds(least: v128, most: v128, far: v128): void {
  low = least;
  high = most;
  farthest = far;
}

/**
 * Whether particles of the run may touch the collider aimed at, going `stretch` times as far: its distance to the ball
 * around them, along the way that the collider goes (`moving`) in this step. Finds whether they have to be swept.
 */
export function mayTouch(stretch: f32, moving: boolean): boolean {
  const middle = mul4(splat4(0.5), add4(low, high));
  const reach = sub4(high, middle);
  const radius = stretch * sqrt(dot3(reach, reach));
  let travel: f32 = 0;
  collider.toEnd(x4(middle), y4(middle), z4(middle));
  const x = collider.px;
  const y = collider.py;
  const z = collider.pz;
  if (moving) {
    collider.toStart(x4(middle), y4(middle), z4(middle));
    const dx = collider.px - x;
    const dy = collider.py - y;
    const dz = collider.pz - z;
    travel = sqrt(dx * dx + dy * dy + dz * dz) + collider.turning * radius;
  }
  sweeps = !(stretch * sqrt(dot3(farthest, farthest)) + travel < SWEEP_SHARE * collider.thinnest * BOUND_SLACK_BELOW);
  return !(collider.leastDistance(x, y, z) > (radius + travel) * BOUND_SLACK);
}

/** Of a run that is to be swept: whether its ways are so short that what is clear at both ends may be told to be so all the way. */
export function seesClearWays(): boolean {
  return dot3(farthest, farthest) < collider.clearWay * collider.clearWay;
}

/** Cover the rounding of the bounds. */
const BOUND_SLACK: f32 = 1.0001;
const BOUND_SLACK_BELOW: f32 = 0.9999;
