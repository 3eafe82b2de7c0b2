// What the deformer's iteration reads of a helper mesh: vertices numbered by valence, and their tetrahedra, edges and surface as columns.
// Built once for a deformer; lengths and volumes are of the helper mesh as it lies before contact.

import { sixVolumeOf } from '../../deformer/elastic-energy.js';
import type { HelperMesh } from '../../deformer/helper-mesh.js';
import { edgeGraph, measureEdges } from '../../deformer/iterate.js';
import type { Graph } from '../../deformer/sparse-graph.js';
import { accumulate } from '../../mesh/counting-sort.js';
import type { Buffers } from './buffers.js';
import { CARRIER } from './layout.js';
import { NeighbourColumns } from './neighbour-columns.js';

/** For each corner a of a tetrahedron (a, b, c, d) the others, so that six times the volume is (a − s)·((q − s)×(r − s)). */
const OTHERS = [
  [3, 2, 1],
  [2, 3, 0],
  [3, 1, 0],
  [1, 2, 0],
] as const;

/** Numbers as the bits of single precision. */
const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);
function bitsOf(value: number): number {
  single[0] = value;
  return bits[0];
}

/** Lists per vertex from one vertex per entry: where each begins, and for each entry its place in its list. */
function listsOf(vertices: ArrayLike<number>, count: number): { starts: Uint32Array; slots: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (let n = 0; n < vertices.length; n++) starts[vertices[n] + 1]++;
  accumulate(starts);
  const next = starts.slice();
  return { starts, slots: Uint32Array.from(vertices, (v) => next[v]++) };
}

export class DeformerTables {
  readonly count: number;
  /** The number that a vertex has here. */
  private readonly ranks: Uint32Array;
  /** Tetrahedra and corners of the surface's vertices, in these numbers. */
  private readonly tetrahedra: Uint32Array;
  private readonly corners: Uint32Array;
  private readonly volumes: Columns;
  private readonly edges: Columns;
  private readonly spread: Columns;
  private readonly graph: Graph;
  private rest: Float64Array | undefined;

  constructor(private readonly helper: HelperMesh) {
    this.count = helper.positions.length / 3;
    const { tetrahedra, carriers } = helper;
    const byValence = new NeighbourColumns(listsOf(tetrahedra, this.count).starts).order;
    this.ranks = new Uint32Array(this.count);
    byValence.forEach((vertex, rank) => {
      this.ranks[vertex] = rank;
    });
    this.tetrahedra = tetrahedra.map((v) => this.ranks[v]);
    this.corners = Uint32Array.from(
      { length: 4 * carriers.length },
      (_, n) => this.tetrahedra[4 * carriers[n >> 2] + (n & 3)],
    );
    const graph = edgeGraph(this.tetrahedra, this.count);
    this.graph = graph;
    this.volumes = new Columns('volumes', 4, listsOf(this.tetrahedra, this.count));
    this.spread = new Columns('spread', 2, listsOf(this.corners, this.count));
    this.edges = new Columns('edges', 2, { starts: graph.starts, slots: graph.neighbours.map((_, n) => n) });
    for (let n = 0; n < graph.neighbours.length; n++) this.edges.set(n, 0, graph.neighbours[n]);
    for (let n = 0; n < this.corners.length; n++) {
      this.spread.set(n, 0, n >> 2);
      this.spread.set(n, 1, bitsOf(helper.weights[n]));
    }
    for (let n = 0; n < this.tetrahedra.length; n++) {
      OTHERS[n & 3].forEach((other, word) => {
        this.volumes.set(n, word, this.tetrahedra[4 * (n >> 2) + other]);
      });
    }
  }

  /** Four numbers per vertex, in the order of the shaders. */
  private arrange(x: Float64Array): Float32Array {
    const out = new Float32Array(4 * this.count);
    for (let k = 0; k < x.length; k++) out[4 * this.ranks[Math.trunc(k / 3)] + (k % 3)] = x[k];
    return out;
  }

  /** Writes a frame: the helper mesh at rest, and what carries the surface. Returns how far a vertex may move in an iteration. */
  write(buffers: Buffers, rest: Float64Array, surface: Float64Array): number {
    const { helper, corners, tetrahedra, volumes, edges, spread } = this;
    const positions = this.arrange(rest);
    // Of positions as they are in single precision, so that rest stays rest.
    const placed = new Float64Array(3 * this.count);
    for (let k = 0; k < placed.length; k++) placed[k] = positions[4 * Math.trunc(k / 3) + (k % 3)];
    const { lengths, longest } = measureEdges(placed, this.graph);
    if (rest !== this.rest) {
      this.rest = rest;
      for (let n = 0; n < lengths.length; n++) edges.set(n, 1, bitsOf(lengths[n]));
      for (let n = 0; n < tetrahedra.length; n++) volumes.set(n, 3, bitsOf(sixVolumeOf(placed, tetrahedra, n >> 2)));
      for (const columns of [volumes, edges, spread]) columns.write(buffers);
    }
    for (const name of ['helper', 'moved', 'restored']) buffers.reserve(name, positions.byteLength);
    buffers.write('helper', positions);
    const vertexCount = helper.carriers.length;
    const { words, offsets } = CARRIER;
    const carriers = new Float32Array(words * vertexCount);
    const numbers = new Uint32Array(carriers.buffer);
    for (let v = 0; v < vertexCount; v++) {
      for (let k = 0; k < 4; k++) {
        numbers[words * v + offsets.corners + k] = corners[4 * v + k];
        carriers[words * v + offsets.weights + k] = helper.weights[4 * v + k];
      }
      for (let c = 0; c < 3; c++) {
        let base = surface[3 * v + c];
        for (let k = 0; k < 4; k++) base -= helper.weights[4 * v + k] * placed[3 * corners[4 * v + k] + c];
        carriers[words * v + offsets.base + c] = base;
      }
    }
    buffers.reserve('carriers', carriers.byteLength);
    buffers.write('carriers', carriers);
    for (const name of ['carried', 'pushes']) buffers.reserve(name, 16 * vertexCount);
    return longest;
  }

  /** The helper mesh from what came back: rest and how far it moved, to the bit where it did not. */
  read(moved: Float32Array, rest: Float64Array): Float64Array {
    return rest.map((x, k) => x + (moved[4 * this.ranks[Math.trunc(k / 3)] + (k % 3)] - Math.fround(x)));
  }
}

/** Columns with their entries of several words, and the buffers of both. */
class Columns {
  private readonly columns: NeighbourColumns;
  private readonly entries: Uint32Array;

  constructor(
    private readonly name: string,
    private readonly words: number,
    private readonly lists: { readonly starts: Uint32Array; readonly slots: Uint32Array },
  ) {
    this.columns = new NeighbourColumns(lists.starts);
    this.entries = new Uint32Array(words * lists.slots.length);
  }

  /** Writes a word of the n-th that was listed. */
  set(n: number, word: number, value: number): void {
    this.entries[this.words * this.columns.places[this.lists.slots[n]] + word] = value;
  }

  write(buffers: Buffers): void {
    const header = this.columns.words();
    buffers.reserve(`${this.name}Columns`, header.byteLength);
    buffers.reserve(`${this.name}Entries`, this.entries.byteLength);
    buffers.write(`${this.name}Columns`, header);
    buffers.write(`${this.name}Entries`, this.entries);
  }
}
