// The brush that paints on bodies: which map, how much, how wide, and wiping it off again.

import { MAP_WORDS } from 'isochore';
import { BUILT_IN_POSERS } from 'isochore/scenes';
import { type Brush, FIRST_BRUSH } from '../protocol.js';
import { element, make } from './elements.js';
import type { SceneWorld } from './scene-world.js';

/** Names in camel case as words. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What can be painted, and what it does: on all bodies, and on posed ones. */
const WORDS: Readonly<Record<string, string>> = {
  ...MAP_WORDS,
  ...Object.fromEntries(
    BUILT_IN_POSERS.flatMap(({ maps }) =>
      Object.entries(maps).map(([name, words]) => [name, `${words} Of posed bodies only.`]),
    ),
  ),
};

export class BrushPanel {
  private brush: Brush = FIRST_BRUSH;
  private readonly map = element<HTMLSelectElement>('brush-map');

  /** @param wipe takes off what is painted. */
  constructor(
    private readonly world: SceneWorld,
    wipe: () => void,
  ) {
    for (const name of Object.keys(WORDS)) this.map.append(make('option', { value: name }, inWords(name)));
    this.map.addEventListener('change', () => this.change({ map: this.map.value }));
    for (const key of ['factor', 'radius', 'strength'] as const) {
      const input = element<HTMLInputElement>(`brush-${key}`);
      input.value = String(this.brush[key]);
      input.addEventListener('input', () => this.change({ [key]: Number(input.value) }));
    }
    const erase = element<HTMLInputElement>('brush-erase');
    erase.addEventListener('change', () => this.change({ erase: erase.checked }));
    element('brush-wipe').addEventListener('click', wipe);
    this.show();
  }

  private change(part: Partial<Brush>): void {
    this.brush = { ...this.brush, ...part };
    void this.world.call('brush', this.brush);
    this.show();
  }

  private show(): void {
    element('brush-hint').textContent = WORDS[this.brush.map];
    element('brush-factor-shown').textContent = String(this.brush.factor);
  }
}
