// The program beside the playground's world, in its worker: opens scenes, lets them follow the hand, and tells the page what it shows of them
// beside what comes with every world's frames.

import { createWorld } from 'isochore';
import { hostWorld } from 'isochore/worker';
import type { Paint } from '../paint.js';
import { FIRST_BRUSH, type SceneCalls, type SceneFrame, type SceneInfo, type View } from '../protocol.js';
import { NO_SETTINGS, type Settings } from '../settings.js';
import { exportFile } from './exporter.js';
import { openSource } from './open-source.js';
import { Painting } from './painting.js';
import { type Look, Simulation } from './simulation.js';
import { Statistics } from './statistics.js';
import { describeView, writeSegments, writeValues } from './view-data.js';

let simulation: Simulation | undefined;
let settings = NO_SETTINGS;
/** The brush stays in the hand from scene to scene. */
let brush = FIRST_BRUSH;
/** The camera, once the page has said where it is. */
let look: Look | undefined;
let shown: { view: View; body: number; vertex: number } = { view: 'shaded', body: 0, vertex: 0 };
/** Step with which the scene stops. */
let stopAt = Number.POSITIVE_INFINITY;
/** The bodies' topologies as the page knows them. */
let announced = 0;
/** What the page is to hear with the next frame. */
let news: { scene?: 'other' | 'again'; pins?: boolean; view?: boolean; stopped?: boolean } = {};

const statistics = new Statistics();

/** Tells of the whole scene. */
function announce(again: boolean): void {
  const isOther = !again || news.scene === 'other';
  news = { ...news, scene: isOther ? 'other' : 'again', pins: true, view: true };
}

/** Puts another world in the place of the one that runs. */
function replace(made: Simulation, again: boolean): void {
  simulation = made;
  settings = made.settings;
  made.lookFrom(look);
  host.replaceWorld(made.world);
  statistics.begin();
  announce(again);
}

function opened(): Simulation {
  if (!simulation) throw new Error('no scene is open');
  return simulation;
}

/** Another world that goes on from where this one is. */
async function prepareAnew(wanted: Settings): Promise<void> {
  const current = opened();
  replace(await Simulation.create(current.opened, wanted, current.painting, current), true);
}

const calls: SceneCalls = {
  async open(source, wanted, paint, stop = Number.POSITIVE_INFINITY) {
    const found = await openSource(source);
    const make = (given?: Paint) => Simulation.create(found, wanted, new Painting(brush, given));
    // A link may hold paint for other bodies than there are now: it still opens something.
    const made = await (paint ? make(paint).catch(() => make()) : make());
    stopAt = stop;
    replace(made, false);
  },
  async reset() {
    const current = opened();
    replace(await Simulation.create(current.opened, settings, current.painting), true);
  },
  seek: (time) => opened().seek(time),
  async change(wanted) {
    if (!opened().change(wanted)) await prepareAnew(wanted);
    settings = wanted;
  },
  grab: (body, point) => opened().pins.grab(body, point),
  hold(pin, point, twist) {
    const { pins, world } = opened();
    pins.hold(pin, point, world.time, twist);
  },
  drag: (point, angle) => opened().pins.drag(point, angle),
  release() {
    opened().pins.release();
    news.pins = true;
  },
  pin(body, vertex) {
    opened().pins.addAround(body, vertex);
    news.pins = true;
  },
  unpin(pin) {
    opened().pins.remove(pin);
    news.pins = true;
  },
  twist(body, vertex, point) {
    const { pins, world } = opened();
    pins.twist(body, vertex, point, world.time);
    news.pins = true;
  },
  look(position, pixelAngle) {
    look = { position, pixelAngle };
    simulation?.lookFrom(look);
  },
  brush(wanted) {
    brush = wanted;
    if (simulation) simulation.painting.brush = brush;
  },
  paint(body, point) {
    const { painting, bodies } = opened();
    painting.dab(bodies[body], body, point);
  },
  async painted() {
    if (opened().painting.changed) await prepareAnew(settings);
  },
  async wipe() {
    opened().painting.wipe();
    await calls.painted();
  },
  moveObstacle: (obstacle, position) => opened().obstacles.moveTo(obstacle, position),
  press(on) {
    opened().obstacles.setPress(on);
    announce(true);
  },
  view(view, body, vertex) {
    shown = { view, body, vertex };
    news.view = true;
  },
  exportFile: (kind, seconds) => exportFile(opened(), kind, seconds),
};

function describeScene(made: Simulation, again: boolean): SceneInfo {
  const { title, source, scene, report } = made.opened;
  const { backend, threads, precision } = made.world.capabilities;
  return {
    ...{ title, source, scene, report, backend, threads, precision, again },
    paint: made.painting.paint,
    bodies: made.describeBodies(),
    skins: made.skins.describe(made.bodies),
    obstacles: made.describeObstacles(),
    duration: made.duration,
  };
}

const host = hostWorld({
  // What stands there until a scene is opened.
  createWorld: () => createWorld({ backend: 'reference' }),
  beforeStep() {
    if (!simulation) return;
    simulation.beforeStep();
    if (simulation.steps + 1 !== stopAt) return;
    stopAt = Number.POSITIVE_INFINITY;
    news.stopped = true;
    host.pause();
  },
  afterStep({ profile }, count) {
    if (!simulation) return;
    statistics.note(profile, count);
    simulation.afterStep();
  },
  frame(): SceneFrame {
    const { view } = shown;
    if (!simulation) return { view };
    if (simulation.topology !== announced) announce(true);
    announced = simulation.topology;
    const { scene, pins, view: isOther, stopped } = news;
    news = {};
    return {
      opened: scene && describeScene(simulation, scene === 'again'),
      pins: pins && simulation.pins.describe(),
      viewData: isOther && describeView(simulation, shown),
      values: writeValues(simulation, view),
      segments: writeSegments(simulation, view),
      view,
      figures: statistics.measure(simulation, host.isRunning, host.pace),
      stopped: stopped && true,
    } as SceneFrame;
  },
  calls,
});
