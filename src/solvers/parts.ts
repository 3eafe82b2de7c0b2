// The closed parts of a body's shell: each keeps a volume of its own. Most bodies are one part.

import { adjacencyOf } from '../mesh/adjacency.js';
import { boundingSphere, signedVolume } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildVolumeRest, spreadOf, type VolumeRest } from './volume/rest.js';

/** One closed part at rest: particles `first` … `first + count − 1` of the shell. */
export interface PartRest {
  readonly first: number;
  readonly count: number;
  /** Particles and triangles counted from `first`. */
  readonly volume: VolumeRest;
}

/** What is told of a shell's parts. */
interface Parted {
  readonly count: number;
  readonly mesh: TriangleMesh;
  readonly parts?: Uint32Array;
}

/** What is known of a shell's volume and of that of its parts, from what a solver gave of the whole. */
export function buildParts(shell: Parted, given?: VolumeRest): { volume: VolumeRest; parts: readonly PartRest[] } {
  const { count, mesh, parts: bounds = Uint32Array.of(0, count) } = shell;
  expectParts(bounds, count, mesh.triangles);
  if (bounds.length === 2) {
    const volume = given ?? buildVolumeRest(mesh);
    return { volume, parts: [{ first: 0, count, volume }] };
  }
  const parts = Array.from(bounds.subarray(1), (end, n): PartRest => {
    const first = bounds[n];
    const volume = buildVolumeRest(cutPart(mesh, first, end));
    return { first, count: end - first, volume: given?.pushes ? withPushes(volume, given.pushes, first) : volume };
  });
  return { volume: given ?? joinVolumes(mesh, parts), parts };
}

/** The same parts, each with its own of factors on how much particles take part in keeping the volume. */
export const weighParts = (parts: readonly PartRest[], weights: Float64Array): readonly PartRest[] =>
  parts.map(({ first, count, volume }) => ({
    ...{ first, count },
    volume: { ...volume, weights: weights.slice(first, first + count) },
  }));

/** How far apart contact sees parts at rest, in sizes of the body: as far as it takes not to be near each other. */
const APART = 4;

/**
 * The shell at rest as contact is to see it. What is near at rest never touches, as the surface between bends; parts may touch
 * wherever they were cut, so they lie apart there.
 */
export function spreadParts(mesh: TriangleMesh, parts: readonly PartRest[], size: number): TriangleMesh {
  if (parts.length === 1) return mesh;
  const positions = mesh.positions.slice();
  parts.forEach(({ first, count }, n) => {
    for (let i = first; i < first + count; i++) positions[3 * i] += n * APART * size;
  });
  return { positions, triangles: mesh.triangles };
}

const withPushes = (volume: VolumeRest, pushes: Float64Array, first: number): VolumeRest => ({
  ...volume,
  pushes: pushes.slice(3 * first, 3 * first + 3 * volume.areas.length),
});

/** Throws where parts are not runs of particles that no triangle joins. */
function expectParts(bounds: Uint32Array, count: number, triangles: Uint32Array): void {
  const rises = bounds.length >= 2 && bounds.every((bound, n) => n === 0 || bound > bounds[n - 1]);
  if (!rises || bounds[0] !== 0 || bounds[bounds.length - 1] !== count) {
    throw new RangeError(`particles.parts: expected numbers that rise from 0 to ${count}, got ${bounds.join(', ')}`);
  }
  const partOf = new Uint32Array(count);
  for (let n = 0; n + 1 < bounds.length; n++) partOf.fill(n, bounds[n], bounds[n + 1]);
  for (let t = 0; t < triangles.length; t += 3) {
    const part = partOf[triangles[t]];
    if (part === partOf[triangles[t + 1]] && part === partOf[triangles[t + 2]]) continue;
    throw new RangeError(`particles.parts: expected triangles within one part, got one of several (${t / 3})`);
  }
}

/** The particles `first` … `end` − 1 and their triangles as a mesh. */
function cutPart({ positions, triangles }: TriangleMesh, first: number, end: number): TriangleMesh {
  // Loops and not callbacks: whoever cuts waits for this.
  const own = new Uint32Array(triangles.length);
  let length = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    if (triangles[t] < first || triangles[t] >= end) continue;
    for (let k = t; k < t + 3; k++) own[length++] = triangles[k] - first;
  }
  return { positions: positions.slice(3 * first, 3 * end), triangles: own.slice(0, length) };
}

/** What is known of the parts, for all of them together. */
function joinVolumes(mesh: TriangleMesh, parts: readonly PartRest[]): VolumeRest {
  const count = mesh.positions.length / 3;
  const gather = <A extends Float64Array | Uint32Array>(out: A, stride: number, of: (rest: VolumeRest) => A): A => {
    for (const { first, volume } of parts) out.set(of(volume), stride * first);
    return out;
  };
  const areas = gather(new Float64Array(count), 1, (rest) => rest.areas);
  const partners = new Uint32Array(count);
  for (const { first, volume } of parts) {
    partners.set(
      volume.pairs.partners.map((partner) => first + partner),
      first,
    );
  }
  return {
    triangles: mesh.triangles,
    volume: signedVolume(mesh.positions, mesh.triangles),
    areas,
    pushAreas: gather(new Float64Array(count), 1, (rest) => rest.pushAreas),
    unitNormals: gather(new Float64Array(3 * count), 3, (rest) => rest.unitNormals),
    size: 2 * boundingSphere(mesh.positions).radius,
    spread: spreadOf(mesh.positions, areas),
    neighbours: adjacencyOf(mesh),
    pairs: {
      partners,
      lengths: gather(new Float64Array(count), 1, (rest) => rest.pairs.lengths),
      depths: gather(new Float64Array(count), 1, (rest) => rest.pairs.depths),
    },
  };
}
