// Models of one solver that meet each other within their solves: the backend hands all of them over at once, instead of one
// by one to `match`.

import type { ContactRest } from '../contact/contact-body.js';
import type { ContactSettings } from '../contact/contact-settings.js';
import type { Touches } from '../contact/response/touches.js';
import type { Sleep } from '../contact/sleep.js';
import type { StateTree } from '../math/state-tree.js';
import type { Model, Shell } from './model.js';
import type { Surroundings } from './model-contacts.js';

/** A body as it takes part; one that sleeps is a wall to the others. */
export interface CoupledMember {
  /** Its place among the bodies of the world. */
  readonly place: number;
  readonly model: Model;
  /** As `match` gets it: predicted. */
  readonly shell: Shell;
  readonly around: Surroundings;
  readonly contactRest: ContactRest;
  readonly contactSettings: ContactSettings;
  readonly sleep: Sleep;
  /** What it touched in this step, by the other's `body`. */
  readonly touches: Touches<object>;
  readonly body: object;
}

/** Takes the models of one solver through a substep together, contact between them included; one per world. */
export interface ModelCoupling {
  /** What `match` does, for all members that are awake. Tells what they did to each other to their touches. */
  match(members: readonly CoupledMember[], timeStep: number): void;
  /** Places of bodies that pressed each other in it, two by two. */
  readonly pressed: readonly number[];
  /** What one substep leaves to the next and no model holds. */
  capture(): StateTree;
  restore(state: StateTree): void;
}
