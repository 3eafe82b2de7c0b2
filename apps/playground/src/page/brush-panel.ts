// The brush that paints on bodies: which map, how much, how wide, and wiping it off again.

import { MAP_NAMES, MAP_WORDS, type MapName } from 'isochore';
import { type Brush, type Command, FIRST_BRUSH } from '../protocol.js';
import { element, make } from './elements.js';

/** Names in camel case as words. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export class BrushPanel {
  private brush: Brush = FIRST_BRUSH;
  private readonly map = element<HTMLSelectElement>('brush-map');

  constructor(private readonly send: (command: Command) => void) {
    for (const name of MAP_NAMES) this.map.append(make('option', { value: name }, inWords(name)));
    this.map.addEventListener('change', () => this.change({ map: this.map.value as MapName }));
    for (const key of ['factor', 'radius', 'strength'] as const) {
      const input = element<HTMLInputElement>(`brush-${key}`);
      input.value = String(this.brush[key]);
      input.addEventListener('input', () => this.change({ [key]: Number(input.value) }));
    }
    const erase = element<HTMLInputElement>('brush-erase');
    erase.addEventListener('change', () => this.change({ erase: erase.checked }));
    element('brush-wipe').addEventListener('click', () => this.send({ type: 'wipe' }));
    this.show();
  }

  private change(part: Partial<Brush>): void {
    this.brush = { ...this.brush, ...part };
    this.send({ type: 'brush', brush: this.brush });
    this.show();
  }

  private show(): void {
    element('brush-hint').textContent = MAP_WORDS[this.brush.map];
    element('brush-factor-shown').textContent = String(this.brush.factor);
  }
}
