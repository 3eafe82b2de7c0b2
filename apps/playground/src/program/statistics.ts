// The figures of a scene, a few times a second: what its steps cost, and what became of its bodies.

import { type Profile, STAGES } from 'isochore';
import type { Figures } from '../protocol.js';
import type { Simulation } from './simulation.js';

/** Time between two sets of figures [ms]. */
const INTERVAL = 100;

export class Statistics {
  private steps = 0;
  private since = performance.now();
  private readonly times = new Map<string, number>();
  /** Whether figures were made of a scene that has stepped. */
  private hasMoved = false;

  /** Another scene, or the same again. */
  begin(): void {
    this.restart();
    this.hasMoved = false;
  }

  private restart(): void {
    this.steps = 0;
    this.since = performance.now();
    this.times.clear();
  }

  /** Takes down the last of so many steps. */
  note(profile: Profile, steps: number): void {
    this.steps += steps;
    for (const stage of STAGES) this.times.set(stage, (this.times.get(stage) ?? 0) + steps * profile[stage]);
  }

  /** Undefined where the last figures are as good; while paused, and for the first step of all, they never are. */
  measure(current: Simulation, isRunning: boolean, pace: number): Figures | undefined {
    const elapsed = performance.now() - this.since;
    const isFirst = !this.hasMoved && current.steps > 0;
    if (isRunning && elapsed < INTERVAL && !isFirst) return undefined;
    this.hasMoved ||= isFirst;
    const steps = Math.max(1, this.steps);
    const times = STAGES.map((stage) => [stage, (this.times.get(stage) ?? 0) / steps] as const);
    const total = times.reduce((sum, [, time]) => sum + time, 0);
    const { bodies, world } = current;
    const volumeChanges = current.volumeChanges();
    const { kept, free } = current.volumeErrors(volumeChanges);
    const { backend, threads, onHost } = world.capabilities;
    const figures: Figures = {
      steps: current.steps,
      time: current.time,
      profile: { ...Object.fromEntries(times), total } as Profile,
      stepsPerSecond: (1000 * this.steps) / Math.max(1, elapsed),
      pace,
      volumeError: kept,
      freeVolumeError: free,
      volumeChanges,
      energy: bodies.reduce((sum, body) => sum + body.kineticEnergy(), 0),
      contacts: bodies.reduce((sum, { contactCount }) => sum + contactCount, 0),
      nodes: bodies.reduce((sum, { nodeCount }) => sum + nodeCount, 0),
      asleep: bodies.filter(({ asleep }) => asleep).length,
      hash: isRunning ? undefined : current.hash(),
      ...{ backend, threads, onHost },
      recorded: current.recorder.duration,
    };
    this.restart();
    return figures;
  }
}
