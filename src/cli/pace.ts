// How fast something goes and how long it will take, from when how much of it was done.

/** The speed is that of the last so many milliseconds: it follows a scene that becomes slower, and does not flicker. */
const WINDOW = 8000;
/** Between two notes [ms]; more would not be seen. */
const INTERVAL = 100;

export class Pace {
  private readonly notes: { readonly at: number; readonly done: number }[] = [];

  /** @param at [ms]. */
  note(done: number, at: number): void {
    const { notes } = this;
    if (notes.length > 1 && at - notes[notes.length - 2].at < INTERVAL) notes.pop();
    notes.push({ at, done });
    while (notes.length > 2 && at - notes[1].at >= WINDOW) notes.shift();
  }

  /** Per second; undefined before there is anything to tell it from. */
  get speed(): number | undefined {
    const [first, last] = [this.notes[0], this.notes[this.notes.length - 1]];
    return first && last.done > first.done && last.at > first.at
      ? (1000 * (last.done - first.done)) / (last.at - first.at)
      : undefined;
  }

  /** Such as `52.3 steps/s, 1:07 left`, empty while nothing is known. */
  describe(unit: string, total: number): string {
    const { speed } = this;
    if (speed === undefined) return '';
    const left = (total - this.notes[this.notes.length - 1].done) / speed;
    const rate = speed >= 1 ? `${showRate(speed)} ${unit}s/s` : `${showRate(1 / speed)} s per ${unit}`;
    return `${rate}, ${showDuration(left)} left`;
  }
}

const showRate = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toPrecision(3));

/** `0:07`, `12:30`, `3:05:00`. */
export function showDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
