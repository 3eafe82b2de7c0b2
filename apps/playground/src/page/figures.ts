// The big figures over the stage and the small ones in the panel.

import type { Figures } from '../protocol.js';
import { keptPercent } from './volume-words.js';

const outputs = new Map(
  [...document.querySelectorAll<HTMLElement>('[data-figure]')].map((node) => [node.dataset.figure ?? '', node]),
);

const BACKENDS: Readonly<Record<string, string>> = {
  wasm: 'WebAssembly',
  webgpu: 'WebGPU',
  reference: 'reference, double precision',
};

function write(name: string, text: string): void {
  const node = outputs.get(name);
  // Writing what is there already would still cost a layout.
  if (node && node.textContent !== text) node.textContent = text;
}

const groups = new Intl.NumberFormat('en', { useGrouping: true });
/** Digits in groups of three with thin spaces. */
export const grouped = (count: number): string => groups.format(count).replaceAll(',', '\u202f');

/** A percentage, without an exponent down to single precision's rounding. */
export function percent(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value === 0) return '0 %';
  if (value < 1e-6) return `${value.toExponential(0).replace('-', '−')} %`;
  if (value < 0.1) return `${value.toFixed(Math.min(7, 1 - Math.floor(Math.log10(value))))} %`;
  return `${value.toPrecision(3)} %`;
}

export function showFigures(figures: Figures, particles: number, bodyCount: number): void {
  write('kept', keptPercent(figures.volumeError));
  write('volume', percent(figures.volumeError));
  write('particles', grouped(particles));
  if (figures.stepsPerSecond > 0) write('ms', figures.profile.total.toFixed(figures.profile.total < 10 ? 2 : 0));
  write('rate', grouped(Math.round(figures.stepsPerSecond)));
  const threads = figures.threads === 1 ? '1 thread' : `${figures.threads} threads`;
  const backend = BACKENDS[figures.backend] ?? figures.backend;
  write('backend', figures.onHost ? `${backend}, here in WebAssembly` : `${backend} · ${threads}`);
  write('time', `${figures.time.toFixed(2)} s`);
  write('steps', grouped(figures.steps));
  write('contacts', grouped(figures.contacts));
  write('nodes', grouped(figures.nodes));
  write('asleep', `${figures.asleep} of ${bodyCount} bodies`);
  write('free', percent(figures.freeVolumeError));
  write('hash', figures.hash ?? 'when paused');
}
