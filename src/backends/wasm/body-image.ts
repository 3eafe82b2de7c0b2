// A body of the WebAssembly backend as the image of one that is moved elsewhere: its state, in the solver's order, to be compared and
// written, and what its own stages would leave behind a substep.

import { sampleSpeed } from '../../contact/broad-phase/fast-approach.js';
import type { BodyRecord } from './body-record.js';
import type { BodyShell } from './body-shell.js';
import type { KernelShell } from './hosted-model.js';
import * as layout from './layout.js';

/** The body, as far as its image needs to know it. */
interface ImagedBody {
  readonly shell: BodyShell;
  readonly positions: Float32Array;
  readonly velocities: Float32Array;
  readonly pins: { readonly length: number };
  contactCount: number;
}

export class BodyImage {
  constructor(
    private readonly body: ImagedBody,
    private readonly fields: BodyRecord,
  ) {}

  private get count(): number {
    return this.body.shell.rest.count;
  }

  /** Four numbers per particle, relative to `origin`; the arrays move when memory grows. */
  get state(): KernelShell {
    return this.body.shell.packed.kernelShell();
  }

  /** Rotations of the regions: x, y, z, w each. */
  get rotations(): Float32Array {
    return this.body.shell.packed.rotations();
  }

  set rotations(rotations: Float32Array) {
    this.body.shell.packed.setRotations(rotations);
  }

  /** 1 for particles that a pin moves, and where to [m], four numbers each, relative to the state's origin. */
  get pinning(): { readonly pinned: Uint8Array; readonly targets: Float32Array } {
    const { fields, count } = this;
    return {
      pinned: fields.bytes(layout.BODY_PINNED, count),
      targets: fields.floats(layout.BODY_PIN_TARGETS, 4 * count),
    };
  }

  /** 1 for particles that touch anything. */
  get colliding(): Uint8Array {
    return this.fields.bytes(layout.BODY_COLLIDING, this.count);
  }

  /** Speed that its particles do not exceed [m/s], 0 for any. */
  get pressedSpeed(): number {
    return this.fields.number(layout.BODY_PRESSED_SPEED);
  }

  set pressedSpeed(speed: number) {
    this.fields.setNumber(layout.BODY_PRESSED_SPEED, speed);
  }

  /** Shows the state after a substep, as the stage commit does: see `ReferenceBody.publish`. */
  publish(timeStep: number, touchesMoving: boolean): void {
    const { body, fields, colliding, count } = this;
    const { masses, places } = body.shell;
    const { positions, starts, velocities, origin } = this.state;
    const shown = body.velocities;
    const kept = fields.floats(layout.BODY_KEPT_VELOCITIES, 4 * count);
    const contacts = colliding.reduce((sum, mark) => sum + mark, 0);
    body.contactCount = Math.max(body.contactCount, contacts);
    body.shell.normalsKnown = false;
    const isFree = contacts === 0 && body.pins.length === 0 && this.pressedSpeed === 0;
    let motion = 0;
    let mass = 0;
    for (let vertex = 0; vertex < count; vertex++) {
      const at = 4 * places[vertex];
      mass += masses[vertex];
      for (let c = 0; c < 3; c++) {
        const moved = (positions[at + c] - starts[at + c]) / timeStep;
        motion += 0.5 * masses[vertex] * moved ** 2;
        body.positions[3 * vertex + c] = origin[c] + positions[at + c];
        shown[3 * vertex + c] = isFree ? velocities[at + c] : moved;
        kept[at + c] = shown[3 * vertex + c];
      }
    }
    fields.setNumber(layout.BODY_MOTION, motion / mass);
    fields.setNumber(layout.BODY_SAMPLED_SPEED, sampleSpeed(shown));
    fields.setInteger(layout.BODY_KINEMATIC, touchesMoving ? 1 : 0);
  }
}
