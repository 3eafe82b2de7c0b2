// The nodes follow the surface: see src/solvers/octree/following.ts and octree-surface.ts.

import * as tuning from '../../../src/solvers/octree/tuning';
import { add2, both2, madd2, mul2, splat2, sub2 } from '../../simd/doubles';
import {
  CARRIED, CARRIED_OFFSETS, CARRIED_VELOCITIES, CARRIED_VERTICES, CARRIED_WEIGHTS, HELD, MASS_SHARES, MATRIX_COLUMNS, MATRIX_ENTRIES,
  MATRIX_OFFSETS, MISSING, MOVES, NODE_COUNT, PASS_MOVES, POSITIONS, SHELL_POSITIONS, SHELL_VELOCITIES, SKIN_LOADS, SKIN_NODES,
  SKIN_OFFSETS, VELOCITIES, VERTEX_COUNT, VERTEX_MISSING, WALK, WEIGHTS,
} from './layout';

const PASSES: i32 = <i32>tuning.PASSES;
/** Bytes of a node's velocity and position. */
const ROW_BYTES: usize = 48;

/** Moves the nodes so that they carry the surface to where the shell is, and what is carried with them. */
export function follow(): void {
  gatherMissing();
  solveMoves();
  const count: usize = load<u32>(NODE_COUNT);
  let speed: usize = load<u32>(VELOCITIES);
  let at: usize = load<u32>(POSITIONS);
  let row: usize = load<u32>(MOVES);
  for (let i: usize = 0; i < count; i++, row += ROW_BYTES) {
    for (let c: usize = 0; c < 24; c += 8, speed += 8, at += 8) {
      store<f64>(speed, load<f64>(speed) + load<f64>(row + c));
      store<f64>(at, load<f64>(at) + load<f64>(row + 24 + c));
    }
  }
  followMoves(24, load<u32>(CARRIED));
}

/** Lets the velocities that are carried follow what the last `follow` did to the nodes. */
export function followVelocities(): void {
  followMoves(0, load<u32>(CARRIED_VELOCITIES));
}

/** What the vertices are wanted to change by, times their masses; then the sums of it at each node. */
function gatherMissing(): void {
  const missing: usize = load<u32>(VERTEX_MISSING);
  writeVertexMissing(missing);
  const count: usize = load<u32>(NODE_COUNT);
  const offsets: usize = load<u32>(CARRIED_OFFSETS);
  const vertices: usize = load<u32>(CARRIED_VERTICES);
  let weight: usize = load<u32>(CARRIED_WEIGHTS);
  let to: usize = load<u32>(MISSING);
  let vertex = vertices;
  for (let a: usize = 0; a < count; a++, to += ROW_BYTES) {
    const end = vertices + 4 * load<u32>(offsets + 4 * a + 4);
    let uv = f64x2.splat(0);
    let wx = uv;
    let yz = uv;
    for (; vertex < end; vertex += 4, weight += 8) {
      const share = both2(weight);
      const from = missing + load<u32>(vertex);
      uv = madd2(uv, share, v128.load(from));
      wx = madd2(wx, share, v128.load(from, 16));
      yz = madd2(yz, share, v128.load(from, 32));
    }
    v128.store(to, uv);
    v128.store(to, wx, 16);
    v128.store(to, yz, 32);
  }
}

function writeVertexMissing(to: usize): void {
  const count: usize = load<u32>(VERTEX_COUNT);
  const masses: usize = load<u32>(MASS_SHARES);
  let speed: usize = load<u32>(SHELL_VELOCITIES);
  let at: usize = load<u32>(SHELL_POSITIONS);
  let carriedSpeed: usize = load<u32>(CARRIED_VELOCITIES);
  let carried: usize = load<u32>(CARRIED);
  for (let i: usize = 0; i < count; i++, speed += 24, at += 24, carriedSpeed += 24, carried += 24, to += ROW_BYTES) {
    const m = both2(masses + 8 * i);
    const w = load<f64>(speed, 16) - load<f64>(carriedSpeed, 16);
    const x = load<f64>(at) - load<f64>(carried);
    v128.store(to, mul2(m, sub2(v128.load(speed), v128.load(carriedSpeed))));
    v128.store(to, mul2(m, f64x2.replace_lane(splat2(w), 1, x)), 16);
    v128.store(to, mul2(m, sub2(v128.load(at, 8), v128.load(carried, 8))), 32);
  }
}

function solveMoves(): void {
  const count: usize = load<u32>(NODE_COUNT);
  const loads: usize = load<u32>(SKIN_LOADS);
  const missing: usize = load<u32>(MISSING);
  const passMoves: usize = load<u32>(PASS_MOVES);
  const moves: usize = load<u32>(MOVES);
  memory.fill(moves, 0, ROW_BYTES * count);
  for (let pass: i32 = 0; ; pass++) {
    for (let a: usize = 0, row: usize = 0; a < count; a++, row += ROW_BYTES) {
      const held = load<f64>(loads + 8 * a);
      const share = splat2(held > 0 ? 1 / held : 0.0);
      for (let c = row; c < row + ROW_BYTES; c += 16) {
        const move = mul2(share, v128.load(missing + c));
        v128.store(passMoves + c, move);
        v128.store(moves + c, add2(v128.load(moves + c), move));
      }
    }
    if (pass === PASSES - 1) return;
    takeOffMoves(missing, passMoves);
  }
}

/** Takes off what nodes miss what they have by the moves of those that share vertices with them. */
function takeOffMoves(missing: usize, passMoves: usize): void {
  const count: usize = load<u32>(NODE_COUNT);
  const offsets: usize = load<u32>(MATRIX_OFFSETS);
  const columns: usize = load<u32>(MATRIX_COLUMNS);
  let entry: usize = load<u32>(MATRIX_ENTRIES);
  let column = columns;
  for (let a: usize = 0; a < count; a++, missing += ROW_BYTES) {
    const end = columns + 4 * load<u32>(offsets + 4 * a + 4);
    let x = f64x2.splat(0);
    let y = x;
    let z = x;
    for (; column < end; column += 4, entry += 8) {
      const share = both2(entry);
      const from = passMoves + ROW_BYTES * load<u32>(column);
      x = madd2(x, share, v128.load(from));
      y = madd2(y, share, v128.load(from, 16));
      z = madd2(z, share, v128.load(from, 32));
    }
    v128.store(missing, sub2(v128.load(missing), x));
    v128.store(missing, sub2(v128.load(missing, 16), y), 16);
    v128.store(missing, sub2(v128.load(missing, 32), z), 32);
  }
}

/** Adds the moves of the nodes to how vertices are carried; `part` is where these moves are in a row. */
function followMoves(part: usize, carried: usize): void {
  const count: usize = load<u32>(VERTEX_COUNT);
  const offsets: usize = load<u32>(SKIN_OFFSETS);
  const moves: usize = load<u32>(MOVES) + part;
  let node: usize = load<u32>(SKIN_NODES);
  let weight: usize = load<u32>(WEIGHTS);
  const walk: usize = load<u32>(WALK);
  const nodes = node;
  for (let i: usize = 0; i < count; i++) {
    const end = nodes + 4 * load<u32>(offsets + 4 * i + 4);
    let xy = f64x2.splat(0);
    let z: f64 = 0;
    for (; node < end; node += 4, weight += 8) {
      const share = load<f64>(weight);
      const from = moves + ROW_BYTES * load<u32>(node);
      xy = madd2(xy, splat2(share), v128.load(from));
      z += share * load<f64>(from, 16);
    }
    const to = carried + load<u32>(walk + 4 * i);
    v128.store(to, add2(v128.load(to), xy));
    store<f64>(to, load<f64>(to, 16) + z, 16);
  }
}

/** How far the shell is from where it is carried: the longest distance of particles that are not held. */
export function longestStray(): f64 {
  const count: usize = load<u32>(VERTEX_COUNT);
  const held: usize = load<u32>(HELD);
  let at: usize = load<u32>(SHELL_POSITIONS);
  let carried: usize = load<u32>(CARRIED);
  let longest2: f64 = 0;
  for (let i: usize = 0; i < count; i++, at += 24, carried += 24) {
    if (load<u8>(held + i) !== 0) continue;
    const x = load<f64>(at) - load<f64>(carried);
    const y = load<f64>(at, 8) - load<f64>(carried, 8);
    const z = load<f64>(at, 16) - load<f64>(carried, 16);
    longest2 = max(longest2, x * x + y * y + z * z);
  }
  return sqrt(longest2);
}
