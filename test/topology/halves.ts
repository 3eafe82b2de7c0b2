// A solver of a test's own, through public exports only: a bar that on command comes apart at its middle, both halves closed, and
// on another command is one again. Each closed part is matched to its rest shape as a whole.

import {
  defineSolver,
  type ElasticSettings,
  type Fields,
  type Model,
  movePositions,
  type Shell,
  type SolverRest,
  stiffnessPerStep,
  type TopologyChange,
  type TriangleMesh,
  VOLUME_FIELD,
  vertexAreas,
} from '../../src/index.js';
import { halves, originOf, whole } from './bar-meshes.js';
import { pullToRest } from './rigid-fit.js';

interface HalvesSettings extends ElasticSettings {
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
    const { bounds, particles } = this.rest;
    for (let n = 0; n + 1 < bounds.length; n++) {
      const turn = this.turns.subarray(4 * n, 4 * n + 4);
      pullToRest(shell, particles.mesh.positions, [bounds[n], bounds[n + 1]], turn, stiffness / timeStep);
    }
    movePositions(shell, timeStep);
  }

  damp(): void {}
}

const share = { kind: 'number', change: 'live', low: 0, high: 1, default: 0 } as const;
const FIELDS: Fields = {
  stiffness: { ...share, label: 'Stiffness', words: 'Share of the way to the rest shape per 5 ms.', default: 0.3 },
  damping: { ...share, label: 'Damping', words: 'None.' },
  cells: {
    ...share,
    kind: 'integer',
    change: 'prepared',
    high: 64,
    default: 4,
    label: 'Cells',
    words: 'Along an edge.',
  },
  split: { ...share, label: 'Split', words: 'Above a half the bar is two.' },
  volume: VOLUME_FIELD,
};

export const bar = defineSolver<Partial<HalvesSettings>, HalvesSettings, HalvesRest>({
  type: 'halves',
  words: 'A bar that comes apart at its middle.',
  fields: FIELDS,
  parts: true,
  prepare: restOf,
  create: (rest, settings) => new HalvesModel(rest, settings),
});
