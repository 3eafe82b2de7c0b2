// A visible mesh in the making: vertices with all that they have, to which those of a cut are added.

import type { EmbeddableMesh, Embedding } from './embedding-types.js';

/** Vertices and their weights, which sum to 1. */
export type Between = readonly (readonly [vertex: number, weight: number])[];

export class ShownMesh {
  readonly positions: number[];
  readonly normals: number[];
  readonly tangents: number[] | null;
  /** Three vertices of the mesh that was given, and their weights. */
  readonly corners: number[];
  readonly weights: number[];
  readonly uvs: number[];
  /** What it is bound to, as in `Binding`. */
  readonly boundCorners: number[];
  readonly boundWeights: number[];
  readonly offsets: number[];
  readonly farShares: number[];
  triangles: number[];
  sources: number[];

  constructor({ visible, normals, tangents, cut, binding }: Embedding) {
    const count = binding.count;
    this.positions = Array.from(visible.positions);
    this.normals = Array.from(normals);
    this.tangents = tangents && Array.from(tangents);
    this.corners = cut ? Array.from(cut.corners) : Array.from({ length: 3 * count }, (_, k) => Math.trunc(k / 3));
    this.weights = cut ? Array.from(cut.weights) : Array.from({ length: 3 * count }, (_, k) => (k % 3 === 0 ? 1 : 0));
    this.uvs = cut ? Array.from(cut.uvs) : new Array(2 * count).fill(0);
    this.boundCorners = Array.from(binding.corners);
    this.boundWeights = Array.from(binding.weights);
    this.offsets = Array.from(binding.offsets);
    this.farShares = Array.from(binding.farShares);
    this.triangles = Array.from(visible.triangles);
    this.sources = cut ? Array.from(cut.sources) : Array.from({ length: visible.triangles.length / 3 }, (_, t) => t);
  }

  get count(): number {
    return this.positions.length / 3;
  }

  /** Adds a vertex that lies between others of one triangle; it is bound to nothing yet. */
  addBetween(between: Between): number {
    const { positions, normals, tangents, uvs } = this;
    mix(positions, 3, between);
    mix(normals, 3, between);
    scaleToUnit(normals, normals.length - 3);
    mix(uvs, 2, between);
    if (tangents) {
      mix(tangents, 4, between);
      tangents[tangents.length - 1] = tangents[4 * between[0][0] + 3];
    }
    this.addOrigin(between);
    mix(this.farShares, 1, between);
    return this.addUnbound();
  }

  /** Adds a vertex on the face of a cut: it is a corner of a triangle of the simulation mesh. */
  addOnFace(
    point: ArrayLike<number>,
    normal: readonly number[],
    uv: readonly number[],
    face: readonly number[],
    corner: number,
  ): number {
    for (let c = 0; c < 3; c++) {
      this.positions.push(point[c]);
      this.normals.push(normal[c]);
      this.corners.push(0);
      this.weights.push(0);
    }
    this.uvs.push(uv[0], uv[1]);
    this.tangents?.push(...acrossOf(normal), 1);
    this.farShares.push(0);
    const vertex = this.addUnbound();
    this.bindToCorner(vertex, face, corner);
    return vertex;
  }

  /** Binds a vertex to one that it is, by a triangle of the simulation mesh and which of its corners. */
  bindToCorner(vertex: number, triangle: ArrayLike<number>, corner: number): void {
    for (let c = 0; c < 3; c++) {
      this.boundCorners[3 * vertex + c] = triangle[c];
      this.boundWeights[3 * vertex + c] = c === corner ? 1 : 0;
      this.offsets[3 * vertex + c] = 0;
    }
  }

  private addUnbound(): number {
    this.boundCorners.push(0, 0, 0);
    this.boundWeights.push(0, 0, 0);
    this.offsets.push(0, 0, 0);
    return this.count - 1;
  }

  private addOrigin(between: Between): void {
    const sums = new Map<number, number>();
    for (const [vertex, weight] of between) {
      for (let k = 3 * vertex; k < 3 * vertex + 3; k++) {
        const share = weight * this.weights[k];
        if (share !== 0) sums.set(this.corners[k], (sums.get(this.corners[k]) ?? 0) + share);
      }
    }
    // All are corners of one triangle.
    const shares = [...sums];
    for (let n = 0; n < 3; n++) {
      this.corners.push(shares[n]?.[0] ?? 0);
      this.weights.push(shares[n]?.[1] ?? 0);
    }
  }

  /** The embedding that it is, over a simulation mesh. */
  finish({ original }: Embedding, cage: Embedding['cage'], frameRest: Embedding['frameRest']): Embedding {
    const visible: EmbeddableMesh = {
      positions: Float64Array.from(this.positions),
      triangles: Uint32Array.from(this.triangles),
    };
    return {
      ...{ cage, visible, original, frameRest },
      cut: {
        corners: Uint32Array.from(this.corners),
        weights: Float64Array.from(this.weights),
        sources: Int32Array.from(this.sources),
        uvs: Float64Array.from(this.uvs),
      },
      binding: {
        count: this.count,
        corners: Uint32Array.from(this.boundCorners),
        weights: Float64Array.from(this.boundWeights),
        offsets: Float64Array.from(this.offsets),
        farShares: Float64Array.from(this.farShares),
      },
      normals: Float32Array.from(this.normals),
      tangents: this.tangents && Float32Array.from(this.tangents),
    };
  }

  /** The same with some of its vertices and triangles; `keeps` says of a vertex whether it stays, with all of its triangles. */
  keep(keeps: (vertex: number) => boolean): void {
    const places = new Map<number, number>();
    const kept: number[] = [];
    for (let vertex = 0; vertex < this.count; vertex++) if (keeps(vertex)) places.set(vertex, kept.push(vertex) - 1);
    const isKept = (_: number, k: number): boolean => places.has(this.triangles[k - (k % 3)]);
    this.sources = this.sources.filter((_, t) => places.has(this.triangles[3 * t]));
    this.triangles = this.triangles.filter(isKept).map((vertex) => places.get(vertex) as number);
    for (const [list, stride] of [
      [this.positions, 3],
      [this.normals, 3],
      [this.tangents, 4],
      [this.corners, 3],
      [this.weights, 3],
      [this.uvs, 2],
      [this.boundCorners, 3],
      [this.boundWeights, 3],
      [this.offsets, 3],
      [this.farShares, 1],
    ] as const) {
      if (!list) continue;
      kept.forEach((vertex, place) => {
        for (let c = 0; c < stride; c++) list[stride * place + c] = list[stride * vertex + c];
      });
      list.length = stride * kept.length;
    }
  }
}

/** Adds the mean of some vertices' values to a list. */
function mix(list: number[], stride: number, between: Between): void {
  for (let c = 0; c < stride; c++) {
    let sum = 0;
    for (const [vertex, weight] of between) sum += weight * list[stride * vertex + c];
    list.push(sum);
  }
}

function scaleToUnit(list: number[], at: number): void {
  const length = Math.sqrt(list[at] ** 2 + list[at + 1] ** 2 + list[at + 2] ** 2) || 1;
  for (let c = 0; c < 3; c++) list[at + c] /= length;
}

/** A unit vector across another one. */
function acrossOf([x, y, z]: readonly number[]): [number, number, number] {
  const across: [number, number, number] = Math.abs(x) > 0.7 ? [-y, x, 0] : [0, z, -y];
  scaleToUnit(across, 0);
  return across;
}
