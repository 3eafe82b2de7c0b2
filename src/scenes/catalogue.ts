// The built-in scenes by name, shared by tests, benchmarks, the playground and the command line.

import { ballsInGlass } from './balls-in-glass.js';
import { creatures } from './creatures.js';
import { cube } from './cube.js';
import { ducksAndTori } from './ducks-and-tori.js';
import { imprint } from './imprint.js';
import { recover } from './recover.js';
import type { SceneFile } from './scene-schema.js';
import { squeeze } from './squeeze.js';
import { stairs } from './stairs.js';
import { swallow } from './swallow.js';
import { twist } from './twist.js';
import { walk } from './walk.js';

export interface CatalogueEntry {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly make: () => SceneFile;
}

export const scenes: readonly CatalogueEntry[] = [
  {
    name: 'squeeze',
    summary: 'four spheres under a plate: three ways to keep their volume, and none',
    make: squeeze,
  },
  { name: 'twist', summary: 'a 4×1×1 bar turned by its ends, with and without the volume constraint', make: twist },
  { name: 'recover', summary: 'a cube comes back from each degenerate start state', make: recover },
  { name: 'cube', summary: 'a cube of 30 248 particles falls on a floor', make: cube },
  { name: 'balls-in-glass', summary: 'twenty balls of 382 particles fall into a glass', make: ballsInGlass },
  { name: 'ducks-and-tori', summary: 'twenty ducks and twenty tori fall into a tub', make: ducksAndTori },
  { name: 'creatures', summary: 'six creatures fall onto each other and an obstacle course', make: creatures },
  { name: 'stairs', summary: 'a ring tumbles down a flight of stairs', make: stairs },
  { name: 'imprint', summary: 'a ring pressed into bodies of three reaches, each frame by itself', make: imprint },
  { name: 'swallow', summary: 'a ball goes down a throat, under its skin', make: swallow },
  { name: 'walk', summary: 'a creature on bones walks over soft ground and into balls', make: walk },
];

export const findScene = (name: string): CatalogueEntry | undefined => scenes.find((scene) => scene.name === name);
