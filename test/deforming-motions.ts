// The motions under which surfaces are to stay smooth: a body held at its two ends, or pressed between plates. Bodies lie along
// x and are a metre or more long.

import { type Body, boundsOf, type Keyframe, type Prepared, type TriangleMesh, type World } from '../src/index.js';
import { fromAxisAngle } from '../src/math/quaternion.js';

/** Share of the length that is held at each end: of a bar its end faces, of other shapes a cap. */
const HELD = 0.02;
const HELD_CAP = 0.08;
/** Between keyframes, so that each turns by less than half a turn. */
const PARTS = 8;

export interface DeformingMotion {
  /** Held by pins at its ends, or lying on a floor under a plate. */
  start(world: World, prepared: Prepared): Body;
  /** Vertices that pins hold: the motion itself has a kink there. */
  held(body: Body): number[];
  /** Steps of 5 ms until the motion has ended and the body is at rest. */
  readonly steps: number;
}

const keyframes = (seconds: number, poseAt: (share: number) => Omit<Keyframe, 'time'>): Keyframe[] =>
  Array.from({ length: PARTS + 1 }, (_, n) => ({ time: (seconds * n) / PARTS, ...poseAt(n / PARTS) }));

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The vertices at one end (−1 or 1) of the body at rest. */
function endOf({ mesh: { positions } }: Body, end: number): number[] {
  const [low, high] = boundsOf(positions);
  const x = end < 0 ? low[0] : high[0];
  const isFace = positions.filter((value, k) => k % 3 === 0 && value === x).length > 8;
  const reach = (isFace ? HELD : HELD_CAP) * (high[0] - low[0]);
  return Array.from({ length: positions.length / 3 }, (_, vertex) => vertex).filter(
    (vertex) => Math.abs(positions[3 * vertex] - x) <= reach,
  );
}

function held(seconds: number, far: (share: number, length: number) => Omit<Keyframe, 'time'>): DeformingMotion {
  return {
    steps: Math.round((seconds + 1) / 0.005),
    start(world, prepared) {
      const body = world.add(prepared, { selfContact: true });
      const [low, high] = boundsOf(body.positions);
      body.pin(endOf(body, -1));
      body.pin(
        endOf(body, 1),
        keyframes(seconds, (share) => far(share, high[0] - low[0])),
      );
      return body;
    },
    held: (body) => [...endOf(body, -1), ...endOf(body, 1)],
  };
}

/** One end turned about the length. */
export const twist = (degrees: number): DeformingMotion =>
  held(degrees / 90, (share) => ({ rotation: fromAxisAngle([1, 0, 0], radians(share * degrees)) }));

/** Bent into an arc, the length along its middle kept. */
export const bend = (degrees: number): DeformingMotion =>
  held(degrees / 90, (share, length) => {
    const angle = radians(share * degrees);
    const span = (1 - HELD) * length;
    const radius = angle > 0 ? span / angle : 0;
    const place = angle > 0 ? [radius * Math.sin(angle) - span, radius * (1 - Math.cos(angle))] : [0, 0];
    return { position: [place[0], place[1], 0], rotation: fromAxisAngle([0, 0, 1], angle) };
  });

/** Drawn out to a multiple of its length. */
export const stretch = (factor: number): DeformingMotion =>
  held(2, (share, length) => ({ position: [share * (factor - 1) * length, 0, 0] }));

/** Pressed by a plate to a share of its height. */
export const press = (share: number): DeformingMotion => ({
  steps: 600,
  start(world, prepared) {
    const [low, high] = boundsOf(prepared.mesh.positions);
    const height = high[1] - low[1];
    const plate = 0.1 * height;
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    world.addCollider({
      shape: 'box',
      size: [20 * (high[0] - low[0]), plate, 20 * (high[2] - low[2])],
      motion: [
        { time: 0, position: [0, 1.01 * height + plate / 2, 0] },
        { time: 2, position: [0, share * height + plate / 2, 0] },
      ],
    });
    return world.add(prepared, { position: [0, 0.001 * height - low[1], 0] });
  },
  held: () => [],
});

/** The mesh turned so that its longest side lies along x, a metre long. */
export function lyingAlongX(mesh: TriangleMesh): TriangleMesh {
  const [low, high] = boundsOf(mesh.positions);
  const sides = [0, 1, 2].map((c) => high[c] - low[c]);
  const longest = sides.indexOf(Math.max(...sides));
  const positions = mesh.positions.map((_, k) => {
    const c = ((k % 3) + longest) % 3;
    return (mesh.positions[k - (k % 3) + c] - (low[c] + high[c]) / 2) / sides[longest];
  });
  return { positions, triangles: mesh.triangles };
}
