// A solver of a test's own, through public exports only: a bar that on command comes apart at its middle, both halves closed, and
// on another command is one again. Each closed part is matched to its rest shape as a whole.

import {
  box,
  defineSolver,
  type Model,
  movePositions,
  type NumberField,
  type Origin,
  type Shell,
  type SolverRest,
  type SolverSettings,
  stiffnessPerStep,
  type TopologyChange,
  type TriangleMesh,
  VOLUME_FIELD,
  vertexAreas,
} from '../../src/index.js';

/** A box of 2 × 1 × 1 m about the origin, and two of 1 m side by side in its place; a half's edges have so many rectangles. */
export const whole = (cells = 4): TriangleMesh => box({ size: [2, 1, 1], divisions: [2 * cells, cells, cells] });
export function halves(cells = 4): TriangleMesh {
  const half = box({ size: 1, divisions: cells });
  const count = half.positions.length / 3;
  const shifted = (x: number) => half.positions.map((value, k) => (k % 3 === 0 ? value + x : value));
  return {
    positions: Float64Array.from([...shifted(-0.5), ...shifted(0.5)]),
    triangles: Uint32Array.from([...half.triangles, ...half.triangles.map((vertex) => vertex + count)]),
  };
}

const near = (mesh: TriangleMesh, point: readonly number[]): number[] => {
  const found: number[] = [];
  for (let i = 0; 3 * i < mesh.positions.length; i++) {
    if (point.every((x, c) => Math.abs(mesh.positions[3 * i + c] - x) < 1e-9)) found.push(i);
  }
  return found;
};

/** A vertex is the mean of those in its place before; one inside a cut lies in a triangle of corners of the cut's rim. */
export function originOf(before: TriangleMesh, after: TriangleMesh): Origin {
  const count = after.positions.length / 3;
  const corners = new Uint32Array(3 * count);
  const weights = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = after.positions.subarray(3 * i, 3 * i + 3);
    const there = near(before, [x, y, z]);
    if (there.length > 0) {
      corners.set([there[0], there[there.length - 1], there[0]], 3 * i);
      weights.set([0.5, 0.5, 0], 3 * i);
      continue;
    }
    const side = y + z < 0 ? -0.5 : 0.5;
    const [u, v] = [Math.abs(y - side), Math.abs(z - side)];
    const rim = [
      [0, side, side],
      [0, -side, side],
      [0, side, -side],
    ] as const;
    corners.set(
      rim.map((point) => near(before, point)[0]),
      3 * i,
    );
    weights.set([1 - u - v, u, v], 3 * i);
  }
  return { corners, weights };
}

interface HalvesSettings extends SolverSettings {
  readonly cells: number;
  readonly split: number;
}

interface HalvesRest extends SolverRest {
  /** First particle of each part, and the count. */
  readonly bounds: Uint32Array;
}

/** Particles from the last vertex to the first, so that the order is not the mesh's own. */
function restOf(mesh: TriangleMesh, { cells }: HalvesSettings): HalvesRest {
  const count = mesh.positions.length / 3;
  const order = Uint32Array.from({ length: count }, (_, place) => count - 1 - place);
  const positions = mesh.positions.map((_, k) => mesh.positions[3 * order[Math.trunc(k / 3)] + (k % 3)]);
  const turned = { positions, triangles: mesh.triangles.map((vertex) => count - 1 - vertex) };
  const areas = vertexAreas(turned);
  const total = areas.reduce((sum, area) => sum + area, 0);
  const isSplit = mesh.positions.length === halves(cells).positions.length;
  const bounds = isSplit ? Uint32Array.of(0, count / 2, count) : Uint32Array.of(0, count);
  return { bounds, particles: { count, order, mesh: turned, massShares: areas.map((a) => a / total), parts: bounds } };
}

class HalvesModel implements Model<HalvesSettings> {
  /** How each part is turned (x, y, z, w). */
  private readonly turns: Float64Array;

  constructor(
    private readonly rest: HalvesRest,
    public settings: HalvesSettings,
  ) {
    this.turns = new Float64Array(4 * (rest.bounds.length - 1));
    this.reset([0, 0, 0, 1]);
  }

  reset(rotation: ArrayLike<number>): void {
    for (let k = 0; k < this.turns.length; k++) this.turns[k] = rotation[k % 4];
  }

  succeed(before: Model<HalvesSettings>): void {
    this.reset((before as HalvesModel).turns);
  }

  state() {
    return { turns: this.turns };
  }

  adapt(): TopologyChange | undefined {
    const isSplit = this.rest.bounds.length > 2;
    const { split, cells } = this.settings;
    if (split > 0.5 === isSplit) return undefined;
    const [before, mesh] = isSplit ? [halves(cells), whole(cells)] : [whole(cells), halves(cells)];
    return { mesh, origin: originOf(before, mesh), rest: restOf(mesh, this.settings) };
  }

  match(shell: Shell, timeStep: number): void {
    const stiffness = stiffnessPerStep(this.settings.stiffness, timeStep);
    for (let n = 0; n + 1 < this.rest.bounds.length; n++) this.matchPart(shell, n, stiffness / timeStep);
    movePositions(shell, timeStep);
  }

  /** Draws a part to its rest shape where that fits best: centre to centre, turned by a few steps of the gradient's. */
  private matchPart({ positions: x, velocities, masses, changes }: Shell, n: number, rate: number): void {
    const { bounds, particles } = this.rest;
    const [first, end] = [bounds[n], bounds[n + 1]];
    const rest = particles.mesh.positions;
    const mean = (values: Float64Array) => {
      const sum = [0, 0, 0, 0];
      for (let i = first; i < end; i++) {
        for (let c = 0; c < 3; c++) sum[c] += masses[i] * values[3 * i + c];
        sum[3] += masses[i];
      }
      return sum.slice(0, 3).map((s) => s / sum[3]);
    };
    const [from, to] = [mean(rest), mean(x)];
    const q = this.turns.subarray(4 * n, 4 * n + 4);
    const turned = (k: number): number[] => {
      const [a, b, c] = [rest[k] - from[0], rest[k + 1] - from[1], rest[k + 2] - from[2]];
      const [s, t, u] = [q[1] * c - q[2] * b, q[2] * a - q[0] * c, q[0] * b - q[1] * a];
      const w = 2 * q[3];
      return [
        a + w * s + 2 * (q[1] * u - q[2] * t),
        b + w * t + 2 * (q[2] * s - q[0] * u),
        c + w * u + 2 * (q[0] * t - q[1] * s),
      ];
    };
    for (let round = 0; round < 40; round++) {
      let [tx, ty, tz, size] = [0, 0, 0, 0];
      for (let i = first; i < end; i++) {
        const k = 3 * i;
        const [a, b, c] = turned(k);
        const [p, r, s] = [x[k] - to[0], x[k + 1] - to[1], x[k + 2] - to[2]];
        tx += masses[i] * (b * s - c * r);
        ty += masses[i] * (c * p - a * s);
        tz += masses[i] * (a * r - b * p);
        size += masses[i] * (a * p + b * r + c * s);
      }
      const [ax, ay, az] = [tx, ty, tz].map((t) => (0.5 * 1.5 * t) / Math.max(Math.abs(size), 1e-12));
      const [i, j, k, w] = q;
      q.set([
        i + w * ax + ay * k - az * j,
        j + w * ay + az * i - ax * k,
        k + w * az + ax * j - ay * i,
        w - ax * i - ay * j - az * k,
      ]);
      const length = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
      for (let c = 0; c < 4; c++) q[c] /= length;
    }
    for (let i = first; i < end; i++) {
      const goal = turned(3 * i);
      let square = 0;
      for (let c = 0; c < 3; c++) {
        const way = to[c] + goal[c] - x[3 * i + c];
        square += way * way;
        velocities[3 * i + c] += rate * way;
      }
      changes[i] = Math.sqrt(square);
    }
  }

  damp(): void {}
}

const share = { kind: 'number', change: 'live', low: 0, high: 1, step: 0.01 } as const;
const FIELDS = {
  stiffness: { ...share, label: 'Stiffness', words: 'Share of the way to the rest shape per 5 ms.', default: 0.3 },
  damping: { ...share, label: 'Damping', words: 'None.', default: 0 },
  cells: {
    ...{ kind: 'integer', change: 'prepared', low: 1, high: 64, default: 4 },
    ...{ label: 'Cells', words: 'Rectangles along the edges of a half.' },
  },
  split: { ...share, label: 'Split', words: 'Above a half the bar is two.', default: 0 },
  volume: VOLUME_FIELD,
} satisfies Record<string, NumberField | typeof VOLUME_FIELD>;

export const bar = defineSolver<Partial<HalvesSettings>, HalvesSettings, HalvesRest>({
  type: 'halves',
  words: 'A bar that comes apart at its middle.',
  fields: FIELDS,
  parts: true,
  prepare: restOf,
  create: (rest, settings) => new HalvesModel(rest, settings),
});
