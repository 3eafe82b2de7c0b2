// A ball of elements that meets a floor at 2 m/s, for every engine: the mesh, and how it is measured, by us, from its nodes.

import { StateHash } from '../src/math/hash.js';
import { stuff } from '../src/mesh/tetrahedralise/stuff.js';
import { boundaryOf, type TetraMesh } from '../src/mesh/tetrahedralise/tetra-mesh.js';
import type { Contender, Runner } from './interleave.js';

export const DROP = {
  radius: 0.5,
  density: 1000,
  speed: 2,
  timeStep: 1 / 240,
  gravity: -9.81,
  friction: 0.5,
  youngsModulus: 5e4,
} as const;

/** The ball about its middle, in cells of this size [m]. */
export function ballOf(cell: number): TetraMesh {
  const { radius: r } = DROP;
  const field = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z) - r;
  const low = [-r, -r, -r] as const;
  return stuff(field, [low, [r, r, r]], { cell, grading: 0 });
}

export function volumeOf(x: ArrayLike<number>, { tetrahedra }: TetraMesh): number {
  let six = 0;
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [o, a, b, c] = [3 * tetrahedra[t], 3 * tetrahedra[t + 1], 3 * tetrahedra[t + 2], 3 * tetrahedra[t + 3]];
    const [ax, ay, az] = [x[a] - x[o], x[a + 1] - x[o + 1], x[a + 2] - x[o + 2]];
    const [bx, by, bz] = [x[b] - x[o], x[b + 1] - x[o + 1], x[b + 2] - x[o + 2]];
    const [cx, cy, cz] = [x[c] - x[o], x[c + 1] - x[o + 1], x[c + 2] - x[o + 2]];
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}

/** Triangles of the outside, by node. */
export function surfaceOf(mesh: TetraMesh): Uint32Array {
  const { mesh: outside, nodes } = boundaryOf(mesh);
  return outside.triangles.map((vertex) => nodes[vertex]);
}

/** The ball in an engine's own world. */
export interface SolidWorld {
  step(): void;
  /** Where all nodes are now, in the mesh's own order [m]. */
  positions(): Float32Array | Float64Array;
  dispose(): void;
}

export interface SolidPeer {
  readonly method: string;
  /** What was set to other than the engine's defaults. */
  readonly settings: string;
  readonly build: (mesh: TetraMesh) => Promise<SolidWorld>;
}

export function solidContender({ method, settings, build }: SolidPeer, cell: number): Contender {
  const mesh = ballOf(cell);
  const [nodes, tetrahedra] = [mesh.positions.length / 3, mesh.tetrahedra.length / 4];
  return {
    row: {
      ...{ name: `drop-${tetrahedra}`, method, backend: 'wasm', threads: 1, particles: nodes, regionSize: null },
      ...{ nodes, tetrahedra, settings },
    },
    build: async () => new SolidRunner(await build(mesh), mesh),
  };
}

class SolidRunner implements Runner {
  private readonly restVolume: number;
  private readonly restRings: Float64Array;
  private ringError = 0;

  constructor(
    private readonly world: SolidWorld,
    private readonly mesh: TetraMesh,
  ) {
    this.restVolume = volumeOf(mesh.positions, mesh);
    this.restRings = ringsOf(mesh.positions, mesh);
  }

  step(): void {
    this.world.step();
  }

  volumeErrorPercent(): number {
    const x = this.world.positions();
    ringsOf(x, this.mesh).forEach((volume, n) => {
      this.ringError = Math.max(this.ringError, Math.abs(volume / this.restRings[n] - 1));
    });
    return 100 * Math.abs(volumeOf(x, this.mesh) / this.restVolume - 1);
  }

  hash(): string {
    const hash = new StateHash();
    hash.update(this.world.positions());
    return hash.digest();
  }

  figures() {
    return { maxOneRingErrorPercent: 100 * this.ringError };
  }

  dispose(): void {
    this.world.dispose();
  }
}

/** Sums of the volumes of the elements at each node [m³]. */
function ringsOf(x: ArrayLike<number>, { tetrahedra, positions }: TetraMesh): Float64Array {
  const sums = new Float64Array(positions.length / 3);
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = tetrahedra.subarray(t, t + 4);
    const volume = volumeOf(x, { positions, tetrahedra: corners });
    for (const n of corners) sums[n] += volume;
  }
  return sums;
}
