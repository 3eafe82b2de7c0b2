// The worker that holds the world: it steps by its own clock, answers the page's wish for a frame, and does what it is told.

import { STAGES } from 'isochore';
import { WorldLoop } from '../../../../src/worker/world-loop.js';
import type { Paint } from '../paint.js';
import { type Answer, type Command, FIRST_BRUSH, type Figures } from '../protocol.js';
import { NO_SETTINGS, type Settings } from '../settings.js';
import { exportFile } from './exporter.js';
import { openSource } from './open-source.js';
import { Painting } from './painting.js';
import { type Look, Simulation } from './simulation.js';
import { describeView, writeValues } from './view-data.js';

/** Time between two sets of figures [ms]. */
const FIGURES_INTERVAL = 100;
/** Speed that a poke gives the body [m/s]. */
const POKE_SPEED = 1.6;

let simulation: Simulation | undefined;
let settings = NO_SETTINGS;
/** The brush stays in the hand from scene to scene. */
let brush = FIRST_BRUSH;
/** A frame that the page waits for. */
let wanted: { buffer?: ArrayBuffer } | undefined;
/** Whether something changed since the last frame. */
let dirty = false;
/** The moment that is to be shown [s]. */
let sought: number | undefined;
/** The bodies' topologies as the page knows them. */
let announced = 0;
/** The camera, once the page has said where it is. */
let look: Look | undefined;
let view: Extract<Command, { type: 'view' }> = { type: 'view', view: 'shaded', body: 0, vertex: 0 };

const total = { steps: 0, since: performance.now(), times: Object.fromEntries(STAGES.map((s) => [s, 0])) };

const post = (answer: Answer, transfer: Transferable[] = []): void => self.postMessage(answer, { transfer });

const sendPins = (): void => {
  if (simulation) post({ type: 'pins', pins: simulation.pins.describe() });
};

function announce(made: Simulation, again: boolean): void {
  const { title, source, scene, report } = made.opened;
  const { backend, threads, precision } = made.world.capabilities;
  const [bodies, obstacles] = [made.describeBodies(), made.describeObstacles()];
  announced = made.topology;
  post({
    type: 'opened',
    opened: {
      title,
      source,
      scene,
      paint: made.painting.paint,
      bodies,
      skins: made.skins.describe(made.bodies),
      obstacles,
      report,
      backend,
      threads,
      precision,
      again,
      topology: announced,
      duration: made.duration,
    },
  });
  sendPins();
  sendView();
}

/** Puts another world in the place of the one that runs. */
function replace(made: Simulation, again: boolean): void {
  simulation?.world.dispose();
  simulation = made;
  settings = made.settings;
  made.lookFrom(look);
  announce(made, again);
  pace.restart();
  resetTotals();
  dirty = true;
}

function resetTotals(): void {
  total.steps = 0;
  total.since = performance.now();
  for (const stage of STAGES) total.times[stage] = 0;
}

function sendView(): void {
  if (!simulation) return;
  post({ type: 'view', data: describeView(simulation, view) });
}

async function obey(command: Command): Promise<void> {
  switch (command.type) {
    case 'open': {
      post({ type: 'busy', what: 'Preparing the bodies' });
      const opened = await openSource(command.source);
      const make = (paint?: Paint) => Simulation.create(opened, command.settings, new Painting(brush, paint));
      // A link may hold paint for other bodies than there are now: it still opens something.
      const made = await (command.paint ? make(command.paint).catch(() => make()) : make());
      pace.stopAt = command.stopAt ?? Number.POSITIVE_INFINITY;
      replace(made, false);
      return;
    }
    case 'look':
      look = command;
      simulation?.lookFrom(look);
      return;
    case 'run':
      pace.paused = command.paused;
      pace.speed = command.speed;
      pace.restart();
      dirty = true;
      return;
    default:
      if (simulation) await obeyIn(simulation, command);
  }
}

/** Another world that goes on from where this one is. */
async function prepareAnew(current: Simulation, wanted: Settings): Promise<void> {
  post({ type: 'busy', what: 'Preparing the bodies' });
  replace(await Simulation.create(current.opened, wanted, current.painting, current), true);
}

async function obeyIn(current: Simulation, command: Command): Promise<void> {
  const { pins, obstacles, bodies, world } = current;
  switch (command.type) {
    case 'step':
      pace.paused = true;
      pace.extraSteps += command.count;
      return;
    case 'reset':
      post({ type: 'busy', what: 'Starting again' });
      replace(await Simulation.create(current.opened, settings, current.painting), true);
      return;
    case 'change':
      if (!current.change(command.settings)) {
        await prepareAnew(current, command.settings);
      }
      settings = command.settings;
      dirty = true;
      return;
    case 'grab':
      pins.grab(command.body, command.point);
      return;
    case 'twist':
      pins.twist(command.body, command.vertex, command.point, world.time);
      return sendPins();
    case 'hold':
      pins.hold(command.pin, command.point, world.time, command.twist);
      return;
    case 'drag':
      pins.drag(command.point, command.angle);
      return;
    case 'release':
      pins.release();
      return sendPins();
    case 'pin':
      pins.addAround(command.body, command.vertex);
      return sendPins();
    case 'unpin':
      pins.remove(command.pin);
      return sendPins();
    case 'poke': {
      const body = bodies[command.body];
      const momentum = POKE_SPEED * body.mass;
      const [x, y, z] = command.direction;
      body.applyImpulse([x * momentum, y * momentum, z * momentum], command.point);
      body.wake();
      return;
    }
    case 'cut':
      current.cut(command.point, command.direction, command.body);
      return;
    case 'lift':
      current.liftKnife();
      return;
    case 'brush':
      brush = command.brush;
      current.painting.brush = brush;
      dirty = true;
      return;
    case 'paint':
      current.painting.dab(bodies[command.body], command.body, command.point);
      dirty = true;
      return;
    case 'wipe':
      current.painting.wipe();
      if (current.painting.changed) await prepareAnew(current, settings);
      return;
    case 'painted':
      if (current.painting.changed) await prepareAnew(current, settings);
      return;
    case 'move-obstacle':
      obstacles.moveTo(command.obstacle, command.position);
      return;
    case 'press':
      obstacles.setPress(command.on);
      announce(current, true);
      dirty = true;
      return;
    case 'deform':
      bodies.forEach((body, index) => {
        if (command.body === undefined || command.body === index) body.deform(command.deformation, 1 + index);
      });
      dirty = true;
      return;
    case 'view':
      view = command;
      sendView();
      dirty = true;
      return;
    case 'export': {
      const { name, bytes } = await exportFile(current, command.kind, command.seconds);
      post({ type: 'exported', name, bytes }, [bytes.buffer]);
      return;
    }
  }
}

function measure(current: Simulation): Figures {
  const now = performance.now();
  const steps = Math.max(1, total.steps);
  const times = STAGES.map((stage) => [stage, total.times[stage] / steps] as const);
  const sum = times.reduce((all, [, time]) => all + time, 0);
  const volumeChanges = current.volumeChanges();
  const { kept, free } = current.volumeErrors(volumeChanges);
  const { backend, threads, onHost } = current.world.capabilities;
  const figures: Figures = {
    steps: current.steps,
    time: current.time,
    profile: { ...Object.fromEntries(times), total: sum } as Figures['profile'],
    stepsPerSecond: (1000 * total.steps) / Math.max(1, now - total.since),
    pace: pace.pace,
    volumeError: kept,
    freeVolumeError: free,
    volumeChanges,
    energy: current.bodies.reduce((all, body) => all + body.kineticEnergy(), 0),
    contacts: current.bodies.reduce((all, body) => all + body.contactCount, 0),
    nodes: current.bodies.reduce((all, body) => all + body.nodeCount, 0),
    asleep: current.bodies.filter(({ asleep }) => asleep).length,
    hash: pace.paused && pace.extraSteps === 0 ? current.hash() : undefined,
    backend,
    threads,
    onHost,
    recorded: current.recorder.duration,
  };
  resetTotals();
  return figures;
}

function sendFrame(current: Simulation): void {
  if (!wanted) return;
  const { buffer } = wanted;
  const bytes = 12 * current.vertexCount;
  const positions = new Float32Array(buffer?.byteLength === bytes ? buffer : new ArrayBuffer(bytes));
  const share = current.isEnqueued ? 1 : pace.shareOf(current.world.timeStep);
  current.writePositions(positions, share);
  const values = writeValues(current, view.view);
  const due = performance.now() - total.since >= FIGURES_INTERVAL || pace.paused;
  const figures = due ? measure(current) : undefined;
  const poses = current.writePoses(share);
  const skins = view.view === 'shaded' ? current.skins.write(current.bodies, positions) : undefined;
  const transfer = [positions.buffer, poses.buffer, ...(values ? [values.buffer] : [])];
  for (const skin of skins ?? []) transfer.push(skin.positions.buffer, skin.normals.buffer);
  post(
    {
      type: 'frame',
      frame: { positions, poses, values, view: view.view, skins, figures, paused: pace.paused, topology: announced },
    },
    transfer,
  );
  wanted = undefined;
  dirty = false;
}

function takeStep(current: Simulation): void {
  current.step();
  total.steps++;
  if (!current.isEnqueued) noteProfile(current, 1);
}

/** Counts the last step's stages as those of so many. */
function noteProfile({ world }: Simulation, steps: number): void {
  for (const stage of STAGES) total.times[stage] += steps * world.profile[stage];
}

/** What the GPU has done is shown in the next frame; no steps are taken meanwhile. */
async function syncSteps(current: Simulation, taken: number): Promise<void> {
  await current.sync();
  noteProfile(current, taken);
  dirty = true;
}

/** Goes to the moment that the page asks for. */
function showSought(current: Simulation): void {
  if (sought === undefined) return;
  current.seek(sought);
  sought = undefined;
  pace.restart();
  dirty = true;
}

const failed = (error: Error): void => post({ type: 'failed', about: 'step', message: error.message });

const loop = new WorldLoop({
  stepping() {
    if (!simulation) return undefined;
    const current = simulation;
    showSought(current);
    return { timeStep: current.world.timeStep, stepCount: current.steps, step: () => takeStep(current) };
  },
  afterSlice(taken) {
    if (!simulation) return;
    if (taken > 0 && simulation.isEnqueued) syncAfter(simulation, taken);
    else if (taken > 0) dirty = true;
    if (simulation.topology !== announced) announce(simulation, true);
    if (!simulation.isFinite && !pace.paused) {
      pace.paused = true;
      failed(new Error('the state is no longer finite'));
    }
    if (dirty || !pace.paused) sendFrame(simulation);
  },
  fail: failed,
});
const { pace } = loop;

const syncAfter = (current: Simulation, taken: number): void =>
  loop.enqueue(() => syncSteps(current, taken).catch(failed));

const ABOUT = { open: 'open', change: 'change', export: 'export' } as const;

self.onmessage = ({ data: command }: MessageEvent<Command>) => {
  if (command.type === 'frame') {
    wanted = { buffer: command.buffer };
    return;
  }
  if (command.type === 'seek') {
    sought = command.time;
    return;
  }
  loop.enqueue(async () => {
    try {
      await obey(command);
    } catch (error) {
      const about = ABOUT[command.type as keyof typeof ABOUT] ?? 'step';
      post({ type: 'failed', about, message: (error as Error).message });
      pace.restart();
    }
  });
};

loop.turn();
