// Divides a body that was cut through into bodies of their own: for each group of closed parts that share matter its nodes, its
// surface, and where both were.

import { boundingSphere } from '../../mesh/measure.js';
import { UnionFind } from '../../mesh/topology.js';
import type { TopologyChange } from '../topology-change.js';
import { copyForest } from './forest-copy.js';
import { findRegions } from './grow.js';
import type { OctreeNode } from './node.js';
import type { OctreeModel } from './octree-model.js';
import { reorder } from './part-order.js';
import { buildRegionRest } from './region-rest.js';
import type { OctreeRest } from './rest.js';
import type { Skin } from './skin.js';

/** One change for each body to be; a single one where all parts share matter. */
export function divideBody(model: OctreeModel): TopologyChange[] {
  const groups = groupParts(model);
  return groups.map(({ parts, matter }) => takeGroup(model, parts, matter));
}

/** Closed parts that hang on the same parts of the matter, and these: slivers too small for nodes of their own stay with their matter. */
function groupParts({ rest, skin, dynamics }: OctreeModel): { parts: number[]; matter: Set<number> }[] {
  const partCount = rest.parts.length - 1;
  const { parts: matterOf, partCount: matterCount } = dynamics.rest;
  const joined = new UnionFind(partCount + matterCount);
  for (let part = 0; part < partCount; part++) {
    for (let e = skin.offsets[rest.parts[part]]; e < skin.offsets[rest.parts[part + 1]]; e++) {
      joined.union(part, partCount + matterOf[skin.nodes[e]]);
    }
  }
  const groups = new Map<number, { parts: number[]; matter: Set<number> }>();
  for (let n = 0; n < partCount + matterCount; n++) {
    const root = joined.find(n);
    const group = groups.get(root) ?? { parts: [], matter: new Set() };
    groups.set(root, group);
    if (n < partCount) group.parts.push(n);
    else group.matter.add(n - partCount);
  }
  // Matter without a surface is nobody's.
  return [...groups.values()].filter(({ parts }) => parts.length > 0);
}

function takeGroup(model: OctreeModel, parts: readonly number[], matter: ReadonlySet<number>): TopologyChange {
  const { rest, dynamics } = model;
  const { forest, copies } = copyForest(model.forest);
  const places = parts.flatMap((part) =>
    Array.from({ length: rest.parts[part + 1] - rest.parts[part] }, (_, n) => rest.parts[part] + n),
  );
  const numbers = new Map<OctreeNode, number>();
  dynamics.rest.leaves.forEach((leaf, n) => {
    const own = copies.get(leaf) as OctreeNode;
    numbers.set(own, n);
    if (matter.has(dynamics.rest.parts[n])) return;
    forest.clear(own.voxels);
    forest.remove(own);
  });
  const leaves = forest.leaves();
  // Nodes above may have lost leaves that no region reached.
  findRegions(
    forest,
    leaves.filter(({ region }) => region.some((node) => !forest.has(node))),
  );
  const regions = buildRegionRest(forest);
  const octree = {
    ...rest,
    ...takeParticles(rest, places, parts),
    ...{ forest, regions, partOf: { leaves: Uint32Array.from(leaves, (leaf) => numbers.get(leaf) as number) } },
  };
  const placeOf = new Map(Array.from(octree.partOf.leaves, (leaf, n) => [leaf, n]));
  const whole: OctreeRest = { ...octree, skin: takeSkin(model.skin, places, placeOf, octree.massShares) };
  const vertices = [...whole.order].sort((a, b) => a - b);
  const ranks = new Map(vertices.map((vertex, n) => [vertex, n]));
  const order = whole.order.map((vertex) => ranks.get(vertex) as number);
  const byNumber = new Uint32Array(order.length);
  order.forEach((vertex, place) => {
    byNumber[vertex] = place;
  });
  const positions = new Float64Array(3 * order.length);
  byNumber.forEach((place, vertex) => {
    positions.set(whole.mesh.positions.subarray(3 * place, 3 * place + 3), 3 * vertex);
  });
  const own = { ...whole, order };
  return {
    mesh: { positions, triangles: whole.mesh.triangles.map((place) => order[place]) },
    origin: {
      corners: Uint32Array.from(vertices.flatMap((vertex) => [vertex, vertex, vertex])),
      weights: Float64Array.from(vertices.flatMap(() => [1, 0, 0])),
      isPart: true,
    },
    rest: { particles: own, octree: own, innerCount: leaves.length } as TopologyChange['rest'],
    isChecked: true,
  };
}

/** The shell of some places, which are whole parts; their numbers in the mesh are still those of the body that they are taken from. */
function takeParticles(rest: OctreeRest, places: readonly number[], parts: readonly number[]) {
  const newPlaces = new Map(places.map((place, n) => [place, n]));
  const positions = new Float64Array(3 * places.length);
  places.forEach((place, n) => {
    positions.set(rest.mesh.positions.subarray(3 * place, 3 * place + 3), 3 * n);
  });
  const triangles = rest.mesh.triangles
    .filter((_, k) => newPlaces.has(rest.mesh.triangles[k - (k % 3)]))
    .map((place) => newPlaces.get(place) as number);
  const isOwn = (_: number, t: number): boolean => newPlaces.has(rest.mesh.triangles[3 * t]);
  const cutFaces = rest.cutFaces && {
    marks: rest.cutFaces.marks.filter(isOwn),
    uvs: reorder(rest.cutFaces.uvs, Uint32Array.from(places), 2),
  };
  const shares = Float64Array.from(places, (place) => rest.massShares[place]);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const ends = [0];
  for (const part of parts) ends.push(ends[ends.length - 1] + rest.parts[part + 1] - rest.parts[part]);
  return {
    count: places.length,
    order: Uint32Array.from(places, (place) => rest.order[place]),
    parts: Uint32Array.from(ends),
    mesh: { positions, triangles },
    cutFaces,
    size: 2 * boundingSphere(positions).radius,
    massShares: shares.map((share) => share / total),
    vertexVoxels: Int32Array.from(places, (place) => rest.vertexVoxels[place]),
  };
}

function takeSkin(
  { offsets, nodes, weights }: Skin,
  places: readonly number[],
  placeOf: ReadonlyMap<number, number>,
  massShares: Float64Array,
): Skin {
  const ends = new Uint32Array(places.length + 1);
  const chosen: number[] = [];
  const loads = new Float64Array(placeOf.size);
  places.forEach((place, n) => {
    for (let e = offsets[place]; e < offsets[place + 1]; e++) {
      chosen.push(e);
      loads[placeOf.get(nodes[e]) as number] += massShares[n] * weights[e];
    }
    ends[n + 1] = chosen.length;
  });
  return {
    offsets: ends,
    nodes: Uint32Array.from(chosen, (e) => placeOf.get(nodes[e]) as number),
    weights: Float64Array.from(chosen, (e) => weights[e]),
    ...{ loads, massShares },
  };
}
