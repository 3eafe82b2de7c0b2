// Meshes and solvers as they are sent to a worker: plain values alone.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Solver } from '../solvers/solver.js';
import type { SentSolver } from './messages.js';

/** With whatever else it has that can be sent: tetrahedra, of one that has some. */
export function sendableMesh({ positions, triangles, ...rest }: TriangleMesh): TriangleMesh {
  const solid = Object.fromEntries(Object.entries(rest).filter(([, value]) => ArrayBuffer.isView(value)));
  return { ...solid, positions, triangles };
}

export function sendableSolver({ type, settings }: Solver): SentSolver {
  try {
    return { type, settings: structuredClone(settings) as object };
  } catch {
    throw new RangeError(`solver: expected ${type} settings of plain values, as functions cannot be sent to a worker`);
  }
}
