// Friction that differs over a body's surface.

import type { ContactBody, ContactRest } from '../contact-body.js';
import type { FeatureContacts } from './feature-contacts.js';

/** Scales the friction of a contact of which the particles and weights are known by what is painted on the two sides. */
export function scaleFriction(own: ContactBody, other: ContactBody, list: FeatureContacts, contact: number): void {
  if (!own.contactRest.frictions && !other.contactRest.frictions) return;
  const split = 4 * contact + list.splits[contact];
  const first = meanFactor(own.contactRest, list, 4 * contact, split);
  list.frictions[contact] *= Math.sqrt(first * meanFactor(other.contactRest, list, split, 4 * contact + 4));
}

/** Mean factor of some particles of a contact, by weight. */
function meanFactor({ frictions }: ContactRest, list: FeatureContacts, from: number, to: number): number {
  if (!frictions) return 1;
  let sum = 0;
  let weight = 0;
  for (let c = from; c < to; c++) {
    const share = Math.abs(list.weights[c]);
    sum += share * frictions[list.particles[c]];
    weight += share;
  }
  return weight > 0 ? sum / weight : 1;
}
