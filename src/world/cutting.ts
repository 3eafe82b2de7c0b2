// What a body can be cut along, as the user says it, all in world space where the body is now.

import type { BackendBody } from '../backends/backend.js';
import { expectFinite, expectVector, showInput } from '../math/expect.js';
import { describeKnown, expectKnownFields } from '../math/known-fields.js';
import { add, length, normalize, scale, type Vec3 } from '../math/vec3.js';
import type { Blade, SolidModule } from '../solvers/blade.js';
import type { Model } from '../solvers/model.js';

/** Along a plane, all through the body or within a distance. */
export interface PlaneCut {
  /** A point of the plane [m], and its normal of any length. */
  readonly plane: { readonly point: Vec3; readonly normal: Vec3 };
  /** How far from the point it cuts [m]; all through unless given. */
  readonly within?: number;
}

/** Along the surface that a blade sweeps. */
export interface PathCut {
  /** Where the blade's tip goes [m]: two points or more. */
  readonly path: readonly Vec3[];
  /** From the tip to the other end of the blade [m]: one for the whole path, or one for each point of it. */
  readonly blade: Vec3 | readonly Vec3[];
}

/** Along any patch of triangles: one piece without holes. */
export interface TriangleCut {
  readonly triangles: {
    /** x, y, z of each vertex [m]. */
    readonly positions: ArrayLike<number>;
    /** Three vertices each. */
    readonly triangles: ArrayLike<number>;
  };
}

/** What cuts where the cut would be refused, whatever it is along. */
export interface CutFallback {
  /**
   * The module of `manifold-3d`, after its `setup()`: cuts what would be refused otherwise, at the price of a wedge of 1e-5 of the body's size.
   */
  readonly fallback?: SolidModule;
}

/** Along what a body is cut: a plane, the path of a blade, or triangles. */
export type CutOptions = (PlaneCut | PathCut | TriangleCut) & CutFallback;

/** How far the blade of a stroke reaches. */
export interface StrokeOptions extends CutFallback {
  /** How far the blade reaches along its direction beyond the point that it is moved to [m]; all through unless given. */
  readonly depth?: number;
  /** How far it reaches back from that point [m]; as far as `depth` unless given. */
  readonly back?: number;
}

/** A cut in the making: `const stroke = body.beginCut({ depth: 0.1 }); stroke.moveTo(…); stroke.end()`. */
export interface CutStroke {
  /** Whether it goes on: neither ended, nor its body gone. */
  readonly active: boolean;
  /**
   * Moves the blade on: it passes through a point [m] along a direction of any length. Matter between the blade's last place and this
   * one comes apart with the next step.
   */
  moveTo(point: Vec3, direction: Vec3): void;
  /** Lifts the blade: with the next step the surface is cut along the whole stroke, once and clean. */
  end(): void;
}

const KINDS = ['plane', 'path', 'triangles'] as const;

/** What a model is to be cut along; throws RangeError where it is nothing that can be cut along. */
export function readBlade(options: CutOptions): Blade {
  const { fallback, ...along } = options ?? {};
  const blade = readAlong(along as PlaneCut | PathCut | TriangleCut);
  expectFallback(fallback);
  return fallback ? { ...blade, fallback } : blade;
}

function expectFallback(fallback: SolidModule | undefined): void {
  const isOne = typeof fallback?.Manifold === 'function' && typeof fallback.Mesh === 'function';
  if (fallback === undefined || isOne) return;
  throw new RangeError(`fallback: expected the module of manifold-3d after its setup(), got ${showInput(fallback)}`);
}

function readAlong(options: PlaneCut | PathCut | TriangleCut): Blade {
  const given = KINDS.filter(
    (kind) => (options as Partial<Record<(typeof KINDS)[number], unknown>>)?.[kind] !== undefined,
  );
  if (given.length !== 1) {
    const got = given.length > 1 ? given.join(' and ') : describeOther(options);
    throw new RangeError(`cut: expected one of plane, path and triangles, got ${got}`);
  }
  if ('plane' in options) return readPlane(options);
  return 'path' in options ? readPath(options) : readTriangles(options as TriangleCut);
}

function describeOther(options: unknown): string {
  const [name] = typeof options === 'object' && options !== null ? Object.keys(options) : [];
  return name === undefined ? showInput(options) : `${showInput(name)} (${describeKnown(name, KINDS)})`;
}

function readPlane({ plane, within = Infinity, ...others }: PlaneCut): Blade {
  expectKnownFields('cut', others, ['plane', 'within']);
  expectVector('plane.point', plane?.point);
  expectDirection('plane.normal', plane?.normal);
  if (!(within > 0)) throw new RangeError(`within: expected a distance above 0, got ${showInput(within)}`);
  return { kind: 'plane', point: plane.point, normal: normalize(plane.normal), within };
}

function expectDirection(name: string, vector: Vec3): void {
  expectVector(name, vector);
  if (!(length(vector) > 0)) throw new RangeError(`${name}: expected a direction, got one of length 0`);
}

function readPath({ path, blade, ...others }: PathCut): Blade {
  expectKnownFields('cut', others, ['path', 'blade']);
  if (!(Array.isArray(path) && path.length >= 2)) {
    throw new RangeError(`path: expected two points or more, got ${showInput(path?.length)}`);
  }
  const isOne = typeof blade?.[0] === 'number';
  if (!isOne && blade?.length !== path.length) {
    throw new RangeError(
      `blade: expected one, or one for each of ${path.length} points, got ${showInput(blade?.length)}`,
    );
  }
  const tips: Vec3[] = [];
  const ends: Vec3[] = [];
  path.forEach((point, n) => {
    expectVector(`path[${n}]`, point);
    const along = (isOne ? blade : blade[n]) as Vec3;
    expectDirection(isOne ? 'blade' : `blade[${n}]`, along);
    // A point that repeats the one before has no surface.
    const last = tips.at(-1);
    if (last?.every((x, c) => x === point[c])) return;
    tips.push(point);
    ends.push(add(point, along));
  });
  if (tips.length < 2) throw new RangeError('path: expected two different points or more, got one');
  return { kind: 'swept', tips, ends };
}

function readTriangles({ triangles: given, ...others }: TriangleCut): Blade {
  expectKnownFields('cut', others, ['triangles']);
  const positions = Float64Array.from(given?.positions ?? []);
  const triangles = Uint32Array.from(given?.triangles ?? []);
  if (!(triangles.length > 0 && triangles.length % 3 === 0 && positions.length % 3 === 0)) {
    throw new RangeError('triangles: expected { positions, triangles } with three numbers each, and one or more');
  }
  expectFinite('triangles.positions', positions);
  const count = positions.length / 3;
  const wrong = Array.from(given.triangles).find(
    (vertex) => !(Number.isInteger(vertex) && vertex >= 0 && vertex < count),
  );
  if (wrong !== undefined) {
    throw new RangeError(`triangles.triangles: expected vertices from 0 to ${count - 1}, got ${showInput(wrong)}`);
  }
  return { kind: 'patch', positions, triangles };
}

/** The model of a body that can be cut; throws RangeError where its solver cannot. */
export function expectCuttable(what: string, { hostModel, prepared }: BackendBody): Model {
  if (hostModel?.cut && hostModel.beginStroke) return hostModel;
  throw new RangeError(`${what}: expected a body of a solver that can be cut, got one of ${prepared.solver.type}`);
}

/** A stroke of a body's model; throws RangeError where that has none. */
export function beginStroke(model: Model, options: StrokeOptions, wake: () => void): CutStroke {
  expectKnownFields('beginCut', options, ['depth', 'back', 'fallback']);
  const { depth = Infinity, back = depth, fallback } = options;
  expectFallback(fallback);
  for (const [name, reach, least] of [
    ['depth', depth, 'above'],
    ['back', back, 'from'],
  ] as const) {
    if (reach > 0 || (name === 'back' && reach === 0)) continue;
    throw new RangeError(`${name}: expected a distance ${least} 0, got ${showInput(reach)}`);
  }
  const stroke = (model.beginStroke as NonNullable<Model['beginStroke']>).call(model, fallback);
  return {
    get active() {
      return stroke.active;
    },
    moveTo(point, direction) {
      expectVector('point', point);
      expectDirection('direction', direction);
      if (!stroke.active) throw new RangeError('moveTo: expected a stroke that goes on, got one that has ended');
      const unit = normalize(direction);
      const far = (reach: number): Vec3 => add(point, scale(unit, Math.max(-FARTHEST, Math.min(FARTHEST, reach))));
      stroke.moveTo(far(depth), far(-back));
      wake();
    },
    end() {
      if (!stroke.active) return;
      stroke.end();
      wake();
    },
  };
}

/** What stands for a blade without end [m]: farther than bodies are large, near enough for their digits. */
const FARTHEST = 1e6;
