// The topologies in a snapshot: of bodies that have another than they were added with, the mesh and what is painted on it.

import type { Backend, BackendBody } from '../backends/backend.js';
import { equalStates, type StateTree } from '../math/state-tree.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { CheckedMaps } from '../solvers/maps.js';
import type { ModelState } from '../solvers/model.js';
import type { Prepared } from '../solvers/solver.js';
import { prepareTopology } from '../solvers/topology.js';
import type { Body } from './body.js';

/** The topology of a body; null for the one that it was added with. */
export type TopologyState = (TriangleMesh & { readonly maps: CheckedMaps }) | null;

export function captureTopology({ prepared, made }: Body): StateTree {
  if (prepared === made.prepared) return null;
  const { mesh, maps } = prepared;
  return { positions: mesh.positions.slice(), triangles: mesh.triangles.slice(), maps: { ...maps } };
}

/** Of each body, as they were captured. */
export const savedTopologies = (world: StateTree): readonly TopologyState[] =>
  (world as unknown as { bodies: readonly { topology: TopologyState }[] }).bodies.map(({ topology }) => topology);

/** The bodies of a world, and what holds them. */
interface TopologyParts {
  readonly backend: Backend;
  readonly bodies: readonly Body[];
  readonly states: readonly BackendBody[];
}

/** What each body is to be of; undefined where all are. Throws where a mesh is none that its body can have. */
export function planTopologies(
  { bodies }: TopologyParts,
  saved: readonly TopologyState[],
): readonly Prepared[] | undefined {
  const wanted = saved.map((topology, n) => topologyOf(bodies[n], topology));
  return wanted.some((prepared, n) => prepared !== bodies[n].prepared) ? wanted : undefined;
}

/** Makes bodies of it, at rest until their state comes back. */
export function takeTopologies({ bodies, states, backend }: TopologyParts, wanted: readonly Prepared[]): void {
  bodies.forEach((body, n) => {
    if (wanted[n] === body.prepared) return;
    backend.rebuild(states[n], wanted[n]);
    body.followTopology();
  });
}

/** What is saved of each body's model, as far as it looks like that. */
export function savedModels(state: StateTree): readonly (ModelState | undefined)[] {
  const { world } = state as unknown as { world: { bodies: readonly { state?: { model?: unknown } }[] } };
  return world.bodies.map(({ state: saved }) => {
    const model = saved?.model;
    const isState = typeof model === 'object' && model !== null && Object.values(model).every(ArrayBuffer.isView);
    return isState ? (model as ModelState) : undefined;
  });
}

/** Whether the model of any body has other arrays than were saved. */
export const hasOtherModels = (states: readonly BackendBody[], saved: readonly (ModelState | undefined)[]): boolean =>
  states.some(({ hostModel }, n) => {
    const model = saved[n];
    return model !== undefined && hostModel?.adopt !== undefined && !isLike(hostModel.state?.() ?? {}, model);
  });

/** Gives such models these arrays; their numbers follow. */
export function takeModels(states: readonly BackendBody[], saved: readonly (ModelState | undefined)[]): void {
  states.forEach(({ hostModel }, n) => {
    const model = saved[n];
    if (model && hostModel?.adopt && !isLike(hostModel.state?.() ?? {}, model)) hostModel.adopt(model);
  });
}

/** Whether two states have the same names and lengths, and the same structure in bytes. */
function isLike(own: ModelState, saved: ModelState): boolean {
  const names = Object.keys(own);
  return (
    names.length === Object.keys(saved).length &&
    names.every((name) => {
      const [a, b] = [own[name], saved[name]];
      return a.length === b?.length && (!(a instanceof Uint8Array) || isSame(a, b));
    })
  );
}

function topologyOf({ prepared, made }: Body, topology: TopologyState): Prepared {
  if (topology === null) return made.prepared;
  const { positions, triangles, maps } = topology;
  if (isTopology(prepared, { positions, triangles }, maps)) return prepared;
  try {
    return prepareTopology(made.prepared, { positions, triangles }, maps);
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
