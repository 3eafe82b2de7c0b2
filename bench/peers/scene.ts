// The scenes that all engines get alike: meshes of ours over a floor, with or without a plate that comes down on them or walls around them.

import { box, type Keyframe, type TriangleMesh, torus, uvSphere, type Vec3 } from '../../src/index.js';
import { poseAt } from '../../src/math/motion.js';
import { seededRandom } from '../../src/math/random.js';

/** A box that is moved, whatever is in its way. */
export interface Plate {
  readonly size: Vec3;
  readonly motion: readonly Keyframe[];
}

export interface PeerScene {
  readonly name: string;
  readonly bodies: readonly { readonly mesh: TriangleMesh; readonly position: Vec3 }[];
  readonly plate?: Plate;
  /** Walls around a pile: half of the width of a square room [m]. Bodies that have come to rest may sleep in it, as they do in each engine by default. */
  readonly room?: number;
  readonly steps: number;
}

/** What is the same in every scene: SI units, the top of the floor at y = 0. */
export const PEER_WORLD = { gravity: [0, -9.81, 0] as Vec3, timeStep: 0.005, density: 1000, friction: 0.5 } as const;

/** For engines that want a box [m]. */
export const FLOOR: { readonly size: Vec3; readonly position: Vec3 } = { size: [100, 2, 100], position: [0, -1, 0] };

/** The walls of a room for engines that want boxes. */
export function wallsOf(room: number): { readonly size: Vec3; readonly position: Vec3 }[] {
  const away = room + FLOOR.size[1] / 2;
  const [along, thickness] = [FLOOR.size[0], FLOOR.size[1]];
  return [-1, 1].flatMap((side) => [
    { size: [thickness, along, along] as Vec3, position: [side * away, 0, 0] as Vec3 },
    { size: [along, along, thickness] as Vec3, position: [0, 0, side * away] as Vec3 },
  ]);
}

/** Engines take half of a box's sides. */
export const halfOf = ([x, y, z]: Vec3): [number, number, number] => [x / 2, y / 2, z / 2];

/** Where the plate's centre is after a number of steps. */
export function plateAt({ motion }: Plate, steps: number): [number, number, number] {
  const [x, y, z] = poseAt(motion, steps * PEER_WORLD.timeStep).position;
  return [x, y, z];
}

/**
 * The cube of the built-in scene, 6n² + 2 vertices, let go 2 cm above the floor instead of 20: it lands after 13 steps, and
 * engines that need a quarter of a second for a step spend most of it on contact. Margins of 1 cm do not touch yet.
 */
export function cubeScene(divisions = 71, steps = 50): PeerScene {
  const mesh = box({ size: [1, 1, 1], divisions });
  return { name: 'cube', bodies: [{ mesh, position: [0, 0.52, 0] }], steps };
}

/** Far enough apart that bodies which bulge or swell do not touch: not every engine has contact between them [m]. */
const SPACING = 5;
const PLATE_THICKNESS = 0.2;

/**
 * The four spheres of the built-in scene with a plate that comes down to 35 % of their height in a second and stays; all of
 * them keep their volume as well as the engine can.
 */
export function squeezeScene(segments = 40, steps = 250): PeerScene {
  const mesh = uvSphere({ segments, radius: 1 });
  const over = (gap: number): Vec3 => [0, gap + PLATE_THICKNESS / 2, 0];
  return {
    name: 'squeeze',
    bodies: [-1.5, -0.5, 0.5, 1.5].map((place) => ({ mesh, position: [place * SPACING, 1.01, 0] })),
    plate: {
      size: [4 * SPACING, PLATE_THICKNESS, SPACING],
      motion: [
        { time: 0, position: over(2.03) },
        { time: 1, position: over(0.7) },
      ],
    },
    steps,
  };
}

/**
 * Balls, boxes and rings of some 0.5 m by turns, four to a layer, that fall into a room. Coarse, as engines that need tens of milliseconds for a step
 * are to get to rest too.
 */
export function pileScene(seed: number, layers = 4, steps = 800): PeerScene {
  const meshes = [
    uvSphere({ segments: 14, radius: 0.25 }),
    box({ size: 0.4, divisions: 5 }),
    torus({ majorRadius: 0.18, minorRadius: 0.09, majorSegments: 20, minorSegments: 10 }),
  ];
  const random = seededRandom(seed);
  const bodies = Array.from({ length: 4 * layers }, (_, n) => {
    const [x, z] = [n % 2, (n >> 1) % 2].map((side) => 0.6 * (side - 0.5) + 0.04 * (random() - 0.5));
    return { mesh: meshes[n % 3], position: [x, 0.35 + 0.6 * (n >> 2), z] as Vec3 };
  });
  return { name: `pile ${seed}`, bodies, room: 0.6, steps };
}
