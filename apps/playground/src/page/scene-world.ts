// The page's world and the program beside it: what is asked of both, and what their frames bring, merged until the next picture.

import type { Deformation } from 'isochore';
import type { WorkerBody, WorkerWorld } from 'isochore/worker';
import type { BodyInfo, OpenedScene, Point, SceneCalls, SceneFrame, SceneInfo, SkinInfo } from '../protocol.js';
import { Knife } from './knife.js';
import type { BoundSkin } from './skin-meshes.js';

/** Speed that a poke gives the body [m/s]. */
const POKE_SPEED = 1.6;

type Name = keyof SceneCalls;

export class SceneWorld {
  /** Told where a call was refused, or a step went wrong. */
  onFailed: (about: Name | 'step', message: string) => void = () => {};
  private isRunning = false;
  /** Whether something was done since a frame was last asked for, and whether one is under way. */
  private isChanged = true;
  private isAsked = false;
  private waiting: SceneFrame | undefined;
  private last: unknown;
  private knife: Knife | undefined;
  private readonly skins = new WeakMap<WorkerBody, Pick<BoundSkin, 'skin' | 'unplaced'>>();
  /** The moment that is to be shown when the one before is [s]. */
  private sought: number | undefined;
  private isSeeking = false;

  constructor(private readonly world: WorkerWorld) {
    world.onFault = ({ message }) => this.onFailed('step', message);
  }

  /** Asks something of the program; resolves with nothing where it refuses, and `onFailed` is told. */
  async call<N extends Name>(
    name: N,
    ...args: Parameters<SceneCalls[N]>
  ): Promise<Awaited<ReturnType<SceneCalls[N]>> | undefined> {
    this.isChanged = true;
    try {
      return await this.world.call<Awaited<ReturnType<SceneCalls[N]>>>(name, ...args);
    } catch (error) {
      this.onFailed(name, (error as Error).message);
      return undefined;
    }
  }

  /** Lets it run, `speed` seconds per second, or stand still at 0. */
  run(speed: number): void {
    this.isRunning = speed > 0;
    this.isChanged = true;
    if (this.isRunning) this.world.run(speed);
    else this.world.pause();
  }

  step(count: number): void {
    this.isChanged = true;
    this.world.step(count).then(
      () => this.merge(),
      ({ message }) => this.onFailed('step', message),
    );
  }

  /** Shows another moment [s]; of several that wait the last counts. */
  async seek(time: number): Promise<void> {
    this.sought = time;
    if (this.isSeeking) return;
    this.isSeeking = true;
    while (this.sought !== undefined) {
      const next = this.sought;
      this.sought = undefined;
      await this.call('seek', next);
    }
    this.isSeeking = false;
  }

  poke(body: number, point: Point, [x, y, z]: Point): void {
    this.isChanged = true;
    const thing = this.world.bodies[body];
    const momentum = POKE_SPEED * thing.mass;
    thing.applyImpulse([x * momentum, y * momentum, z * momentum], point);
    thing.wake();
  }

  deform(deformation: Deformation): void {
    this.isChanged = true;
    this.world.bodies.forEach((body, index) => {
      body.deform(deformation, 1 + index);
    });
  }

  /** Moves the knife on; it is seen to touch a body or none. */
  cut(point: Point, direction: Point, body?: number): void {
    this.isChanged = true;
    this.knife ??= new Knife(({ message }) => this.onFailed('step', message));
    this.knife.moveTo(point, direction, body === undefined ? undefined : this.world.bodies[body]);
  }

  liftKnife(): void {
    this.isChanged = true;
    this.knife?.lift();
    this.knife = undefined;
  }

  /** What came since the last picture; asks for more where there will be something new. */
  takeFrame(): SceneFrame | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  askForFrame(): void {
    if (this.isAsked || this.world.disposed || !(this.isRunning || this.isChanged)) return;
    this.isAsked = true;
    this.isChanged = false;
    void this.world.advance(0).then(() => {
      this.isAsked = false;
      this.merge();
    });
  }

  private merge(): void {
    const frame = this.world.programFrame as SceneFrame | undefined;
    if (!frame || frame === this.last) return;
    this.last = frame;
    if (frame.stopped) this.isRunning = false;
    const said = Object.entries(frame).filter(([, value]) => value !== undefined);
    const opened = frame.opened && {
      ...frame.opened,
      again: frame.opened.again && this.waiting?.opened?.again !== false,
    };
    this.waiting = {
      ...this.waiting,
      ...(Object.fromEntries(said) as unknown as SceneFrame),
      ...(opened && { opened }),
    };
  }

  /** The scene with its bodies as they are drawn. */
  describe(info: SceneInfo): OpenedScene {
    let start = 0;
    const bodies = this.world.bodies.map(({ name, mesh }, index): BodyInfo => {
      const count = mesh.positions.length / 3;
      start += count;
      const { positions: rest, triangles } = mesh;
      return { ...info.bodies[index], name, start: start - count, count, triangles, rest };
    });
    return { ...info, bodies };
  }

  /** Writes the positions of all bodies, one after the other [m]. */
  writePositions(target: Float32Array): void {
    let at = 0;
    for (const { positions } of this.world.bodies) {
      target.set(positions, at);
      at += positions.length;
    }
  }

  get colliders(): WorkerWorld['colliders'] {
    return this.world.colliders;
  }

  /** What follows a body, as its file looks. */
  skinOf(info: SkinInfo): BoundSkin {
    const body = this.world.bodies[info.body];
    const known = this.skins.get(body);
    if (known) return { info, ...known };
    this.isChanged = true;
    const skin = body.embed(info.visible);
    // What cannot be bound is shown as it is simulated.
    skin.ready.catch(() => {});
    const made = { skin, unplaced: skin.positions };
    this.skins.set(body, made);
    return { info, ...made };
  }
}
