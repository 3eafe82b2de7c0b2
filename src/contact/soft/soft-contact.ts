// Contact of bodies with each other in a step: who is near, which vertices meet which triangles, what that does.

import type { StateTree } from '../../math/state-tree.js';
import { pointAt, scale } from '../../math/vec3.js';
import { findBodyPairs } from '../broad-phase/body-pairs.js';
import { refitBvh } from '../broad-phase/bvh.js';
import type { ContactBody } from '../contact-body.js';
import { mayTouch } from '../groups.js';
import { Candidates, findCandidates, findSelfCandidates, marginOf } from '../narrow-phase/detection.js';
import { findEdgeContacts, findSelfEdgeContacts } from '../narrow-phase/edge-detection.js';
import { listCandidates, writeUnitNormals } from '../narrow-phase/vertex-contacts.js';
import { FeatureContacts } from '../response/feature-contacts.js';
import type { TouchableBody } from '../response/neighbour-gaps.js';
import { Response } from '../response/response.js';
import type { Touches } from '../response/touches.js';
import { isInside } from './inside.js';
import { separateDeep } from './overlap.js';
import { isInOrder } from './self-contact.js';
import { LOOKS, PROBES, SURFACE } from './tuning.js';

/** Gap at which bodies touch, in thicknesses: contacts that were resolved lie at 1 but for rounding. */
const TOUCHING = 1 + 1e-6;

export class SoftContact {
  /** Contacts of the last step. */
  readonly list = new FeatureContacts();
  private readonly response = new Response();
  private boxes = new Float64Array(0);
  private scratch = [new Candidates(0), new Candidates(0)] as const;
  /** Pairs of bodies that lie deep in each other, in this step and in the one before. */
  private deep: number[] = [];
  private deepBefore: number[] = [];
  private steps = 0;
  /** Bodies that are kept from passing through themselves in this step. */
  private kept: boolean[] = [];
  /** Per body: place of each particle among those gathered, −1 for none. */
  private slots: Int32Array[] = [];

  /** What one step remembers for the next. */
  capture(): StateTree {
    return { deep: this.deep, steps: this.steps };
  }

  restore(state: StateTree): void {
    const { deep, steps } = state as { deep: number[]; steps: number };
    this.deep = [...deep];
    this.steps = steps;
  }

  /** Finds contacts. Bodies that lie deep in each other are moved apart. */
  detect(bodies: readonly TouchableBody[], timeStep: number): void {
    this.list.count = 0;
    this.steps++;
    [this.deep, this.deepBefore] = [[], this.deep];
    for (const body of bodies) {
      body.deepBy = 0;
      body.sunkBy = 0;
      if (!body.sleep.asleep) body.neighbourGaps.clear();
    }
    this.kept = bodies.map((body) => !body.sleep.asleep && !body.coupling && isInOrder(body));
    this.prepare(bodies);
    const pairs = findBodyPairs(this.boxes, bodies.length);
    for (let n = 0; n < pairs.length; n += 2) this.findContacts(bodies, pairs[n], pairs[n + 1], timeStep);
    for (let i = 0; i < bodies.length; i++) {
      if (this.kept[i]) this.findSelfContacts(bodies, i);
    }
  }

  /** Resolves the contacts found; positions and velocities of particles in contact change. */
  resolve(bodies: readonly TouchableBody[], timeStep: number): void {
    if (this.list.count > 0) this.response.resolve(bodies, this.slots, this.list, timeStep);
  }

  /** Places of bodies that press each other, two by two, as often as they have contacts that do. */
  pressed(): number[] {
    const { list } = this;
    const places: number[] = [];
    for (let contact = 0; contact < list.count; contact++) {
      if (list.pressures[contact] === 0) continue;
      places.push(list.bodies[2 * contact], list.bodies[2 * contact + 1]);
    }
    return places;
  }

  /** Calls back with every particle that `resolve` may have moved. */
  forEachParticle(visit: (body: number, place: number) => void): void {
    if (this.list.count > 0) this.response.forEach(visit);
  }

  private prepare(bodies: readonly ContactBody[]): void {
    if (this.boxes.length < 6 * bodies.length) this.boxes = new Float64Array(12 * bodies.length);
    let most = 0;
    bodies.forEach((body, index) => {
      const { starts, positions, count } = body.particles;
      const { bvh, mesh } = body.contactRest;
      most = Math.max(most, count);
      // One that sleeps is where it was.
      if (!body.sleep.asleep) {
        refitBvh(bvh, mesh.triangles, starts, positions, marginOf(body), body.bounds);
        writeUnitNormals(body);
      }
      this.boxes.set(body.bounds.subarray(0, 6), 6 * index);
      if (!(this.slots[index]?.length >= count)) this.slots[index] = new Int32Array(count).fill(-1);
    });
    if (this.scratch[0].count < most) this.scratch = [new Candidates(most), new Candidates(most)];
  }

  private findContacts(bodies: readonly ContactBody[], i: number, j: number, timeStep: number): void {
    if (bodies[i].sleep.asleep && bodies[j].sleep.asleep) return;
    if (bodies[i].coupling && bodies[i].coupling === bodies[j].coupling) return;
    if (!mayTouch(bodies[i].contactSettings, bodies[j].contactSettings)) return;
    const [ofI, ofJ] = this.scratch;
    findCandidates(bodies[i], bodies[j], ofI, ofJ);
    const key = 65536 * i + j;
    const before = this.deepBefore.includes(key);
    const isDue = (this.steps + i + j) % LOOKS === 0;
    const mayBeDeep = before || isDue || this.mayOverlap(bodies, i, j, ofI) || this.mayOverlap(bodies, j, i, ofJ);
    const pockets = mayBeDeep ? separateDeep(bodies[i], bodies[j], ofI, ofJ, timeStep, before) : undefined;
    const outOfJ = pockets && ((vertex: number) => pockets.at(0, vertex)?.way);
    const outOfI = pockets && ((vertex: number) => pockets.at(1, vertex)?.way.map((x) => -x));
    listCandidates(bodies, i, j, ofI, this.list, outOfJ);
    listCandidates(bodies, j, i, ofJ, this.list, outOfI);
    const isInPocket = pockets && ((side: 0 | 1, vertex: number) => pockets.at(side, vertex) !== undefined);
    findEdgeContacts(bodies, i, j, this.list, isInPocket);
    if (pockets) this.deep.push(key);
    ofI.clear();
    ofJ.clear();
  }

  /** Whether a vertex of body i is seen to lie inside body j: of those near its surface all, of the others a few by turns. */
  private mayOverlap(bodies: readonly ContactBody[], i: number, j: number, of: Candidates): boolean {
    const surface = SURFACE * bodies[j].contactRest.edge;
    for (let n = 0; n < of.touchedCount; n++) if (of.heights[of.touched[n]] < surface) return true;
    const { starts, count } = bodies[i].particles;
    for (let n = 0; n < PROBES; n++) {
      const vertex = (this.steps * PROBES + n) % count;
      const k = 3 * vertex;
      if (of.squares[vertex] === Infinity && isInside(bodies[j], starts[k], starts[k + 1], starts[k + 2])) return true;
    }
    return false;
  }

  private findSelfContacts(bodies: readonly ContactBody[], i: number): void {
    const [candidates] = this.scratch;
    findSelfCandidates(bodies[i], candidates);
    listCandidates(bodies, i, i, candidates, this.list);
    candidates.clear();
    findSelfEdgeContacts(bodies, i, this.list);
    bodies[i].selfContact.crossed.fill(0);
  }

  /** Tells each body what it touches and how far it may still move. */
  report(bodies: readonly TouchableBody[]): void {
    const { list } = this;
    const velocity = new Float64Array(6);
    for (let contact = 0; contact < list.count; contact++) {
      const i = list.bodies[2 * contact];
      const j = list.bodies[2 * contact + 1];
      const n = 3 * contact;
      const split = list.splits[contact];
      velocity.fill(0);
      let gap = 0;
      for (let c = 0; c < 4; c++) {
        const { particles, sleep } = bodies[c < split ? i : j];
        const { positions, velocities } = particles;
        const k = 3 * list.particles[4 * contact + c];
        const weight = list.weights[4 * contact + c];
        for (let d = 0; d < 3; d++) {
          gap += weight * list.normals[n + d] * positions[k + d];
          if (!sleep.asleep) velocity[(c < split ? 0 : 3) + d] += Math.abs(weight) * velocities[k + d];
        }
      }
      const slack = Math.max(0, gap - list.thicknesses[contact]);
      // Bodies move on their own from here: each may take half of what is left.
      if (i === j) {
        bodies[i].neighbourGaps.add(list, contact, 0, 4, slack);
        if (gap < 0 && split === 1) bodies[i].selfContact.crossed[list.particles[4 * contact]] = 1;
      } else {
        if (!bodies[i].sleep.asleep) bodies[i].neighbourGaps.add(list, contact, 0, split, 0.5 * slack);
        if (!bodies[j].sleep.asleep) bodies[j].neighbourGaps.add(list, contact, split, 4, 0.5 * slack);
      }
      if (list.pressures[contact] === 0 && gap > TOUCHING * list.thicknesses[contact]) continue;
      if (!bodies[i].sleep.asleep)
        bodies[i].neighbourGaps.touch(list, contact, 0, split, velocity[3], velocity[4], velocity[5]);
      if (!bodies[j].sleep.asleep)
        bodies[j].neighbourGaps.touch(list, contact, split, 4, velocity[0], velocity[1], velocity[2]);
    }
    for (const body of bodies) if (!body.sleep.asleep) body.neighbourGaps.finish();
  }

  /** Writes down what bodies did to each other, with the first of the two. */
  record(bodies: readonly (TouchableBody & { readonly touches: Touches<object> })[]): void {
    const { list } = this;
    for (let contact = 0; contact < list.count; contact++) {
      if (list.pressures[contact] === 0) continue;
      const owner = list.bodies[2 * contact];
      const other = list.bodies[2 * contact + 1];
      if (owner === other) continue;
      const vertex = list.particles[4 * contact];
      const { positions, masses } = bodies[owner].particles;
      const sign = owner < other ? 1 : -1;
      const [first, second] = owner < other ? [bodies[owner], bodies[other]] : [bodies[other], bodies[owner]];
      const impulse = scale(pointAt(list.impulses, contact), sign);
      const normal = scale(pointAt(list.normals, contact), sign);
      first.touches.with(second).add(masses[vertex], positions, 3 * vertex, impulse, normal, [0, 0, 0]);
    }
  }
}
