// Draws the torn places of a body, each as one piece with its surroundings, towards their shape: crushed limbs come free, and
// the rest of the body is let be. The volume constraint goes on; momentum stays.

import { adjacencyOf } from '../../mesh/adjacency.js';
import { createRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { foldsOf } from './folds.js';
import { findPatches, type Patch } from './patches.js';
import { keepPinned, type RecoverableBody } from './recoverable-body.js';
import { createRigidMatch, enlarge, matchRigidly, writePlaces } from './rigid-match.js';

const match = createRigidMatch();
const none = createRigidMotion();

/** Leaves `left` of the way of torn places, grown by `reach` body sizes, to their shape. Whether there are any. */
export function drawPatches(body: RecoverableBody, reach: number, left: number): boolean {
  const { mesh, volume } = body.prepared;
  const folds = foldsOf(mesh);
  const rings = Math.max(2, Math.round((reach * volume.size) / folds.edgeLength));
  const patches = findPatches(mesh, folds, adjacencyOf(mesh), body.positions, rings);
  if (patches.length === 0) return false;
  const positions = Float64Array.from(body.positions);
  const velocities = Float64Array.from(body.velocities);
  const moves = new Float64Array(positions.length);
  const rotations = patches.map((patch) => writeMoves(body, patch, 1 - left, moves));
  // Together the moves neither push nor turn the body.
  restoreRigidMotion(positions, moves, body.masses, none);
  for (let k = 0; k < positions.length; k++) positions[k] += moves[k];
  keepPinned(body, positions);
  body.positions.set(positions);
  body.velocities.set(velocities);
  body.load();
  patches.forEach(({ vertices }, n) => {
    body.turnRegions(rotations[n], vertices);
  });
  return true;
}

/** Writes how far the particles of a patch go; returns how it is turned. */
function writeMoves(
  { prepared, positions, masses, inflation }: RecoverableBody,
  { vertices, weights, trusts }: Patch,
  share: number,
  moves: Float64Array,
): Float64Array {
  const gather = (source: ArrayLike<number>) =>
    Float64Array.from({ length: 3 * vertices.length }, (_, k) => source[3 * vertices[Math.trunc(k / 3)] + (k % 3)]);
  const rest = gather(prepared.mesh.positions);
  const points = gather(positions);
  const quaternion = Float64Array.of(0, 0, 0, 1);
  const counted = trusts.map((trust, n) => trust * masses[vertices[n]]);
  matchRigidly(rest, points, counted, quaternion, match);
  enlarge(match, inflation.scale);
  const places = new Float64Array(points.length);
  writePlaces(match, rest, places);
  vertices.forEach((vertex, n) => {
    for (let c = 0; c < 3; c++) {
      moves[3 * vertex + c] = share * weights[n] * (places[3 * n + c] - points[3 * n + c]);
    }
  });
  return quaternion;
}
