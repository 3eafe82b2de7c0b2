// Leaves out triangles that cannot be part of any surface: with missing or non-finite corners, repeated corners, and
// copies of others. Two copies that face each other are a wall between two rooms of a body, or a sheet drawn from both
// sides: a wall goes, of a sheet one side stays.

import { buildAdjacency } from '../adjacency.js';
import { UnionFind } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { RepairLog } from './repair-report.js';
import { keepTriangles, type TrackedMesh } from './tracked-mesh.js';

function isUsable({ positions, triangles }: TriangleMesh, i: number): boolean {
  const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
  if (a === b || b === c || c === a) return false;
  let sum = 0;
  for (const v of [a, b, c]) for (let k = 0; k < 3; k++) sum += positions[3 * v + k] - positions[3 * v + k];
  // Out of range is undefined, which makes NaN as well.
  return sum === 0;
}

/** Drops what is broken, and vertices without triangles. */
export function dropUnusable(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const { positions, triangles } = tracked.mesh;
  const kept: number[] = [];
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    if (isUsable(tracked.mesh, i)) kept.push(triangles[i], triangles[i + 1], triangles[i + 2]);
  }
  const broken = Math.ceil((triangles.length - kept.length) / 3);
  log.add(
    'dropped-broken',
    broken,
    'triangle with a missing or repeated corner left out',
    'triangles with missing or repeated corners left out',
  );
  const result = keepTriangles(tracked, kept);
  const loose = (positions.length - result.mesh.positions.length) / 3;
  log.add(
    'dropped-loose',
    Math.floor(loose),
    'vertex without triangles left out',
    'vertices without triangles left out',
  );
  return result;
}

/** Number of each triangle's copy group, and +1 or −1 for its winding. */
function groupCopies(triangles: Uint32Array): { groups: Uint32Array; windings: Int8Array; groupCount: number } {
  const count = triangles.length / 3;
  const groups = new Uint32Array(count);
  const windings = new Int8Array(count);
  const known = new Map<string, number>();
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    const middle = a + b + c - low - high;
    const key = `${low},${middle},${high}`;
    const group = known.get(key) ?? known.size;
    known.set(key, group);
    groups[t] = group;
    windings[t] = (a === low && b === middle) || (b === low && c === middle) || (c === low && a === middle) ? 1 : -1;
  }
  return { groups, windings, groupCount: known.size };
}

/** Drops copies of triangles. */
export function dropCopies(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const { mesh } = tracked;
  const { triangles } = mesh;
  const { groups, windings, groupCount } = groupCopies(triangles);
  const count = groups.length;
  if (groupCount === count) return tracked;
  const first = new Int32Array(groupCount).fill(-1);
  const facing = new Uint8Array(groupCount);
  for (let t = 0; t < count; t++) {
    const g = groups[t];
    if (first[g] < 0) first[g] = t;
    else if (windings[t] !== windings[first[g]]) facing[g] = 1;
  }
  const walls = findWalls(mesh, groups, facing);
  const kept: number[] = [];
  let dropped = 0;
  let inWalls = 0;
  for (let t = 0; t < count; t++) {
    const isWall = walls[groups[t]] === 1;
    if (isWall) inWalls++;
    else if (t !== first[groups[t]]) dropped++;
    else kept.push(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
  }
  log.add('dropped-duplicates', dropped, 'copy of a triangle left out', 'copies of triangles left out');
  log.add('dropped-walls', inWalls, 'triangle of a wall inside left out', 'triangles of walls inside left out');
  return keepTriangles(tracked, kept);
}

/** 1 for groups in a patch of facing copies that has other triangles all along its rim. */
function findWalls(mesh: TriangleMesh, groups: Uint32Array, facing: Uint8Array): Uint8Array {
  const { edgeCount, edgeTriangleOffsets, edgeTriangles } = buildAdjacency(mesh);
  const patches = new UnionFind(facing.length);
  const rims: { group: number; closed: boolean }[] = [];
  for (let e = 0; e < edgeCount; e++) {
    const here = edgeTriangles.subarray(edgeTriangleOffsets[e], edgeTriangleOffsets[e + 1]);
    const doubled = new Set<number>();
    let single = 0;
    for (const t of here) {
      if (facing[groups[t]]) doubled.add(groups[t]);
      else single++;
    }
    const [one, ...others] = doubled;
    for (const other of others) patches.union(one, other);
    // Inside the patch two faces meet; on its rim one ends, at the walls of two rooms or in the air.
    if (doubled.size === 1) rims.push({ group: one, closed: single >= 2 });
  }
  const open = new Uint8Array(facing.length);
  for (const { group, closed } of rims) if (!closed) open[patches.find(group)] = 1;
  // A patch without a rim is a closed surface drawn from both sides, which is a body and no wall.
  const hasRim = new Uint8Array(facing.length);
  for (const { group } of rims) hasRim[patches.find(group)] = 1;
  return facing.map((isFacing, g) => (isFacing && hasRim[patches.find(g)] && !open[patches.find(g)] ? 1 : 0));
}
