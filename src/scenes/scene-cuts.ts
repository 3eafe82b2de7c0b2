// The cuts of a scene, made when their time has come: along planes at once, by blades while they go.

import { add, cross, dot, length, mix, normalize, scale, subtract, type Vec3 } from '../math/vec3.js';
import type { Body } from '../world/body.js';
import type { CutOptions, CutStroke } from '../world/cutting.js';
import type { World } from '../world/world.js';
import { SceneError } from './scene-errors.js';
import type { Scene } from './scene-schema.js';

type SceneCut = Scene['cuts'][number];
type PlaneCut = Extract<SceneCut, { plane: object }>;
type PathCut = Extract<SceneCut, { path: unknown }>;

/** Rounding of times that are sums of steps, in steps. */
const ROUNDING = 1e-6;

/** Strokes that have begun, by the place of their cut. */
const strokes = new WeakMap<World, Map<number, CutStroke>>();

/**
 * Cuts bodies as a scene says for the step that comes next; `elapsed` is what went before the world's own time [s]. Whoever steps the
 * world of a scene by hand calls it before each step; `playScene` does.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }] });
 * const { world, bodies } = await buildScene(scene);
 * cutDue(scene, world, bodies); // before a step, where a program plays a scene itself
 * world.step();
 * ```
 */
export function cutDue(scene: Scene, world: World, bodies: readonly Body[], elapsed = 0): void {
  const stepOf = (time: number): number => Math.ceil((time - elapsed) / world.timeStep - ROUNDING) - world.stepCount;
  scene.cuts.forEach((cut, index) => {
    const body = bodies.find(({ name }) => name === cut.body);
    if (!body) return;
    try {
      if ('plane' in cut) {
        if (stepOf(cut.time) === 0) cutPlane(body, cut);
      } else if (cut.until === undefined || cut.until <= cut.time) {
        if (stepOf(cut.time) === 0) body.cut({ path: cut.path, blade: cut.blade });
      } else moveBlade(world, body, cut, index, stepOf(cut.time), stepOf(cut.until));
    } catch (error) {
      throw new SceneError(`cuts[${index}]`, (error as Error).message);
    }
  });
}

function cutPlane(body: Body, { plane, within }: PlaneCut): void {
  const patch = within && planeInBox(plane, within.box);
  // A plane that misses its box cuts nothing.
  if (within && !patch) return;
  body.cut(patch ?? { plane });
}

/** The part of a plane in a box, as triangles. */
function planeInBox({ point, normal }: PlaneCut['plane'], [low, high]: readonly Vec3[]): CutOptions | undefined {
  const n = normalize(normal);
  const corner = (k: number): Vec3 => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]];
  const crossings: Vec3[] = [];
  for (let k = 0; k < 8; k++) {
    for (const bit of [1, 2, 4]) {
      if (k & bit) continue;
      const [a, b] = [corner(k), corner(k | bit)];
      const [d, e] = [dot(n, subtract(a, point)), dot(n, subtract(b, point))];
      if (d < 0 !== e < 0) crossings.push(mix(a, b, d / (d - e)));
    }
  }
  if (crossings.length < 3) return undefined;
  const centre = scale(
    crossings.reduce((sum, x) => add(sum, x)),
    1 / crossings.length,
  );
  const u = normalize(subtract(crossings[0], centre));
  const v = cross(n, u);
  // Round the centre: by a number that grows with the angle.
  const turn = (x: Vec3): number => {
    const [a, b] = [dot(u, subtract(x, centre)), dot(v, subtract(x, centre))];
    const share = a / (Math.abs(a) + Math.abs(b));
    return b >= 0 ? 1 - share : 3 + share;
  };
  const ring = [...crossings].sort((x, y) => turn(x) - turn(y));
  const triangles = ring.flatMap((_, k) => [ring.length, k, (k + 1) % ring.length]);
  return { triangles: { positions: [...ring, centre].flat(), triangles } };
}

/** The blade begins at the start of its path and is lifted at the end, at even speed along it. */
function moveBlade(world: World, body: Body, cut: PathCut, index: number, begin: number, end: number): void {
  if (begin > 0 || end < 0) return;
  const known = strokes.get(world) ?? new Map<number, CutStroke>();
  strokes.set(world, known);
  let stroke = known.get(index);
  if (!stroke?.active) {
    stroke = body.beginCut({ depth: length(cut.blade), back: 0 });
    known.set(index, stroke);
  }
  stroke.moveTo(along(cut.path, end === begin ? 1 : -begin / (end - begin)), cut.blade);
  if (end > 0) return;
  stroke.end();
  known.delete(index);
}

/** The point at a share of a path's length. */
function along(path: readonly Vec3[], share: number): Vec3 {
  const lengths = path.slice(1).map((point, n) => length(subtract(point, path[n])));
  let left = share * lengths.reduce((sum, one) => sum + one, 0);
  for (const [n, one] of lengths.entries()) {
    if (left <= one && one > 0) return mix(path[n], path[n + 1], left / one);
    left -= one;
  }
  return path[path.length - 1];
}
