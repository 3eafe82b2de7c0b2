// The clock of the simulation: as many fixed steps as time asks for, within a budget; where that is not enough it slows down.

/** Longest work in one go [ms]: between two such the worker hears the page. */
const SLICE = 9;
/** Time that may be caught up [s]; beyond it the clock slows. */
const MOST_DEBT = 0.06;
/** Time over which the pace is measured [ms]. */
const WINDOW = 1000;

export class Pace {
  paused = false;
  /** Simulated seconds per second. */
  speed = 1;
  /** Whether it goes by this machine's clock; otherwise by what it is given. */
  isOwn = true;
  private debt = 0;
  /** Given since the last steps [s]. */
  private asked = 0;
  private last = performance.now();
  private readonly history: { wall: number; simulated: number; asked: number }[] = [];

  /** How far the shown moment lies between the last two steps. */
  shareOf(timeStep: number): number {
    return this.paused ? 1 : Math.min(1, Math.max(0, this.debt / timeStep));
  }

  /** Forgets the time since the last call: it was spent on something else. */
  restart(): void {
    this.last = performance.now();
    this.debt = 0;
    this.history.length = 0;
  }

  /** Time that somebody else's clock says has passed [s]; for a pace without a clock of its own. */
  give(elapsed: number): void {
    this.debt += elapsed;
    this.asked += elapsed;
  }

  /** Steps as long as time asks for it; returns the steps taken. */
  run(timeStep: number, step: () => void): number {
    const now = performance.now();
    const elapsed = now - this.last;
    this.last = now;
    if (this.isOwn) this.asked = (elapsed / 1000) * this.speed;
    if (this.isOwn && !this.paused) this.debt += this.asked;
    let taken = 0;
    const mayStep = () => !this.paused && this.debt >= timeStep * (1 - 1e-9);
    while (mayStep() && (taken === 0 || performance.now() - now < SLICE)) {
      // A step may end the run, and what is left to do with it.
      step();
      taken++;
      this.debt = Math.max(0, this.debt - timeStep);
    }
    this.debt = Math.min(this.debt, Math.max(MOST_DEBT * this.speed, timeStep));
    if (!this.paused) this.remember(now, taken * timeStep, this.asked);
    this.asked = 0;
    return taken;
  }

  /** Whether steps are due. */
  isBehind(timeStep: number): boolean {
    return !this.paused && this.debt >= timeStep;
  }

  private remember(wall: number, simulated: number, asked: number): void {
    this.history.push({ wall, simulated, asked });
    while (this.history.length > 1 && this.history[0].wall < wall - WINDOW) this.history.shift();
  }

  /** Simulated over asked time in the last second, at most 1. */
  get pace(): number {
    let [simulated, asked] = [0, 0];
    for (const entry of this.history) {
      simulated += entry.simulated;
      asked += entry.asked;
    }
    return asked > 0.1 * this.speed ? Math.min(1, simulated / asked) : 1;
  }
}
