// Bodies of tetrahedra in one world that may touch each other or themselves in a substep: their contacts are found by the
// narrow phase that all bodies share and solved with their volumes (`coupled-step`). The others step alone.

import { findBodyPairs } from '../../contact/broad-phase/body-pairs.js';
import { NeighbourGaps, type TouchableBody } from '../../contact/response/neighbour-gaps.js';
import { HELD_WEIGHT } from '../../contact/response/tuning.js';
import { SoftContact } from '../../contact/soft/soft-contact.js';
import type { StateTree } from '../../math/state-tree.js';
import { add, pointAt, scale, type Vec3 } from '../../math/vec3.js';
import type { CoupledMember, ModelCoupling } from '../model-coupling.js';
import { type CoupledBody, CoupledStep, type LinkSource } from './coupled-step.js';
import { isGhost, neighboursOf } from './ghost-contacts.js';
import { LinkRows } from './link-rows.js';
import { stepsAt, stepsFor } from './longest-step.js';
import { stepInParts } from './step-in-parts.js';
import type { StepReport } from './step-report.js';
import type { TetrahedraModel } from './tetrahedra-model.js';

/** In mean edges: bodies whose boxes are this near may touch within a substep, beyond where they go. */
const NEAR = 0.5;

/** A member, as the shared narrow phase sees it. */
class Participant implements TouchableBody {
  readonly model: TetrahedraModel;
  readonly particles: TouchableBody['particles'];
  readonly contactRest: TouchableBody['contactRest'];
  readonly bounds: Float64Array;
  readonly vertexNormals: Float64Array;
  readonly selfContact: TouchableBody['selfContact'];
  readonly inflation = { factor: 1 };
  deepBy = 0;
  sunkBy = 0;
  readonly neighbourGaps: NeighbourGaps;
  readonly shift = new Float64Array(3);
  readonly stop = new Float64Array(3);
  readonly neighbours: readonly Uint32Array[];

  constructor(public member: CoupledMember) {
    const { shell, contactRest } = member;
    const { count } = shell;
    this.model = member.model as TetrahedraModel;
    this.contactRest = contactRest;
    const [positions, starts, velocities] = [0, 0, 0].map(() => new Float64Array(3 * count));
    const { masses } = this.model.dynamics;
    const whole = masses.reduce((sum, m) => sum + m, 0) / shell.masses.reduce((sum, m) => sum + m, 0);
    this.particles = { count, positions, starts, velocities, masses: shell.masses.map((m) => whole * m) };
    this.bounds = new Float64Array(6 * contactRest.bvh.nodeCount);
    this.vertexNormals = new Float64Array(3 * count);
    this.selfContact = this.model.selfContact;
    this.neighbourGaps = new NeighbourGaps(count);
    this.neighbours = neighboursOf(contactRest.mesh.triangles, count);
  }

  get pinned() {
    return this.member.around.pinned;
  }

  get contactSettings() {
    return this.member.contactSettings;
  }

  get sleep() {
    return this.member.sleep;
  }

  /** [kg], [kg m/s] */
  get mass(): number {
    return this.particles.masses.reduce((sum, m) => sum + m, 0);
  }

  get momentum(): Vec3 {
    const { masses, velocities } = this.particles;
    const sum: [number, number, number] = [0, 0, 0];
    if (!this.sleep.asleep) {
      for (let k = 0; k < velocities.length; k++) sum[k % 3] += masses[Math.trunc(k / 3)] * velocities[k];
    }
    return sum;
  }

  /** Greatest speed of a particle against a velocity [m/s]. */
  speedAgainst([x, y, z]: Vec3): number {
    const { velocities: v } = this.particles;
    let square = 0;
    for (let k = 0; k < v.length; k += 3) {
      square = Math.max(square, (v[k] - x) ** 2 + (v[k + 1] - y) ** 2 + (v[k + 2] - z) ** 2);
    }
    return Math.sqrt(square);
  }

  /** Where it is, and where it would be after so long [s] without contact. */
  predict(x: Float64Array, v: Float64Array, fall: ArrayLike<number>, timeStep: number): void {
    const { starts, positions, velocities } = this.particles;
    for (let k = 0; k < starts.length; k++) {
      starts[k] = x[k];
      velocities[k] = v[k] + fall[k % 3];
      positions[k] = x[k] + timeStep * velocities[k];
    }
  }

  /** What contact has done to where it would be, as it lies deep in another body. */
  noteShift(fall: ArrayLike<number>, timeStep: number): void {
    const { positions, starts, velocities } = this.particles;
    const { velocities: v } = this.model.dynamics;
    const free = this.pinned.indexOf(0);
    for (let c = 0, k = 3 * Math.max(0, free); c < 3; c++, k++) {
      this.stop[c] = free < 0 ? 0 : velocities[k] - (v[k] + fall[c]);
      this.shift[c] = free < 0 ? 0 : positions[k] - starts[k] - timeStep * velocities[k];
    }
  }
}

export class TetrahedraCoupling implements ModelCoupling {
  readonly pressed: number[] = [];
  private readonly contact = new SoftContact();
  private readonly links = new LinkRows();
  private participants: Participant[] = [];
  private boxes = new Float64Array(0);
  /** Participants that may touch, two by two. */
  private pairs: readonly number[] = [];

  match(members: readonly CoupledMember[], timeStep: number): void {
    this.pressed.length = 0;
    this.take(members);
    const coupled = this.findNear();
    for (const { model, member } of this.participants) {
      if (!member.sleep.asleep && !coupled.has(model)) model.match(member.shell, timeStep, member.around);
    }
    const together = this.participants.filter(({ model, sleep }) => coupled.has(model) && !sleep.asleep);
    if (together.length > 0) this.matchTogether(together, timeStep);
  }

  /** Takes members over, those known already with what is known of them. */
  private take(members: readonly CoupledMember[]): void {
    const known = new Map(this.participants.map((participant) => [participant.model, participant]));
    this.participants = members.map((member) => {
      const participant = known.get(member.model as TetrahedraModel) ?? new Participant(member);
      participant.member = member;
      const { starts, positions, velocities } = participant.particles;
      const { shell } = member;
      starts.set(member.sleep.asleep ? shell.positions : shell.starts);
      positions.set(shell.positions);
      velocities.set(shell.velocities);
      return participant;
    });
  }

  /** Those that may touch another one, or themselves. */
  private findNear(): Set<TetrahedraModel> {
    const { participants } = this;
    const near = new Set<TetrahedraModel>();
    if (this.boxes.length < 6 * participants.length) this.boxes = new Float64Array(12 * participants.length);
    const { boxes } = this;
    participants.forEach(({ particles, contactRest }, n) => {
      const { starts, positions } = particles;
      const margin = NEAR * contactRest.edge;
      for (let c = 0; c < 3; c++) {
        let [low, high] = [Infinity, -Infinity];
        for (let k = c; k < starts.length; k += 3) {
          low = Math.min(low, starts[k], positions[k]);
          high = Math.max(high, starts[k], positions[k]);
        }
        boxes[6 * n + c] = low - margin;
        boxes[6 * n + 3 + c] = high + margin;
      }
    });
    this.pairs = findBodyPairs(boxes, participants.length);
    for (const n of this.pairs) near.add(participants[n].model);
    for (const { model, contactSettings } of participants) if (contactSettings.selfContact) near.add(model);
    return near;
  }

  private matchTogether(together: readonly Participant[], timeStep: number): void {
    for (const { model, member } of together) model.begin(member.shell, timeStep, member.around);
    const isIn = new Set(together);
    const bodies = this.participants.map((participant): CoupledBody => {
      const { model, particles, shift, stop } = participant;
      if (!isIn.has(participant)) {
        return {
          dynamics: undefined,
          projection: undefined,
          source: undefined,
          positions: particles.starts,
          shift,
          stop,
        };
      }
      const { dynamics, rows } = model;
      const { projection } = dynamics.contactSet;
      return { dynamics, projection, source: rows, positions: dynamics.positions, shift, stop };
    });
    const step = new CoupledStep(bodies, this.links, this.linkSource(together, bodies));
    const parts = Math.max(
      this.partsOfPairs(timeStep),
      ...together.map(({ model }) => stepsFor(model.dynamics, model.rows, timeStep)),
    );
    const leave = (timeLeft: number) => {
      for (const { model } of together) model.rows.leave(timeLeft);
    };
    const { gravity } = together[0].member.around;
    const report: StepReport = stepInParts(step, timeStep, parts, gravity, { leave }, () => {
      for (const { model } of together) model.addContacts();
      this.record();
    });
    for (const { model, member } of together) model.end(member.shell, timeStep, report);
  }

  /** In how many parts to take the step: no body may go far into another within one. */
  private partsOfPairs(timeStep: number): number {
    const { participants, pairs } = this;
    let parts = 1;
    for (let n = 0; n < pairs.length; n += 2) {
      const [a, b] = [participants[pairs[n]], participants[pairs[n + 1]]];
      const mean = scale(add(a.momentum, b.momentum), 1 / (a.mass + b.mass));
      const speed = a.speedAgainst(mean) + b.speedAgainst(mean);
      for (const { model } of [a, b]) parts = Math.max(parts, stepsAt(model.dynamics.rest, speed, timeStep));
    }
    return parts;
  }

  /** Finds contacts with the shared narrow phase. */
  private linkSource(together: readonly Participant[], bodies: readonly CoupledBody[]): LinkSource {
    return {
      list: (timeStep, gravity) => {
        const fall = [0, 1, 2].map((c) => timeStep * gravity[c]);
        for (const participant of together) {
          const { positions, velocities } = participant.model.dynamics;
          participant.predict(positions, velocities, fall, timeStep);
        }
        this.contact.detect(this.participants, timeStep);
        for (const participant of together) participant.noteShift(fall, timeStep);
        const { list } = this.contact;
        this.links.take(list, bodies, (i) => isGhost(list, i, this.participants));
        for (const { model } of together) model.links.restart();
        this.eachRow((i, { model }, node, other, key) => {
          model.links.begin(this.links, i, node, other, key, timeStep);
        });
      },
      remember: (timeStep) => {
        for (const { model } of together) model.links.clear();
        this.eachRow((i, { model }, node, other, key) => {
          if (this.links.impulses[i] > 0) model.links.keep(this.links, i, node, other, key, timeStep);
        });
      },
    };
  }

  /** Rows with what they are remembered by: the first node's body, that node, the place of the other body, and the other nodes of edges. */
  private eachRow(visit: (row: number, first: Participant, node: number, other: number, key: number) => void): void {
    const { list } = this.contact;
    for (let i = 0; i < list.count; i++) {
      const { particles } = list;
      const first = this.participants[list.bodies[2 * i]];
      const { place } = this.participants[list.bodies[2 * i + 1]].member;
      const isEdge = list.splits[i] === 2;
      const key = isEdge
        ? 1 +
          ((particles[4 * i + 1] * 73856093) ^ (particles[4 * i + 2] * 19349663) ^ (particles[4 * i + 3] * 83492791))
        : 0;
      visit(i, first, particles[4 * i], place, key >>> 0);
    }
  }

  /** Writes down what bodies did to each other, with the one that comes first in the world. */
  private record(): void {
    const { links, participants, pressed } = this;
    const { list } = this.contact;
    for (let i = 0; i < links.count; i++) {
      const [a, b] = [list.bodies[2 * i], list.bodies[2 * i + 1]];
      if (!(links.impulses[i] > 0)) continue;
      for (let c = 4 * i; c < 4 * i + 4; c++) {
        const { model, sleep } = participants[links.bodies[c]];
        const weight = links.weights[c];
        if (sleep.asleep || Math.abs(weight) < HELD_WEIGHT) continue;
        model.addTouched(links.nodes[c], links.normals, 3 * i, Math.sign(weight));
      }
      if (a === b) continue;
      const [first, second] = [participants[Math.min(a, b)].member, participants[Math.max(a, b)].member];
      pressed.push(participants[a].member.place, participants[b].member.place);
      const sign = a < b ? 1 : -1;
      const normal = pointAt(links.normals, i);
      const impulse = normal.map((n, c) => sign * (links.impulses[i] * n + links.slips[3 * i + c])) as unknown as Vec3;
      const node = list.particles[4 * i];
      const { positions, masses } = participants[a].model.dynamics;
      first.touches.with(second.body).add(masses[node], positions, 3 * node, impulse, scale(normal, sign), [0, 0, 0]);
    }
  }

  capture(): StateTree {
    return this.contact.capture();
  }

  restore(state: StateTree): void {
    this.contact.restore(state);
  }
}
