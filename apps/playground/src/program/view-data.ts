// What the instrument's views show of the solver's inner life, per vertex or as lines.

import type { Body } from 'isochore';
import type { View, ViewData } from '../protocol.js';
import type { Simulation } from './simulation.js';

/** What stays as it is while the scene runs. */
export function describeView(
  simulation: Simulation,
  { view, body, vertex }: { view: View; body: number; vertex: number },
): ViewData {
  if (view === 'paths')
    return { view, lines: joinLines(simulation, pathLines), values: joinValues(simulation, pathHues) };
  if (view === 'pairs') return { view, lines: joinLines(simulation, pairLines) };
  if (view === 'region') {
    const values = joinValues(simulation, (other) => new Float32Array(other.particleCount));
    const index = Math.min(body, simulation.bodies.length - 1);
    let start = 0;
    for (const before of simulation.bodies.slice(0, index)) start += before.particleCount;
    values.set(regionValues(simulation.bodies[index], vertex), start);
    return { view, values };
  }
  return { view };
}

function joinLines({ bodies }: Simulation, linesOf: (body: Body) => number[]): Uint32Array {
  let start = 0;
  const all: number[] = [];
  for (const body of bodies) {
    for (const vertex of linesOf(body)) all.push(start + vertex);
    start += body.particleCount;
  }
  return Uint32Array.from(all);
}

function joinValues(
  { bodies, vertexCount }: Simulation,
  valuesOf: (body: Body, index: number) => Float32Array,
): Float32Array {
  const values = new Float32Array(vertexCount);
  let start = 0;
  for (const [index, body] of bodies.entries()) {
    values.set(valuesOf(body, index), start);
    start += body.particleCount;
  }
  return values;
}

/** The edges of each path. [DBB11 Fig. 5] */
function pathLines({ prepared }: Body): number[] {
  const lines: number[] = [];
  for (const path of prepared.structure?.paths() ?? []) {
    for (let n = 0; n + 1 < path.length; n++) lines.push(path[n], path[n + 1]);
  }
  return lines;
}

/** A number for each path, spread so that neighbours differ. */
function pathHues({ prepared, particleCount }: Body): Float32Array {
  const values = new Float32Array(particleCount);
  prepared.structure?.paths().forEach((path, n) => {
    for (const vertex of path) values[vertex] = (0.618 * n) % 1;
  });
  return values;
}

/** A number for each cell, spread so that neighbours differ; all alike without cells. */
const cellHues = (body: Body): Float32Array =>
  Float32Array.from(body.cells() ?? new Uint32Array(body.particleCount), (cell) => (0.618 * cell) % 1);

function pairLines({ prepared }: Body): number[] {
  const { pairs } = prepared.volume;
  const { order } = prepared.particles;
  const lines: number[] = [];
  pairs.partners.forEach((partner, place) => {
    if (partner !== place) lines.push(order[place], order[partner]);
  });
  return lines;
}

/** 1 at the vertex, ½ over its region, 0 elsewhere. */
function regionValues({ prepared, particleCount }: Body, vertex: number): Float32Array {
  const values = new Float32Array(particleCount);
  const chosen = Math.min(vertex, particleCount - 1);
  for (const member of prepared.structure?.regionOf(chosen) ?? []) values[member] = 0.5;
  values[chosen] = 1;
  return values;
}

/** A thousandth of a one-ring's volume, which a step may leave. */
const FULL_RING_ERROR = 1e-3;

/** What a body's solver can be seen of under a name, in shares of `full`; zeros where it has nothing of the kind. */
function innerView(body: Body, name: string, full: number): Float32Array {
  const values = body.inspect().views?.[name] ?? new Float64Array(body.particleCount);
  return Float32Array.from(values, (value) => Math.abs(value) / full);
}

function byLargest(values: Float32Array): Float32Array {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  return largest > 0 ? values.map((value) => value / largest) : values;
}

/** The edges between nodes inside, as they are now; undefined in other views. */
export function writeSegments({ bodies }: Simulation, view: View): Float32Array | undefined {
  if (view !== 'graph') return undefined;
  const graphs = bodies.map((body) => body.inspect().graph);
  const segments = new Float32Array(3 * graphs.reduce((sum, graph) => sum + (graph?.edges.length ?? 0), 0));
  let end = 0;
  for (const graph of graphs) {
    for (const node of graph?.edges ?? []) {
      segments.set(graph?.positions.subarray(3 * node, 3 * node + 3) ?? [], end);
      end += 3;
    }
  }
  return segments;
}

/** What changes from step to step, 0…1 per vertex; undefined for views that have nothing of the kind. */
export function writeValues(simulation: Simulation, view: View): Float32Array | undefined {
  if (view === 'contacts') return joinValues(simulation, (body) => Float32Array.from(body.inspect().touching));
  if (view === 'painted') return joinValues(simulation, (body, index) => simulation.painting.shown(body, index));
  if (view === 'cells') return joinValues(simulation, cellHues);
  if (view === 'rings') return joinValues(simulation, (body) => innerView(body, 'ringError', FULL_RING_ERROR));
  if (view === 'active') return joinValues(simulation, (body) => innerView(body, 'active', 1));
  if (view === 'stress') return byLargest(joinValues(simulation, (body) => innerView(body, 'stress', 1)));
  if (view !== 'weights') return undefined;
  return joinValues(simulation, (body) => {
    const { volumeWeights } = body.inspect();
    const sum = volumeWeights.reduce((all, weight) => all + weight, 0);
    // Four times the mean is about the most that a particle gets.
    const factor = sum > 0 ? volumeWeights.length / (4 * sum) : 0;
    return Float32Array.from(volumeWeights, (weight) => factor * weight);
  });
}
