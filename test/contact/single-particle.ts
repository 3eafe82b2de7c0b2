// One particle among obstacles, for contact tests.

import type { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { resolveObstacles } from '../../src/contact/obstacles/obstacle-contact.js';
import { createParticleContacts, type ParticleContacts } from '../../src/contact/particle-contacts.js';
import type { Vec3 } from '../../src/math/vec3.js';

export class SingleParticle {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly contacts: ParticleContacts = createParticleContacts(1);
  time = 0;

  constructor(
    position: Vec3,
    velocity: Vec3,
    readonly timeStep = 0.005,
  ) {
    this.position = Float64Array.from(position);
    this.velocity = Float64Array.from(velocity);
  }

  get touching(): boolean {
    return this.contacts.colliding[0] !== 0;
  }

  /** v ← v + Δt·g, x ← x + Δt·v, obstacles. */
  step(colliders: readonly Obstacle[], gravity: Vec3 = [0, 0, 0]): void {
    const { position, velocity, timeStep } = this;
    const start = position.slice();
    for (let c = 0; c < 3; c++) {
      velocity[c] += timeStep * gravity[c];
      position[c] += timeStep * velocity[c];
    }
    for (const collider of colliders) collider.moveThrough(this.time, this.time + timeStep);
    resolveObstacles(colliders, position, start, velocity, new Uint8Array(1), timeStep, this.contacts);
    this.time += timeStep;
  }
}
