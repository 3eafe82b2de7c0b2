// Contacts made of the candidates of a pair: where each vertex touches a triangle, along which normal, and how far it has to go.

import { vertexNormals } from '../../mesh/measure.js';
import type { ContactBody } from '../contact-body.js';
import type { FeatureContacts } from '../response/feature-contacts.js';
import { scaleFriction } from '../response/painted-friction.js';
import { DEEP_PUSH, OUT_SHARE, PUSH } from '../response/tuning.js';
import { type Candidates, pairLengths } from './detection.js';
import { CREASE, DEEP, NO_DISTANCE } from './tuning.js';

/**
 * Makes contacts of the candidates of body i's vertices against body j's triangles. Where they lie deep in each other only
 * those that push i along the way on which it is to leave j there (`wayAt`): with all of them, what has come out on the far side would be
 * held there, and with none the rest of a pile pressed the two further into each other.
 */
export function listCandidates(
  bodies: readonly ContactBody[],
  i: number,
  j: number,
  of: Candidates,
  list: FeatureContacts,
  wayAt?: (vertex: number) => Float64Array | undefined,
): void {
  const { thickness } = pairLengths(bodies[i], bodies[j]);
  for (let n = 0; n < of.touchedCount; n++) {
    const vertex = of.touched[n];
    const way = wayAt?.(vertex);
    if (of.times[vertex] >= DEEP) {
      if (of.times[vertex] === DEEP && way) addDeep(bodies, i, j, vertex, of, thickness, list, way);
      continue;
    }
    const k = 3 * vertex;
    const distance = Math.sqrt(of.squares[vertex]);
    // A body's own surface is kept on the side where it is, unless that is where it got to by passing through.
    const outside = i === j ? bodies[i].selfContact.crossed[vertex] === 0 : of.heights[vertex] >= 0;
    if (i === j && distance <= NO_DISTANCE * thickness) continue;
    const contact = add(bodies, i, j, vertex, of.triangles[vertex], of.weights, thickness, list);
    list.times[contact] = 0;
    writeNormal(bodies[j], of, vertex, distance, outside ? 1 : -1, thickness, list, contact);
    const gap = list.gaps[contact];
    if (gap < 0 && i !== j) list.gaps[contact] = gap + furtherPush(bodies[i], bodies[j], -OUT_SHARE * gap, thickness);
    if (way && alongNormal(list, contact, way) < 0) list.count--;
    if (!outside || of.times[vertex] > 1 || of.metTriangles[vertex] === of.triangles[vertex]) continue;
    const met = add(bodies, i, j, vertex, of.metTriangles[vertex], of.metWeights, thickness, list);
    list.gaps[met] = thickness;
    list.times[met] = of.times[vertex];
    for (let c = 0; c < 3; c++) list.normals[3 * met + c] = of.metNormals[k + c];
    if (way && alongNormal(list, met, way) < 0) list.count--;
  }
}

/** A vertex deep inside the other is stopped along the way on which it leaves it, and pushed out by a way that no fine mesh makes shorter. */
function addDeep(
  bodies: readonly ContactBody[],
  i: number,
  j: number,
  vertex: number,
  of: Candidates,
  thickness: number,
  list: FeatureContacts,
  way: Float64Array,
): void {
  const contact = add(bodies, i, j, vertex, of.triangles[vertex], of.weights, thickness, list);
  list.gaps[contact] = of.heights[vertex] + furtherPush(bodies[i], bodies[j], Infinity, thickness);
  list.times[contact] = 0;
  for (let c = 0; c < 3; c++) list.normals[3 * contact + c] = way[c];
}

/** How much further than by thicknesses what is inside another body is pushed out, by so much in all, bounded [m]. */
function furtherPush(a: ContactBody, b: ContactBody, push: number, thickness: number): number {
  const most = DEEP_PUSH * Math.min(a.contactRest.size, b.contactRest.size);
  return Math.max(0, Math.min(most, push) - PUSH * thickness);
}

const alongNormal = ({ normals }: FeatureContacts, contact: number, way: Float64Array): number =>
  normals[3 * contact] * way[0] + normals[3 * contact + 1] * way[1] + normals[3 * contact + 2] * way[2];

/**
 * Normal of a contact, and the gap along it. Where the surface is smooth, the vertices' normals in between, which do not
 * jump from triangle to triangle: with the triangles' own, vertices of two balls pressed together hopped over edges for
 * ever. At creases, where the vertices' normals belong to no side, from the nearest point to the vertex.
 */
function writeNormal(
  other: ContactBody,
  of: Candidates,
  vertex: number,
  distance: number,
  sign: number,
  thickness: number,
  list: FeatureContacts,
  contact: number,
): void {
  const { triangles } = other.contactRest.mesh;
  const { vertexNormals } = other;
  const k = 3 * vertex;
  const t = 3 * of.triangles[vertex];
  const fx = of.normals[k];
  const fy = of.normals[k + 1];
  const fz = of.normals[k + 2];
  let sx = 0;
  let sy = 0;
  let sz = 0;
  for (let c = 0; c < 3; c++) {
    const i = 3 * triangles[t + c];
    const weight = of.weights[k + c];
    const x = vertexNormals[i];
    const y = vertexNormals[i + 1];
    const z = vertexNormals[i + 2];
    const smooth = x * fx + y * fy + z * fz > CREASE;
    sx += weight * (smooth ? x : fx);
    sy += weight * (smooth ? y : fy);
    sz += weight * (smooth ? z : fz);
  }
  const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
  // The side of the triangle on which the vertex is to be.
  const side = of.heights[vertex] * sign < 0 ? -1 : 1;
  sx *= side / length;
  sy *= side / length;
  sz *= side / length;
  const n = 3 * contact;
  const [dx, dy, dz] = [of.vectors[k], of.vectors[k + 1], of.vectors[k + 2]];
  const along = sx * dx + sy * dy + sz * dz;
  if (distance <= NO_DISTANCE * thickness || along * sign > CREASE * distance) {
    list.normals[n] = sx;
    list.normals[n + 1] = sy;
    list.normals[n + 2] = sz;
    list.gaps[contact] = along;
  } else {
    list.normals[n] = (sign / distance) * dx;
    list.normals[n + 1] = (sign / distance) * dy;
    list.normals[n + 2] = (sign / distance) * dz;
    list.gaps[contact] = sign * distance;
  }
}

/** Unit normals of a body's vertices at the start of the step; 0 where they cancel. */
export function writeUnitNormals({ contactRest, particles, vertexNormals: out }: ContactBody): void {
  vertexNormals(particles.starts, contactRest.mesh.triangles, out);
  for (let k = 0; k < out.length; k += 3) {
    const length = Math.sqrt(out[k] * out[k] + out[k + 1] * out[k + 1] + out[k + 2] * out[k + 2]);
    const scale = length > 0 ? 1 / length : 0;
    for (let c = k; c < k + 3; c++) out[c] *= scale;
  }
}

function add(
  bodies: readonly ContactBody[],
  i: number,
  j: number,
  vertex: number,
  triangle: number,
  weights: Float64Array,
  thickness: number,
  list: FeatureContacts,
): number {
  const contact = list.push();
  const { triangles } = bodies[j].contactRest.mesh;
  list.bodies[2 * contact] = i;
  list.bodies[2 * contact + 1] = j;
  list.particles[4 * contact] = vertex;
  list.weights[4 * contact] = 1;
  list.splits[contact] = 1;
  for (let c = 0; c < 3; c++) {
    list.particles[4 * contact + 1 + c] = triangles[3 * triangle + c];
    list.weights[4 * contact + 1 + c] = -weights[3 * vertex + c];
  }
  list.thicknesses[contact] = thickness;
  const [own, other] = [bodies[i].contactSettings, bodies[j].contactSettings];
  list.frictions[contact] = Math.sqrt(own.friction * other.friction);
  scaleFriction(bodies[i], bodies[j], list, contact);
  list.restitutions[contact] = Math.max(own.restitution, other.restitution);
  return contact;
}
