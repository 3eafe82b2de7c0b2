// Brings a half-edge mesh to a wanted number of vertices: the shortest edges collapse, the longest are split. Lengths
// count relative to the wanted size at both ends of an edge.

import { EdgeQueue } from './edge-queue.js';
import { keepsFacing } from './facing.js';
import { type HalfEdgeMesh, nextHalfEdge } from './half-edge-mesh.js';

export function relativeLength(mesh: HalfEdgeMesh, sizes: Float64Array, h: number): number {
  return (2 * mesh.lengthOf(h)) / (sizes[mesh.startOf(h)] + sizes[mesh.endOf(h)]);
}

/** Collapses shortest edges into their middles until `target` vertices are left or no edge may collapse. */
export function collapseShortest(mesh: HalfEdgeMesh, sizes: Float64Array, target: number): void {
  if (mesh.vertexCount <= target) return;
  const queue = new EdgeQueue();
  for (let h = 0; h < mesh.halfEdgeEnd; h++) {
    if (mesh.isHalfEdge(h) && h < mesh.twinOf(h)) queue.push(h, relativeLength(mesh, sizes, h));
  }
  while (mesh.vertexCount > target && queue.size > 0) {
    const key = queue.key;
    const h = queue.pop();
    if (!mesh.isHalfEdge(h) || relativeLength(mesh, sizes, h) !== key) continue;
    if (!mesh.canCollapse(h)) continue;
    const u = mesh.startOf(h);
    const v = mesh.endOf(h);
    const p = mesh.positions;
    const x = (p[3 * u] + p[3 * v]) / 2;
    const y = (p[3 * u + 1] + p[3 * v + 1]) / 2;
    const z = (p[3 * u + 2] + p[3 * v + 2]) / 2;
    if (!keepsFacing(mesh, u, v, x, y, z) || !keepsFacing(mesh, v, u, x, y, z)) continue;
    mesh.collapse(h);
    sizes[v] = (sizes[u] + sizes[v]) / 2;
    p[3 * v] = x;
    p[3 * v + 1] = y;
    p[3 * v + 2] = z;
    const first = mesh.outgoingOf(v);
    let a = first;
    do {
      queue.push(a, relativeLength(mesh, sizes, a));
      // Edges of the surroundings that were refused before may be possible now.
      const rim = nextHalfEdge(a);
      queue.push(rim, relativeLength(mesh, sizes, rim));
      a = mesh.turn(a);
    } while (a !== first);
  }
}

/** Splits longest edges until there are `target` vertices or no edge is relatively longer than `limit`. */
export function splitLongest(mesh: HalfEdgeMesh, sizes: Float64Array, target: number, limit = 0): void {
  if (mesh.vertexCount >= target) return;
  const queue = new EdgeQueue();
  for (let h = 0; h < mesh.halfEdgeEnd; h++) {
    if (mesh.isHalfEdge(h) && h < mesh.twinOf(h)) queue.push(h, -relativeLength(mesh, sizes, h));
  }
  while (mesh.vertexCount < target && queue.size > 0 && -queue.key > limit) {
    const key = queue.key;
    const h = queue.pop();
    if (-relativeLength(mesh, sizes, h) !== key) continue;
    const size = (sizes[mesh.startOf(h)] + sizes[mesh.endOf(h)]) / 2;
    const m = mesh.split(h);
    sizes[m] = size;
    const first = mesh.outgoingOf(m);
    let a = first;
    do {
      queue.push(a, -relativeLength(mesh, sizes, a));
      a = mesh.turn(a);
    } while (a !== first);
  }
}
