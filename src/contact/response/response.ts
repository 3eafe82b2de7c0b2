// What contacts between bodies do: approach ends, slip is braked by Coulomb's law, what still overlaps is pushed apart.
// Impulses act at the moment of touching and go both ways with the same weights, so that momentum stays.
// Based on: M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, Position based dynamics, 2007 (weighted projection in turn).

import type { ContactBody } from '../contact-body.js';
import type { FeatureContacts } from './feature-contacts.js';
import { BOUNCE_FROM, LEAST_WEIGHT, NEAR, POSITION_SWEEPS, PUSH, VELOCITY_SWEEPS } from './tuning.js';

/** The particles that take part in contacts, gathered from their bodies: the solver works on these alone. */
export class Response {
  particleCount = 0;
  /** Body and place of each gathered particle. */
  private owners = new Uint32Array(0);
  private places = new Uint32Array(0);
  private positions = new Float64Array(0);
  private velocities = new Float64Array(0);
  private inverseMasses = new Float64Array(0);
  /** Per contact: its four gathered particles, Σ w²/m, time that is left after touching, velocity to leave with, impulse along the surface. */
  private members = new Uint32Array(0);
  private masses = new Float64Array(0);
  private leftTimes = new Float64Array(0);
  private bounces = new Float64Array(0);
  private slips = new Float64Array(0);

  /** Resolves all contacts of the list; writes positions and velocities of the bodies, and the list's impulses. */
  resolve(bodies: readonly ContactBody[], slots: readonly Int32Array[], list: FeatureContacts, timeStep: number): void {
    this.gather(bodies, slots, list);
    this.begin(list, timeStep);
    for (let sweep = 0; sweep < VELOCITY_SWEEPS; sweep++) this.sweepVelocities(list);
    for (let sweep = 0; sweep < POSITION_SWEEPS; sweep++) this.sweepPositions(list);
    this.scatter(bodies, slots, list);
  }

  /** Calls back with every particle of the last resolve. */
  forEach(visit: (body: number, place: number) => void): void {
    for (let n = 0; n < this.particleCount; n++) visit(this.owners[n], this.places[n]);
  }

  private gather(bodies: readonly ContactBody[], slots: readonly Int32Array[], list: FeatureContacts): void {
    this.reserve(list.count);
    let count = 0;
    for (let contact = 0; contact < list.count; contact++) {
      for (let c = 0; c < 4; c++) {
        const owner = list.bodies[2 * contact + (c < list.splits[contact] ? 0 : 1)];
        const place = list.particles[4 * contact + c];
        let slot = slots[owner][place];
        if (slot < 0) {
          slot = count++;
          slots[owner][place] = slot;
          const { particles, pinned, sleep } = bodies[owner];
          this.owners[slot] = owner;
          this.places[slot] = place;
          this.inverseMasses[slot] = pinned[place] !== 0 || sleep.asleep ? 0 : 1 / particles.masses[place];
          for (let k = 0; k < 3; k++) {
            this.positions[3 * slot + k] = particles.positions[3 * place + k];
            this.velocities[3 * slot + k] = sleep.asleep ? 0 : particles.velocities[3 * place + k];
          }
        }
        this.members[4 * contact + c] = slot;
      }
    }
    this.particleCount = count;
  }

  private reserve(contacts: number): void {
    if (this.members.length >= 4 * contacts) return;
    const size = 2 * contacts;
    this.owners = new Uint32Array(4 * size);
    this.places = new Uint32Array(4 * size);
    this.positions = new Float64Array(12 * size);
    this.velocities = new Float64Array(12 * size);
    this.inverseMasses = new Float64Array(4 * size);
    this.members = new Uint32Array(4 * size);
    this.masses = new Float64Array(size);
    this.leftTimes = new Float64Array(size);
    this.bounces = new Float64Array(size);
    this.slips = new Float64Array(3 * size);
  }

  /** When each contact touches, and how it is to part. */
  private begin(list: FeatureContacts, timeStep: number): void {
    const { weights, gaps, thicknesses, times, restitutions } = list;
    for (let contact = 0; contact < list.count; contact++) {
      let inverse = 0;
      let largest = 0;
      for (let c = 4 * contact; c < 4 * contact + 4; c++) {
        inverse += weights[c] * weights[c] * this.inverseMasses[this.members[c]];
        largest = Math.max(largest, Math.abs(weights[c]) * this.inverseMasses[this.members[c]]);
      }
      this.masses[contact] = inverse > 0 ? 1 / Math.max(inverse, LEAST_WEIGHT * largest) : 0;
      for (let k = 3 * contact; k < 3 * contact + 3; k++) this.slips[k] = 0;
      const thickness = thicknesses[contact];
      const end = this.along(list, contact, this.positions);
      let touching = times[contact];
      const displacement = gaps[contact] - end;
      const rests = gaps[contact] <= NEAR * thickness && displacement <= BOUNCE_FROM * thickness;
      if (touching === 0 && gaps[contact] > thickness && displacement > 0 && !rests) {
        touching = Math.min(1, (gaps[contact] - thickness) / displacement);
      }
      this.leftTimes[contact] = (1 - touching) * timeStep;
      const approach = -this.along(list, contact, this.velocities);
      const fresh = touching > 0 && approach * timeStep > BOUNCE_FROM * thickness;
      this.bounces[contact] = fresh ? restitutions[contact] * approach : 0;
    }
  }

  /** Σ w (n·vector) over the four particles of a contact. */
  private along(list: FeatureContacts, contact: number, vectors: Float64Array): number {
    const { weights, normals } = list;
    const n = 3 * contact;
    let sum = 0;
    for (let c = 4 * contact; c < 4 * contact + 4; c++) {
      const k = 3 * this.members[c];
      sum += weights[c] * (normals[n] * vectors[k] + normals[n + 1] * vectors[k + 1] + normals[n + 2] * vectors[k + 2]);
    }
    return sum;
  }

  private sweepVelocities(list: FeatureContacts): void {
    const { weights, normals, thicknesses, frictions, pressures } = list;
    const { velocities, positions, members, masses, leftTimes, bounces, slips } = this;
    for (let contact = 0; contact < list.count; contact++) {
      if (pressures[contact] === 0 && this.along(list, contact, positions) >= thicknesses[contact]) continue;
      const mass = masses[contact];
      const n = 3 * contact;
      let ux = 0;
      let uy = 0;
      let uz = 0;
      for (let c = 4 * contact; c < 4 * contact + 4; c++) {
        const k = 3 * members[c];
        ux += weights[c] * velocities[k];
        uy += weights[c] * velocities[k + 1];
        uz += weights[c] * velocities[k + 2];
      }
      const nx = normals[n];
      const ny = normals[n + 1];
      const nz = normals[n + 2];
      const speed = ux * nx + uy * ny + uz * nz;
      const pressure = Math.max(0, pressures[contact] + mass * (bounces[contact] - speed));
      const push = pressure - pressures[contact];
      pressures[contact] = pressure;
      // Slip: what would stop it, as far as Coulomb's cone reaches.
      let sx = slips[n] - mass * (ux - speed * nx);
      let sy = slips[n + 1] - mass * (uy - speed * ny);
      let sz = slips[n + 2] - mass * (uz - speed * nz);
      const limit = frictions[contact] * pressure;
      const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
      const kept = size > limit ? limit / size : 1;
      sx *= kept;
      sy *= kept;
      sz *= kept;
      const ix = push * nx + sx - slips[n];
      const iy = push * ny + sy - slips[n + 1];
      const iz = push * nz + sz - slips[n + 2];
      slips[n] = sx;
      slips[n + 1] = sy;
      slips[n + 2] = sz;
      const left = leftTimes[contact];
      for (let c = 4 * contact; c < 4 * contact + 4; c++) {
        const k = 3 * members[c];
        const share = weights[c] * this.inverseMasses[members[c]];
        velocities[k] += share * ix;
        velocities[k + 1] += share * iy;
        velocities[k + 2] += share * iz;
        positions[k] += left * share * ix;
        positions[k + 1] += left * share * iy;
        positions[k + 2] += left * share * iz;
      }
    }
  }

  /** Pushes apart what is nearer than its thickness, overlaps from before by a bounded way. */
  private sweepPositions(list: FeatureContacts): void {
    const { weights, normals, thicknesses, gaps } = list;
    const { positions, members, masses } = this;
    for (let contact = 0; contact < list.count; contact++) {
      const thickness = thicknesses[contact];
      const goal = Math.min(thickness, gaps[contact] + PUSH * thickness);
      const missing = goal - this.along(list, contact, positions);
      if (missing <= 0) continue;
      const n = 3 * contact;
      const push = missing * masses[contact];
      for (let c = 4 * contact; c < 4 * contact + 4; c++) {
        const k = 3 * members[c];
        const share = push * weights[c] * this.inverseMasses[members[c]];
        positions[k] += share * normals[n];
        positions[k + 1] += share * normals[n + 1];
        positions[k + 2] += share * normals[n + 2];
      }
    }
  }

  /** Back to the bodies; the slots are free again. */
  private scatter(bodies: readonly ContactBody[], slots: readonly Int32Array[], list: FeatureContacts): void {
    for (let slot = 0; slot < this.particleCount; slot++) {
      const owner = this.owners[slot];
      const place = this.places[slot];
      slots[owner][place] = -1;
      if (this.inverseMasses[slot] === 0) continue;
      const { particles } = bodies[owner];
      for (let k = 0; k < 3; k++) {
        particles.positions[3 * place + k] = this.positions[3 * slot + k];
        particles.velocities[3 * place + k] = this.velocities[3 * slot + k];
      }
    }
    for (let contact = 0; contact < list.count; contact++) {
      for (let k = 3 * contact; k < 3 * contact + 3; k++) {
        list.impulses[k] = list.pressures[contact] * list.normals[k] + this.slips[k];
      }
    }
  }
}
