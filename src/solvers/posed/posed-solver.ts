// Bodies that nothing moves but their pose: where `body.pose` says they are at a time. Others touch them as a wall that moves and deforms.

import { vertexAreas } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { NumberField } from '../fields.js';
import { type CheckedMaps, shareMass } from '../maps.js';
import { type Model, movePositions, type Shell } from '../model.js';
import { defineSolver } from '../solver.js';
import type { SolverSettings } from '../solver-settings.js';
import { VOLUME_FIELD } from '../volume/settings.js';

/** Posed bodies have no elasticity; the fields are there as everybody asks for them. */
const nothing = (label: string): NumberField => ({
  ...{ kind: 'number', change: 'live', low: 0, high: 0, default: 0, label },
  words: 'None: the pose alone says where the body is.',
});

const allFields = () => ({
  stiffness: nothing('Stiffness'),
  damping: nothing('Damping'),
  volume: { ...VOLUME_FIELD, default: false },
});

class PosedModel implements Model {
  constructor(public settings: SolverSettings) {}

  match(shell: Shell, timeStep: number): void {
    shell.changes.fill(0);
    movePositions(shell, timeStep);
  }

  damp(): void {}
  reset(): void {}
}

/**
 * A body that is posed by a program and moves by nothing else: others touch it as an obstacle that deforms.
 * @example
 * ```ts
 * const world = await createWorld();
 * const hand = world.add(prepare(icosphere(), posed()));
 * ```
 */
export const posed = /* @__PURE__ */ defineSolver({
  type: 'posed',
  words: 'Posed, not simulated: a wall that moves and deforms.',
  fields: /* @__PURE__ */ allFields(),
  parts: true,
  prepare(mesh: TriangleMesh, _settings: SolverSettings, maps: CheckedMaps) {
    const { shares, factor } = shareMass(vertexAreas(mesh), maps.density);
    const order = Uint32Array.from(shares, (_, vertex) => vertex);
    return { particles: { count: shares.length, order, mesh, massShares: shares, massFactor: factor } };
  },
  create: (_, settings) => new PosedModel(settings),
});
