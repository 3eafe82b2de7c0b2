// The worker's side of a world in a worker: holds the world and the program beside it, makes and changes what it is told to, and answers
// with frames.

import type { EmbeddableMesh } from '../embedding/embedding.js';
import { makeSimulatable, type SimulatableOptions } from '../mesh/repair/make-simulatable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { solverFor } from '../solvers/built-in.js';
import { type PrepareOptions, prepare } from '../solvers/prepare.js';
import type { Prepared, Solver } from '../solvers/solver.js';
import type { Attachment } from '../world/attachment.js';
import type { Body } from '../world/body.js';
import type { Collider } from '../world/collider.js';
import { createWorld } from '../world/create-world.js';
import type { Grip } from '../world/grip.js';
import type { Pin } from '../world/pin.js';
import { type WindOptions, wind } from '../world/wind.js';
import type { World } from '../world/world.js';
import type { WorldOptions } from '../world/world-options.js';
import { ContactFrame } from './contact-frame.js';
import { describeAttachment, describeBody, describePrepared, describeWorld } from './descriptions.js';
import { packFault } from './fault.js';
import { FrameWriter } from './frame-writer.js';
import {
  type Frame,
  type FromHost,
  type HandleInfo,
  type SentSolver,
  type ToHost,
  WORLD,
  type WorldInfo,
} from './messages.js';
import { ShownPositions } from './shown-positions.js';
import { type BodySkin, Things } from './things.js';
import { WorldLoop } from './world-loop.js';
import { callProgram, type HostedWorld, type WorldProgram } from './world-program.js';

export type Post = (message: FromHost, transfer: readonly ArrayBuffer[]) => void;

type Make = Extract<ToHost, { kind: 'make' }>;
type Call = Extract<ToHost, { kind: 'call' }>;
type Wish = Extract<ToHost, { kind: 'frame' }>;

export class WorldHost implements HostedWorld {
  world: World | undefined;
  private writer: FrameWriter | undefined;
  private readonly things = new Things();
  private shown = new ShownPositions();
  private contacts = new ContactFrame((thing) => this.things.knownNumber(thing));
  /** Meshes that are shown on bodies, by number. */
  private readonly visibles = new Map<number, EmbeddableMesh>();
  private splits: Frame['splits'][number][] = [];
  private taken = 0;
  /** Whether positions lie in memory that the page shares. */
  private isShared = false;
  private wish: Wish | undefined;
  /** Whether the last steps were taken by hand: then the last state is shown, as nothing lies between two frames. */
  private byHand = false;
  private readonly loop: WorldLoop;

  constructor(
    private readonly post: Post,
    private readonly program: WorldProgram = {},
  ) {
    this.loop = new WorldLoop({
      stepping: () => this.world && { timeStep: this.world.timeStep, step: () => this.step() },
      afterSlice: (taken) => {
        const isPending = taken > 0 && this.isEnqueued;
        // Who runs by an own clock shows what there is, rather than wait for the GPU.
        if (!isPending || this.isRunning) this.sendFrame();
        if (isPending) this.loop.enqueue(() => this.showFinished(taken));
      },
      fail: (error) => this.fault(0, WORLD, error),
    });
    this.loop.pace.isOwn = false;
  }

  take(message: ToHost): void {
    const { loop } = this;
    if (message.kind === 'frame') {
      // After all that was asked for before it.
      loop.enqueue(() => {
        loop.pace.give(message.elapsed);
        if (message.elapsed > 0) this.byHand = false;
        this.wish = message;
      });
      loop.wake();
      return;
    }
    loop.enqueue(async () => {
      const call = 'call' in message ? message.call : 0;
      if (call === 0 && 'id' in message && this.things.isPast(message.id)) return;
      try {
        const value = await this.obey(message);
        if (call > 0) this.post({ kind: 'answer', call, value }, []);
      } catch (error) {
        this.fault(call, 'id' in message ? message.id : WORLD, error);
      }
    });
  }

  get isRunning(): boolean {
    return this.loop.pace.isOwn && !this.loop.pace.paused;
  }

  get pace(): number {
    return this.loop.pace.pace;
  }

  run(speed = 1): void {
    const { pace } = this.loop;
    pace.isOwn = speed > 0;
    pace.speed = speed > 0 ? speed : 1;
    pace.paused = false;
    pace.restart();
    // What stands still is shown as it is after its last step.
    this.byHand = speed === 0;
    this.loop.wake();
  }

  pause(): void {
    this.run(0);
  }

  replaceWorld(world: World): void {
    const before = this.world;
    this.things.startAnew();
    this.shown = new ShownPositions();
    this.contacts = new ContactFrame((thing) => this.things.knownNumber(thing));
    this.splits = [];
    this.taken = 0;
    this.hold(world, before !== undefined);
    before?.dispose();
    this.loop.pace.restart();
  }

  end(): void {
    this.loop.end();
    this.world?.dispose();
    this.world = undefined;
  }

  private fault(call: number, id: number, error: unknown): void {
    this.post({ kind: 'fault', call, id, fault: packFault(error) }, []);
  }

  private obey(message: Exclude<ToHost, Wish>): unknown {
    switch (message.kind) {
      case 'make':
        return this.make(message);
      case 'drop':
        return this.drop(message.id);
      case 'run':
        return this.run(message.speed);
      case 'program':
        return callProgram(this.program, message.name, message.args);
      case 'set':
        Object.assign(message.id === WORLD ? this.there() : this.things.get(message.id), {
          [message.name]: message.value,
        });
        return undefined;
      case 'call':
        return message.id === WORLD ? this.callWorld(message) : this.callThing(message);
    }
  }

  private there(): World {
    if (!this.world) throw new Error('the world has been disposed of');
    return this.world;
  }

  private async make({ what, id, args }: Make): Promise<unknown> {
    const { things } = this;
    switch (what) {
      case 'world':
        return this.makeWorld(args[0] as WorldOptions, args[1] as boolean);
      case 'prepared': {
        const [mesh, solver, options] = args as [TriangleMesh, SentSolver | undefined, PrepareOptions];
        const chosen = solver && (solverFor({ ...solver.settings, type: solver.type }) as Solver);
        const prepared = chosen ? prepare(mesh, chosen, options) : prepare(mesh, undefined, options);
        return describePrepared(things.add(id, prepared as Prepared));
      }
      case 'body': {
        const body = things.add(
          id,
          this.there().add(things.get<Prepared>(args[0]), args[1] as Parameters<World['add']>[1]),
        );
        this.writer?.announce(body);
        return describeBody(id, body);
      }
      case 'collider':
        things.add(id, this.there().addCollider(args[0] as Parameters<World['addCollider']>[0]));
        return undefined;
      case 'attachment': {
        const [body, vertices, other, options] = args as [number, Uint32Array, number, object];
        things.add(
          id,
          this.there().attach(things.get<Body>(body), vertices, things.get<Body | Collider>(other), options),
        );
        return undefined;
      }
      case 'pin':
        things.pins.set(
          things.add(id, things.get<Body>(args[0]).pin(...(args.slice(1) as Parameters<Body['pin']>))),
          id,
        );
        return undefined;
      case 'grip':
        things.grips.set(
          things.add(id, things.get<Body>(args[0]).grab(...(args.slice(1) as Parameters<Body['grab']>))),
          id,
        );
        return undefined;
      case 'stroke':
        things.add(id, things.get<Body>(args[0]).beginCut(args[1] as Parameters<Body['beginCut']>[0]));
        return undefined;
      case 'wind':
        things.add(id, this.there().addField(wind(args[0] as WindOptions)));
        return undefined;
      case 'skin': {
        const body = things.get<Body>(args[0]);
        // Bodies that show the same mesh share what it takes to bind it.
        const visible = (args[2] as EmbeddableMesh | undefined) ?? this.visibles.get(args[1] as number);
        this.visibles.set(args[1] as number, visible as EmbeddableMesh);
        const of = things.add(id, { body, skin: body.embed(visible as EmbeddableMesh) });
        things.skins.push({ id, of });
        return undefined;
      }
    }
  }

  private async makeWorld(options: WorldOptions, isShared: boolean): Promise<WorldInfo> {
    this.isShared = isShared;
    const world = await (this.program.createWorld ?? createWorld)(options);
    this.hold(world, false);
    return describeWorld(world);
  }

  private hold(world: World, isAnother: boolean): void {
    this.world = world;
    this.writer = new FrameWriter(world, this.things, this.shown, this.isShared, isAnother);
  }

  /** Whether steps are enqueued, and seen after a `sync` alone. */
  private get isEnqueued(): boolean {
    return this.world?.capabilities.backend === 'webgpu';
  }

  private drop(id: number): void {
    const { things } = this;
    const thing = things.find(id);
    this.visibles.delete(id);
    if (!thing) return;
    if ('skin' in thing) (thing as BodySkin).skin.dispose();
    else if ('detach' in thing) (thing as Attachment).detach();
    else if (things.grips.has(thing as Grip)) (thing as Grip).release();
    else if (things.pins.has(thing as Pin)) for (const body of this.there().bodies) body.unpin(thing as Pin);
    else if ('write' in thing) this.there().removeField(thing);
    else if ('applyImpulse' in thing || 'impulse' in thing) {
      this.there().remove(thing as Body | Collider);
      if ('applyImpulse' in thing) {
        this.shown.jump(thing as Body);
        things.dropFollowersOf(thing as Body);
      }
    }
    things.drop(id);
  }

  private async takeSteps(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.step();
    this.byHand = true;
    if (count > 0 && this.isEnqueued) await this.finish(count);
  }

  private callWorld({ name, args }: Call): unknown {
    const world = this.there();
    switch (name) {
      case 'makeSimulatable':
        return makeSimulatable(args[0] as TriangleMesh, args[1] as SimulatableOptions);
      case 'step':
        return this.takeSteps(args[0] as number);
      case 'restore':
        world.restore(args[0] as Uint8Array);
        for (const body of world.bodies) this.shown.jump(body);
        return this.describeHandles(world);
      case 'penetration':
        return world.penetration(this.things.get<Body>(args[0]));
      default:
        return this.encode(invoke(world, name, args));
    }
  }

  private callThing({ id, name, args }: Call): unknown {
    const thing = this.things.get<Body>(id);
    if (name === 'state')
      return { positions: Float64Array.from(thing.positions), velocities: Float64Array.from(thing.velocities) };
    if (name === 'write') {
      const [positions, velocities] = args as [ArrayLike<number> | undefined, ArrayLike<number> | undefined];
      if (positions) thing.positions.set(positions);
      if (velocities) thing.velocities.set(velocities);
      this.shown.jump(thing);
      return thing.changed();
    }
    if (name === 'parts') return thing.parts.map((part) => part.volume());
    if (name === 'reset' || name === 'teleport' || name === 'deform') this.shown.jump(thing);
    return this.encode(invoke(thing, name, args));
  }

  /** Things in answers go by their numbers. */
  private encode(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.encode(one));
    if (typeof value !== 'object' || value === null) return value;
    if ('applyImpulse' in value) {
      const body = value as Body;
      this.writer?.announce(body);
      return describeBody(this.things.numberOf(body), body);
    }
    const given = value as { body?: Body; collider?: Collider };
    if (given.body) return { ...given, body: this.things.numberOf(given.body) };
    if (given.collider) return { ...given, collider: this.things.numberOf(given.collider) };
    return value;
  }

  private describeHandles(world: World): HandleInfo[] {
    const { things } = this;
    const found: HandleInfo[] = [];
    for (const body of world.bodies) {
      const owner = things.numberOf(body);
      for (const pin of body.pins) {
        const id = things.numberOf(pin);
        things.pins.set(pin, id);
        found.push({
          kind: 'pin',
          id,
          body: owner,
          vertices: pin.vertices,
          centre: pin.centre as [number, number, number],
        });
      }
      for (const grip of body.grips) {
        const id = things.numberOf(grip);
        things.grips.set(grip, id);
        found.push({ kind: 'grip', id, body: owner, vertices: new Uint32Array(0) });
      }
    }
    return [...found, ...world.attachments.map((one) => describeAttachment(one, things))];
  }

  private step(): void {
    const world = this.there();
    this.program.beforeStep?.(world);
    if (!this.isEnqueued) this.shown.keep(world.bodies);
    world.step();
    this.taken++;
    if (!this.isEnqueued) this.note(world, 1);
  }

  /** Waits for steps that were enqueued. */
  private async finish(count: number): Promise<void> {
    const world = this.there();
    await world.sync();
    this.note(world, count);
  }

  private async showFinished(count: number): Promise<void> {
    try {
      await this.finish(count);
      this.sendFrame();
    } catch (error) {
      this.loop.pace.paused = true;
      this.fault(0, WORLD, error);
    }
  }

  /** Takes down what happened in the last steps. */
  private note(world: World, count: number): void {
    this.contacts.add(world.contactEvents());
    for (const { body, before, after } of world.splitEvents())
      this.splits.push({ body: this.things.numberOf(body), before, after });
    this.program.afterStep?.(world, count);
  }

  private sendFrame(): void {
    const { wish, world, writer, loop } = this;
    if (!wish || !world || !writer) return;
    this.wish = undefined;
    const share = this.byHand || this.isEnqueued ? 1 : loop.pace.shareOf(world.timeStep);
    const figures = {
      ...{ contacts: this.contacts.take(), splits: this.splits, taken: this.taken, pace: loop.pace.pace },
      program: this.program.frame?.(world, share),
    };
    const { frame, transfer } = writer.write(share, figures, wish.buffer);
    this.splits = [];
    this.taken = 0;
    this.post({ kind: 'frame', frame }, transfer);
  }
}

const invoke = (thing: object, name: string, args: readonly unknown[]): unknown =>
  (thing as Record<string, (...args: readonly unknown[]) => unknown>)[name](...args);
