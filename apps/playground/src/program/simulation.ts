// One scene in its world, with what the user does to it.

import { type Body, MAX_THREADS, type World } from 'isochore';
import { buildScene, cutDue, type PosedMember, poserFor, type Scene, setDue } from 'isochore/scenes';
import { StateHash } from '../../../../src/math/hash.js';
import { type BodyTraits, FIRST_BRUSH, type ObstacleInfo, type Point } from '../protocol.js';
import { applySettings, liveSettingsOf, needsRebuild, type Settings } from '../settings.js';
import { Obstacles } from './obstacles.js';
import type { OpenSource } from './open-source.js';
import { Painting } from './painting.js';
import { Pins } from './pins.js';
import { Recorder } from './recorder.js';
import { Skins } from './skins.js';

/** Where one looks from [m], and how large a pixel is from there [rad]. */
export interface Look {
  readonly position: Point;
  readonly pixelAngle: number;
}

export class Simulation {
  readonly pins: Pins;
  readonly obstacles: Obstacles;
  recorder: Recorder;
  private look: Look | undefined;
  /** Steps and time of the worlds before this one, which had other settings. */
  private stepsBefore = 0;
  private timeBefore = 0;
  /** Motions of the scene's obstacles from its start. */
  private readonly motions: readonly World['colliders'][number]['motion'][];

  private constructor(
    readonly opened: OpenSource,
    public settings: Settings,
    /** The scene with settings and paint in it. */
    public applied: Scene,
    readonly world: World,
    readonly bodies: readonly Body[],
    readonly painting: Painting,
    private readonly posed: readonly PosedMember[],
    readonly skins: Skins,
  ) {
    painting.posed = posed;
    this.motions = world.colliders.map(({ motion }) => motion);
    this.pins = new Pins(bodies);
    this.obstacles = new Obstacles(world);
    this.recorder = new Recorder();
  }

  /** Builds the world; with `previous` it goes on from where that one is. */
  static async create(
    opened: OpenSource,
    settings: Settings,
    painting = new Painting(FIRST_BRUSH),
    previous?: Simulation,
  ): Promise<Simulation> {
    const applied = painting.applyTo(applySettings(opened.scene, settings));
    const elapsed = previous ? previous.time : 0;
    const shifted = elapsed > 0 ? shiftMotions(applied, elapsed) : applied;
    // Posed bodies ask where obstacles are by the scene's own clock: it is set afterwards.
    const isPosed = applied.bodies.some(({ solver }) => poserFor(solver));
    const { backend, threads = spareProcessors() } = settings.world;
    const { world, bodies, posed } = await buildScene(
      { ...(isPosed ? applied : shifted), pins: [] },
      {
        backend,
        threads,
        loadMesh: async (path) => {
          const mesh = opened.meshes.get(path);
          if (!mesh) throw new Error('the file is not there');
          return mesh;
        },
        loadMoving: opened.loadMoving,
      },
    );
    const skins = await Skins.create(opened, applied, bodies);
    const made = new Simulation(opened, settings, applied, world, bodies, painting, posed, skins);
    made.pinAsInScene(shifted, previous);
    if (previous) made.goOnFrom(previous);
    if (isPosed) made.shiftClock();
    made.recorder.note(made);
    painting.changed = false;
    return made;
  }

  private pinAsInScene(scene: Scene, previous: Simulation | undefined): void {
    for (const [index, { body, select, motion }] of scene.pins.entries()) {
      const place = this.bodies.findIndex(({ name }) => name === body);
      const before = previous?.pins.list.find(({ fromScene }) => fromScene === index);
      if (previous && (!before || before.touched)) continue;
      const vertices = this.bodies[place].select({ box: select.box });
      if (vertices.length === 0) throw new Error(`pins[${index}].select.box: expected at least one vertex of ${body}`);
      this.pins.add(place, vertices, motion, index);
    }
  }

  private goOnFrom(previous: Simulation): void {
    this.bodies.forEach((body, index) => {
      const from = previous.bodies[index];
      // One whose topology has changed begins anew.
      if (from.particleCount !== body.particleCount) return;
      body.positions.set(from.positions);
      body.velocities.set(from.velocities);
      body.changed();
    });
    for (const set of previous.pins.list) {
      if (set.fromScene < 0 || set.touched) this.pins.add(set.body, set.pin.vertices);
    }
    if (previous.obstacles.press) this.obstacles.setPress(true);
    for (const [index, position] of previous.obstacles.moved) this.obstacles.place(index, position);
    this.stepsBefore = previous.steps;
    this.timeBefore = previous.time;
    this.recorder = previous.recorder;
  }

  /** Lets obstacles and posed bodies go by the scene's clock instead of the world's. */
  private shiftClock(): void {
    const { timeBefore, motions, posed, obstacles } = this;
    const { moved } = obstacles;
    motions.forEach((motion, index) => {
      if (motion.length === 0 || moved.has(index)) return;
      obstacles.list[index].motion = motion.map((key) => ({ ...key, time: key.time - timeBefore }));
    });
    for (const { motion } of posed) motion.shift = timeBefore;
  }

  /** Length of a scene whose bodies are all posed [s]: any moment of it is as good as any other. */
  get duration(): number | undefined {
    const { steps, timeStep } = this.applied;
    return this.posed.length === this.bodies.length && steps > 0 ? steps * timeStep : undefined;
  }

  /** Shows another moment [s]. */
  seek(time: number): void {
    if (this.duration === undefined) return;
    this.timeBefore = time - this.world.time;
    this.stepsBefore = Math.round(time / this.world.timeStep) - this.world.stepCount;
    this.shiftClock();
    for (const { body, motion } of this.posed) {
      body.positions.set(motion.at(this.world.time));
      body.velocities.fill(0);
      body.changed();
    }
  }

  get vertexCount(): number {
    return this.bodies.reduce((sum, body) => sum + body.particleCount, 0);
  }

  /** Counts up whenever a body gets another topology. */
  get topology(): number {
    return this.bodies.reduce((sum, body) => sum + body.topologyVersion, 0);
  }

  get steps(): number {
    return this.stepsBefore + this.world.stepCount;
  }

  get time(): number {
    return this.timeBefore + this.world.time;
  }

  /** Lets everything follow the hand and the scene's clock. */
  beforeStep(): void {
    this.pins.follow(this.world.timeStep);
    this.obstacles.follow();
    cutDue(this.applied, this.world, this.bodies, this.timeBefore);
    setDue(this.applied, this.world, this.bodies, this.timeBefore);
  }

  afterStep(): void {
    const ends = this.bodies.map(({ positions }) => positions[0] + positions[positions.length - 1]);
    if (!ends.every(Number.isFinite)) throw new Error('the state is no longer finite');
    this.recorder.note(this);
  }

  /** Takes over new settings; true where that was possible without a new world. */
  change(settings: Settings): boolean {
    const applied = this.painting.applyTo(applySettings(this.opened.scene, settings));
    if (needsRebuild(this.applied, applied, this.settings, settings)) return false;
    this.settings = settings;
    this.applied = applied;
    this.lookFrom(this.look);
    this.world.gravity = applied.gravity;
    this.obstacles.list.forEach((collider, index) => {
      collider.friction = applied.colliders[index]?.friction ?? settings.world.friction ?? collider.friction;
    });
    this.bodies.forEach((body, index) => {
      body.settings = { ...body.settings, ...liveSettingsOf(applied.bodies[index], this.time) };
      body.friction = applied.bodies[index].friction;
      body.wake();
    });
    return true;
  }

  /** Lets levels of detail follow the camera where the settings ask for it, and the scene where they do not. */
  lookFrom(look: Look | undefined): void {
    this.look = look;
    const { detail = null } = this.applied;
    const { cellPixels = 0 } = this.settings.world;
    if (!look || cellPixels === 0) {
      this.world.detail = detail;
      return;
    }
    const cellAngle = Math.min(WIDEST, Math.max(NARROWEST, cellPixels * look.pixelAngle));
    this.world.detail = { ...detail, focus: { position: look.position, cellAngle } };
  }

  hash(): string {
    const hash = new StateHash();
    for (const { positions } of this.bodies) hash.update(positions);
    return hash.digest();
  }

  /** V/V₀ − 1 of each body; V₀ is the volume that it is to have, of a posed one that of its input. */
  volumeChanges(): number[] {
    return this.bodies.map((body) => {
      const posed = this.posed.find((one) => one.body === body);
      return posed ? posed.motion.volumeErrorPercent / 100 : body.volume() / body.targetVolume - 1;
    });
  }

  /** Largest of these, without their signs, in percent: of the bodies that keep their volume, and of those that do not; NaN for none. */
  volumeErrors(changes = this.volumeChanges()): { kept: number; free: number } {
    const largest = (isKept: boolean): number => {
      const errors = changes.filter((_, index) => this.keepsVolume(this.bodies[index]) === isKept);
      return errors.length > 0 ? 100 * Math.max(...errors.map(Math.abs)) : Number.NaN;
    };
    return { kept: largest(true), free: largest(false) };
  }

  private keepsVolume(body: Body): boolean {
    return body.prepared.solver.with(body.settings).keepsVolume || this.posed.some((one) => one.body === body);
  }

  describeBodies(): BodyTraits[] {
    return this.bodies.map((body) => ({ conserved: this.keepsVolume(body), size: body.prepared.volume.size }));
  }

  describeObstacles(): ObstacleInfo[] {
    return this.obstacles.list.map((collider, index) => {
      const listed = this.applied.colliders[index];
      if (!listed) return describePlate(collider);
      const { shape } = collider;
      if (shape.shape !== 'mesh') return listed;
      const { positions, triangles } = shape.mesh;
      return {
        ...listed,
        surface: { positions: Float32Array.from(positions), triangles: triangles.slice() },
      };
    });
  }
}

/** Angles of cells that a focus takes [rad]. */
const NARROWEST = 1e-4;
const WIDEST = 3;

/** All processors but one, which the page needs to draw: on two, a world that takes both leaves it a frame a second. */
const spareProcessors = (): number => Math.min(MAX_THREADS, Math.max(1, navigator.hardwareConcurrency - 1));

function describePlate(collider: World['colliders'][number]): ObstacleInfo {
  const { shape, name, friction, restitution, rest, group, collidesWith } = collider;
  if (shape.shape !== 'box') throw new Error('the plate is a box');
  const [position, rotation] = [[...rest.position], [...rest.rotation]] as [
    [number, number, number],
    [number, number, number, number],
  ];
  const [x, y, z] = shape.size;
  const contact = { friction, restitution, group, collidesWith };
  return { shape: 'box', size: [x, y, z], name, position, rotation, motion: [], ...contact };
}

/** The scene as it is when its clock starts `elapsed` seconds later. */
function shiftMotions(scene: Scene, elapsed: number): Scene {
  const shift = <T extends { motion: Scene['pins'][number]['motion'] }>(part: T): T => ({
    ...part,
    motion: part.motion.map((key) => ({ ...key, time: key.time - elapsed })),
  });
  return { ...scene, colliders: scene.colliders.map(shift), pins: scene.pins.map(shift) };
}
