// What the kernels are told of a body before a step: its settings, and where pins want their particles.

import { CONTACT_DEFAULTS, type ContactSettings } from '../../contact/contact-settings.js';
import type { PinnedSet } from '../../handles/pinned-set.js';
import type { ElasticSettings, SolverSettings } from '../../solvers/solver-settings.js';
import { dampingPerStep, stiffnessPerStep } from '../../solvers/step-scaling.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

/** Settings of a body, written where they have changed since they were last. */
export class SettingsInput {
  private settings: SolverSettings | undefined;
  private timeStep = 0;
  private readonly contact: ContactSettings = { ...CONTACT_DEFAULTS };

  constructor(
    private readonly memory: WasmMemory,
    private readonly record: number,
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
    this.set(layout.BODY_STIFFNESS, stiffnessPerStep(stiffness * this.scales.stiffness, timeStep));
    this.set(layout.BODY_DAMPING, Math.min(1, this.scales.damping * dampingPerStep(damping, timeStep)));
    if (volume) {
      this.set(layout.BODY_GLOBAL_SHARE, volume.globalShare);
      this.set(layout.BODY_INNER_SHARE, volume.innerShare);
      this.set(layout.BODY_INNER_MIN, volume.innerStiffness[0]);
      this.set(layout.BODY_INNER_MAX, volume.innerStiffness[1]);
    }
    this.set(layout.BODY_FRICTION, contact.friction);
    this.set(layout.BODY_RESTITUTION, contact.restitution);
    this.memory.setInteger(this.record + layout.BODY_GROUPS, contact.group);
    this.memory.setInteger(this.record + layout.BODY_GROUPS + 4, contact.collidesWith);
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

  private set(field: number, value: number): void {
    this.memory.setNumber(this.record + field, value);
  }
}

/** Where the host keeps the same for a model of its own. */
export interface HostedPins {
  readonly pinned: Uint8Array;
  readonly pinTargets: Float64Array;
  readonly pinChanges: Float64Array;
}

/** Marks the pinned particles and writes where they are to be at this time [s]; `places` are the particles of the vertices. */
export function writePins(
  memory: WasmMemory,
  record: number,
  pins: readonly PinnedSet[],
  places: Uint32Array,
  time: number,
  hosted?: HostedPins,
): void {
  const pinned = memory.bytes(memory.integer(record + layout.BODY_PINNED), places.length);
  pinned.fill(0);
  hosted?.pinned.fill(0);
  hosted?.pinChanges.fill(0);
  const targets = memory.floats(memory.integer(record + layout.BODY_PIN_TARGETS), 4 * places.length);
  const origin = memory.doubles(record + layout.BODY_ORIGIN, 3);
  for (const pin of pins) {
    const points = new Float64Array(3 * pin.vertices.length);
    pin.writeTargets(time, points);
    pin.vertices.forEach((vertex, n) => {
      const place = places[vertex];
      pinned[place] = 1;
      for (let c = 0; c < 3; c++) targets[4 * place + c] = points[3 * n + c] - origin[c];
      if (!hosted) return;
      hosted.pinned[place] = 1;
      for (let c = 0; c < 3; c++) hosted.pinTargets[3 * place + c] = points[3 * n + c];
    });
  }
}
