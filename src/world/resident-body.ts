// A body as its world keeps it: the backend's state of it, what is shown of it between steps, who holds it.

import type { BackendBody } from '../backends/backend.js';
import { expectContactSettings } from '../contact/contact-settings.js';
import type { PatchGrip } from '../handles/grip.js';
import type { PinnedSet } from '../handles/pinned-set.js';
import { massOf } from '../handles/rigid-handle.js';
import { expectVector } from '../math/expect.js';
import { IDENTITY, normalizeQuaternion, writeRotated } from '../math/quaternion.js';
import { restoreFields, type StateTree } from '../math/state-tree.js';
import { MeshHistory } from '../mesh/mesh-descent.js';
import { expectVertices } from '../mesh/select-vertices.js';
import { SurfaceTree } from '../mesh/surface-tree.js';
import type { TriangleTree } from '../mesh/triangle-tree.js';
import type { Prepared } from '../solvers/solver.js';
import { carryValues, type Origin } from '../solvers/topology-change.js';
import { moveRigidly } from './body-motion.js';
import { BODY_DEFAULTS, type BodyOptions, CONTACT_SETTINGS } from './body-options.js';
import { BodyPart } from './body-part.js';
import { Grip } from './grip.js';
import { Handles } from './handles.js';
import { Membership } from './membership.js';
import { Pin } from './pin.js';

export class ResidentBody {
  readonly name: string;
  readonly membership: Membership;
  /** Positions for display [m] and before the last step [m]; handles given out. */
  readonly shown: {
    interpolated: Float64Array;
    previous: Float64Array;
    handles: number;
    /** How often its topology has changed. */
    topologyVersion: number;
    /** Whether `interpolated` is up to date: no step was taken since. */
    isInterpolated: boolean;
  };
  /** What it was added as. */
  made: { readonly prepared: Prepared; readonly mass: number };
  readonly pins: Handles<PinnedSet, Pin>;
  readonly grips: Handles<PatchGrip, Grip>;
  /** Where it was added. */
  private readonly placed: Pick<BodyOptions, 'position' | 'rotation'>;
  private tree: SurfaceTree;
  /** Of the way from the step before to the last, where it is shown. */
  private share = 1;
  private partList: readonly BodyPart[] | undefined;
  readonly history = new MeshHistory();

  constructor(
    readonly state: BackendBody,
    /** Δt [s]. */
    readonly stepLength: number,
    options: BodyOptions,
  ) {
    this.name = options.name ?? 'body';
    this.membership = new Membership(`body ${JSON.stringify(this.name)}`);
    this.pins = new Handles(state, (pinned, holder) => new Pin(pinned, holder));
    this.grips = new Handles(state, (patch, holder) => new Grip(patch, holder, stepLength));
    this.tree = new SurfaceTree(state.prepared.mesh);
    this.made = { prepared: state.prepared, mass: massOf(state) };
    this.placed = options;
    const positions = this.place(options);
    const given = Object.fromEntries(CONTACT_SETTINGS.map((name) => [name, options[name] ?? BODY_DEFAULTS[name]]));
    expectContactSettings(given);
    Object.assign(state.contactSettings, given);
    this.shown = {
      ...{ interpolated: positions, previous: positions.slice(), isInterpolated: false },
      ...{ handles: 0, topologyVersion: 0 },
    };
    moveRigidly(state, positions, options.velocity ?? [0, 0, 0], options.spin ?? [0, 0, 0]);
  }

  private place({ position: origin = [0, 0, 0], rotation: turned = IDENTITY }: BodyOptions): Float64Array {
    const { positions: rest } = this.state.prepared.mesh;
    expectVector('rotation', turned, 4);
    expectVector('position', origin);
    const rotation = normalizeQuaternion(turned);
    const positions = new Float64Array(rest.length);
    // Most are added as they are; the first times the other way is interpreted, which takes milliseconds.
    const isTurned = rotation[0] !== 0 || rotation[1] !== 0 || rotation[2] !== 0;
    for (let k = 0; k < rest.length; k += 3) {
      if (isTurned) writeRotated(rotation, [rest[k], rest[k + 1], rest[k + 2]], origin, positions, k);
      else {
        positions[k] = origin[0] + rest[k];
        positions[k + 1] = origin[1] + rest[k + 1];
        positions[k + 2] = origin[2] + rest[k + 2];
      }
    }
    this.state.place(positions, rotation);
    return positions;
  }

  /** Its rest shape at rest: where it was added, or elsewhere. */
  reset(options: Pick<BodyOptions, 'position' | 'rotation' | 'velocity' | 'spin'>): void {
    const { position = this.placed.position, rotation = this.placed.rotation, velocity, spin } = options;
    const positions = this.place({ position, rotation });
    moveRigidly(this.state, positions, velocity ?? [0, 0, 0], spin ?? [0, 0, 0]);
    this.jump();
  }

  get mass(): number {
    return massOf(this.state);
  }

  /** The surface as it is now, for questions about points of it. */
  get surface(): TriangleTree {
    return this.tree.at(this.state.positions);
  }

  /** Its closed parts. */
  get parts(): readonly BodyPart[] {
    this.partList ??= this.state.prepared.parts.map((part) => new BodyPart(this.state, part));
    return this.partList;
  }

  /** After the topology has changed; `origin` says where the new vertices were, where that is known. */
  followTopology(origin?: Origin): void {
    const { shown, state } = this;
    this.tree = new SurfaceTree(state.prepared.mesh);
    this.history.add(state.prepared.mesh);
    this.partList = undefined;
    const carry = (values: Float64Array) =>
      origin ? carryValues(origin, values, 3) : Float64Array.from(state.positions);
    shown.interpolated = carry(shown.interpolated);
    shown.previous = carry(shown.previous);
    if (origin) shown.topologyVersion++;
  }

  addPin(pinned: PinnedSet): Pin {
    pinned.handle = ++this.shown.handles;
    this.state.pins.push(pinned);
    return this.pins.of(pinned);
  }

  addGrip(patch: PatchGrip): Grip {
    patch.handle = ++this.shown.handles;
    this.state.grips.push(patch);
    return this.grips.of(patch);
  }

  /** Lets go of everything, before it leaves its world. */
  release(): void {
    this.state.pins.length = 0;
    this.state.grips.length = 0;
  }

  /** Throws RangeError where a list holds anything but vertices of the mesh. */
  expectVertices(what: string, vertices: ArrayLike<number>): void {
    expectVertices(what, vertices, this.state.masses.length);
  }

  beginStep(start: number, end: number): void {
    this.tree.moved();
    for (const { follower } of this.state.pins) follower.begin(start, end);
    for (const grip of this.state.grips) grip.impulse.fill(0);
  }

  endStep(): void {
    this.shown.isInterpolated = false;
    for (const { follower } of this.state.pins) follower.finish();
  }

  /** After a sync: it is elsewhere. */
  synced(): void {
    this.tree.moved();
    this.shown.isInterpolated = false;
  }

  /** Remembers the positions before a step. */
  keepPrevious(): void {
    this.shown.previous.set(this.state.positions);
  }

  /** Positions `share` of the way from the step before to the last. */
  interpolate(share: number): void {
    const { positions } = this.state;
    const { interpolated, previous } = this.shown;
    for (let k = 0; k < positions.length; k++) interpolated[k] = previous[k] + share * (positions[k] - previous[k]);
    this.shown.isInterpolated = true;
    this.share = share;
  }

  /** How long before the end of the last step it is shown [s]. */
  get displayedBehind(): number {
    return this.shown.isInterpolated ? (1 - this.share) * this.stepLength : 0;
  }

  /** After its positions were written to by hand: it was never elsewhere. */
  jump(): void {
    this.tree.moved();
    this.shown.previous.set(this.state.positions);
    this.shown.interpolated.set(this.state.positions);
  }

  /** When a snapshot is restored, after the backend's state. */
  restoreShown(shown: { readonly [key: string]: StateTree }): void {
    restoreFields(this.shown, shown);
    // Settings that came back are as fixed as those that were set.
    Object.freeze(this.state.settings);
    Object.freeze(this.state.settings.volume);
    this.tree.moved();
  }
}
