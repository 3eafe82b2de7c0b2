// Edges against edges, of two bodies or of one: what vertices and triangles do not see of thin or sharp parts that cross.
// Edges become contacts where they meet in the step or would come too near in it.

import { boxesOverlap } from '../broad-phase/bvh.js';
import { visitLeafPairs } from '../broad-phase/leaf-pairs.js';
import { endsSquare } from '../broad-phase/near-leaves.js';
import { REST_NEAR } from '../broad-phase/tuning.js';
import type { ContactBody } from '../contact-body.js';
import type { FeatureContacts } from '../response/feature-contacts.js';
import { scaleFriction } from '../response/painted-friction.js';
import { visitSelfPairs } from '../soft/self-contact.js';
import { marginOf } from './detection.js';
import { crossEdges, crossing, meetEdges } from './edge-edge.js';
import { EDGE_GAP, FACING, THICKNESS, WALL } from './tuning.js';

/** Whether a vertex of the first body (side 0) or the second is where the two lie deep in each other. */
type IsInPocket = (side: 0 | 1, vertex: number) => boolean;

/** Makes contacts of the sharp edges of bodies i and j that come together, but for those in pockets. */
export function findEdgeContacts(
  bodies: readonly ContactBody[],
  i: number,
  j: number,
  list: FeatureContacts,
  isInPocket?: IsInPocket,
): void {
  const [a, b] = [bodies[i], bodies[j]];
  const sharpA = a.contactRest.edges.sharpNodes;
  const sharpB = b.contactRest.edges.sharpNodes;
  visitLeafPairs(
    a,
    b,
    (m, n) => testLeaves(bodies, i, m, j, n, list, isInPocket),
    (m, n) => sharpA[m] === 0 || sharpB[n] === 0,
  );
}

/** Makes contacts of body i's edges that come together, but for those that were near at rest. */
export function findSelfEdgeContacts(bodies: readonly ContactBody[], i: number, list: FeatureContacts): void {
  const body = bodies[i];
  visitSelfPairs(body, body.bounds, (m, n) => {
    testLeaves(bodies, i, m, i, n, list);
    return false;
  });
}

const box = new Float64Array(6);

/** Bounds an edge on its way through the step, and `reach` beyond. */
function boundEdge({ particles }: ContactBody, p: number, q: number, reach: number): void {
  const { starts, positions } = particles;
  for (let c = 0; c < 3; c++) {
    box[c] = Math.min(starts[p + c], positions[p + c], starts[q + c], positions[q + c]) - reach;
    box[3 + c] = Math.max(starts[p + c], positions[p + c], starts[q + c], positions[q + c]) + reach;
  }
}

/** Whether an edge on its way touches the box bounded last. */
function passesBox({ particles }: ContactBody, p: number, q: number): boolean {
  const { starts, positions } = particles;
  for (let c = 0; c < 3; c++) {
    if (Math.max(starts[p + c], positions[p + c], starts[q + c], positions[q + c]) < box[c]) return false;
    if (Math.min(starts[p + c], positions[p + c], starts[q + c], positions[q + c]) > box[3 + c]) return false;
  }
  return true;
}

/** The edges of leaf m of body i against those of leaf n of body j; between two bodies the sharp ones, within one all. */
function testLeaves(
  bodies: readonly ContactBody[],
  i: number,
  m: number,
  j: number,
  n: number,
  list: FeatureContacts,
  isInPocket?: IsInPocket,
): void {
  const [a, b] = [bodies[i], bodies[j]];
  const [edgesA, edgesB] = [a.contactRest.edges, b.contactRest.edges];
  const kept = EDGE_GAP * THICKNESS * Math.min(a.contactRest.edge, b.contactRest.edge);
  const reach = marginOf(a) + marginOf(b);
  const firstB = edgesB.ownedOffsets[n];
  for (let k = edgesA.ownedOffsets[m]; k < edgesA.ownedOffsets[m + 1]; k++) {
    const e = edgesA.owned[k];
    if (i !== j && edgesA.sharp[e] === 0) continue;
    if (isInPocket && (isInPocket(0, edgesA.ends[2 * e]) || isInPocket(0, edgesA.ends[2 * e + 1]))) continue;
    const p = 3 * edgesA.ends[2 * e];
    const q = 3 * edgesA.ends[2 * e + 1];
    boundEdge(a, p, q, kept);
    if (!boxesOverlap(box, 0, b.bounds, n)) continue;
    for (let l = i === j && m === n ? k + 1 : firstB; l < edgesB.ownedOffsets[n + 1]; l++) {
      const f = edgesB.owned[l];
      if (i !== j && edgesB.sharp[f] === 0) continue;
      if (isInPocket && (isInPocket(1, edgesB.ends[2 * f]) || isInPocket(1, edgesB.ends[2 * f + 1]))) continue;
      const r = 3 * edgesB.ends[2 * f];
      const u = 3 * edgesB.ends[2 * f + 1];
      if (!passesBox(b, r, u)) continue;
      if (i === j ? findSelfCrossing(a, p, q, r, u, kept, reach) : findCrossing(a, p, q, b, r, u, kept, reach)) {
        add(bodies, i, j, e, f, kept, list);
      }
    }
  }
}

/** Distance at the end of the step between the points that crossed at its start, along their normal [m]. */
function endGap(a: ContactBody, p: number, q: number, b: ContactBody, r: number, u: number): number {
  const { s, t, nx, ny, nz } = crossing;
  const x = a.particles.positions;
  const y = b.particles.positions;
  return (
    nx * ((1 - s) * x[p] + s * x[q] - (1 - t) * y[r] - t * y[u]) +
    ny * ((1 - s) * x[p + 1] + s * x[q + 1] - (1 - t) * y[r + 1] - t * y[u + 1]) +
    nz * ((1 - s) * x[p + 2] + s * x[q + 2] - (1 - t) * y[r + 2] - t * y[u + 2])
  );
}

function flip(): void {
  crossing.nx = -crossing.nx;
  crossing.ny = -crossing.ny;
  crossing.nz = -crossing.nz;
  crossing.gap = -crossing.gap;
}

const meets = (a: ContactBody, p: number, q: number, b: ContactBody, r: number, u: number): boolean =>
  meetEdges(a.particles.starts, a.particles.positions, p, q, b.particles.starts, b.particles.positions, r, u);

/** Whether edges of two bodies touch; `crossing` says where, with the normal that leads out of the second body. */
function findCrossing(
  a: ContactBody,
  p: number,
  q: number,
  b: ContactBody,
  r: number,
  u: number,
  kept: number,
  reach: number,
): boolean {
  if (crossEdges(a.particles.starts, p, q, b.particles.starts, r, u) && Math.abs(crossing.gap) <= reach) {
    const facing = face(a, p, q, b, r, u);
    if (facing < 0) flip();
    crossing.time = 0;
    if (Math.abs(facing) > FACING && endGap(a, p, q, b, r, u) < kept) return true;
  }
  if (!meets(a, p, q, b, r, u) || face(a, p, q, b, r, u) < FACING) return false;
  crossing.gap = kept;
  return true;
}

/** How much two bodies face each other along the normal of their edges, −1…1; negative against it, 0 if not at all. */
function face(a: ContactBody, p: number, q: number, b: ContactBody, r: number, u: number): number {
  const { s, t, nx, ny, nz } = crossing;
  const x = a.vertexNormals;
  const y = b.vertexNormals;
  const own = (1 - s) * (nx * x[p] + ny * x[p + 1] + nz * x[p + 2]) + s * (nx * x[q] + ny * x[q + 1] + nz * x[q + 2]);
  const other = (1 - t) * (nx * y[r] + ny * y[r + 1] + nz * y[r + 2]) + t * (nx * y[u] + ny * y[u + 1] + nz * y[u + 2]);
  if (other > 0 && own < 0) return Math.min(other, -own);
  return other < 0 && own > 0 ? Math.max(other, -own) : 0;
}

/** Whether edges of one body touch. What has passed through already is let back. */
function findSelfCrossing(
  body: ContactBody,
  p: number,
  q: number,
  r: number,
  u: number,
  kept: number,
  reach: number,
): boolean {
  const { mesh, edge } = body.contactRest;
  const { starts } = body.particles;
  if (endsSquare(mesh.positions, p, q, r, u) < (REST_NEAR * edge) ** 2) return false;
  if (crossEdges(starts, p, q, starts, r, u) && Math.abs(crossing.gap) <= reach) {
    if (crossing.gap < 0) flip();
    crossing.time = 0;
    if (endGap(body, p, q, body, r, u) < kept && isKept(body, p, q, r, u)) return true;
  }
  if (!meets(body, p, q, body, r, u) || !isKept(body, p, q, r, u)) return false;
  crossing.gap = kept;
  return true;
}

/** Whether edges of one body belong on the side where they are: facing each other from outside, or as opposite walls from within. */
function isKept(body: ContactBody, p: number, q: number, r: number, u: number): boolean {
  const facing = face(body, p, q, body, r, u);
  if (facing > FACING) return true;
  if (facing > -FACING) return false;
  const { mesh, walls } = body.contactRest;
  const thickness = WALL * Math.min(walls[p / 3], walls[q / 3], walls[r / 3], walls[u / 3]);
  return endsSquare(mesh.positions, p, q, r, u) < thickness * thickness;
}

function add(
  bodies: readonly ContactBody[],
  i: number,
  j: number,
  e: number,
  f: number,
  kept: number,
  list: FeatureContacts,
): void {
  const contact = list.push();
  list.bodies[2 * contact] = i;
  list.bodies[2 * contact + 1] = j;
  list.splits[contact] = 2;
  putEnds(bodies[i], e, crossing.s, 1, list, 4 * contact);
  putEnds(bodies[j], f, crossing.t, -1, list, 4 * contact + 2);
  list.normals[3 * contact] = crossing.nx;
  list.normals[3 * contact + 1] = crossing.ny;
  list.normals[3 * contact + 2] = crossing.nz;
  list.gaps[contact] = crossing.gap;
  list.times[contact] = crossing.time;
  list.thicknesses[contact] = kept;
  const [own, other] = [bodies[i].contactSettings, bodies[j].contactSettings];
  list.frictions[contact] = Math.sqrt(own.friction * other.friction);
  scaleFriction(bodies[i], bodies[j], list, contact);
  list.restitutions[contact] = Math.max(own.restitution, other.restitution);
}

/** The ends of an edge and their weights; the nearer one first, as what stands for the place of the contact. */
function putEnds(body: ContactBody, e: number, t: number, sign: number, list: FeatureContacts, at: number): void {
  const { ends } = body.contactRest.edges;
  const first = t <= 0.5 ? 0 : 1;
  list.particles[at] = ends[2 * e + first];
  list.particles[at + 1] = ends[2 * e + 1 - first];
  list.weights[at] = sign * (first === 0 ? 1 - t : t);
  list.weights[at + 1] = sign * (first === 0 ? t : 1 - t);
}
