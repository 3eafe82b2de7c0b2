// What all copies of a body of tetrahedra share, as the world and the model need it.

import type { SolverRest } from '../solver-rest.js';
import { layFibres } from './muscle.js';
import { buildPressurePattern, type PressurePattern } from './pressure-matrix.js';
import { buildTetraRest, type TetraRest } from './rest.js';
import type { TetrahedraSettings } from './settings.js';
import type { Solid } from './solid.js';

/** What finite elements know of a mesh at rest. */
export interface TetrahedraBody extends SolverRest {
  readonly solid: TetraRest;
  readonly pattern: PressurePattern;
  /** Factor on the damping. */
  readonly dampingScale: number;
  /** Directions of muscle fibres, three numbers per tetrahedron; undefined where there are none. */
  readonly fibres: Float64Array | undefined;
}

export function buildBody(
  { mesh, paint, shellMaps, dampingScale }: Solid,
  { fibres }: TetrahedraSettings,
): TetrahedraBody {
  const solid = buildTetraRest(mesh, paint);
  const shell = solid.boundary.mesh;
  const count = shell.positions.length / 3;
  return {
    particles: {
      count,
      order: Uint32Array.from({ length: count }, (_, n) => n),
      mesh: shell,
      massShares: solid.massShares.slice(0, count),
      massFactor: solid.massFactor,
    },
    shell: { mesh: shell, maps: shellMaps },
    innerCount: solid.count - count,
    solid,
    pattern: buildPressurePattern(solid),
    dampingScale,
    fibres: fibresOf(solid, fibres),
  };
}

function fibresOf({ mesh, tetraCount }: TetraRest, fibres: TetrahedraSettings['fibres']): Float64Array | undefined {
  if (!fibres) return undefined;
  if (!(fibres instanceof Float64Array)) return layFibres(mesh, typeof fibres === 'function' ? fibres : fibres.axis);
  if (fibres.length !== 3 * tetraCount) {
    throw new RangeError(
      `fibres: expected three numbers for each of ${tetraCount} tetrahedra, got ${fibres.length} numbers`,
    );
  }
  return fibres.slice();
}
