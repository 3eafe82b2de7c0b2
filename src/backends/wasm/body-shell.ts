// All of a body that is as long as its shell: its arrays in the kernels' memory, its parts, its model where the host moves it. Made
// anew with every topology.

import type { SelfContact } from '../../contact/contact-body.js';
import type { Prepared } from '../../solvers/solver.js';
import { buildArrays } from './body-arrays.js';
import { SettingsInput } from './body-input.js';
import type { BodyRecord } from './body-record.js';
import { HostedModel } from './hosted-model.js';
import * as layout from './layout.js';
import { PackedShell } from './packed-shell.js';
import { PartRecords } from './part-records.js';
import { type RestData, shellShare, writeSelfRest } from './rest-data.js';

export class BodyShell {
  /** Of a solver without kernels. */
  readonly hosted: HostedModel | undefined;
  readonly packed: PackedShell;
  readonly settingsInput: SettingsInput;
  /** Of a body of several closed parts. */
  readonly parts: PartRecords;
  /** Its own, without what is inside [kg]. */
  readonly mass: number;
  /** [kg], in the mesh's own vertex order. */
  readonly masses: Float64Array;
  /** The particle of each vertex. */
  readonly places: Uint32Array;
  readonly selfContact: SelfContact = { tangled: false, looks: 0, crossed: new Uint8Array(0) };
  /** Whether particles are marked as pinned. */
  hadPins = false;
  /** Whether the kernels know the normals of the positions: the volume constraint leaves them. */
  normalsKnown = false;

  constructor(
    fields: BodyRecord,
    readonly prepared: Prepared,
    readonly rest: RestData,
    bodyMass: number,
  ) {
    const { particles, kernels } = prepared;
    this.hosted = kernels ? undefined : new HostedModel(prepared, bodyMass, fields.memory.threads);
    this.mass = this.hosted?.innerMass ? bodyMass * shellShare(particles.massShares) : bodyMass;
    this.masses = new Float64Array(rest.count);
    this.places = new Uint32Array(rest.count);
    particles.order.forEach((vertex, place) => {
      this.masses[vertex] = bodyMass * particles.massShares[place];
      this.places[vertex] = place;
    });
    this.settingsInput = new SettingsInput(fields, {
      stiffness: (kernels?.stiffnessScale ?? 1) * (kernels?.stiffnesses?.largest ?? 1),
      damping: kernels?.dampings?.largest ?? 1,
    });
    this.packed = new PackedShell(fields, particles.order, rest.padded);
    buildArrays(fields, prepared, rest, this.mass);
    this.parts = new PartRecords(fields.memory, fields.address, rest.parts);
    fields.setOwn(layout.BODY_PARTS, this.parts.list);
    fields.setOwn(layout.BODY_PART_COUNT, this.parts.count);
  }
  /** Has what contact with itself needs at hand. */
  writeSelfRest(fields: BodyRecord): void {
    if (fields.integer(layout.BODY_NEAR_LEAVES) !== 0) return;
    const { prepared, rest } = this;
    writeSelfRest(fields.memory, prepared, rest);
    for (const field of [layout.BODY_NEAR_OFFSETS, layout.BODY_NEAR_LEAVES]) {
      fields.setOwn(field, rest.pointers.get(field) ?? 0);
    }
  }
}
