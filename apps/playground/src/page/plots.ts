// Three plots of the last seconds: volume error, time by stage, kinetic energy.

import './language.js';
import { STAGES } from 'isochore';
import uPlot from 'uplot';
import type { Figures } from '../protocol.js';
import { element } from './elements.js';

/** Points kept: 20 s of figures ten times a second. */
const KEPT = 200;
/** Time between two drawings [ms]. */
const INTERVAL = 200;
/** Below what single precision resolves the plot ends [%]. */
const LEAST_ERROR = 1e-12;
const STAGE_LINES = ['#e5583c', '#f2a93b', '#2f9e8f', '#3b74c4', '#8a63c0', '#9aa1ad'];

type Column = (number | null)[];

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

class Plot {
  private readonly columns: Column[];
  private plot: uPlot | undefined;
  private readonly host: HTMLElement;

  constructor(
    id: string,
    private readonly series: readonly { label: string; stroke: string; fill?: string }[],
    /** Whether values are powers of ten. */
    private readonly log: boolean,
  ) {
    this.host = element(id);
    this.columns = [[], ...series.map(() => [] as Column)];
  }

  push(row: readonly (number | null)[]): void {
    row.forEach((value, index) => {
      this.columns[index].push(value);
      if (this.columns[index].length > KEPT) this.columns[index].shift();
    });
  }

  clear(): void {
    for (const column of this.columns) column.length = 0;
  }

  /** Makes the plot anew, with the colours of the theme. */
  rebuild(): void {
    this.plot?.destroy();
    this.plot = undefined;
  }

  draw(): void {
    const width = this.host.clientWidth;
    if (width === 0 || this.columns[0].length < 2) return;
    if (!this.plot) this.plot = new uPlot(this.options(width), this.columns as uPlot.AlignedData, this.host);
    else if (this.plot.width !== width) this.plot.setSize({ width, height: 104 });
    this.plot.setData(this.columns as uPlot.AlignedData);
  }

  private options(width: number): uPlot.Options {
    const [text, line] = [css('--soft'), css('--line')];
    const font = '10px system-ui, sans-serif';
    const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const scale = this.log
      ? { splits: decades, values: (_: uPlot, ticks: number[]) => ticks.map((power) => `1e${power}`) }
      : { values: (_: uPlot, ticks: number[]) => ticks.map(short) };
    return {
      width,
      height: 104,
      padding: [8, 6, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: false }, y: { range: this.log ? powerRange : linearRange } },
      axes: [
        { ...axis, size: 18, gap: 2, space: 60, values: (_, ticks) => ticks.map((t) => `${t} s`) },
        { ...axis, size: 38, gap: 4, space: 22, ...scale },
      ],
      series: [{}, ...this.series.map((s) => ({ ...s, width: 1.5, points: { show: false } }))],
    };
  }
}

/** Whole powers, four at most. */
function decades(_: uPlot, _axis: number, low: number, high: number): number[] {
  const stride = Math.max(1, Math.ceil((high - low) / 3));
  return Array.from({ length: Math.floor((high - low) / stride) + 1 }, (_none, k) => low + k * stride);
}

/** 12 500 as 12.5k. */
const short = (value: number): string =>
  Math.abs(value) >= 1e6 ? `${value / 1e6}M` : Math.abs(value) >= 1e3 ? `${value / 1e3}k` : String(value);

const powerRange = (_: uPlot, low: number | null, high: number | null): [number, number] => {
  const first = Math.floor(low ?? -7);
  return [first, Math.max(first + 1, Math.ceil(high ?? -3))];
};

const linearRange = (_: uPlot, _low: number | null, high: number | null): [number, number] => [
  0,
  Math.max(1e-9, 1.1 * (high ?? 1)),
];

export class Plots {
  private readonly volume = new Plot('plot-volume', [{ label: 'volume error', stroke: '#e5583c' }], true);
  private readonly stages = new Plot(
    'plot-stages',
    STAGES.map((label, index) => ({ label, stroke: STAGE_LINES[index] })),
    false,
  );
  private readonly energy = new Plot('plot-energy', [{ label: 'energy', stroke: '#3b74c4', fill: '#3b74c422' }], false);
  private drawn = 0;

  constructor() {
    const key = document.createElement('p');
    key.className = 'key';
    STAGES.forEach((stage, index) => {
      const entry = document.createElement('span');
      entry.textContent = stage;
      entry.style.setProperty('--key', STAGE_LINES[index]);
      key.append(entry);
    });
    element('plot-stages').before(key);
  }

  push({ time, volumeError, profile, energy, stepsPerSecond }: Figures): void {
    if (stepsPerSecond === 0) return;
    // As powers of ten: the plotter rounds the labels of its own log scale to 0 where they are this small.
    this.volume.push([time, Number.isNaN(volumeError) ? null : Math.log10(Math.max(LEAST_ERROR, volumeError))]);
    this.stages.push([time, ...STAGES.map((stage) => profile[stage])]);
    this.energy.push([time, energy]);
  }

  draw(now: number, force = false): void {
    if (!force && now - this.drawn < INTERVAL) return;
    this.drawn = now;
    for (const plot of [this.volume, this.stages, this.energy]) plot.draw();
  }

  clear(): void {
    for (const plot of [this.volume, this.stages, this.energy]) plot.clear();
  }

  /** After a change of theme. */
  rebuild(): void {
    for (const plot of [this.volume, this.stages, this.energy]) plot.rebuild();
    this.draw(performance.now(), true);
  }
}
