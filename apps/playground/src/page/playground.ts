// The page as a whole: what the user does goes to the world, what comes back goes to the stage and the panels.

import { Box3, Vector3 } from 'three';
import { extraScenes } from '../extra-scenes.js';
import { readLink, writeLink } from '../link.js';
import type { Paint } from '../paint.js';
import { writeProgram } from '../program-text.js';
import type { Figures, OpenedScene, SceneCalls, SceneFrame, SceneInfo, SceneSource, View } from '../protocol.js';
import { NO_SETTINGS, type Settings } from '../settings.js';
import { BrushPanel } from './brush-panel.js';
import { Controls } from './controls.js';
import { watchDrops } from './drop.js';
import { Encore } from './encore.js';
import { showFigures } from './figures.js';
import { Gallery, gallery, summaryOf, titleOf } from './gallery.js';
import { Keep, saveFile } from './keep.js';
import { Labels } from './labels.js';
import { hideBusy, hideNotice, showBusy, showNotice, showPace } from './notices.js';
import { ObstacleMeshes } from './obstacle-meshes.js';
import { PinMarks } from './pin-marks.js';
import { Plots } from './plots.js';
import { Pointer } from './pointer.js';
import { rehearse } from './rehearsal.js';
import type { SceneWorld } from './scene-world.js';
import { SoftBodies } from './soft-bodies.js';
import type { Stage } from './stage.js';
import { stageBox } from './stage-box.js';
import { setUpTabs } from './tabs.js';
import { watchTheme } from './theme.js';
import { Transport } from './transport.js';
import { ViewChooser } from './views.js';

const FIRST_SCENE = 'squeeze';
/** What is said of what could not be done, and leaves everything as it is. */
const FAILURES = { open: 'This could not be opened', change: 'This could not be changed', exportFile: 'No file' };
/** Time after the last change at which the address follows [ms]. */
const LINK_DELAY = 250;

export class Playground {
  opened: OpenedScene | undefined;
  figures: Figures | undefined;
  /** Script time of the last frames [ms]. */
  readonly scriptTimes: number[] = [];
  frames = 0;
  /** From the start of loading to the first picture of a world that has stepped [ms]. */
  movingAfter: number | undefined;
  /** Worlds that were opened, those with other settings and those that started again included. */
  worlds = 0;
  private readonly pointer: Pointer;
  private readonly plots = new Plots();
  private readonly labels = new Labels();
  private readonly encore = new Encore();
  private readonly controls: Controls;
  private readonly transport: Transport;
  private readonly gallery: Gallery;
  private readonly views: ViewChooser;
  private readonly keep: Keep;
  private soft: SoftBodies | undefined;
  private obstacles: ObstacleMeshes | undefined;
  private pins: PinMarks | undefined;
  private region = { body: 0, vertex: 0 };
  private stop: number | undefined;
  /** The camera as the world knows it. */
  private toldLook = '';

  constructor(
    readonly stage: Stage,
    private readonly world: SceneWorld,
  ) {
    this.pointer = new Pointer(stage, world);
    this.pointer.onPainted = () => this.take('painted');
    this.pointer.onPick = (body, vertex) => this.lookAtRegion(body, vertex);
    this.controls = new Controls(
      (settings) => this.change(settings),
      (deformation) => world.deform(deformation),
    );
    this.transport = new Transport(world, this.pointer);
    this.transport.onReset = () => this.reset();
    this.transport.onChange = () => this.updateLink();
    this.gallery = new Gallery((name) => this.openBuiltIn(name));
    this.views = new ViewChooser((view) => this.setView(view));
    this.transport.onNextView = () => this.views.next();
    this.transport.onTool = (tool) => {
      if (tool === 'paint') this.views.pick('painted');
    };
    new BrushPanel(world, () => this.take('wipe'));
    this.keep = new Keep({
      exportFile: (kind, seconds) => this.exportFile(kind, seconds),
      screenshot: () => this.saveScreenshot(),
    });
    watchDrops((files) => this.open({ kind: 'files', files }, NO_SETTINGS));
    watchTheme((theme) => {
      stage.setTheme(theme);
      this.obstacles?.setColours(stage.colours);
      this.pins?.setColour(stage.colours.line);
      this.plots.rebuild();
      this.setView(this.views.current);
    });
    setUpTabs(() => this.plots.draw(performance.now(), true));
    stage.insets = () => (stage.canvas.clientWidth < 760 ? { top: 0.2, bottom: 0.14 } : { top: 0.14, bottom: 0.1 });
    world.onFailed = (about, message) => this.fail(about, message);
    addEventListener('hashchange', () => this.openLink());
  }

  async start(): Promise<void> {
    await this.openLink();
    rehearse(this.stage);
    requestAnimationFrame((now) => this.drawFrame(now));
  }

  private fail(about: keyof SceneCalls | 'step', message: string): void {
    hideBusy();
    const title = FAILURES[about as 'open'];
    showNotice({ title: title ?? 'The simulation stopped', text: message, bad: true });
    if (!title) this.transport.setPaused(true);
    if (about === 'change' && this.opened) this.controls.show(this.opened.scene, NO_SETTINGS, this.opened.threads);
  }

  private async openLink(): Promise<void> {
    const link = await readLink(location.hash);
    // The page's own changes of the address come back here.
    if (this.opened && location.hash === (await this.linkText())) return;
    this.views.set(link.view);
    this.transport.setSpeed(link.speed);
    this.stop = link.stop;
    const known = gallery.some(({ name }) => name === link.scene);
    if (link.scene && !known) {
      showNotice({ title: `There is no scene called “${link.scene}”`, text: 'Here is another one.', bad: true });
    }
    const source: SceneSource = link.file
      ? { kind: 'scene', ...link.file }
      : { kind: 'built-in', name: known && link.scene ? link.scene : FIRST_SCENE };
    this.open(source, link.settings, link.paint);
  }

  private openBuiltIn(name: string): void {
    this.stop = undefined;
    hideNotice();
    this.open({ kind: 'built-in', name }, NO_SETTINGS);
  }

  private open(source: SceneSource, settings: Settings, paint?: Paint): void {
    showBusy('Preparing the bodies');
    void this.world.call('open', source, settings, paint, this.stop);
    void this.world.call('view', this.views.current, this.region.body, this.region.vertex);
    this.controls.settings = settings;
    this.transport.setPaused(false);
  }

  private change(settings: Settings): void {
    this.take('change', settings);
    this.updateLink();
  }

  /** Asks for what may take a while, as bodies may have to be prepared anew. */
  private async take<N extends 'change' | 'painted' | 'wipe'>(
    name: N,
    ...args: Parameters<SceneCalls[N]>
  ): Promise<void> {
    showBusy('Preparing the bodies');
    await this.world.call(name, ...args);
    hideBusy();
  }

  private reset(): void {
    showBusy('Starting again');
    void this.world.call('reset');
  }

  private async exportFile(...wanted: Parameters<SceneCalls['exportFile']>): Promise<void> {
    const file = await this.world.call('exportFile', ...wanted);
    if (file) saveFile(file.name, file.bytes);
  }

  private show(info: SceneInfo): void {
    hideBusy();
    const opened = this.world.describe(info);
    const { soft: before, obstacles: obstaclesBefore, pins: pinsBefore, stage } = this;
    this.opened = opened;
    this.worlds++;
    this.figures = undefined;
    const skins = opened.skins.map((skin) => this.world.skinOf(skin));
    this.soft = new SoftBodies(opened.bodies, skins, () => stage.invalidate());
    this.obstacles = new ObstacleMeshes(opened.obstacles);
    this.pins = new PinMarks(opened.bodies);
    this.labels.set(opened.bodies);
    this.obstacles.setColours(stage.colours);
    this.pins.setColour(stage.colours.line);
    for (const old of [before, obstaclesBefore, pinsBefore]) {
      if (!old) continue;
      stage.remove(old.group);
      old.dispose();
    }
    stage.add(this.soft.group, this.obstacles.group, this.pins.group);
    this.pointer.actors = { soft: this.soft, obstacles: this.obstacles, pins: this.pins };
    this.frameAgain(opened.again);
    this.controls.show(opened.scene, this.controls.settings, opened.threads);
    this.transport.setDuration(opened.duration);
    this.transport.setPress(opened.obstacles.some(({ name }) => name === 'press'));
    if (!opened.again) this.announce(opened);
    this.updateLink();
  }

  /** Points the camera at the scene. */
  frameAgain(keepCamera = false): void {
    if (!this.opened) return;
    const { low, high, floor } = stageBox(this.opened);
    this.stage.frame(new Vector3(...low), new Vector3(...high), floor, keepCamera);
  }

  /** Points the camera at the bodies as they are now; for pictures. */
  frameBodies(): void {
    if (!this.soft || !this.opened) return;
    const box = new Box3().setFromArray(this.soft.positions);
    this.stage.frame(box.min, box.max, stageBox(this.opened).floor, false);
  }

  private announce({ title, source, report }: OpenedScene): void {
    this.plots.clear();
    const name = source.kind === 'built-in' ? source.name : undefined;
    this.gallery.mark(name);
    const shown = name ? titleOf(name) : title;
    document.getElementById('scene-title')?.replaceChildren(shown);
    document.getElementById('scene-summary')?.replaceChildren(name ? summaryOf(name) : 'Your file');
    document.title = `${shown} · Isochore playground`;
    if (report.length > 0) showNotice({ title: 'What was done to the mesh', lines: report });
  }

  private drawFrame(now: number): void {
    requestAnimationFrame((next) => this.drawFrame(next));
    const started = performance.now();
    const frame = this.world.takeFrame();
    if (frame) this.takeFrame(frame, now);
    this.world.askForFrame();
    const drew = this.stage.draw();
    if (!drew) return;
    this.tellLook();
    this.frames++;
    if (this.stepsHere > 0) this.movingAfter ??= performance.now();
    this.scriptTimes.push(performance.now() - started);
    if (this.scriptTimes.length > 240) this.scriptTimes.shift();
  }

  /** Tells the world where the camera is, when it has moved. */
  private tellLook(): void {
    const { camera, canvas } = this.stage;
    const { x, y, z } = camera.position;
    const pixelAngle = (Math.PI * camera.fov) / 180 / Math.max(1, canvas.clientHeight);
    const text = [x, y, z, pixelAngle].join();
    if (text === this.toldLook) return;
    this.toldLook = text;
    void this.world.call('look', [x, y, z], pixelAngle);
  }

  private takeFrame(frame: SceneFrame, now: number): void {
    if (frame.opened) this.show(frame.opened);
    const { soft, obstacles, pins, opened } = this;
    if (!soft || !opened) return;
    this.world.writePositions(soft.positions);
    if (frame.viewData) soft.show(frame.viewData, this.stage.colours.line);
    soft.update(frame);
    obstacles?.place(this.world.colliders);
    if (frame.pins) pins?.set(frame.pins, soft.positions);
    pins?.update(soft.positions);
    const { camera, canvas } = this.stage;
    this.labels.place(soft.positions, camera, canvas.clientWidth, canvas.clientHeight);
    this.stage.invalidate();
    if (frame.stopped) this.transport.setPaused(true, true);
    if (!frame.figures) return;
    this.figures = frame.figures;
    if (this.stop !== undefined && frame.figures.steps > this.stop) {
      // Who goes on is no longer at the moment that the link was about.
      this.stop = undefined;
      this.updateLink();
    }
    this.transport.showTime(frame.figures.time);
    showFigures(frame.figures, soft.positions.length / 3, opened.bodies.length);
    const { paused } = this.transport;
    showPace(paused ? 1 : frame.figures.pace, this.transport.speed);
    this.labels.say(frame.figures);
    const isWatched = !paused && this.stop === undefined && opened.source.kind === 'built-in';
    if (this.encore.isDue(isWatched && (this.labels.isEmpty || frame.figures.asleep === opened.bodies.length)))
      this.reset();
    this.plots.push(frame.figures);
    this.plots.draw(now);
  }

  private setView(view: View): void {
    void this.world.call('view', view, this.region.body, this.region.vertex);
    this.updateLink();
  }

  private lookAtRegion(body: number, vertex: number): void {
    this.region = { body, vertex };
    if (this.views.current === 'region') this.setView('region');
  }

  private async linkText(): Promise<string> {
    if (!this.opened) return '';
    const { source } = this.opened;
    return writeLink({
      scene: source.kind === 'built-in' ? source.name : undefined,
      file: source.kind === 'scene' ? { name: source.name, scene: source.scene } : undefined,
      settings: this.controls.settings,
      paint: this.opened.paint,
      view: this.views.current,
      speed: this.transport.speed,
      stop: this.stop,
    });
  }

  private linkTimer = 0;

  /** Lets address, link and code follow what is on the screen. */
  private updateLink(): void {
    clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(async () => {
      if (!this.opened) return;
      const { source, scene, paint } = this.opened;
      const hash = await this.linkText();
      history.replaceState(null, '', hash);
      const isExtra = source.kind === 'built-in' && extraScenes.some(({ name }) => name === source.name);
      const program = writeProgram(source, scene, { settings: this.controls.settings, paint }, isExtra);
      const isUnpainted = Object.keys(paint).length > 0 && !/[#&]paint=/.test(hash);
      this.keep.show(location.href, program, { scene: /[#&](scene|data)=/.test(hash), paint: !isUnpainted });
    }, LINK_DELAY);
  }

  private saveScreenshot(): void {
    // Within the same task as the drawing, before the browser clears the buffer.
    this.stage.drawNow();
    this.stage.canvas.toBlob((blob) => blob && saveFile('isochore.png', blob), 'image/png');
  }

  /** Steps of this scene that were shown; for tests and the console. */
  get stepsHere(): number {
    return this.figures?.steps ?? 0;
  }

  /** Where a body's middle is on the screen [px]; for tests and the console. */
  project(body: number): { x: number; y: number } {
    if (!this.soft) return { x: 0, y: 0 };
    const { start, count } = this.soft.bodies[body];
    const centre = new Vector3();
    for (let v = start; v < start + count; v++) {
      centre.x += this.soft.positions[3 * v] / count;
      centre.y += this.soft.positions[3 * v + 1] / count;
      centre.z += this.soft.positions[3 * v + 2] / count;
    }
    const at = centre.project(this.stage.camera);
    const { left, top, width, height } = this.stage.canvas.getBoundingClientRect();
    return { x: left + (0.5 + 0.5 * at.x) * width, y: top + (0.5 - 0.5 * at.y) * height };
  }

  /** The middle of a body [m]; for tests and the console. */
  centre(body: number): [number, number, number] {
    if (!this.soft) return [0, 0, 0];
    const { start, count } = this.soft.bodies[body];
    const sum: [number, number, number] = [0, 0, 0];
    for (let k = 3 * start; k < 3 * (start + count); k++) sum[k % 3] += this.soft.positions[k] / count;
    return sum;
  }
}
