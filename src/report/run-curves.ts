// What a run did over time, for plots: every step is noted, and however many there are, at most so many points are kept.

import type { Frame } from '../scenes/play-scene.js';
import { REPORT_STAGES, volumeErrorPercent } from '../scenes/report.js';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** Curves over the same times, in one unit. */
export interface Plot {
  readonly title: string;
  /** Such as `%`, `ms`; empty for counts. */
  readonly unit: string;
  readonly series: readonly Series[];
}

export interface Curves {
  /** What the points stand at: `time [s]`, `frame`. */
  readonly axis: string;
  readonly at: readonly number[];
  readonly plots: readonly Plot[];
}

/** Enough for a plot as wide as a screen; where there are more steps, neighbours are one point. */
const MOST_POINTS = 1024;

/** How the steps of one point become one value: peaks stay peaks, what is spent is averaged. */
type Joining = 'largest' | 'mean';

/** One value per point; `stride` steps are joined into one. */
class Curve {
  readonly values: number[] = [];
  private sum = 0;

  constructor(private readonly joining: Joining) {}

  /** The `place`-th of `stride` steps of a point. */
  add(value: number, place: number, stride: number): void {
    if (this.joining === 'mean') this.sum = (place === 0 ? 0 : this.sum) + value;
    else this.sum = place === 0 ? value : Math.max(this.sum, value);
    const joined = this.joining === 'mean' ? this.sum / (place + 1) : this.sum;
    if (place === 0) this.values.push(joined);
    else this.values[this.values.length - 1] = joined;
    if (place === stride - 1) this.sum = 0;
  }

  halve(): void {
    const { values, joining } = this;
    for (let k = 0; 2 * k < values.length; k++) {
      const [a, b] = [values[2 * k], values[2 * k + 1] ?? values[2 * k]];
      values[k] = joining === 'mean' ? (a + b) / 2 : Math.max(a, b);
    }
    values.length = Math.ceil(values.length / 2);
  }
}

interface Drawn {
  readonly title: string;
  readonly unit: string;
  readonly joining: Joining;
  readonly curves: Map<string, Curve>;
}

const plural = (name: string): string => name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

export class RunCurves {
  private readonly at = new Curve('largest');
  private readonly drawn = new Map<string, Drawn>();
  private stride = 1;
  private place = 0;

  /** Takes the frames in their order; the start is none of a run's steps. */
  note({ step, world, bodies }: Frame): void {
    if (step === 0) return;
    if (this.place === 0 && this.at.values.length === MOST_POINTS) this.halve();
    this.at.add(world.time, this.place, this.stride);
    for (const body of bodies) {
      this.add('volume error', '%', 'largest', body.name, volumeErrorPercent(body));
      this.add('kinetic energy', 'J', 'mean', body.name, body.kineticEnergy());
      this.add('contacts', '', 'largest', body.name, body.contactCount);
      this.add('penetration', 'm', 'largest', body.name, world.penetration(body));
      for (const [name, value] of Object.entries(body.figures())) {
        const isPercent = name.endsWith('Percent');
        const title = plural(name.replace(/^max/, '').replace(/Percent$/, ''))
          .toLowerCase()
          .replace('one ring', 'one-ring');
        this.add(title, isPercent ? '%' : '', 'largest', body.name, value);
      }
    }
    for (const stage of REPORT_STAGES) this.add('time per step', 'ms', 'mean', stage, world.profile[stage]);
    this.place = (this.place + 1) % this.stride;
  }

  curves(): Curves {
    const plots = [...this.drawn.values()].map(({ title, unit, curves }) => ({
      ...{ title, unit },
      series: [...curves].map(([name, { values }]) => ({ name, values: [...values] })),
    }));
    return { axis: 'time [s]', at: [...this.at.values], plots };
  }

  private add(title: string, unit: string, joining: Joining, name: string, value: number): void {
    const drawn = this.drawn.get(title) ?? { title, unit, joining, curves: new Map<string, Curve>() };
    const curve = drawn.curves.get(name) ?? new Curve(joining);
    this.drawn.set(title, drawn);
    drawn.curves.set(name, curve);
    curve.add(value, this.place, this.stride);
  }

  private halve(): void {
    this.at.halve();
    for (const { curves } of this.drawn.values()) for (const curve of curves.values()) curve.halve();
    this.stride *= 2;
  }
}
