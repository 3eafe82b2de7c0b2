// What the kernels are told of a body before a step: its settings, and where pins want their particles.

import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-settings.js';
import type { PinnedSet } from '../../handles/pinned-set.js';
import type { ElasticSettings, SolverSettings } from '../../solvers/solver-settings.js';
import { dampingPerStep, stiffnessPerStep } from '../../solvers/step-scaling.js';
import { forEachTarget, type PinnedParticles } from '../pinned-particles.js';
import type { BodyRecord } from './body-record.js';
import * as layout from './layout.js';

/** Settings of a body, written where they have changed since they were last. */
export class SettingsInput {
  private settings: SolverSettings | undefined;
  private timeStep = 0;
  private readonly contact: ContactSettings = { ...CONTACT_DEFAULTS };

  constructor(
    private readonly record: BodyRecord,
    /** Factors on what the settings say. */
    private readonly scales: { readonly stiffness: number; readonly damping: number },
  ) {}

  /** Somebody else has written to the record. */
  forget(): void {
    this.settings = undefined;
  }

  /** Settings are replaced to change them, those of contact change in place. */
  write(settings: SolverSettings, contact: ContactSettings, timeStep: number): void {
    if (settings === this.settings && timeStep === this.timeStep && this.knows(contact)) return;
    this.settings = settings;
    this.timeStep = timeStep;
    Object.assign(this.contact, contact);
    // Solvers without kernels have other settings; the kernels do not read these then.
    const { stiffness = 0, damping = 0, volume } = settings as Partial<ElasticSettings>;
    this.record.setNumber(layout.BODY_STIFFNESS, stiffnessPerStep(stiffness * this.scales.stiffness, timeStep));
    this.record.setNumber(layout.BODY_DAMPING, Math.min(1, this.scales.damping * dampingPerStep(damping, timeStep)));
    if (volume) {
      this.record.setNumber(layout.BODY_GLOBAL_SHARE, volume.globalShare);
      this.record.setNumber(layout.BODY_INNER_SHARE, volume.innerShare);
      this.record.setNumber(layout.BODY_INNER_MIN, volume.innerStiffness[0]);
      this.record.setNumber(layout.BODY_INNER_MAX, volume.innerStiffness[1]);
    }
    this.record.setNumber(layout.BODY_FRICTION, contact.friction);
    this.record.setNumber(layout.BODY_RESTITUTION, contact.restitution);
    this.record.setInteger(layout.BODY_GROUPS, contact.group);
    this.record.setInteger(layout.BODY_GROUPS + 4, contact.collidesWith);
  }

  private knows({ friction, restitution, group, collidesWith }: ContactSettings): boolean {
    const { contact } = this;
    return (
      friction === contact.friction &&
      restitution === contact.restitution &&
      group === contact.group &&
      collidesWith === contact.collidesWith
    );
  }
}

/** Marks the pinned particles and writes where they are to be at this time [s]; `places` are the particles of the vertices. */
export function writePins(
  record: BodyRecord,
  pins: readonly PinnedSet[],
  places: Uint32Array,
  time: number,
  /** Where the host keeps the same for a model of its own. */
  hosted?: PinnedParticles,
): void {
  const pinned = record.bytes(layout.BODY_PINNED, places.length);
  pinned.fill(0);
  hosted?.clear();
  const targets = record.floats(layout.BODY_PIN_TARGETS, 4 * places.length);
  const [ox, oy, oz] = record.doubles(layout.BODY_ORIGIN, 3);
  forEachTarget(pins, places, time, (place, x, y, z) => {
    pinned[place] = 1;
    targets[4 * place] = x - ox;
    targets[4 * place + 1] = y - oy;
    targets[4 * place + 2] = z - oz;
    hosted?.mark(place, x, y, z);
  });
}
