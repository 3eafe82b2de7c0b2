// Scenes go on: where everything has come to rest and nobody touches anything, the scene begins anew.

/** Time at rest, and time without a touch, after which it does [ms]. */
const REST = 3000;
const UNTOUCHED = 8000;

export class Encore {
  private restingSince: number | undefined;
  private touched = performance.now();

  constructor() {
    for (const type of ['pointerdown', 'keydown', 'input', 'wheel'])
      addEventListener(
        type,
        () => {
          this.touched = performance.now();
        },
        { passive: true, capture: true },
      );
  }

  /** Told with each set of figures whether everything rests; true once, when it is time. */
  isDue(rests: boolean): boolean {
    const now = performance.now();
    if (!rests) this.restingSince = undefined;
    this.restingSince ??= rests ? now : undefined;
    if (this.restingSince === undefined || now - this.restingSince < REST || now - this.touched < UNTOUCHED)
      return false;
    this.restingSince = undefined;
    return true;
  }
}
