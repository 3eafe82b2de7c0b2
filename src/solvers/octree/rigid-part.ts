// A small part of the matter that moves as a rigid body: its nodes are so few, or lie so nearly in a line, that they do not say how the
// surface around them is turned. Taken from the nodes, its turn is mostly noise with a long lever: thrown and set spinning, a plate
// of five nodes had 12 times its energy within two seconds. What it is bent by goes back by and by.

import { solveSymmetric } from '../../math/mat3.js';
import { nearestRotation, rotationMatrix } from '../rotation.js';
import { INERTIA_FLOOR } from '../tuning.js';

/**
 * Parts of no more nodes than this are rigid: their regions are lines and flat corners. Of 11 nodes one flew apart in a pile, at 80 m/s; up to
 * the second number of nodes those are rigid whose nodes, seen as a whole, lie in a line.
 */
const ALWAYS_RIGID = 12;
const MOST_RIGID = 24;
/** Shares of the surface's length and width, squared, that nodes must have not to lie in a line. */
const LEAST_LENGTH = 0.15;
const LEAST_WIDTH = 0.35;
/** In what time most of a bend goes back [s]. */
const RELAXATION = 0.015;
/**
 * Where on the way through a step the angular velocity is taken: at its start a body that tumbles would gain energy, in its middle it would
 * keep it; and rounds that find it.
 */
const TURN_AT = 0.55;
const TURN_ROUNDS = 4;

/** Whether a part with these nodes and this surface, x, y, z each, is to move as a rigid body. */
export function isRigid(nodes: Float64Array, surface: Float64Array, masses: ArrayLike<number>): boolean {
  const count = nodes.length / 3;
  if (count > MOST_RIGID || surface.length === 0) return false;
  if (count <= ALWAYS_RIGID) return true;
  const [own, all] = [spreadOf(nodes), spreadOf(surface, masses)];
  return own.length < LEAST_LENGTH * all.length || own.width < LEAST_WIDTH * all.width;
}

/** How long and how wide some points lie, squared [m²]: near the two largest of their principal spreads. */
function spreadOf(points: Float64Array, masses?: ArrayLike<number>): { length: number; width: number } {
  const { moments, total } = sumMoments(points, centreOf(points, masses), masses);
  const [xx, xy, xz, yy, yz, zz] = moments.map((sum) => sum / total);
  const trace = xx + yy + zz;
  const minors = xx * yy - xy * xy + (xx * zz - xz * xz) + (yy * zz - yz * yz);
  return { length: trace, width: trace > 0 ? Math.max(0, minors) / trace : 0 };
}

function centreOf(points: ArrayLike<number>, masses?: ArrayLike<number>): Float64Array {
  const centre = new Float64Array(3);
  let total = 0;
  for (let i = 0; 3 * i < points.length; i++) {
    const m = masses?.[i] ?? 1;
    total += m;
    for (let c = 0; c < 3; c++) centre[c] += m * points[3 * i + c];
  }
  return centre.map((sum) => sum / total);
}

/** Σ m x xᵀ about a centre: xx, xy, xz, yy, yz, zz. */
function sumMoments(points: Float64Array, centre: Float64Array, masses?: ArrayLike<number>) {
  const moments = new Float64Array(6);
  let total = 0;
  for (let i = 0, k = 0; k < points.length; i++, k += 3) {
    const m = masses?.[i] ?? 1;
    const [x, y, z] = [points[k] - centre[0], points[k + 1] - centre[1], points[k + 2] - centre[2]];
    total += m;
    moments[0] += m * x * x;
    moments[1] += m * x * y;
    moments[2] += m * x * z;
    moments[3] += m * y * y;
    moments[4] += m * y * z;
    moments[5] += m * z * z;
  }
  return { moments, total };
}

/** Of the surface, about its centre of mass. */
interface PartMomenta {
  readonly centre: Float64Array;
  readonly linear: Float64Array;
  readonly angular: Float64Array;
  readonly mass: number;
}

/** Of vertices or nodes, x, y, z each [m], [m/s]. */
interface PartArrays {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

export class RigidPart {
  /** Of surface and nodes about the surface's centre of mass at rest [m]. */
  private readonly surfaceRest: Float64Array;
  private readonly nodesRest: Float64Array;
  private readonly restMoment: number;
  private readonly rotation = Float64Array.of(0, 0, 0, 1);
  private readonly matrix = new Float64Array(9);
  private readonly turn = new Float64Array(3);

  constructor(
    surface: Float64Array,
    nodes: Float64Array,
    private readonly masses: Float64Array,
  ) {
    const centre = centreOf(surface, masses);
    const about = (list: Float64Array): Float64Array => list.map((x, k) => x - centre[k % 3]);
    this.surfaceRest = about(surface);
    this.nodesRest = about(nodes);
    const { moments } = sumMoments(this.surfaceRest, new Float64Array(3), masses);
    this.restMoment = moments[0] + moments[3] + moments[5];
  }

  /**
   * Moves surface and nodes for a step, from where the surface was and with the momenta that it had; returns its rotation.
   * @param starts where the surface was [m].
   * @param quaternion about how it is turned.
   */
  move(
    starts: Float64Array,
    quaternion: ArrayLike<number>,
    { centre, linear, angular, mass }: PartMomenta,
    restScale: number,
    timeStep: number,
    surface: PartArrays,
    nodes: PartArrays,
  ): Float64Array {
    const { surfaceRest, rotation, matrix } = this;
    rotation.set(quaternion);
    this.fit(starts, centre);
    rotationMatrix(rotation, 0, matrix);
    // What is left of each vertex' way from where a rigid body would have it, in the body's own frame.
    const bent = surface.positions;
    const left = 1 - Math.min(1, timeStep / RELAXATION);
    const m = matrix;
    for (let k = 0; k < starts.length; k += 3) {
      const [x, y, z] = [starts[k] - centre[0], starts[k + 1] - centre[1], starts[k + 2] - centre[2]];
      for (let c = 0; c < 3; c++) {
        const at = m[c] * x + m[c + 3] * y + m[c + 6] * z;
        const rest = restScale * surfaceRest[k + c];
        bent[k + c] = rest + left * (at - rest);
      }
    }
    this.advance(angular, bent, timeStep);
    rotationMatrix(rotation, 0, matrix);
    const velocity = [0, 1, 2].map((c) => linear[c] / mass);
    const to = [0, 1, 2].map((c) => centre[c] + timeStep * velocity[c]);
    rotateAll(bent, matrix, 1, surface.positions);
    this.carry({ angular, velocity, to }, restScale, surface, nodes);
    return rotation;
  }

  /**
   * Gives it its shape at rest where it is, with the momenta that it has; returns its rotation.
   * @param surface where it is and how it moves.
   */
  straighten(
    quaternion: ArrayLike<number>,
    { centre, linear, angular, mass }: PartMomenta,
    restScale: number,
    surface: PartArrays,
    nodes: PartArrays,
  ): Float64Array {
    const { surfaceRest, rotation, matrix } = this;
    rotation.set(quaternion);
    this.fit(surface.positions, centre);
    rotationMatrix(rotation, 0, matrix);
    rotateAll(surfaceRest, matrix, restScale, surface.positions);
    const velocity = [0, 1, 2].map((c) => linear[c] / mass);
    this.carry({ angular, velocity, to: centre }, restScale, surface, nodes);
    return rotation;
  }

  /** Takes the surface, which is turned already, and the nodes to where they are, and gives them the velocities of its momenta. */
  private carry(
    { angular, velocity, to }: { angular: Float64Array; velocity: ArrayLike<number>; to: ArrayLike<number> },
    restScale: number,
    surface: PartArrays,
    nodes: PartArrays,
  ): void {
    const { nodesRest, matrix, turn } = this;
    // The turn that gives the same angular momentum where the surface is now.
    this.solveTurnAt(angular, surface.positions);
    rotateAll(nodesRest, matrix, restScale, nodes.positions);
    for (const { positions, velocities } of [surface, nodes]) {
      for (let k = 0; k < positions.length; k += 3) {
        const [x, y, z] = [positions[k], positions[k + 1], positions[k + 2]];
        velocities[k] = velocity[0] + turn[1] * z - turn[2] * y;
        velocities[k + 1] = velocity[1] + turn[2] * x - turn[0] * z;
        velocities[k + 2] = velocity[2] + turn[0] * y - turn[1] * x;
        for (let c = 0; c < 3; c++) positions[k + c] += to[c];
      }
    }
  }

  /** Turns it as the surface is turned. */
  private fit(starts: Float64Array, centre: Float64Array): void {
    const { surfaceRest, masses, rotation, restMoment } = this;
    const moments = new Float64Array(9);
    for (let i = 0, k = 0; k < starts.length; i++, k += 3) {
      for (let r = 0; r < 3; r++) {
        const weighted = masses[i] * (starts[k + r] - centre[r]);
        for (let c = 0; c < 3; c++) moments[3 * r + c] += weighted * surfaceRest[k + c];
      }
    }
    nearestRotation(moments, 0, restMoment, rotation, 0);
  }

  /** Turns it for a step, with the angular velocity that its angular momentum gives it on the way. */
  private advance(angular: Float64Array, bent: Float64Array, timeStep: number): void {
    const { rotation, matrix, turn } = this;
    const start = rotation.slice();
    const placed = new Float64Array(bent.length);
    for (let round = 0; round < TURN_ROUNDS; round++) {
      rotateAll(bent, matrix, 1, placed);
      this.solveTurnAt(angular, placed);
      rotation.set(start);
      turnBy(rotation, turn, round + 1 < TURN_ROUNDS ? TURN_AT * timeStep : timeStep);
      rotationMatrix(rotation, 0, matrix);
    }
  }

  private solveTurnAt(angular: Float64Array, places: Float64Array): void {
    const { moments } = sumMoments(places, new Float64Array(3), this.masses);
    const [xx, xy, xz, yy, yz, zz] = moments;
    const inertia = Float64Array.of(yy + zz, -xy, -xz, xx + zz, -yz, xx + yy);
    if (!solveSymmetric(inertia, 0, angular, this.turn, INERTIA_FLOOR * (xx + yy + zz))) this.turn.fill(0);
  }
}

/** out = scale·R·x of each point. */
function rotateAll(points: Float64Array, m: Float64Array, scale: number, out: Float64Array): void {
  for (let k = 0; k < points.length; k += 3) {
    const [x, y, z] = [scale * points[k], scale * points[k + 1], scale * points[k + 2]];
    for (let c = 0; c < 3; c++) out[k + c] = m[3 * c] * x + m[3 * c + 1] * y + m[3 * c + 2] * z;
  }
}

/** Turns a quaternion by an angular velocity for a time. */
function turnBy(q: Float64Array, [wx, wy, wz]: Float64Array, timeStep: number): void {
  const half = 0.5 * timeStep;
  const [x, y, z] = [half * wx, half * wy, half * wz];
  const [a, b, c, w] = q;
  const turned = [
    a + x * w + y * c - z * b,
    b + y * w + z * a - x * c,
    c + z * w + x * b - y * a,
    w - x * a - y * b - z * c,
  ];
  const length = Math.sqrt(turned[0] ** 2 + turned[1] ** 2 + turned[2] ** 2 + turned[3] ** 2);
  for (let k = 0; k < 4; k++) q[k] = turned[k] / length;
}
