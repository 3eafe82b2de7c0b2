// The built-in scenes by name, shared by tests, benchmarks, the playground and the command line.

import { ballsInGlass } from './balls-in-glass.js';
import { creatureDrop } from './creature-drop.js';
import { creatures } from './creatures.js';
import { cube } from './cube.js';
import { cutLiver } from './cut-liver.js';
import { drop } from './drop.js';
import { ducksAndTori } from './ducks-and-tori.js';
import { creatureStairs, sphereStairs } from './elastic-stairs.js';
import { flowers } from './flowers.js';
import { hand } from './hand.js';
import { handStiffness } from './hand-stiffness.js';
import { imprint } from './imprint.js';
import { muscle } from './muscle.js';
import { plasticBlock } from './plastic-block.js';
import { press } from './press.js';
import { recover } from './recover.js';
import type { SceneFile } from './scene-schema.js';
import { squeeze } from './squeeze.js';
import { stairs } from './stairs.js';
import { swallow } from './swallow.js';
import { toriPile } from './tori-pile.js';
import { twist } from './twist.js';
import { walk } from './walk.js';

/** A built-in scene. */
export interface CatalogueEntry {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly make: () => SceneFile;
}

/**
 * All built-in scenes.
 * @example
 * ```ts
 * for (const { name } of scenes) console.log(name);
 * ```
 */
export const scenes: readonly CatalogueEntry[] = [
  {
    name: 'squeeze',
    summary: 'four spheres under a plate: three ways to keep their volume, and none',
    make: squeeze,
  },
  { name: 'twist', summary: 'a 5×1×1 bar turned by its ends, with and without the volume constraint', make: twist },
  { name: 'recover', summary: 'a cube comes back from each degenerate start state', make: recover },
  { name: 'cube', summary: 'a cube of 30 248 particles falls on a floor', make: cube },
  { name: 'balls-in-glass', summary: 'twenty balls of 382 particles fall into a glass', make: ballsInGlass },
  { name: 'ducks-and-tori', summary: 'twenty ducks and twenty tori fall into a tub', make: ducksAndTori },
  { name: 'creatures', summary: 'six creatures fall onto each other and an obstacle course', make: creatures },
  { name: 'stairs', summary: 'a ring tumbles down a flight of stairs', make: stairs },
  { name: 'hand', summary: 'a finger of a hand is pushed: the others stay where they are', make: hand },
  {
    name: 'hand-stiffness',
    summary: 'two hands held out: one alike all over, one with a soft finger and a hard thumb',
    make: handStiffness,
  },
  { name: 'cut-liver', summary: 'a liver that hangs is cut three times, and its pieces fall', make: cutLiver },
  { name: 'plastic-block', summary: 'a ball dents two blocks: one springs back, one keeps it', make: plasticBlock },
  { name: 'flowers', summary: 'forty flowers in the wind, refined where a ball touches them', make: flowers },
  {
    name: 'drop',
    summary: 'three jelly balls of 50 kPa: volume kept in every one-ring, lost (ν = 0.45), locked (ν = 0.499)',
    make: drop,
  },
  {
    name: 'press',
    summary: 'a jelly ball of 50 kPa pressed to a hundredth of its height without friction, and let go',
    make: press,
  },
  { name: 'sphere-stairs', summary: 'a jelly ball of 40 kPa tumbles down the stairs', make: sphereStairs },
  {
    name: 'creature-stairs',
    summary: 'a creature of soft rubber, 100 kPa, tumbles down the stairs',
    make: creatureStairs,
  },
  { name: 'creature-drop', summary: 'a creature of soft rubber, 100 kPa, falls flat on a floor', make: creatureDrop },
  { name: 'tori-pile', summary: 'forty jelly rings of 400 kPa fall into a glass', make: toriPile },
  {
    name: 'muscle',
    summary: 'flesh of 20 kPa with fibres of up to 60 kPa contracts, bulges and lifts 98 kg',
    make: muscle,
  },
  { name: 'imprint', summary: 'a ring pressed into bodies of three reaches, each frame by itself', make: imprint },
  { name: 'swallow', summary: 'a ball goes down a throat, under its skin', make: swallow },
  { name: 'walk', summary: 'a creature on bones walks over soft ground and into balls', make: walk },
];

/**
 * The built-in scene of a name.
 * @example
 * ```ts
 * const scene = checkScene(findScene('squeeze')?.make());
 * ```
 */
export const findScene = (name: string): CatalogueEntry | undefined => scenes.find((scene) => scene.name === name);
