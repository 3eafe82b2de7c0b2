// What can be changed while the scene runs: sliders with a sentence each, presets, and the buttons that break things.

import { DEFORMATIONS, MAX_THREADS } from 'isochore';
import type { Scene } from 'isochore/scenes';
import GUI, { type Controller } from 'lil-gui';
import { BODY_RANGES, WORLD_RANGES } from '../link.js';
import type { Command } from '../protocol.js';
import {
  ALL_BODIES,
  type BodySettings,
  bodySettingsOf,
  NO_SETTINGS,
  type Settings,
  settingsFor,
  type WorldSettings,
} from '../settings.js';
import { element, make } from './elements.js';

/** The paper's values: [DBB11] Table 1 and Fig. 7. */
export const PRESETS: Readonly<Record<string, BodySettings>> = {
  'Balls in a glass (Table 1)': {
    regionSize: 2,
    stiffness: 1,
    damping: 0.9,
    volume: true,
    globalShare: 0.5,
    innerShare: 0.1,
  },
  'Ducks and tori (Table 1)': {
    regionSize: 2,
    stiffness: 1,
    damping: 0.8,
    volume: true,
    globalShare: 0.2,
    innerShare: 0.1,
  },
  'Creatures (Table 1)': {
    regionSize: 3,
    stiffness: 0.9,
    damping: 0.8,
    volume: true,
    globalShare: 0.1,
    innerShare: 0.1,
  },
  'Global volume (Fig. 7)': { volume: true, globalShare: 1, innerShare: 0 },
  'Local, inner pairs (Fig. 7)': { volume: true, globalShare: 0.2, innerShare: 0.1 },
  'Local (Fig. 7)': { volume: true, globalShare: 0.2, innerShare: 0 },
  'No volume constraint (Fig. 7)': { volume: false },
  Jelly: { stiffness: 0.25, damping: 0.02 },
  Rubber: { stiffness: 0.9, damping: 0.2 },
  Dough: { stiffness: 0.3, damping: 0.9 },
};

interface Line {
  readonly key: keyof BodySettings | keyof WorldSettings;
  readonly label: string;
  readonly step?: number;
  readonly hint: string;
}

const BODY_LINES: readonly Line[] = [
  {
    key: 'regionSize',
    label: 'Region size ω',
    step: 1,
    hint: 'Rings of edges that move together. Wider is stiffer and costs little more.',
  },
  {
    key: 'stiffness',
    label: 'Stiffness s',
    step: 0.01,
    hint: 'Share of the way back to its shape in 5 ms. 1 is stiff, 0 is slack.',
  },
  {
    key: 'damping',
    label: 'Damping k',
    step: 0.01,
    hint: 'Share of the wobble taken away in 5 ms. Flight and spin are not slowed.',
  },
  { key: 'volume', label: 'Keep volume', hint: 'The exact constraint. Off, the body is a rubber skin around nothing.' },
  {
    key: 'globalShare',
    label: 'Global share α',
    step: 0.01,
    hint: '1 bulges everywhere alike, towards 0 only where it is pressed.',
  },
  {
    key: 'innerShare',
    label: 'Inner share β',
    step: 0.01,
    hint: 'How much pairs across the body say where it is pressed, rather than the skin.',
  },
  {
    key: 'innerLow',
    label: 'Inner stiffness, long',
    step: 0.005,
    hint: 'σ of the longest pair across the body: thick parts.',
  },
  { key: 'innerHigh', label: 'Inner stiffness, short', step: 0.005, hint: 'σ of the shortest pair: thin parts.' },
];
const WORLD_LINES: readonly Line[] = [
  { key: 'gravity', label: 'Gravity', step: 0.1, hint: 'Downwards, m/s². The Moon has 1.6; below 0 things fall up.' },
  { key: 'friction', label: 'Friction', step: 0.01, hint: 'Of obstacles and bodies. 0 is ice, 1 is rubber on stone.' },
  {
    key: 'timeStep',
    label: 'Step Δt',
    step: 0.0005,
    hint: 'Seconds per step. Behaviour stays, cost and precision change.',
  },
  { key: 'backend', label: 'Backend', hint: 'WebAssembly is fast, in single precision. The reference is in double.' },
  {
    key: 'threads',
    label: 'Threads',
    step: 1,
    hint: 'Of WebAssembly, where the page may share memory; one processor is left for drawing. The same bits for any number.',
  },
];

export class Controls {
  settings: Settings = NO_SETTINGS;
  private scene: Scene | undefined;
  private readonly target = element<HTMLSelectElement>('target');
  private readonly preset = element<HTMLSelectElement>('preset');
  // Its styles are in the page's own sheet: the policy allows no others.
  private readonly gui = new GUI({
    autoPlace: false,
    container: element('controls'),
    title: 'Settings',
    injectStyles: false,
  });
  private readonly model: Record<string, number | boolean | string> = { backend: 'auto', threads: 1, volume: true };
  private readonly controllers = new Map<string, Controller>();

  constructor(
    private readonly onChange: (settings: Settings) => void,
    send: (command: Command) => void,
  ) {
    for (const key of [...Object.keys(BODY_RANGES), ...Object.keys(WORLD_RANGES)]) this.model[key] = 0;
    for (const line of BODY_LINES) this.add(line, (value) => this.changeBody({ [line.key]: value }));
    for (const line of WORLD_LINES) this.add(line, (value) => this.changeWorld({ [line.key]: value }));
    this.gui.add({ clear: () => this.clear() }, 'clear').name("Back to the scene's own values");
    for (const name of Object.keys(PRESETS)) this.preset.append(make('option', { value: name }, name));
    this.preset.prepend(make('option', { value: '' }, 'choose …'));
    this.preset.value = '';
    this.preset.addEventListener('change', () => {
      const chosen = PRESETS[this.preset.value];
      if (chosen) this.changeBody(chosen);
      this.refresh();
    });
    this.target.addEventListener('change', () => this.refresh());
    for (const deformation of DEFORMATIONS) {
      if (deformation === 'none') continue;
      const button = make('button', { type: 'button', 'data-break': deformation }, deformation);
      button.addEventListener('click', () => send({ type: 'deform', deformation }));
      element('breaks').append(button);
    }
  }

  private add({ key, label, step, hint }: Line, change: (value: never) => void): void {
    const controller =
      key === 'backend'
        ? this.gui.add(this.model, key, { automatic: 'auto', WebAssembly: 'wasm', reference: 'reference' })
        : key === 'volume'
          ? this.gui.add(this.model, key)
          : this.gui.add(this.model, key, ...this.rangeOf(key), step);
    controller.name(label);
    // What prepares the bodies anew waits for the end of the movement.
    const heavy = ['regionSize', 'timeStep', 'backend', 'threads'].includes(key);
    if (heavy) controller.onFinishChange(change);
    else controller.onChange(change);
    const id = `hint-${key}`;
    controller.domElement.after(make('p', { class: 'hint', id }, hint));
    for (const input of controller.domElement.querySelectorAll('input, select')) {
      input.setAttribute('aria-describedby', id);
      input.setAttribute('data-setting', key);
    }
    this.controllers.set(key, controller);
  }

  private rangeOf(key: string): [number, number] {
    if (key === 'threads') return [1, Math.min(MAX_THREADS, Math.max(2, navigator.hardwareConcurrency))];
    if (key === 'innerLow' || key === 'innerHigh') return [0, 0.5];
    const [low, high] = { ...BODY_RANGES, ...WORLD_RANGES }[key as keyof typeof BODY_RANGES];
    return [low, high];
  }

  private changeBody(change: BodySettings): void {
    const name = this.target.value || ALL_BODIES;
    const bodies: Record<string, BodySettings> = { ...this.settings.bodies };
    bodies[name] = { ...bodies[name], ...change };
    // What is set for all bodies replaces what single ones had.
    if (name === ALL_BODIES) {
      for (const other of Object.keys(bodies)) {
        if (other === ALL_BODIES) continue;
        const left = Object.entries(bodies[other]).filter(([key]) => !(key in change));
        if (left.length > 0) bodies[other] = Object.fromEntries(left);
        else delete bodies[other];
      }
    }
    this.set({ ...this.settings, bodies });
  }

  private changeWorld(change: WorldSettings): void {
    this.set({ ...this.settings, world: { ...this.settings.world, ...change } });
  }

  private set(settings: Settings): void {
    this.settings = settings;
    this.onChange(settings);
  }

  private clear(): void {
    this.set(NO_SETTINGS);
    this.refresh();
  }

  /** Shows a scene's values with settings on top. */
  show(scene: Scene, settings: Settings, threads: number): void {
    const chosen = this.target.value;
    this.scene = scene;
    this.settings = settings;
    this.model.threads = settings.world.threads ?? threads;
    const names = scene.bodies.map((body, index) => body.name ?? `body${index}`);
    this.target.replaceChildren(
      make(
        'option',
        { value: ALL_BODIES },
        names.length === 1 ? names[0] : names.length === 2 ? 'both bodies' : `all ${names.length} bodies`,
      ),
      ...(names.length > 1 ? names.map((name) => make('option', { value: name }, name)) : []),
    );
    if (names.includes(chosen)) this.target.value = chosen;
    this.refresh();
  }

  private refresh(): void {
    const { scene, settings, model } = this;
    if (!scene) return;
    const index = Math.max(
      0,
      scene.bodies.findIndex((body) => body.name === this.target.value),
    );
    const body = scene.bodies[index];
    const own = settingsFor(settings, this.target.value === ALL_BODIES ? '' : this.target.value);
    if (body) Object.assign(model, bodySettingsOf(body), own);
    model.gravity = settings.world.gravity ?? -scene.gravity[1];
    model.friction = settings.world.friction ?? scene.colliders[0]?.friction ?? 0.5;
    model.timeStep = settings.world.timeStep ?? scene.timeStep;
    model.backend = settings.world.backend ?? 'auto';
    if (settings.world.threads !== undefined) model.threads = settings.world.threads;
    for (const controller of this.controllers.values()) controller.updateDisplay();
  }
}
