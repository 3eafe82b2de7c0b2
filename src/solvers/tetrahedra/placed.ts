// Where something was computed last: a step begins where the last one ended, and asks for the same things there.

export class Placed {
  private readonly positions: Float64Array;

  constructor(nodeCount: number) {
    this.positions = new Float64Array(3 * nodeCount).fill(NaN);
  }

  /** Notes positions x; whether they are other ones than before. */
  moveTo(x: Float64Array): boolean {
    const { positions } = this;
    for (let k = 0; k < positions.length; k++) {
      if (positions[k] === x[k]) continue;
      positions.set(x);
      return true;
    }
    return false;
  }
}
