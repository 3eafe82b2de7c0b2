// Velocities of nodes in contact: along the normals of all their contacts they have exactly the speeds that these ask for.

import type { ContactProjection } from './contact-projection.js';
import type { ActiveContacts } from './contact-rows.js';

/** Makes the projection that of the contacts. */
export function holdContacts(active: ActiveContacts, projection: ContactProjection): void {
  projection.clear();
  const { nodes, normals, sticks } = active;
  for (let i = 0; i < active.count; i++) {
    projection.hold(nodes[i], normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
  }
  for (let i = 0; i < active.count; i++) if (sticks[i]) projection.holdAll(nodes[i]);
}

/**
 * Gives v along each contact's normal: with `timeStep`, the speed that lands on the obstacle at the end of the step;
 * without, the obstacle's own. A node's contacts are met together; one that is nearly parallel to others counts with them.
 * A node that sticks moves with its obstacle along what is left of directions.
 */
export function setNormalSpeeds(
  active: ActiveContacts,
  projection: ContactProjection,
  v: Float64Array,
  timeStep: number | null,
): void {
  const { nodes, normals, gaps, speeds, sticks, slides } = active;
  const { held, heldCounts, stuckCounts, inverseMasses } = projection;
  const wanted = [0, 0, 0];
  for (let i = 0; i < active.count; i++) {
    const node = nodes[i];
    if (active.rowOf(node) !== i || inverseMasses[node] === 0) continue;
    let found = 0;
    let stuck = -1;
    for (let row = i; row >= 0 && stuck < 0; row = active.rowOf(node, row)) if (sticks[row]) stuck = row;
    const normalCount = heldCounts[node] - stuckCounts[node];
    for (let row = i; row >= 0 && found < normalCount; row = active.rowOf(node, row)) {
      let target = timeStep === null ? speeds[row] : -gaps[row] / timeStep;
      let alongNew = 0;
      for (let e = 0; e <= found; e++) {
        const at = 9 * node + 3 * e;
        const along =
          normals[3 * row] * held[at] + normals[3 * row + 1] * held[at + 1] + normals[3 * row + 2] * held[at + 2];
        if (e < found) target -= along * wanted[e];
        else alongNew = along;
      }
      // A row that the projection merged with earlier ones has next to nothing along the next direction, which is not its own.
      const isOwn = isNextDirection(normals, row, held, node, found, alongNew);
      if (!isOwn) continue;
      wanted[found++] = target / alongNew;
    }
    for (found = stuck < 0 ? found : normalCount; stuck >= 0 && found < 3; found++) {
      const at = 9 * node + 3 * found;
      wanted[found] =
        slides[3 * stuck] * held[at] + slides[3 * stuck + 1] * held[at + 1] + slides[3 * stuck + 2] * held[at + 2];
    }
    const k = 3 * node;
    for (let e = 0; e < found; e++) {
      const at = 9 * node + 3 * e;
      const change = wanted[e] - (v[k] * held[at] + v[k + 1] * held[at + 1] + v[k + 2] * held[at + 2]);
      for (let c = 0; c < 3; c++) v[k + c] += change * held[at + c];
    }
  }
}

/** Whether direction `e` of the node is what row adds to the earlier ones: all of its normal lies in the first e + 1. */
function isNextDirection(
  normals: Float64Array,
  row: number,
  held: Float64Array,
  node: number,
  e: number,
  alongNew: number,
): boolean {
  let square = alongNew * alongNew;
  for (let q = 0; q < e; q++) {
    const at = 9 * node + 3 * q;
    const along =
      normals[3 * row] * held[at] + normals[3 * row + 1] * held[at + 1] + normals[3 * row + 2] * held[at + 2];
    square += along * along;
  }
  return alongNew > 0 && square > 1 - 1e-9;
}
