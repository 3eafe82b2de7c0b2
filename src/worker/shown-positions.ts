// Where bodies are between their last two steps: what a picture at that moment shows.

/** A body as far as it is shown. */
interface Moving {
  readonly positions: ArrayLike<number>;
}

export class ShownPositions {
  private readonly before = new Map<Moving, Float64Array>();

  /** Keeps where the bodies are: call it before a step. */
  keep(bodies: readonly Moving[]): void {
    if (this.before.size > bodies.length) {
      const present = new Set(bodies);
      for (const body of this.before.keys()) if (!present.has(body)) this.before.delete(body);
    }
    for (const body of bodies) {
      const { positions } = body;
      const kept = this.before.get(body);
      if (kept?.length === positions.length) kept.set(positions);
      else this.before.set(body, Float64Array.from(positions));
    }
  }

  /** Forgets where a body was: it was put elsewhere, and is not to be seen on the way. */
  jump(body: Moving): void {
    this.before.delete(body);
  }

  /** Writes where a body is, `share` of the way from its last step but one to its last. */
  write(body: Moving, share: number, target: Float32Array): void {
    const { positions } = body;
    const before = this.before.get(body);
    // One that has just been cut has other vertices than before.
    if (share < 1 && before?.length === positions.length) {
      for (let k = 0; k < positions.length; k++) target[k] = before[k] + share * (positions[k] - before[k]);
    } else target.set(positions);
  }
}
