// What the colliders of a frame did, each by its name: which one is open, covers everything, or still has vertices in it.

import { scale as scaleVector } from '../math/vec3.js';
import type { DeformerCollider } from './collider-settings.js';
import { ROUNDING } from './contact-way.js';
import type { Contacts } from './contacts.js';
import { type ObjectFrame, turnToWorld } from './object-frame.js';
import type { ColliderReport, DeformerFlag } from './report.js';

/**
 * @param asked all colliders of the frame. @param taking those of them that take part, which are the contacts'.
 * @param after vertices after contact [half sizes].
 */
export function describeColliders(
  asked: readonly DeformerCollider[],
  taking: readonly DeformerCollider[],
  contacts: Contacts,
  after: Float64Array,
  frame: ObjectFrame,
): ColliderReport[] {
  let next = 0;
  return asked.map((collider): ColliderReport => {
    const name = collider.name ?? collider.shape;
    if (collider !== taking[next]) {
      const flags: DeformerFlag[] = (collider.enabled ?? true) ? ['collider-left-out'] : [];
      return { name, tookPart: false, depthBefore: 0, depthAfter: 0, direction: undefined, flags };
    }
    const c = next++;
    const approach = contacts.depths[c] > ROUNDING || collider.sweep ? contacts.approaches[c] : undefined;
    const depthAfter = contacts.deepestIn(c, after);
    return {
      name,
      tookPart: true,
      depthBefore: contacts.deepestVertexBefore(c) * frame.scale,
      depthAfter: depthAfter * frame.scale,
      direction: approach && turnToWorld(frame, scaleVector(approach, -1)),
      flags: flagsOf(contacts, c, depthAfter),
    };
  });
}

function flagsOf(contacts: Contacts, c: number, depthAfter: number): DeformerFlag[] {
  const { isClosed, inside } = contacts.colliders[c];
  const flags: DeformerFlag[] = [];
  if (!isClosed) flags.push('open-collider');
  if (contacts.isSwallowing(c)) flags.push('swallowed');
  if (contacts.lostWays[c] === 1) flags.push('no-way-out');
  if (!contacts.approaches[c] && !inside && contacts.depths[c] > ROUNDING) flags.push('no-direction');
  if (depthAfter > ROUNDING) flags.push('still-inside');
  return flags;
}
