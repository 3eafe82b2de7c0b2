// What a world is made of. Steps, snapshots and separations work on it; users see none of it.

import type { Backend, BackendBody } from '../backends/backend.js';
import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { Vec3 } from '../math/vec3.js';
import type { Body } from './body.js';
import type { Bonds } from './bonds.js';
import type { Collider } from './collider.js';
import type { ContactLog } from './contact-events.js';
import type { LevelOfDetail } from './level-of-detail.js';
import type { Pipeline } from './pipeline.js';
import type { ResidentBody } from './resident-body.js';
import type { Roster } from './roster.js';
import type { SplitLog } from './split-events.js';

export interface Clock {
  /** Steps taken. */
  steps: number;
  /** Time that `advance` has still to catch up [s]. */
  accumulated: number;
  /** Whether the last step was one of `advance`. */
  interpolable: boolean;
  /** Attachments made. */
  handles: number;
}

export interface WorldParts {
  readonly backend: Backend;
  readonly pipeline: Pipeline;
  /** Δt [s]. */
  readonly timeStep: number;
  /** [m/s²] */
  gravity: Vec3;
  readonly clock: Clock;
  readonly bodies: Roster<Body, ResidentBody>;
  readonly colliders: Roster<Collider, Obstacle>;
  readonly bonds: Bonds;
  readonly log: ContactLog;
  readonly splits: SplitLog;
  readonly levels: LevelOfDetail;
}

/** What is behind a body or a collider; undefined where it is not in this world. */
export const innerOf = (
  { bodies, colliders }: Pick<WorldParts, 'bodies' | 'colliders'>,
  thing: Body | Collider,
): ResidentBody | Obstacle | undefined => bodies.innerOf(thing as Body) ?? colliders.innerOf(thing as Collider);

const insides = new WeakMap<object, WorldParts>();

/** A world tells what it is made of. */
export const keepInside = (world: object, parts: WorldParts): void => void insides.set(world, parts);

/** What a world is made of, for this package's own tests and benchmarks; not exported to users. */
export function partsOf(world: object): WorldParts {
  const parts = insides.get(world);
  if (!parts) throw new RangeError('expected a world');
  return parts;
}

/** What the backend holds of a body. */
export function stateOf(world: object, body: Body): BackendBody {
  const resident = partsOf(world).bodies.innerOf(body);
  if (!resident) throw new RangeError('expected a body of this world');
  return resident.state;
}
