// Whether a thing is still in its world: one that has left refuses to be changed, and says why.

export class Membership {
  private reason: string | undefined;

  /** @param what its kind and name, as messages have them. */
  constructor(private readonly what: string) {}

  get ended(): boolean {
    return this.reason !== undefined;
  }

  end(reason: string): void {
    this.reason ??= `${this.what}: ${reason}`;
  }

  /** Throws RangeError where it has left. */
  expect(): void {
    if (this.reason !== undefined) throw new RangeError(this.reason);
  }
}
