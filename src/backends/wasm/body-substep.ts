// What a substep asks of a body of the WebAssembly backend: what the kernels are told before it, the stages of a model on the host, and
// what is read of the kernels afterwards.

import type { ContactSettings } from '../../contact/contact-settings.js';
import { mayTouch } from '../../contact/groups.js';
import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { Touches } from '../../contact/response/touches.js';
import type { Sleep } from '../../contact/sleep.js';
import { crossesItself, isUntangled } from '../../contact/soft/self-contact.js';
import type { PinnedSet } from '../../handles/pinned-set.js';
import type { CoupledMember } from '../../solvers/model-coupling.js';
import type { BodyRecovery } from '../../solvers/recovery/body-recovery.js';
import type { SolverSettings } from '../../solvers/solver-settings.js';
import type { Inflation } from '../../solvers/volume/inflation.js';
import type { BackendBody, Profile, StepInput } from '../backend.js';
import { writePins } from './body-input.js';
import type { BodyRecord } from './body-record.js';
import type { BodyShell } from './body-shell.js';
import type { HostedModel } from './hosted-model.js';
import * as layout from './layout.js';
import { PinReachRecord } from './pin-reach-record.js';
import { Reactions } from './reactions.js';

/** The body, as far as a substep needs to know it. */
interface SteppedBody {
  readonly shell: BodyShell;
  readonly pins: readonly PinnedSet[];
  readonly settings: SolverSettings;
  readonly contactSettings: ContactSettings;
  readonly sleep: Sleep;
  readonly recovery: BodyRecovery;
  readonly inflation: Inflation;
  readonly touches: Touches<Obstacle | BackendBody>;
  /** See `ContactBody`. */
  readonly coupling: number;
  /** As the kernels know it, where they do [m³]. */
  readonly volumeNow: number;
  contactCount: number;
}

export class BodySubstep {
  /** Where the body's frame was during the step [m]; at its end it may have followed the body. */
  readonly origin: [number, number, number] = [0, 0, 0];
  /** What obstacles did to it. */
  private readonly reactions: Reactions;
  readonly pinReach: PinReachRecord;

  constructor(
    private readonly body: SteppedBody,
    private readonly fields: BodyRecord,
  ) {
    this.reactions = new Reactions(fields);
    this.pinReach = new PinReachRecord(fields);
  }

  private get asleep(): boolean {
    return this.body.sleep.asleep;
  }

  locatePins(endTime: number): void {
    const { pins, shell } = this.body;
    const areMarked = shell.hadPins;
    shell.hadPins = pins.length > 0;
    if (shell.hadPins || areMarked) writePins(this.fields, pins, shell.places, endTime, shell.hosted?.pins);
    if (shell.hosted) shell.hosted.shell.anchored = shell.hadPins;
    const { kernels } = shell.prepared;
    if (kernels && shell.hadPins) this.pinReach.write(kernels);
  }

  /** Writes what may have changed since the last substep, and makes room for what each of so many obstacles does. */
  begin(timeStep: number, colliderCount: number): void {
    const { fields, origin } = this;
    const { shell, pins, settings, contactSettings, inflation, recovery, sleep, coupling } = this.body;
    const { hosted, parts, rest, prepared } = shell;
    this.reactions.reserve(rest.chunks, colliderCount);
    for (let c = 0; c < 3; c++) origin[c] = fields.number(layout.BODY_ORIGIN + 8 * c);
    shell.settingsInput.write(settings, contactSettings, timeStep);
    fields.setInteger(layout.BODY_KINEMATIC, 0);
    if (!this.asleep) inflation.approach(settings.volume ? settings.volume.target : 1, timeStep);
    const shareOf = (part: number) => recovery.volumeShareOf(part) * inflation.factor;
    const share = parts.count === 0 ? shareOf(0) : inflation.factor;
    fields.setNumber(layout.BODY_VOLUME, share * prepared.volume.volume);
    if (parts.count > 0) parts.begin(shareOf, fields.bytes(layout.BODY_PINNED, rest.count));
    fields.setNumber(layout.BODY_REST_SCALE, inflation.scale);
    fields.setSingle(layout.BODY_SLOW_TIME, sleep.slowTime);
    if (hosted) hosted.model.restScale = inflation.scale;
    const keepsOffItself = this.keepsOffItself();
    if (keepsOffItself) shell.writeSelfRest(fields);
    this.setFlags(
      (pins.length > 0 ? layout.FLAG_PINS : 0) |
        (this.keepsVolume ? layout.FLAG_VOLUME : 0) |
        (keepsOffItself ? layout.FLAG_SELF : 0) |
        (shell.normalsKnown ? layout.FLAG_NORMALS : 0) |
        (hosted ? layout.FLAG_HOSTED : 0) |
        (this.asleep ? layout.FLAG_ASLEEP : 0) |
        (coupling << layout.COUPLING_SHIFT),
    );
  }

  private setFlags(flags: number): void {
    this.fields.setInteger(layout.BODY_FLAGS, flags);
  }

  private get keepsVolume(): boolean {
    return Boolean(this.body.settings.volume) && this.body.recovery.keepsAny;
  }

  /** Whether the surface is to be kept from passing through itself: one that is tangled is let through first. */
  keepsOffItself(): boolean {
    const { contactSettings, coupling, shell, inflation } = this.body;
    if (!contactSettings.selfContact || this.asleep || coupling > 0) return false;
    const contactRest = shell.prepared.contact;
    const bounds = () => new Float64Array(6 * contactRest.bvh.nodeCount);
    const size = this.body.volumeNow / (inflation.factor * contactRest.volume);
    const keeps = isUntangled(shell.selfContact, size, () =>
      crossesItself({ contactRest, particles: { starts: shell.packed.worldPositions() }, bounds: bounds() }),
    );
    if (!keeps) this.fields.bytes(layout.BODY_CROSSED, shell.rest.count).fill(0);
    return keeps;
  }

  /** Of a solver without kernels: the host's stages, before the kernels'. */
  move(input: StepInput, profile: Profile): void {
    const { shell, touches } = this.body;
    const { hosted } = shell;
    if (!hosted || this.asleep) return;
    hosted.move(input, this.surroundingsOf(input), shell.packed.kernelShell(), profile);
    hosted.model.contacts?.record(touches);
  }

  private surroundingsOf({ colliders }: StepInput) {
    const { contactSettings, shell, recovery } = this.body;
    return {
      colliders: colliders.filter((collider) => mayTouch(contactSettings, collider)),
      frictions: shell.prepared.contact.frictions,
      isRecovering: recovery.isActive,
    };
  }

  /** The same where models step together: what it takes part with, and what comes afterwards. */
  beginCoupled(input: StepInput, place: number, profile: Profile): CoupledMember {
    const { contactSettings, sleep, touches, shell: own } = this.body;
    const hosted = own.hosted as HostedModel;
    if (!this.asleep) hosted.begin(input, profile);
    const { model, shell, pins } = hosted;
    const around = { ...this.surroundingsOf(input), gravity: input.gravity, pinned: pins.pinned };
    const contactRest = own.prepared.contact;
    return { place, model, shell, around, contactRest, contactSettings, sleep, touches, body: this.body };
  }

  endCoupled(input: StepInput, profile: Profile): void {
    const { shell, touches } = this.body;
    if (!shell.hosted || this.asleep) return;
    shell.hosted.end(input, shell.packed.kernelShell(), profile);
    shell.hosted.model.contacts?.record(touches);
  }

  /** After the kernels' stages; whether they have to be done once more, for bodies that say so. */
  follow(): boolean {
    const { hosted, packed, rest } = this.body.shell;
    if (!hosted || this.asleep) return false;
    const colliding = this.fields.bytes(layout.BODY_COLLIDING, rest.count);
    const again = hosted.follow(packed.kernelShell(), colliding);
    packed.show(hosted.settled);
    if (again) this.setFlags(this.fields.integer(layout.BODY_FLAGS) | layout.FLAG_AGAIN);
    return again;
  }

  followAgain(): void {
    const { hosted, packed } = this.body.shell;
    const flags = this.fields.integer(layout.BODY_FLAGS);
    if ((flags & layout.FLAG_AGAIN) === 0) return;
    this.setFlags(flags & ~layout.FLAG_AGAIN);
    hosted?.followAgain(packed.kernelShell());
    packed.show(hosted?.settled ?? []);
  }

  /** Counts what it found. */
  end(colliders: readonly Obstacle[]): void {
    if (this.asleep) return;
    const { body, fields, origin } = this;
    const { shell, touches } = body;
    const contacts = fields.integer(layout.BODY_CONTACTS);
    body.contactCount = Math.max(body.contactCount, contacts + this.joinModelContacts());
    if (contacts > 0) this.reactions.addTo(touches, shell.rest.chunks, shell.mass, origin, colliders);
    shell.normalsKnown = this.keepsVolume && body.recovery.keepsAll && !shell.hosted?.settled.length;
  }

  /** What the model touched within its solve joins what the kernels found; returns how many particles that are. */
  private joinModelContacts(): number {
    const { hosted, rest } = this.body.shell;
    const contacts = hosted?.model.contacts;
    if (!contacts || contacts.count === 0) return 0;
    if (contacts.areKinematic) this.fields.setInteger(layout.BODY_KINEMATIC, 1);
    return contacts.mark(this.fields.bytes(layout.BODY_COLLIDING, rest.count));
  }

  /** The body has another topology. */
  renew(): void {
    this.pinReach.forget();
  }

  dispose(): void {
    this.reactions.dispose();
    this.pinReach.dispose();
  }
}
