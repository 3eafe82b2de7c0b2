// A body against itself, by parts of itself that stand for colliders: fingers, upper arm and forearm. Each part is closed to a mesh of its
// own and pushes what is not part of it, as it lies in the input: earlier parts push later ones and the rest, never the other way. Where two
// parts meet, vertices near the seam are left out, so creases closer to a joint than that stay as the rig made them.

import { expectFinite, expectNumber, showInput } from '../math/expect.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { type DeformerCollider, expectVertices } from './collider-settings.js';

/** How parts of a body press on the rest of it. */
export interface PartOptions {
  /** Vertices as a rig left them [m]; the mesh's own unless given. */
  readonly input?: ArrayLike<number>;
  /** Distance that others keep from the parts [m]. */
  readonly margin?: number;
  /** Edges from a part within which other vertices pass through it: they hang on it. */
  readonly seam?: number;
}

/** Edges that a seam is wide unless it is said: one is where the triangles of both parts lie, one more bends. */
const SEAM = 2;

/**
 * Colliders for one frame, one per part: lists of vertices, those of harder parts first.
 * @example
 * ```ts
 * const body = box({ size: [3, 1, 1], divisions: 6 });
 * const colliders = partColliders(body, [selectVertices(body, { box: [[1, -1, -1], [2, 1, 1]] })]);
 * ```
 */
export function partColliders(
  mesh: TriangleMesh,
  parts: readonly (readonly number[])[],
  { input = mesh.positions, margin = 0, seam = SEAM }: PartOptions = {},
): DeformerCollider[] {
  const count = mesh.positions.length / 3;
  if (input.length !== 3 * count) {
    throw new RangeError(`input: expected ${3 * count} numbers as in the mesh, got ${input.length}`);
  }
  expectFinite('input', input);
  expectNumber('margin', margin, 0);
  if (!(Number.isInteger(seam) && seam >= 1)) {
    throw new RangeError(`seam: expected an integer from 1, got ${showInput(seam)}`);
  }
  const positions = Float64Array.from(input);
  const harder = new Uint8Array(count);
  return parts.map((part, i) => {
    expectVertices(`parts[${i}]`, part, count);
    for (const v of part) harder[v] = 1;
    const closed = closePart(positions, mesh.triangles, part);
    if (!closed) throw new RangeError(`parts[${i}]: expected at least one triangle between its vertices, got none`);
    const near = grow(mesh.triangles, part, count, seam);
    const ignores = [...harder.keys()].filter((v) => harder[v] === 1 || near[v] === 1);
    return { shape: 'mesh', name: `part ${i}`, mesh: closed, margin, ignores };
  });
}

/** 1 for vertices within so many edges of a part. */
function grow(triangles: Uint32Array, part: readonly number[], count: number, edges: number): Uint8Array {
  const within = new Uint8Array(count);
  for (const v of part) within[v] = 1;
  for (let ring = 0; ring < edges; ring++) {
    const before = within.slice();
    for (let t = 0; t < triangles.length; t += 3) {
      if (before[triangles[t]] + before[triangles[t + 1]] + before[triangles[t + 2]] === 0) continue;
      for (let k = 0; k < 3; k++) within[triangles[t + k]] = 1;
    }
  }
  return within;
}

/** The triangles between a part's vertices, each loop of their border closed by a fan to its middle; undefined where there are none. */
function closePart(positions: Float64Array, triangles: Uint32Array, part: readonly number[]): TriangleMesh | undefined {
  const numbers = new Map<number, number>();
  const points: number[] = [];
  for (const v of part) {
    if (numbers.has(v)) continue;
    numbers.set(v, numbers.size);
    points.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  }
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => numbers.get(triangles[t + k]) ?? -1);
    if (Math.min(...corners) >= 0) kept.push(...corners);
  }
  if (kept.length === 0) return undefined;
  for (const group of borderGroups(kept)) {
    const middle = points.length / 3;
    const sum = [0, 0, 0];
    for (const [a, b] of group) {
      for (let k = 0; k < 3; k++) sum[k] += points[3 * a + k];
      kept.push(b, a, middle);
    }
    points.push(...sum.map((x) => x / group.length));
  }
  return { positions: Float64Array.from(points), triangles: Uint32Array.from(kept) };
}

/** Edges with a triangle on one side only, those that hang together in one group. */
function borderGroups(triangles: readonly number[]): [number, number][][] {
  const open = new Map<string, [number, number]>();
  triangles.forEach((a, i) => {
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    if (!open.delete(`${b} ${a}`)) open.set(`${a} ${b}`, [a, b]);
  });
  const starts = new Map<number, [number, number][]>();
  for (const edge of open.values()) starts.set(edge[0], [...(starts.get(edge[0]) ?? []), edge]);
  const groups: [number, number][][] = [];
  for (const first of starts.keys()) {
    const group: [number, number][] = [];
    for (let at = first; ; ) {
      const edge = starts.get(at)?.pop();
      if (!edge) break;
      group.push(edge);
      at = edge[1];
    }
    if (group.length > 0) groups.push(group);
  }
  return groups;
}
