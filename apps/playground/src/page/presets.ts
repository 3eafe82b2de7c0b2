// Settings of a body by a name: a few materials, and the paper's, which are those of the built-in scenes.

import { BUILT_IN_SOLVERS, findScene } from 'isochore/scenes';
import { bodySettingsOf } from '../settings.js';
import type { BodySettings } from '../solver-lines.js';

/** What a body of a built-in scene has, its defaults filled in by its solver; the scene is made when it is asked for. */
const asIn = (scene: string, body: number) => (): BodySettings => {
  const { type, ...options } = findScene(scene)?.make().bodies[body].solver ?? {};
  const make = BUILT_IN_SOLVERS.find((one) => one.type === type) ?? BUILT_IN_SOLVERS[0];
  return bodySettingsOf({ solver: { type: make.type, ...make(options).settings } });
};

/** Materials that everybody knows, as the documentation's page on tuning has them. Other settings of a body stay as they are. */
export const MATERIALS: Readonly<Record<string, BodySettings>> = {
  Jelly: { stiffness: 0.25, damping: 0.02 },
  Rubber: { stiffness: 0.9, damping: 0.2 },
  Dough: { stiffness: 0.3, damping: 0.9 },
  Flesh: { stiffness: 0.45, damping: 0.5 },
};

/** Those of [DBB11] Table 1 and Fig. 7. */
export const PRESETS: Readonly<Record<string, () => BodySettings>> = {
  'Balls in a glass (Table 1)': asIn('balls-in-glass', 0),
  'Ducks and tori (Table 1)': asIn('ducks-and-tori', 0),
  'Creatures (Table 1)': asIn('creatures', 0),
  'Global volume (Fig. 7)': asIn('squeeze', 0),
  'Local, inner pairs (Fig. 7)': asIn('squeeze', 1),
  'Local (Fig. 7)': asIn('squeeze', 2),
  'No volume constraint (Fig. 7)': asIn('squeeze', 3),
};
