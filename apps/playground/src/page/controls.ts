// What can be changed while the scene runs: sliders with a sentence each, presets, and the buttons that break things. Those of
// bodies are made from the fields of the solvers that the scene has.

import { DEFORMATIONS, type Deformation, MAX_THREADS } from 'isochore';
import type { Scene } from 'isochore/scenes';
import GUI, { type Controller } from 'lil-gui';
import { WORLD_RANGES } from '../link.js';
import {
  ALL_BODIES,
  bodySettingsOf,
  NO_SETTINGS,
  type Settings,
  settingsFor,
  type WorldSettings,
} from '../settings.js';
import {
  type BodySettings,
  excludedBy,
  linesFor,
  mergeSettings,
  type SettingLine,
  type SettingValue,
  usable,
  writeLines,
} from '../solver-lines.js';
import { element, make } from './elements.js';
import { MATERIALS, PRESETS } from './presets.js';

interface WorldLine {
  readonly key: keyof WorldSettings;
  readonly label: string;
  readonly step?: number;
  readonly hint: string;
}

const WORLD_LINES: readonly WorldLine[] = [
  { key: 'gravity', label: 'Gravity', step: 0.1, hint: 'Downwards, m/s². The Moon has 1.6; below 0 things fall up.' },
  { key: 'friction', label: 'Friction', step: 0.01, hint: 'Of obstacles and bodies. 0 is ice, 1 is rubber on stone.' },
  {
    key: 'timeStep',
    label: 'Step Δt',
    step: 0.0005,
    hint: 'Seconds per step. Behaviour stays, cost and precision change.',
  },
  {
    key: 'backend',
    label: 'Backend',
    hint: 'WebAssembly is fast, in single precision; WebGPU for many particles. The reference is in double.',
  },
  {
    key: 'threads',
    label: 'Threads',
    step: 1,
    hint: 'Of WebAssembly, where the page may share memory; one processor is left for drawing. The same bits for any number.',
  },
  {
    key: 'cellPixels',
    label: 'Detail by camera',
    step: 5,
    hint: 'Pixels that a cell may look large before it is halved, of bodies with levels of detail; see them by the view of cells. 0 is off.',
  },
];

/** Changes of the world that prepare the bodies anew. */
const HEAVY: readonly string[] = ['timeStep', 'backend', 'threads'];

/** A form of its own in the panel. Its styles are in the page's own sheet: the policy allows no others. */
const makeForm = (): GUI =>
  new GUI({ autoPlace: false, container: element('controls'), title: 'Settings', injectStyles: false });

export class Controls {
  settings: Settings = NO_SETTINGS;
  private scene: Scene | undefined;
  private readonly target = element<HTMLSelectElement>('target');
  private readonly preset = element<HTMLSelectElement>('preset');
  private readonly bodyForm = makeForm();
  private readonly worldForm = makeForm();
  private readonly bodyValues: Record<string, SettingValue> = {};
  private readonly worldValues: Record<string, number | string> = { backend: 'auto', threads: 1 };
  /** The lines that are shown, and what shows each. */
  private lines: readonly SettingLine[] = [];
  private readonly controllers = new Map<string, Controller>();
  private readonly materials = new Map<string, HTMLButtonElement>();

  constructor(
    private readonly onChange: (settings: Settings) => void,
    deform: (deformation: Deformation) => void,
  ) {
    for (const key of Object.keys(WORLD_RANGES)) this.worldValues[key] ??= 0;
    for (const line of WORLD_LINES) this.addWorldLine(line);
    this.worldForm.add({ clear: () => this.clear() }, 'clear').name("Back to the scene's own values");
    for (const name of Object.keys(PRESETS)) this.preset.append(make('option', { value: name }, name));
    this.preset.prepend(make('option', { value: '' }, 'choose …'));
    this.preset.value = '';
    this.preset.addEventListener('change', () => {
      const chosen = PRESETS[this.preset.value];
      if (chosen) this.take(chosen());
    });
    for (const [name, settings] of Object.entries(MATERIALS)) {
      const button = make('button', { type: 'button', 'data-material': name, 'aria-pressed': 'false' }, name);
      button.addEventListener('click', () => this.take(settings));
      element('materials').append(button);
      this.materials.set(name, button);
    }
    this.target.addEventListener('change', () => this.refresh());
    for (const deformation of DEFORMATIONS) {
      if (deformation === 'none') continue;
      const button = make('button', { type: 'button', 'data-break': deformation }, deformation);
      button.addEventListener('click', () => deform(deformation));
      element('breaks').append(button);
    }
  }

  private addWorldLine({ key, label, step, hint }: WorldLine): void {
    const { worldForm, worldValues } = this;
    const controller =
      key === 'backend'
        ? worldForm.add(worldValues, key, {
            automatic: 'auto',
            WebAssembly: 'wasm',
            WebGPU: 'webgpu',
            reference: 'reference',
          })
        : worldForm.add(worldValues, key, ...this.rangeOf(key), step);
    this.setUp(controller, key, label, hint, HEAVY.includes(key), (value) => this.changeWorld({ [key]: value }));
  }

  private addBodyLine({ key, label, hint, kind, low, high, step, options, prepared }: SettingLine): void {
    const { bodyForm, bodyValues } = this;
    const controller =
      kind === 'choice'
        ? bodyForm.add(bodyValues, key, [...options])
        : kind === 'switch'
          ? bodyForm.add(bodyValues, key)
          : bodyForm.add(bodyValues, key, low, high, step);
    this.setUp(controller, key, label, hint, prepared, (value) => {
      this.changeBody({ [key]: value });
      this.markUnset();
    });
    this.controllers.set(key, controller);
  }

  private setUp(
    controller: Controller,
    key: string,
    label: string,
    hint: string,
    heavy: boolean,
    change: (value: never) => void,
  ): void {
    controller.name(label);
    // What prepares the bodies anew waits for the end of the movement.
    if (heavy) controller.onFinishChange(change);
    else controller.onChange(change);
    const id = `hint-${key}`;
    controller.domElement.after(make('p', { class: 'hint', id }, hint));
    for (const input of controller.domElement.querySelectorAll('input, select')) {
      input.setAttribute('aria-describedby', id);
      input.setAttribute('data-setting', key);
    }
  }

  private rangeOf(key: keyof typeof WORLD_RANGES): [number, number] {
    if (key === 'threads') return [1, Math.min(MAX_THREADS, Math.max(2, navigator.hardwareConcurrency))];
    const [low, high] = WORLD_RANGES[key];
    return [low, high];
  }

  private changeBody(change: BodySettings): void {
    const name = this.target.value || ALL_BODIES;
    const bodies: Record<string, BodySettings> = { ...this.settings.bodies };
    bodies[name] = mergeSettings(this.lines, bodies[name], change);
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

  /** What of settings by a name the chosen bodies have. */
  private take(settings: BodySettings): void {
    this.changeBody(usable(this.lines, settings));
    this.refresh();
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
    this.worldValues.threads = settings.world.threads ?? threads;
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

  /** The body whose values are shown, and those that a change is for. */
  private chosenBodies(): Scene['bodies'] {
    const bodies = this.scene?.bodies ?? [];
    const chosen = bodies.filter(({ name }, index) => (name ?? `body${index}`) === this.target.value);
    return chosen.length > 0 ? chosen : bodies;
  }

  private refresh(): void {
    const { scene, settings, worldValues } = this;
    if (!scene) return;
    this.refreshBody();
    worldValues.gravity = settings.world.gravity ?? -scene.gravity[1];
    worldValues.friction = settings.world.friction ?? scene.colliders[0]?.friction ?? 0.5;
    worldValues.timeStep = settings.world.timeStep ?? scene.timeStep;
    worldValues.backend = settings.world.backend ?? 'auto';
    worldValues.cellPixels = settings.world.cellPixels ?? 0;
    if (settings.world.threads !== undefined) worldValues.threads = settings.world.threads;
    for (const controller of this.worldForm.controllers) controller.updateDisplay();
  }

  private refreshBody(): void {
    const all = this.chosenBodies().flatMap(({ solver }) => linesFor(solver));
    const lines = all.filter((line, index) => all.findIndex(({ key }) => key === line.key) === index);
    for (const { key, unset } of lines) this.bodyValues[key] = unset;
    Object.assign(this.bodyValues, this.setValues(lines));
    if (lines.length !== this.lines.length || lines.some((line, index) => line !== this.lines[index])) {
      for (const controller of this.controllers.values()) {
        controller.domElement.nextElementSibling?.remove();
        controller.destroy();
      }
      this.controllers.clear();
      this.lines = lines;
      for (const line of lines) this.addBodyLine(line);
    }
    for (const controller of this.controllers.values()) controller.updateDisplay();
    this.markUnset();
  }

  /** What is set of the bodies, the first of them first. */
  private setValues(lines: readonly SettingLine[]): BodySettings {
    const name = this.target.value === ALL_BODIES ? '' : this.target.value;
    const shown = this.chosenBodies().map((body) => {
      const own = linesFor(body.solver);
      const solver = writeLines(body.solver, own, settingsFor(this.settings, name, own));
      return bodySettingsOf({ ...body, solver });
    });
    return mergeSettings(lines, ...shown.reverse());
  }

  /** Fades what has no say: another setting stands in its place, or its group is off. Marks the material that it is. */
  private markUnset(): void {
    const set = this.setValues(this.lines);
    for (const { key, depth, optional } of this.lines) {
      const replaced = optional || depth > 0 || excludedBy(this.lines, key).some((other) => other in set);
      this.controllers.get(key)?.domElement.classList.toggle('unset', replaced && !(key in set));
    }
    for (const [name, button] of this.materials) {
      const own = Object.entries(usable(this.lines, MATERIALS[name]));
      button.disabled = own.length === 0;
      button.setAttribute('aria-pressed', String(own.length > 0 && own.every(([key, value]) => set[key] === value)));
    }
  }
}
