// The contacts of a step in flat arrays that grow: a vertex against a point of a triangle, or two edges where they cross.

export class FeatureContacts {
  count = 0;
  private capacity = 0;
  /** Body of the vertex and body of the triangle, or of the two edges, by their place in the step's list. */
  bodies = new Uint32Array(0);
  /** The vertex and the triangle's three corners, or the ends of both edges, by their place in their body's order. */
  particles = new Uint32Array(0);
  /** How many of the four are the first body's: 1 for a vertex, 2 for an edge. */
  splits = new Uint32Array(0);
  /** How much each of the four takes part: 1 for the vertex, minus the weights of the corners; edges alike, end by end. */
  weights = new Float64Array(0);
  /** Unit vector from the triangle to the vertex; for a vertex inside another body to where it comes out. */
  normals = new Float64Array(0);
  /** Distance along the normal at the start of the step [m]; negative inside another body. */
  gaps = new Float64Array(0);
  /** Distance that is to be kept [m]. */
  thicknesses = new Float64Array(0);
  /** Share of the step at which a fast vertex meets the triangle; 0 where it was near from the start. */
  times = new Float64Array(0);
  /** Coulomb coefficient. */
  frictions = new Float64Array(0);
  /** Share of the approach that is given back. */
  restitutions = new Float64Array(0);
  /** Momentum that went from the triangle to the vertex: along the normal, and in all [kg m/s]. */
  pressures = new Float64Array(0);
  impulses = new Float64Array(0);

  /** Makes room for one more and returns its place. */
  push(): number {
    if (this.count === this.capacity) this.grow();
    const place = this.count++;
    this.pressures[place] = 0;
    for (let k = 0; k < 3; k++) this.impulses[3 * place + k] = 0;
    return place;
  }

  private grow(): void {
    this.capacity = Math.max(256, 2 * this.capacity);
    const longer = <T extends Float64Array | Uint32Array>(values: T, width: number): T => {
      const grown = new (values.constructor as new (length: number) => T)(width * this.capacity);
      grown.set(values);
      return grown;
    };
    this.bodies = longer(this.bodies, 2);
    this.particles = longer(this.particles, 4);
    this.splits = longer(this.splits, 1);
    this.weights = longer(this.weights, 4);
    this.normals = longer(this.normals, 3);
    this.gaps = longer(this.gaps, 1);
    this.thicknesses = longer(this.thicknesses, 1);
    this.times = longer(this.times, 1);
    this.frictions = longer(this.frictions, 1);
    this.restitutions = longer(this.restitutions, 1);
    this.pressures = longer(this.pressures, 1);
    this.impulses = longer(this.impulses, 3);
  }
}
