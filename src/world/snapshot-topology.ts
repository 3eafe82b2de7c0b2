// The topologies in a snapshot: of bodies that have another than they were added with, the mesh and what is painted on it.

import type { Backend, BackendBody } from '../backends/backend.js';
import { equalStates, type StateTree } from '../math/state-tree.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { CheckedMaps } from '../solvers/maps.js';
import type { Prepared } from '../solvers/solver.js';
import { prepareTopology } from '../solvers/topology.js';
import type { ResidentBody } from './resident-body.js';
import type { WorldParts } from './world-parts.js';

/** The topology of a body, and the structure of its model; null for those that it was added with. */
export type TopologyState = (TriangleMesh & { readonly maps: CheckedMaps; readonly structure: StateTree }) | null;

export function captureTopology({ state: { prepared, hostModel }, made }: ResidentBody): StateTree {
  const structure = hostModel?.structure?.(made.prepared) ?? null;
  if (prepared === made.prepared && structure === null) return null;
  const { mesh, maps } = prepared;
  return { positions: mesh.positions.slice(), triangles: mesh.triangles.slice(), maps: { ...maps }, structure };
}

/** Of each body, as they were captured. */
export const savedTopologies = (world: StateTree): readonly TopologyState[] =>
  (world as unknown as { bodies: readonly { topology: TopologyState }[] }).bodies.map(({ topology }) => topology);

/** What each body is to be made of, where it is not so already; undefined where all are. Throws where a mesh is none that its body can have. */
export function planTopologies(
  { bodies }: WorldParts,
  saved: readonly TopologyState[],
): readonly (Prepared | undefined)[] | undefined {
  const wanted = saved.map((topology, n) => topologyOf(bodies.inner[n], topology));
  return wanted.some((prepared) => prepared !== undefined) ? wanted : undefined;
}

/** Makes bodies of it, at rest until their state comes back. */
export function takeTopologies({ bodies, backend }: WorldParts, wanted: readonly (Prepared | undefined)[]): void {
  bodies.inner.forEach((resident, n) => {
    const prepared = wanted[n];
    if (!prepared) return;
    rebuildAtRest(backend, resident.state, prepared);
    resident.followTopology();
  });
}

/** Makes a body anew, at rest; what was asked of its model and is not done yet is asked of the new one. */
export function rebuildAtRest(backend: Backend, state: BackendBody, prepared: Prepared): void {
  const pending = state.hostModel?.pending;
  backend.rebuild(state, prepared);
  if (state.hostModel?.pending) state.hostModel.pending = pending;
}

function topologyOf(resident: ResidentBody, topology: TopologyState): Prepared | undefined {
  const { made, history } = resident;
  if (equalStates(captureTopology(resident), topology as unknown as StateTree)) return undefined;
  if (topology === null) return made.prepared;
  const { positions, triangles, maps, structure } = topology;
  try {
    const prepared = prepareTopology(made.prepared, { positions, triangles }, maps, structure);
    history.recall(prepared.mesh);
    return prepared;
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    throw new RangeError(`snapshot: expected a topology that its body can have, got one that it cannot: ${got}`, {
      cause: error,
    });
  }
}

/** Whether a body is of this mesh with this painted on it. */
export function isTopology(prepared: Prepared, { positions, triangles }: TriangleMesh, maps: CheckedMaps): boolean {
  const { mesh, maps: painted } = prepared;
  const hasMaps = equalStates({ ...painted }, { ...maps });
  return hasMaps && isSame(mesh.positions, positions) && isSame(mesh.triangles, triangles);
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.prototype.every.call(a, (value, k) => value === b[k]);
