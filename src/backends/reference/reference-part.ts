// One closed part of a body of the reference backend: its particles, seen through the body's own arrays, and its volume constraint.

import type { ParticleContacts } from '../../contact/particle-contacts.js';
import type { Shell } from '../../solvers/model.js';
import type { PartRest } from '../../solvers/parts.js';
import type { VolumeSettings } from '../../solvers/volume/settings.js';
import { VolumeConstraint } from '../../solvers/volume/volume-constraint.js';

/** The body's arrays, in the solver's order. */
interface PartedBody {
  readonly particles: Shell;
  readonly pinned: Uint8Array;
  readonly colliding: Uint8Array;
  readonly contacts: ParticleContacts;
  readonly neighbourGaps: { readonly touching: ParticleContacts };
}

export class ReferencePart {
  readonly first: number;
  readonly shell: Shell;
  readonly pinned: Uint8Array;
  readonly colliding: Uint8Array;
  /** What obstacles its particles touch, and what of other bodies. */
  readonly contacts: ParticleContacts;
  readonly touching: ParticleContacts;
  private constraint: VolumeConstraint | undefined;

  constructor(
    body: PartedBody,
    readonly rest: PartRest,
  ) {
    const { first, count } = rest;
    const numbers = <A extends Float64Array | Uint8Array>(all: A): A => all.subarray(first, first + count) as A;
    const vectors = (all: Float64Array) => all.subarray(3 * first, 3 * (first + count));
    const contactsOf = ({ colliding, normals, surfaceVelocities, frictions }: ParticleContacts): ParticleContacts => ({
      ...{ colliding: numbers(colliding), normals: vectors(normals) },
      ...{ surfaceVelocities: vectors(surfaceVelocities), frictions: numbers(frictions) },
    });
    const { particles } = body;
    this.first = first;
    this.shell = {
      count,
      positions: vectors(particles.positions),
      starts: vectors(particles.starts),
      velocities: vectors(particles.velocities),
      masses: numbers(particles.masses),
      changes: numbers(particles.changes),
      anchored: false,
    };
    this.pinned = numbers(body.pinned);
    this.colliding = numbers(body.colliding);
    this.contacts = contactsOf(body.contacts);
    this.touching = contactsOf(body.neighbourGaps.touching);
  }

  /** What keeps its volume at `share` of that at rest. */
  constraintFor(settings: VolumeSettings, share: number, rotations: Float64Array | undefined): VolumeConstraint {
    const { first, count, volume } = this.rest;
    this.constraint ??= new VolumeConstraint(volume, settings);
    this.constraint.settings = settings;
    this.constraint.target = share * volume.volume;
    this.constraint.rotations = rotations?.subarray(4 * first, 4 * (first + count));
    return this.constraint;
  }
}
