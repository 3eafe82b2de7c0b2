// A solver from outside the package, through its public face alone: the whole body is one region, with a heavy core inside.

import {
  defineSolver,
  type ElasticSettings,
  type Model,
  movePositions,
  type Shell,
  stiffnessPerStep,
  type TriangleMesh,
  VOLUME_FIELD,
  vertexAreas,
} from '../../src/index.js';

const share = { kind: 'number', change: 'live', low: 0, high: 1 } as const;

/** Pulls the shell to its rest shape around its middle; shell and core move as one on the whole. */
class ToyModel implements Model {
  readonly inner;
  private readonly offsets: Float64Array;

  constructor(
    mesh: TriangleMesh,
    private readonly shares: Float64Array,
    public settings: ElasticSettings & { readonly core?: number },
  ) {
    const middle = this.mean(mesh.positions);
    this.offsets = mesh.positions.map((x, k) => x - middle[k % 3]);
    const massShares = Float64Array.of(1 - shares.reduce((sum, m) => sum + m));
    this.inner = { positions: middle, velocities: new Float64Array(3), massShares };
  }

  private mean(vectors: Float64Array): Float64Array {
    const total = this.shares.reduce((sum, m) => sum + m);
    return vectors.reduce((sum, x, k) => {
      sum[k % 3] += (this.shares[Math.trunc(k / 3)] / total) * x;
      return sum;
    }, new Float64Array(3));
  }

  match(shell: Shell, timeStep: number): void {
    const pull = stiffnessPerStep(this.settings.stiffness, timeStep);
    const middle = this.mean(shell.positions);
    const drift = this.mean(shell.velocities);
    const { velocities, positions, massShares } = this.inner;
    shell.positions.forEach((x, k) => {
      const change = pull * (middle[k % 3] + this.offsets[k] - x);
      if (k % 3 === 0) shell.changes[k / 3] = Math.abs(change);
      // What the core and the shell have in common goes to both.
      shell.velocities[k] += change / timeStep + massShares[0] * (velocities[k % 3] - drift[k % 3]);
    });
    for (let c = 0; c < 3; c++) {
      velocities[c] += (1 - massShares[0]) * (drift[c] - velocities[c]);
      positions[c] += timeStep * velocities[c];
    }
    movePositions(shell, timeStep);
  }

  damp(shell: Shell, timeStep: number): void {
    const drift = this.mean(shell.velocities);
    for (let k = 0; k < shell.velocities.length; k++)
      shell.velocities[k] += this.settings.damping * (drift[k % 3] - shell.velocities[k]);
    movePositions(shell, timeStep);
  }

  reset(): void {}
  state = () => ({ core: this.inner.positions, speed: this.inner.velocities });

  replace(_: Shell, positions: Float64Array, velocities: Float64Array): void {
    this.inner.positions.set(this.mean(positions));
    this.inner.velocities.set(this.mean(velocities));
  }
}

export const toy = defineSolver({
  type: 'toy',
  words: 'One region with a core.',
  fields: {
    stiffness: { ...share, default: 0.5, label: 'Stiffness', words: 'Share of the way to the rest shape per 5 ms.' },
    damping: { ...share, default: 0.1, label: 'Damping', words: 'Share of the inner motion that is lost in a step.' },
    core: { ...share, change: 'prepared', high: 0.9, default: 0.4, label: 'Core', words: 'Share of the mass inside.' },
    volume: VOLUME_FIELD,
  },
  prepare(mesh: TriangleMesh, { core = 0 }: ElasticSettings & { readonly core?: number }) {
    const areas = vertexAreas(mesh);
    const total = areas.reduce((sum, a) => sum + a);
    const order = Uint32Array.from(areas, (_, vertex) => vertex);
    const massShares = areas.map((a) => ((1 - core) * a) / total);
    return { particles: { count: areas.length, order, mesh, massShares } };
  },
  create: ({ particles }, settings) => new ToyModel(particles.mesh, particles.massShares, settings),
});
