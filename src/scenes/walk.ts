// A creature on bones of our own walks over soft ground: its feet press into the ground, and balls that wait on its way dent it. Posed:
// 240 frames at 24 per second, any of them by itself.

import { fromAxisAngle } from '../math/quaternion.js';
import { sine } from '../math/trigonometry.js';
import type { SceneFile } from './scene-schema.js';

type Point = [number, number, number];
interface Key {
  time: number;
  position?: Point;
  rotation?: [number, number, number, number];
}

const FRAMES = 240;
const FPS = 24;
/** Steps with the same foot per second, and keyframes in each. */
const PACE = 0.75;
const KEYS = 16;
/** Way per step with the same foot [m]: what a leg of 0.3 m that swings by 0.27 rad to both sides takes twice. */
const STRIDE = 0.32;
const SWING = 0.27;
const DURATION = (FRAMES - 1) / FPS;

const times = (): number[] =>
  Array.from({ length: Math.ceil(DURATION * PACE * KEYS) + 1 }, (_, n) => n / (PACE * KEYS));

/** A wave of a step, from −1 to 1. */
const wave = (time: number, shift: number): number => sine(2 * Math.PI * (PACE * time + shift));

/** Turns about the sideways axis: what hangs down swings forwards by a positive angle. */
const swing = (angle: (time: number) => number): Key[] =>
  times().map((time) => {
    const [x, y, z, w] = fromAxisAngle([1, 0, 0], -angle(time));
    return { time, rotation: [x, y, z, w] };
  });

function limbs(side: 1 | -1) {
  const name = side === 1 ? 'left' : 'right';
  const shift = side === 1 ? 0 : 0.5;
  const at = ([x, y, z]: Point): Point => [side * x, y, z];
  return [
    {
      name: `thigh-${name}`,
      parent: 'trunk',
      head: at([0.1, 0.32, 0]),
      tail: at([0.15, 0.19, 0.04]),
      motion: swing((time) => SWING * wave(time, shift)),
    },
    {
      name: `shin-${name}`,
      parent: `thigh-${name}`,
      head: at([0.15, 0.19, 0.04]),
      tail: at([0.145, 0.06, 0]),
      // Bent while the leg goes forwards.
      motion: swing((time) => -0.5 * Math.max(0, wave(time, shift + 0.25))),
    },
    {
      name: `foot-${name}`,
      parent: `shin-${name}`,
      head: at([0.145, 0.04, 0]),
      tail: at([0.17, 0.03, 0.15]),
      motion: swing((time) => -SWING * wave(time, shift) + 0.5 * Math.max(0, wave(time, shift + 0.25))),
    },
    {
      name: `arm-${name}`,
      parent: 'trunk',
      head: at([0.12, 0.58, 0]),
      tail: at([0.35, 0.65, 0.08]),
      motion: swing((time) => -0.3 * wave(time, shift)),
    },
  ];
}

export function walk(): SceneFile {
  const far = STRIDE * PACE * DURATION;
  const trunk = times().map(
    (time): Key => ({ time, position: [0, -0.01 + 0.01 * wave(2 * time, 0.25), STRIDE * PACE * time] }),
  );
  return {
    isochore: 1,
    timeStep: 1 / FPS,
    steps: FRAMES - 1,
    bodies: [
      {
        name: 'walker',
        mesh: { shape: 'creature', vertices: 1000 },
        group: 2,
        solver: { type: 'deformer', reach: 0.1, cells: 16, tolerance: 1e-3 },
        input: {
          bones: [
            { name: 'trunk', head: [0, 0.3, 0], tail: [0, 0.6, 0], motion: trunk },
            {
              name: 'head',
              parent: 'trunk',
              head: [0, 0.66, 0.02],
              tail: [0, 0.85, 0.1],
              motion: swing((time) => 0.06 * wave(2 * time, 0)),
            },
            {
              name: 'tail',
              parent: 'trunk',
              head: [0, 0.3, -0.1],
              tail: [0, 0.18, -0.5],
              motion: swing((time) => 0.12 * wave(time, 0.1)),
            },
            ...limbs(1),
            ...limbs(-1),
          ],
        },
      },
      {
        name: 'ground',
        mesh: { shape: 'box', size: [0.8, 0.25, far + 1], divisions: [12, 4, 52] },
        position: [0, -0.105, far / 2],
        group: 4,
        solver: { type: 'deformer', reach: 0, cells: 32, tolerance: 1e-3 },
      },
    ],
    colliders: [
      ...(['left', 'right'] as const).map((name) => ({
        name: `sole-${name}`,
        shape: 'box' as const,
        size: [0.13, 0.05, 0.26] as Point,
        position: [0.01 * (name === 'left' ? 1 : -1), -0.03, 0.08] as Point,
        collidesWith: 4,
        press: { direction: [0, -1, 0] as Point, margin: 0.02 },
        follow: { body: 'walker', node: `foot-${name}` },
      })),
      ...[0.3, 0.55, 0.8].map((share, n) => ({
        name: `ball-${n}`,
        shape: 'sphere' as const,
        radius: 0.12,
        position: [n % 2 === 0 ? 0.2 : -0.2, 0.42, share * far] as Point,
        collidesWith: 2,
      })),
    ],
  };
}
