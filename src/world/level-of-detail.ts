// Levels of detail that follow what matters: where the focus is, what is touched, and how long steps may take. Once in a while each body
// is asked which of its cells are too coarse or finer than needed; solvers without levels are left alone.

import type { BackendBody } from '../backends/backend.js';
import type { Obstacle } from '../contact/obstacles/obstacle.js';
import { expectNumber, expectPositive, expectVector, showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { StateTree } from '../math/state-tree.js';
import type { Vec3 } from '../math/vec3.js';
import type { CellTest } from '../solvers/detail.js';
import type { Body } from './body.js';
import { Collider } from './collider.js';
import type { ContactLog } from './contact-events.js';
import type { ResidentBody } from './resident-body.js';
import type { Roster } from './roster.js';

/** Cells by how large they are seen. */
export interface FocusOptions {
  /** Where one looks from [m]. */
  readonly position: Vec3;
  /** Cells seen larger than this are halved, seen much smaller joined [rad]; of a screen pixels × field of view / height. */
  readonly cellAngle: number;
}

/** Cells by what touches them. */
export interface TouchOptions {
  /** How far around a touch cells are halved, in body sizes. */
  readonly radius: number;
  /** How long they stay so after it [s]. */
  readonly hold: number;
}

/** Where bodies that can are as fine as they may be. */
export interface DetailOptions {
  readonly focus?: FocusOptions;
  /** Whether cells are as fine as they can be where something grips or hits; `true` for the defaults. */
  readonly touch?: boolean | Partial<TouchOptions>;
}

/** Options of refinement by touch where none are given. */
export const TOUCH_DEFAULTS: TouchOptions = Object.freeze({ radius: 0.06, hold: 1 });

/** Steps between two looks at a body: a change costs some ten steps of a body. */
const INTERVAL = 12;
/** Cells are joined when what they become is seen smaller than this share of the angle at which it would be halved. */
const HYSTERESIS = 0.75;
/** How much of the budget steps may take before what was made coarser is refined again. */
const RELAXED = 0.6;
/** Weight of a step in the mean that is compared with the budget: some ten steps. */
const NEWEST = 0.1;
/** As often as any grid allows. */
const ALL_LEVELS = 8;

/** What it looks at in a world. */
interface Seen {
  readonly bodies: Roster<Body, ResidentBody>;
  readonly colliders: Roster<Collider, Obstacle>;
  readonly log: ContactLog;
  readonly clock: { readonly steps: number };
}

/** A touched vertex, and until when it counts [s]. */
interface Mark {
  readonly vertex: number;
  until: number;
}

interface Attention {
  marks: Mark[];
  /** How often the budget has made it coarser. */
  limit: number;
}

const distanceAt = (x: ArrayLike<number>, vertex: number, px: number, py: number, pz: number): number =>
  Math.sqrt((x[3 * vertex] - px) ** 2 + (x[3 * vertex + 1] - py) ** 2 + (x[3 * vertex + 2] - pz) ** 2);

export class LevelOfDetail {
  private options: { readonly focus?: FocusOptions; readonly touch?: TouchOptions } | null = null;
  /** What steps may take [ms]. */
  private limit = Number.POSITIVE_INFINITY;
  private smoothed = 0;
  private readonly known = new WeakMap<Body, Attention>();

  get detail(): DetailOptions | null {
    return this.options;
  }

  set detail(given: DetailOptions | null) {
    if (given === null) {
      this.options = null;
      return;
    }
    expectKnownFields('detail', given, ['focus', 'touch']);
    const { focus, touch } = given;
    if (focus) {
      expectKnownFields('detail.focus', focus, ['position', 'cellAngle']);
      expectVector('detail.focus.position', focus.position);
      expectNumber('detail.focus.cellAngle', focus.cellAngle, 1e-4, 3);
    }
    if (!touch) {
      this.options = { focus };
      return;
    }
    if (touch !== true) expectKnownFields('detail.touch', touch, Object.keys(TOUCH_DEFAULTS));
    const { radius, hold } = { ...TOUCH_DEFAULTS, ...(touch === true ? {} : touch) };
    expectPositive('detail.touch.radius', radius);
    expectNumber('detail.touch.hold', hold, 0);
    this.options = { focus, touch: { radius, hold } };
  }

  get budget(): number {
    return this.limit;
  }

  set budget(budget: number) {
    if (!(budget > 0))
      throw new RangeError(`budget: expected milliseconds above 0, or Infinity, got ${showInput(budget)}`);
    this.limit = budget;
  }

  private of(body: Body): Attention {
    const known = this.known.get(body) ?? { marks: [], limit: 0 };
    this.known.set(body, known);
    return known;
  }

  /** Before a step; `took` is how long the one before was [ms]. */
  update(parts: Seen, { time, took }: { time: number; took: number }): void {
    const { options, limit } = this;
    if (!options && limit === Number.POSITIVE_INFINITY) return;
    const { bodies, clock } = parts;
    const { steps } = clock;
    const states = bodies.inner.map(({ state }) => state);
    if (options?.touch) this.noteTouches(parts, options.touch, time);
    bodies.facades.forEach((body, n) => {
      if (options && (steps + n) % INTERVAL === 0 && !body.asleep) this.look(body, states[n], time);
    });
    this.smoothed += NEWEST * (took - this.smoothed);
    if (limit < Number.POSITIVE_INFINITY && steps > 0 && steps % INTERVAL === 0)
      this.keepBudget(bodies.facades, states);
  }

  private noteTouches({ bodies, colliders, log }: Seen, { hold }: TouchOptions, time: number): void {
    bodies.inner.forEach(({ state }, n) => {
      for (const { corners } of state.grips) this.mark(bodies.facades[n], corners[0], time + hold);
    });
    for (const { phase, body, other, point } of log.events) {
      const obstacle = other instanceof Collider ? colliders.innerOf(other) : undefined;
      // What merely lies on something that rests is not touched.
      const isLive = phase === 'begin' || (phase === 'persist' && (obstacle?.isMoving ?? true));
      if (!isLive) continue;
      for (const touched of other instanceof Collider ? [body] : [body, other]) {
        this.mark(touched, nearestVertex(touched, point), time + hold);
      }
    }
  }

  private mark(body: Body, vertex: number, until: number): void {
    const { marks } = this.of(body);
    const same = marks.find((mark) => mark.vertex === vertex);
    if (same) same.until = until;
    else marks.push({ vertex, until });
  }

  /** Changes the cells of a body as far as focus and touch ask for it. */
  private look(body: Body, { hostModel }: BackendBody, time: number): void {
    if (!hostModel?.refine || !hostModel.coarsen) return;
    const { focus, touch } = this.options ?? {};
    const attention = this.of(body);
    const count = body.particleCount;
    attention.marks = attention.marks.filter(({ vertex, until }) => until >= time && vertex < count);
    const { positions } = body;
    const radius = (touch?.radius ?? 0) * body.prepared.volume.size;
    const isNear = (x: number, y: number, z: number, reach: number): boolean =>
      attention.marks.some(({ vertex }) => distanceAt(positions, vertex, x, y, z) < reach);
    const seenAt = (x: number, y: number, z: number, size: number): number =>
      focus ? size / distanceAt(focus.position, 0, x, y, z) : 0;
    const angle = focus?.cellAngle ?? Number.POSITIVE_INFINITY;
    const isCoarse: CellTest = (x, y, z, size) => isNear(x, y, z, radius + 0.5 * size) || seenAt(x, y, z, size) > angle;
    const isFine: CellTest = (x, y, z, size, finer) =>
      !isNear(x, y, z, radius + 1.5 * size) && (focus ? seenAt(x, y, z, 2 * size) < HYSTERESIS * angle : finer > 0);
    // What the budget has made coarser stays so.
    if (attention.limit === 0) hostModel.refine(isCoarse, ALL_LEVELS);
    hostModel.coarsen(isFine);
  }

  /** The farthest body gets coarser where steps take too long, the nearest of these finer again where they take little. */
  private keepBudget(bodies: readonly Body[], states: readonly BackendBody[]): void {
    const { smoothed, limit } = this;
    const from = this.options?.focus?.position ?? [0, 0, 0];
    const order = bodies
      .map((body, n) => ({ body, model: states[n].hostModel, away: distanceAt(body.centreOfMass(), 0, ...from) }))
      .filter(({ model, body }) => model?.refine && !body.asleep)
      .sort((a, b) => a.away - b.away);
    if (smoothed > limit) {
      for (const { body, model } of order.reverse()) {
        if (!model?.coarsen?.(() => true)) continue;
        this.of(body).limit++;
        return;
      }
    } else if (smoothed < RELAXED * limit) {
      const eased = order.find(({ body }) => this.of(body).limit > 0);
      if (!eased) return;
      this.of(eased.body).limit--;
      eased.model?.refine?.((_x, _y, _z, _size, finer) => finer < 0, 1);
    }
  }

  /** What it remembers of bodies: lists of numbers. */
  capture(bodies: readonly Body[]): StateTree {
    const marks = bodies.flatMap((body, n) => this.of(body).marks.flatMap(({ vertex, until }) => [n, vertex, until]));
    return { marks, limits: bodies.map((body) => this.of(body).limit) };
  }

  restore(state: StateTree, bodies: readonly Body[]): void {
    const { marks, limits } = state as { marks: readonly number[]; limits: readonly number[] };
    bodies.forEach((body, n) => {
      this.known.set(body, { marks: [], limit: limits[n] ?? 0 });
    });
    for (let k = 0; k + 2 < marks.length; k += 3) {
      const body = bodies[marks[k]];
      if (body) this.of(body).marks.push({ vertex: marks[k + 1], until: marks[k + 2] });
    }
  }
}

function nearestVertex({ positions, particleCount }: Body, [x, y, z]: Vec3): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let vertex = 0; vertex < particleCount; vertex++) {
    const distance = distanceAt(positions, vertex, x, y, z);
    if (distance >= least) continue;
    least = distance;
    best = vertex;
  }
  return best;
}
