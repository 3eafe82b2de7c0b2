// What an engine has to offer to be a contender, and how its bodies are measured: by us, from its vertex positions.

import { depthInside } from '../../src/contact/soft/body-depth.js';
import { boundsOf, signedVolume, type TriangleMesh, vertexCount } from '../../src/index.js';
import { StateHash } from '../../src/math/hash.js';
import type { Contender, Runner } from '../interleave.js';
import type { RowHead } from '../rows.js';
import { PEER_WORLD, type PeerScene } from './scene.js';

/** A scene in an engine's own world. */
export interface PeerWorld {
  /** As many as it really runs on, where they can be chosen. */
  readonly threads?: number;
  step(): void;
  /** Where the vertices of a body are now, in its mesh's own order [m]. */
  positions(body: number): Float32Array | Float64Array;
  dispose(): void;
}

export interface Peer {
  readonly method: string;
  /** What was set to other than the engine's defaults. */
  readonly settings: string;
  /** One unless said. */
  readonly threads?: number;
  readonly regionSize?: number;
  readonly build: (scene: PeerScene) => Promise<PeerWorld>;
}

/** [kg] */
export const massOf = ({ positions, triangles }: TriangleMesh): number =>
  PEER_WORLD.density * signedVolume(positions, triangles);

/** Root mean square speed of a body's vertices from which on it moves [m/s], and for how long none may before a pile is at rest [s]. */
const MOVING = 0.05;
const STILL_FOR = 0.5;

class PeerRunner implements Runner {
  private readonly restVolumes: number[];
  private readonly before: Float64Array[] = [];
  private steps = 0;
  /** The last step in which a body moved. */
  private moved = 0;

  constructor(
    private readonly world: PeerWorld,
    private readonly meshes: readonly TriangleMesh[],
    private readonly isPile: boolean,
  ) {
    this.restVolumes = meshes.map(({ positions, triangles }) => signedVolume(positions, triangles));
  }

  step(): void {
    this.world.step();
  }

  watch(): void {
    if (!this.isPile) return;
    this.steps++;
    for (const body of this.meshes.keys()) {
      const now = this.world.positions(body);
      this.before[body] ??= Float64Array.from(now);
      const before = this.before[body];
      let square = 0;
      for (let k = 0; k < now.length; k++) square += (now[k] - before[k]) ** 2 / (now.length / 3);
      if (Math.sqrt(square) > MOVING * PEER_WORLD.timeStep) this.moved = this.steps;
      before.set(now);
    }
  }

  /** The deepest vertex of a body in another, in percent of the size of the body that it is of. */
  private overlapPercent(): number {
    const places = [...this.meshes.keys()].map((body) => Float64Array.from(this.world.positions(body)));
    const deepest = places.map((points, body) => {
      const [low, high] = boundsOf(this.meshes[body].positions);
      const size = Math.max(...high.map((x, c) => x - low[c]));
      const depths = places.map((other, n) => (n === body ? 0 : depthInside(points, other, this.meshes[n].triangles)));
      return (100 * Math.max(...depths)) / size;
    });
    return Math.max(...deepest);
  }

  volumeErrorPercent(): number {
    const errors = this.meshes.map(({ triangles }, body) => {
      const volume = signedVolume(this.world.positions(body), triangles);
      return Math.abs(volume / this.restVolumes[body] - 1) * 100;
    });
    return Math.max(...errors);
  }

  hash(): string {
    const hash = new StateHash();
    for (const body of this.meshes.keys()) hash.update(this.world.positions(body));
    return hash.digest();
  }

  /** The height of the highest body at the end shows what a volume does not: a slump, or a plate that did not squeeze. */
  figures(): Partial<RowHead> {
    const heights = this.meshes.map((_, body) => {
      const [low, high] = boundsOf(this.world.positions(body));
      return high[1] - low[1];
    });
    const { threads } = this.world;
    const pile = this.isPile && {
      bodies: this.meshes.length,
      restSeconds:
        (this.steps - this.moved) * PEER_WORLD.timeStep > STILL_FOR ? this.moved * PEER_WORLD.timeStep : null,
      overlapPercent: this.overlapPercent(),
    };
    return { ...(threads !== undefined && { threads }), height: Math.max(...heights), ...pile };
  }

  dispose(): void {
    this.world.dispose();
  }
}

export function peerContender(peer: Peer, scene: PeerScene): Contender {
  const meshes = scene.bodies.map(({ mesh }) => mesh);
  const { method, settings, threads = 1, regionSize = null } = peer;
  return {
    row: {
      name: scene.name,
      method,
      backend: 'wasm',
      threads,
      particles: meshes.reduce((sum, mesh) => sum + vertexCount(mesh), 0),
      regionSize,
      settings,
    },
    build: async () => new PeerRunner(await peer.build(scene), meshes, scene.room !== undefined),
  };
}
