// What the kernels are told of a body before a step: its settings, and where pins want their particles.

import type { ContactSettings } from '../../contact/contact-body.js';
import type { SurfaceSettings } from '../../solvers/surface/settings.js';
import { dampingPerStep, stiffnessPerStep } from '../../solvers/surface/surface-elasticity.js';
import type { Pin } from '../pin.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

/** All of them every time: users may change them at any time, and it takes less than asking. */
export function writeSettings(
  memory: WasmMemory,
  record: number,
  { stiffness, damping, volume }: SurfaceSettings,
  stiffnessScale: number,
  contact: ContactSettings,
  timeStep: number,
): void {
  memory.setNumber(record + layout.BODY_STIFFNESS, stiffnessPerStep(stiffness * stiffnessScale, timeStep));
  memory.setNumber(record + layout.BODY_DAMPING, dampingPerStep(damping, timeStep));
  if (volume) {
    memory.setNumber(record + layout.BODY_GLOBAL_SHARE, volume.globalShare);
    memory.setNumber(record + layout.BODY_INNER_SHARE, volume.innerShare);
    memory.setNumber(record + layout.BODY_INNER_MIN, volume.innerStiffness[0]);
    memory.setNumber(record + layout.BODY_INNER_MAX, volume.innerStiffness[1]);
  }
  memory.setNumber(record + layout.BODY_FRICTION, contact.friction);
  memory.setNumber(record + layout.BODY_RESTITUTION, contact.restitution);
  memory.setInteger(record + layout.BODY_GROUPS, contact.group);
  memory.setInteger(record + layout.BODY_GROUPS + 4, contact.collidesWith);
}

/** Marks the pinned particles and writes where they are to be at this time [s]; `places` are the particles of the vertices. */
export function writePins(
  memory: WasmMemory,
  record: number,
  pins: readonly Pin[],
  places: Uint32Array,
  time: number,
): void {
  const pinned = memory.bytes(memory.integer(record + layout.BODY_PINNED), places.length);
  pinned.fill(0);
  const targets = memory.floats(memory.integer(record + layout.BODY_PIN_TARGETS), 4 * places.length);
  const origin = memory.doubles(record + layout.BODY_ORIGIN, 3);
  for (const pin of pins) {
    const points = new Float64Array(3 * pin.vertices.length);
    pin.writeTargets(time, points);
    pin.vertices.forEach((vertex, n) => {
      const place = places[vertex];
      pinned[place] = 1;
      for (let c = 0; c < 3; c++) targets[4 * place + c] = points[3 * n + c] - origin[c];
    });
  }
}
