// Contacts that are part of a model's own solve: what the model is told of its surroundings, and what it tells of obstacles, and
// of other bodies that it meets there, afterwards.

import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { ParticleContacts } from '../contact/particle-contacts.js';
import type { Touches } from '../contact/response/touches.js';
import type { Vec3 } from '../math/vec3.js';

/** What is around a body in a substep. */
export interface Surroundings {
  /** [m/s²]; velocities have Δt of it already. */
  readonly gravity: Vec3;
  /** Obstacles that it may touch; they know where they are at the end of the substep. */
  readonly colliders: readonly Obstacle[];
  /** 1 for particles that a pin moves. */
  readonly pinned: Uint8Array;
  /** Factor on the friction of each particle, where they differ. */
  readonly frictions?: Float64Array;
  /** Whether it is on its way back from a broken state: nothing of the shape that it has is to stay. */
  readonly isRecovering: boolean;
}

/** What a body's particles touched within its model's solve; grows, never shrinks. */
export class ModelContacts {
  count = 0;
  /** Particles of the shell; what is beyond their count is inside. */
  particles = new Uint32Array(64);
  /** What each touches; undefined for another body, whose touches and impulses are told elsewhere. */
  readonly colliders: (Obstacle | undefined)[] = [];
  /** Mass of each [kg], and where it is [m]. */
  masses = new Float64Array(64);
  points = new Float64Array(3 * 64);
  /** Unit normals away from the obstacle, impulses on the particle [N·s], velocities of the obstacle there [m/s]. */
  normals = new Float64Array(3 * 64);
  impulses = new Float64Array(3 * 64);
  velocities = new Float64Array(3 * 64);

  clear(): void {
    this.count = 0;
  }

  /** Makes room for another contact, whose vectors the caller writes; returns its place. */
  add(particle: number, collider?: Obstacle): number {
    if (this.count === this.particles.length) this.grow();
    this.particles[this.count] = particle;
    this.colliders[this.count] = collider;
    return this.count++;
  }

  private grow(): void {
    const wider = <T extends Uint32Array | Float64Array>(list: T, wide: T): T => {
      wide.set(list);
      return wide;
    };
    const length = 2 * this.particles.length;
    this.particles = wider(this.particles, new Uint32Array(length));
    this.masses = wider(this.masses, new Float64Array(length));
    this.points = wider(this.points, new Float64Array(3 * length));
    this.normals = wider(this.normals, new Float64Array(3 * length));
    this.impulses = wider(this.impulses, new Float64Array(3 * length));
    this.velocities = wider(this.velocities, new Float64Array(3 * length));
  }

  /** Whether an obstacle that moves touches it. */
  get areKinematic(): boolean {
    for (let k = 0; k < 3 * this.count; k++) if (this.velocities[k] !== 0) return true;
    return false;
  }

  /** Adds what each obstacle did to the body. */
  record(touches: Touches<object>): void {
    const { masses, points, colliders, normals, impulses } = this;
    for (let i = 0; i < this.count; i++) {
      const collider = colliders[i];
      if (!collider) continue;
      for (let c = 0; c < 3; c++) {
        impulse[c] = impulses[3 * i + c];
        normal[c] = normals[3 * i + c];
      }
      const { position } = collider.end;
      touches.with(collider).add(masses[i], points, 3 * i, impulse, normal, position);
    }
  }

  /** Marks the particles; returns how many were not marked before. */
  mark(colliding: Uint8Array): number {
    let marked = 0;
    for (let i = 0; i < this.count; i++) {
      const particle = this.particles[i];
      if (particle >= colliding.length || colliding[particle] !== 0) continue;
      colliding[particle] = 1;
      marked++;
    }
    return marked;
  }

  /** Joins what contact after the solve found. */
  joinTo(contacts: ParticleContacts): void {
    const { particles, colliders, normals, velocities } = this;
    for (let i = 0; i < this.count; i++) {
      const particle = particles[i];
      if (particle >= contacts.colliding.length || contacts.colliding[particle] !== 0) continue;
      contacts.colliding[particle] = 1;
      contacts.frictions[particle] = (colliders[i]?.friction ?? 0) * (contacts.factors?.[particle] ?? 1);
      for (let c = 0; c < 3; c++) {
        contacts.normals[3 * particle + c] = normals[3 * i + c];
        contacts.surfaceVelocities[3 * particle + c] = velocities[3 * i + c];
      }
    }
  }
}

const impulse = new Float64Array(3);
const normal = new Float64Array(3);
