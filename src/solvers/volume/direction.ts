// The field along which a volume correction moves the particles: outwards, by weight, without pushing or turning the
// body as a whole. Ours: DBB11's direction w·n̄ squirted a squeezed sphere several radii sideways.

import { solveSymmetric } from '../../math/mat3.js';
import { SUPPORTED } from './tuning.js';

/** Relative floor on the weighted inertia, so that a few particles in a line stay solvable. */
const INERTIA_FLOOR = 1e-12;
/** Share of the outward direction below which a difference to the rigid field is rounding. */
const ROUNDING = 1e-9;

const inertia = new Float64Array(6);
const torque = new Float64Array(3);
const turn = new Float64Array(3);

/**
 * dᵢ = wᵢ·(Aᵢ·n̂ᵢ − a − b×rᵢ): Aᵢ smooth rest area of the vertex [m²], n̂ᵢ unit normal, rᵢ from the (m·w)-weighted centre; a and b such
 * that Σ m d = 0 and Σ m r×d = 0. `outward` holds Aᵢ·n̂ᵢ. The momentum of an `anchored` body goes through its pins: a and b
 * are 0 there, and the few particles that may be free keep their say. What obstacles `support` takes no rigid field either:
 * with a flat plate on the floor all that is free points upwards, a would take nearly all of it, and what is left, some
 * vertices at the rim, was thrown off by hundreds of times the energy of the fall.
 */
export function writeDirection(
  positions: Float64Array,
  masses: Float64Array,
  outward: Float64Array,
  weights: Float64Array,
  direction: Float64Array,
  anchored = false,
  support?: ArrayLike<number>,
): void {
  const count = masses.length;
  if (anchored) {
    for (let k = 0; k < direction.length; k++) direction[k] = weights[Math.trunc(k / 3)] * outward[k];
    return;
  }
  let total = 0;
  let cx = 0;
  let cy = 0;
  let cz = 0;
  let ax = 0;
  let ay = 0;
  let az = 0;
  const [ox, oy, oz] = [positions[0], positions[1], positions[2]];
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    const mw = masses[i] * weights[i];
    total += mw;
    cx += mw * (positions[k] - ox);
    cy += mw * (positions[k + 1] - oy);
    cz += mw * (positions[k + 2] - oz);
    ax += mw * outward[k];
    ay += mw * outward[k + 1];
    az += mw * outward[k + 2];
  }
  if (!(total > 0)) {
    direction.fill(0);
    return;
  }
  cx = ox + cx / total;
  cy = oy + cy / total;
  cz = oz + cz / total;
  ax /= total;
  ay /= total;
  az /= total;
  if (support) {
    const along = support[0] * ax + support[1] * ay + support[2] * az;
    const square = support[0] ** 2 + support[1] ** 2 + support[2] ** 2;
    const taken = square > 0 ? (along / square) * Math.min(1, Math.sqrt(square) / SUPPORTED) : 0;
    ax -= taken * support[0];
    ay -= taken * support[1];
    az -= taken * support[2];
  }
  inertia.fill(0);
  torque.fill(0);
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    const mw = masses[i] * weights[i];
    if (mw === 0) continue;
    const rx = positions[k] - cx;
    const ry = positions[k + 1] - cy;
    const rz = positions[k + 2] - cz;
    inertia[0] += mw * (ry * ry + rz * rz);
    inertia[1] -= mw * rx * ry;
    inertia[2] -= mw * rx * rz;
    inertia[3] += mw * (rx * rx + rz * rz);
    inertia[4] -= mw * ry * rz;
    inertia[5] += mw * (rx * rx + ry * ry);
    torque[0] += mw * (ry * outward[k + 2] - rz * outward[k + 1]);
    torque[1] += mw * (rz * outward[k] - rx * outward[k + 2]);
    torque[2] += mw * (rx * outward[k + 1] - ry * outward[k]);
  }
  solveSymmetric(inertia, INERTIA_FLOOR * (inertia[0] + inertia[3] + inertia[5]), torque, turn);
  const [bx, by, bz] = turn;
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    const w = weights[i];
    const rx = positions[k] - cx;
    const ry = positions[k + 1] - cy;
    const rz = positions[k + 2] - cz;
    const dx = outward[k] - ax - (by * rz - bz * ry);
    const dy = outward[k + 1] - ay - (bz * rx - bx * rz);
    const dz = outward[k + 2] - az - (bx * ry - by * rx);
    // Where a and b take all there is (a single free particle), what is left is rounding, not a direction.
    const left = dx * dx + dy * dy + dz * dz;
    const all = outward[k] * outward[k] + outward[k + 1] * outward[k + 1] + outward[k + 2] * outward[k + 2];
    const kept = left > ROUNDING * ROUNDING * all ? w : 0;
    direction[k] = kept * dx;
    direction[k + 1] = kept * dy;
    direction[k + 2] = kept * dz;
  }
}
