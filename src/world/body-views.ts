// What can be looked at inside a body: copies in the mesh's own vertex order.

import type { BackendBody, BodyInspection } from '../backends/backend.js';

/** The faces along which a body was cut. */
export interface CutFaces {
  /** Which of the mesh's triangles are on them. */
  readonly triangles: Uint32Array;
  /** Texture coordinates of the mesh's vertices there [m], u and v each. */
  readonly uvs: Float32Array;
}

export function cutFacesOf({ prepared }: BackendBody): CutFaces | undefined {
  const { cutFaces, order } = prepared.particles;
  if (!cutFaces) return undefined;
  const uvs = new Float32Array(cutFaces.uvs.length);
  order.forEach((vertex, place) => {
    uvs.set(cutFaces.uvs.subarray(2 * place, 2 * place + 2), 2 * vertex);
  });
  return { triangles: Uint32Array.from([...cutFaces.marks.keys()].filter((t) => cutFaces.marks[t] === 1)), uvs };
}

/** What moves it: nodes inside, or its particles where its solver has none. */
export const nodeCountOf = ({ hostModel, masses }: BackendBody): number =>
  hostModel?.inner ? hostModel.inner.positions.length / 3 : masses.length;

/** The cell that carries most of each vertex, by number; undefined where its solver has no cells. */
export function cellsOf({ hostModel, places }: BackendBody): Uint32Array | undefined {
  const cells = hostModel?.cells?.();
  return cells && Uint32Array.from(places, (place) => cells[place]);
}

function graphOf({ hostModel }: BackendBody): Pick<BodyInspection, 'graph'> {
  const edges = hostModel?.edges?.();
  if (!edges || !hostModel?.inner) return {};
  return { graph: { positions: Float64Array.from(hostModel.inner.positions), edges } };
}

export function inspectBody(state: BackendBody): BodyInspection {
  const { places, hostModel } = state;
  const views = Object.entries(hostModel?.views?.() ?? {}).map(([name, values]) => [
    name,
    Float64Array.from(places, (place) => values[place]),
  ]);
  return { ...state.inspect(), views: Object.fromEntries(views), ...graphOf(state) };
}
