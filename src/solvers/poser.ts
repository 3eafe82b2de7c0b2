// Bodies that are posed, not simulated: where they are at a time is a function of that time alone. Scene files name a poser where
// others name a solver.

import type { DeformerTask } from '../deformer/frame-messages.js';
import type { DeformerFrameSettings } from '../deformer/settings.js';
import type { Fields } from './fields.js';

export interface Poser {
  /** Its name in scene files and errors. */
  readonly type: string;
  /** What it is, in a sentence. */
  readonly words: string;
  readonly fields: Fields;
  /** The maps that may be painted for it, beside those of all bodies: what a factor of each does, in a line. */
  readonly maps: Readonly<Record<string, string>>;
  /** Names of the fields that may have keyframes: they are asked anew at each moment. */
  readonly keyed: readonly string[];
  /** What such fields are to the deformer, of those that are given. */
  frameSettings(values: object): Partial<DeformerFrameSettings>;
  /** What deforms it, from checked settings by the names of its fields and from factors by vertex. */
  settings(values: object, maps: Readonly<Record<string, ArrayLike<number>>>): NonNullable<DeformerTask['settings']>;
}
