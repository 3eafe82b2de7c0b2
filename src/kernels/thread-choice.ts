// How many threads a step is worth, by how long steps take. Beside a busy neighbour two threads may be slower than one, as
// threads wait for one that has no processor; nobody but the clock knows. The bits do not depend on it.

/** Steps that are remembered, and how many of them, the slowest, do not count: some other program had the processor. */
const REMEMBERED = 8;
const OUTLIERS = 1;
/**
 * Steps of a try of fewer threads and of more, of which the slowest does not count. A neighbour that has the processor by turns of
 * some milliseconds lets a few steps on more threads through undisturbed.
 */
const TRIED_FEWER = 4;
const TRIED_MORE = 10;
/** Share of the time that more threads must save before they are taken; fewer need not save any, as they leave room to others. */
const GAIN = 0.15;
/** A try ends as soon as two of its steps take so much longer than what they are compared with. */
const HOPELESS = 1.25;
/** Steps take so many times what they took at the last try: something has changed. */
const SLOWER = 1.35;
/**
 * Steps from one try to the next: at first, when the engine is still compiling the kernels for good, and at most. A try that
 * finds nothing doubles them.
 */
const SOONEST = 24;
const LATEST = 256;

export class ThreadChoice {
  /** Numbers of threads to choose from: 1, 2, 4 … and as many as there are. */
  private readonly choices: readonly number[];
  /** Place of the number that is used, and of the one that is tried. */
  private used: number;
  private tried: number | undefined;
  /** Whether the last try was of fewer threads: the next one is of more, where there are more. */
  private triedFewer = false;
  private readonly times: number[] = [];
  private readonly triedTimes: number[] = [];
  /**
   * What steps on several threads may take before fewer are tried at once [ms]: a neighbour may have come. On one thread there is
   * nothing to flee from, and trying more whenever a scene grew heavier cost a twentieth beside a neighbour.
   */
  private limit = Number.POSITIVE_INFINITY;
  private untilTry = SOONEST;
  private interval = SOONEST;
  /** Whether all threads are used whatever it takes, for those who want to see them work. */
  usesAll = false;

  constructor(readonly most: number) {
    const choices = [most];
    for (let threads = 1; threads < most; threads *= 2) choices.push(threads);
    this.choices = choices.sort((a, b) => a - b);
    this.used = this.choices.length - 1;
  }

  /** Threads for the next step. */
  get threads(): number {
    return this.usesAll ? this.most : this.choices[this.tried ?? this.used];
  }

  /** Tells how long a step on so many threads took [ms]. */
  took(ms: number): void {
    if (this.most === 1 || this.usesAll) return;
    if (this.tried !== undefined) this.addTried(ms);
    else this.addUsed(ms);
  }

  private addUsed(ms: number): void {
    const { times } = this;
    times.push(ms);
    if (times.length > REMEMBERED) times.shift();
    this.untilTry--;
    if (times.length < REMEMBERED) return;
    const hasChanged = this.used > 0 && typical(times, OUTLIERS) > this.limit;
    if (this.untilTry > 0 && !hasChanged) return;
    if (hasChanged) this.interval = SOONEST;
    const fewer = this.used > 0 && (!this.triedFewer || this.used === this.choices.length - 1);
    this.triedFewer = fewer;
    this.tried = fewer ? this.used - 1 : this.used + 1;
  }

  private addTried(ms: number): void {
    const { times, triedTimes } = this;
    triedTimes.push(ms);
    const before = typical(times, OUTLIERS);
    const isHopeless = triedTimes.filter((time) => time > HOPELESS * before).length > 1;
    const isMore = (this.tried as number) > this.used;
    if (triedTimes.length < (isMore ? TRIED_MORE : TRIED_FEWER) && !isHopeless) return;
    const now = typical(triedTimes, 1);
    const isBetter = !isHopeless && now < (isMore ? 1 - GAIN : 1) * before;
    if (isBetter) this.used = this.tried as number;
    this.interval = isBetter ? SOONEST : Math.min(2 * this.interval, LATEST);
    // More threads that were taken for a gain by luck are found out where it is gone.
    this.limit = isBetter && isMore ? before : SLOWER * (isBetter ? now : before);
    this.untilTry = this.interval;
    this.tried = undefined;
    times.length = 0;
    triedTimes.length = 0;
  }
}

/** Mean of all times but some of the longest [ms]. */
function typical(times: readonly number[], outliers: number): number {
  const counted = [...times].sort((a, b) => a - b).slice(0, Math.max(1, times.length - outliers));
  return counted.reduce((sum, time) => sum + time, 0) / counted.length;
}
