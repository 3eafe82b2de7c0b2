// The best candidate of each vertex of a body against one other body, in a thread's working memory. Mirrors `Candidates`
// of src/contact/narrow-phase/detection.ts. Stamps tell the candidates of this pair from those of others, so that nothing is cleared but
// when stamps begin anew.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import { SCRATCH_BYTES, SCRATCH_PER_PARTICLE, WORLD_SCRATCH, WORLD_SCRATCH_BYTES } from '../../layout';
import { cross4, dot3, mul4, nmadd4, select4, splat4, sub4, vector30, x4, y4, z4 } from '../../simd/lanes';
import { world } from '../../threads';
import { metB, metC, metTime, metX, metY, metZ, NEAR_OPPOSITE, NEAR_SQUARE, NEAR_WB, NEAR_WC } from './vertex-triangle';

// A candidate: stamp, squared distance at the start, address of the nearest triangle, share of the step until the first
// meeting of a fast vertex (2 for none).
const STAMP: usize = 0;
export const SQUARE: usize = 4;
export const TRIANGLE: usize = 8;
export const TIME: usize = 12;
/** Weights of the second and third corner; whether the nearest point is on the edge off the first (a mask); address of the triangle met. */
export const WEIGHT_B: usize = 16;
export const WEIGHT_C: usize = 20;
export const OPPOSITE: usize = 24;
export const MET_TRIANGLE: usize = 28;
/** Once all triangles are tested: along what the vertex is to leave, and the gap along it. */
export const OUTWARD: usize = 32;
export const OUTWARD_GAP: usize = 44;
/** Outward unit normal of the nearest triangle, and how far outside of its plane the vertex is. */
export const FACE: usize = 48;
export const HEIGHT: usize = 60;
/** Normal of the triangle met, and the weights of its second and third corner. */
export const MET_NORMAL: usize = 64;
export const MET_B: usize = 80;
export const MET_C: usize = 84;
/** In the place of the time: a vertex deep inside the other body whose way out is known, or is not. */
export const DEEP: f32 = <f32>tuning.DEEP;
export const LOST: f32 = <f32>tuning.LOST;
const CANDIDATE_BYTES: usize = 96;

/** Working memory: a stack of nodes, then results of four triangles, then the stamp. */
export const STACK_BYTES: usize = 8192;
const NEAR: usize = 8192;
const STAMPS: usize = 8448;
/** For two subtrees: the six bounds of each one's leaves, in rows; then a list of vertices. */
export const SUBTREES: usize = 8464;
/** The same room, once leaves have been tested: pockets of two bodies that lie in each other. */
export const POCKETS: usize = 8704;

/** Squared distances that differ by less than this share are the same: two triangles at one edge. */
export const SAME_DISTANCE: f32 = 1e-5;

/** In every stamp, and in nothing else that lies where stamps are: lists of a body's leaves hold offsets below it. */
const STAMP_BIT: u32 = 0x80000000;

export let scratch: usize = 0;
export let near: usize = 0;
let stamp: u32 = 0;
let room: usize = 0;
export let touchedA: i32 = 0;
export let touchedB: i32 = 0;

/** Turns to a thread's working memory, for a new pair. */
export function beginCandidates(thread: i32): void {
  const bytes: usize = load<u32>(world + WORLD_SCRATCH_BYTES);
  scratch = <usize>load<u32>(world + WORLD_SCRATCH) + <usize>thread * bytes;
  near = scratch + NEAR;
  room = (bytes - SCRATCH_BYTES) >> 1;
  stamp = (load<u32>(scratch + STAMPS) + 1) | STAMP_BIT;
  // Stamps that begin anew must not meet those of two thousand million pairs ago.
  if (stamp == STAMP_BIT) memory.fill(scratch + SCRATCH_BYTES, 0, room << 1);
  store<u32>(scratch + STAMPS, stamp);
  touchedA = 0;
  touchedB = 0;
  leafPairs = scratch + SCRATCH_BYTES + room;
  leafPairsEnd = leafPairs;
}

/** The candidate of a vertex (16 bytes per particle) of side 0 or 1. */
// @ts-ignore: decorator
@inline export function candidateOf(side: i32, vertex: usize): usize {
  return scratch + SCRATCH_BYTES + (side == 0 ? 0 : room) + (vertex >> 4) * CANDIDATE_BYTES;
}

// @ts-ignore: decorator
@inline export function isTouched(candidate: usize): boolean {
  return load<u32>(candidate + STAMP) == stamp;
}

/** Where the vertices that have a candidate are listed, from the end of the side's room backwards. */
// @ts-ignore: decorator
@inline function touchedAt(side: i32, n: i32): usize {
  return scratch + SCRATCH_BYTES + (side == 0 ? room : room << 1) - (<usize>(n + 1) << 2);
}

// @ts-ignore: decorator
@inline export function touchedVertex(side: i32, n: i32): usize {
  return load<u32>(touchedAt(side, n));
}

// Pairs of leaves of one body that are not near at rest and whose boxes overlap: where the second body's candidates would be.
export let leafPairs: usize = 0;
export let leafPairsEnd: usize = 0;

/** Remembers a pair of leaves (places of nodes) while there is room: some twenty for each leaf. */
export function noteLeaves(i: usize, j: usize): void {
  if (leafPairsEnd + 8 > leafPairs + room) return;
  store<u32>(leafPairsEnd, <u32>i);
  store<u32>(leafPairsEnd, <u32>j, 4);
  leafPairsEnd += 8;
}

/** Room for two lists of a body's particles, four bytes each, apart from candidates: for each side one. */
export function particleList(side: i32): usize {
  return scratch + SCRATCH_BYTES + (side == 0 ? 0 : room) + capacity() * CANDIDATE_BYTES;
}

/** The second of the two lists. */
export function secondList(side: i32): usize {
  return particleList(side) + (capacity() << 2);
}

/** Particles of the largest body. */
// @ts-ignore: decorator
@inline function capacity(): usize {
  return room / (SCRATCH_PER_PARTICLE / 2);
}

// @ts-ignore: decorator
@inline export function squareOf(candidate: usize): f32 {
  return load<f32>(candidate + SQUARE);
}

/** Squared distance up to which a triangle may be the nearest of a vertex. */
// @ts-ignore: decorator
@inline export function nearestLimit(side: i32, vertex: usize): f32 {
  const candidate = candidateOf(side, vertex);
  return isTouched(candidate) ? squareOf(candidate) * (<f32>1 + SAME_DISTANCE) : Infinity;
}

/** Keeps triangle `lane` of the four if it is nearer than what the vertex, at `start`, has; at an edge the one that it faces more. */
export function keepNearest(side: i32, vertex: usize, start: v128, points: usize, triangle: usize, lane: usize): void {
  const at = near + (lane << 2);
  const square = load<f32>(at, NEAR_SQUARE);
  const candidate = candidateOf(side, vertex);
  const known: f32 = isTouched(candidate) ? squareOf(candidate) : Infinity;
  if (square > known * (<f32>1 + SAME_DISTANCE)) return;
  if (known == Infinity) {
    store<u32>(touchedAt(side, side == 0 ? touchedA++ : touchedB++), <u32>vertex);
    store<u32>(candidate + STAMP, stamp);
    store<f32>(candidate + TIME, 2);
  } else if (square >= known * (<f32>1 - SAME_DISTANCE)) {
    const weights = candidate + WEIGHT_B;
    const height = heightOver(points, triangle, start, at + NEAR_WB, at + NEAR_WC, at + NEAR_OPPOSITE);
    const knownHeight = heightOver(points, load<u32>(candidate + TRIANGLE), start, weights, candidate + WEIGHT_C, candidate + OPPOSITE);
    if (abs(height) <= abs(knownHeight)) return;
  }
  store<f32>(candidate + SQUARE, square);
  store<u32>(candidate + TRIANGLE, <u32>triangle);
  store<u32>(candidate + WEIGHT_B, load<u32>(at, NEAR_WB));
  store<u32>(candidate + WEIGHT_C, load<u32>(at, NEAR_WC));
  store<u32>(candidate + OPPOSITE, load<u32>(at, NEAR_OPPOSITE));
}

/** How far a point is outside of the plane of a triangle, by its nearest point: where the weights and the mask of that are. */
function heightOver(points: usize, triangle: usize, point: v128, wbAt: usize, wcAt: usize, oppositeAt: usize): f32 {
  const a = v128.load(points + <usize>load<u32>(triangle));
  const u = sub4(v128.load(points + <usize>load<u32>(triangle, 4)), a);
  const v = sub4(v128.load(points + <usize>load<u32>(triangle, 8)), a);
  const p = sub4(point, a);
  const wb = v128.load32_splat(wbAt);
  const wc = v128.load32_splat(wcAt);
  const vector = select4(v128.load32_splat(oppositeAt), nmadd4(wc, sub4(v, u), sub4(p, u)), nmadd4(wc, v, nmadd4(wb, u, p)));
  const n = cross4(u, v);
  const length = sqrt(dot3(n, n));
  return dot3(mul4(splat4(length > 0 ? <f32>1 / length : 0), n), vector);
}

/** Keeps the triangle that was just met if none was met before. */
export function keepMeeting(side: i32, vertex: usize, triangle: usize): void {
  const candidate = candidateOf(side, vertex);
  if (metTime >= load<f32>(candidate + TIME)) return;
  store<f32>(candidate + TIME, metTime);
  store<u32>(candidate + MET_TRIANGLE, <u32>triangle);
  v128.store(candidate + MET_NORMAL, vector30(metX, metY, metZ));
  store<f32>(candidate + MET_B, metB);
  store<f32>(candidate + MET_C, metC);
}

/** A vertex deep inside the other body; where it comes out is not known yet. */
export function keepDeep(side: i32, vertex: usize): void {
  const candidate = candidateOf(side, vertex);
  store<u32>(touchedAt(side, side == 0 ? touchedA++ : touchedB++), <u32>vertex);
  store<u32>(candidate + STAMP, stamp);
  store<f32>(candidate + TIME, LOST);
}

/** Where a deep vertex comes out: the triangle, weights of its second and third corner, how far it is [m]. */
export function keepExit(candidate: usize, triangle: usize, wb: f32, wc: f32, depth: f32): void {
  store<f32>(candidate + TIME, DEEP);
  store<u32>(candidate + TRIANGLE, <u32>triangle);
  store<f32>(candidate + WEIGHT_B, wb);
  store<f32>(candidate + WEIGHT_C, wc);
  store<f32>(candidate + HEIGHT, -depth);
}

/** Squared distance from a point to a triangle (offsets of its corners over `points`) [m²]. */
export function squareToTriangle(points: usize, p: v128, triangle: usize): f32 {
  const a = v128.load(points + <usize>load<u32>(triangle));
  const u = sub4(v128.load(points + <usize>load<u32>(triangle, 4)), a);
  const v = sub4(v128.load(points + <usize>load<u32>(triangle, 8)), a);
  const q = sub4(p, a);
  const uu = dot3(u, u);
  const uv = dot3(u, v);
  const vv = dot3(v, v);
  const d1 = dot3(u, q);
  const d2 = dot3(v, q);
  const area = uu * vv - uv * uv;
  const nb = vv * d1 - uv * d2;
  const nc = uu * d2 - uv * d1;
  if (nb > 0 && nc > 0 && nb + nc < area) return squareAt(q, u, v, nb / area, nc / area);
  const e = sub4(v, u);
  const t = share(dot3(e, sub4(q, u)), dot3(e, e));
  return min(
    squareAt(q, u, v, share(d1, uu), 0),
    min(squareAt(q, u, v, 0, share(d2, vv)), squareAt(q, u, v, <f32>1 - t, t)),
  );
}

// @ts-ignore: decorator
@inline function share(a: f32, b: f32): f32 {
  return b > 0 ? max<f32>(0, min<f32>(1, a / b)) : 0;
}

// @ts-ignore: decorator
@inline function squareAt(q: v128, u: v128, v: v128, wb: f32, wc: f32): f32 {
  const x = x4(q) - wb * x4(u) - wc * x4(v);
  const y = y4(q) - wb * y4(u) - wc * y4(v);
  const z = z4(q) - wb * z4(u) - wc * z4(v);
  return x * x + y * y + z * z;
}

/** All lanes 0: no offset between frames. */
export const NO_OFFSET: v128 = splat4(0);
