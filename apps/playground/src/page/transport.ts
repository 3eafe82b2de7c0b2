// Pause, step, reset, speed, tools and their keys.

import { element } from './elements.js';
import { type Pointer, TOOLS, type Tool } from './pointer.js';
import type { SceneWorld } from './scene-world.js';

const SLOW_MOTION = 0.1;

export class Transport {
  paused = false;
  speed = 1;
  onChange: () => void = () => {};
  onNextView: () => void = () => {};
  onTool: (tool: Tool) => void = () => {};
  onReset: () => void = () => {};
  private readonly play = element('play');
  private readonly speedChoice = element<HTMLSelectElement>('speed');
  private readonly help = element<HTMLDialogElement>('help');
  private press = false;
  private readonly timeline = element<HTMLInputElement>('timeline');

  constructor(
    private readonly world: SceneWorld,
    private readonly pointer: Pointer,
  ) {
    this.play.addEventListener('click', () => this.setPaused(!this.paused));
    element('step').addEventListener('click', () => this.step(1));
    element('reset').addEventListener('click', () => this.onReset());
    element('press').addEventListener('click', () => this.togglePress());
    element('help-open').addEventListener('click', () => this.help.showModal());
    this.speedChoice.addEventListener('change', () => {
      this.setSpeed(Number(this.speedChoice.value));
      this.onChange();
    });
    for (const input of document.querySelectorAll<HTMLInputElement>('#tools input')) {
      input.addEventListener('change', () => {
        this.pointer.tool = input.value as Tool;
        this.onTool(this.pointer.tool);
      });
    }
    this.timeline.addEventListener('input', () => {
      this.setPaused(true);
      void this.world.seek(Number(this.timeline.value));
    });
    addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('visibilitychange', () => this.tellRun());
  }

  /** `told` where the world has said so. */
  setPaused(paused: boolean, told = false): void {
    if (told && paused === this.paused) return;
    this.paused = paused;
    this.play.querySelector('use')?.setAttribute('href', paused ? '#i-play' : '#i-pause');
    this.play.querySelector('span')?.replaceChildren(paused ? 'Go on' : 'Pause');
    if (!told) this.tellRun();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    const option = [...this.speedChoice.options].find(({ value }) => Number(value) === speed);
    if (option) this.speedChoice.value = option.value;
    this.tellRun();
  }

  /** A scene of which any moment can be shown has a timeline; `duration` [s]. */
  setDuration(duration: number | undefined): void {
    this.timeline.max = String(duration ?? 1);
    if (this.timeline.parentElement) this.timeline.parentElement.hidden = duration === undefined;
  }

  /** While nobody holds it, the timeline goes with the clock [s]. */
  showTime(time: number): void {
    if (!this.paused) this.timeline.value = String(time);
  }

  setPress(on: boolean): void {
    this.press = on;
    element('press').setAttribute('aria-pressed', String(on));
  }

  /** A page that nobody sees does not simulate. */
  private tellRun(): void {
    this.world.run(this.paused || document.hidden ? 0 : this.speed);
  }

  private step(count: number): void {
    this.setPaused(true);
    this.world.step(count);
  }

  private togglePress(): void {
    void this.world.call('press', !this.press);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const on = event.target as HTMLElement;
    // Keys belong to fields while one types there, and Space to whatever is a button.
    if (on.matches('input:not([type=radio]), select, textarea')) return;
    if (event.key === ' ' && on.matches('button, label, a, input')) return;
    const action = this.actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  }

  private actionOf({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
    const tool = TOOLS[Number(key) - 1];
    if (tool) return () => document.querySelector<HTMLInputElement>(`#tools [value=${tool}]`)?.click();
    switch (key.toLowerCase()) {
      case ' ':
        return () => this.setPaused(!this.paused);
      case '.':
        return () => this.step(shiftKey ? 10 : 1);
      // Shift and the full stop, on most keyboards.
      case '>':
      case ':':
        return shiftKey ? () => this.step(10) : undefined;
      case 'r':
        return () => this.onReset();
      case 'h':
      case '?':
        return () => this.help.showModal();
      case 's':
        return () => {
          this.setSpeed(this.speed === 1 ? SLOW_MOTION : 1);
          this.onChange();
        };
      case 'p':
        return () => this.togglePress();
      case 'v':
        return () => this.onNextView();
      default:
        return undefined;
    }
  }
}
