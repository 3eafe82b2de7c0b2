// What an engine has to offer to be a contender, and how its bodies are measured: by us, from its vertex positions.

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

class PeerRunner implements Runner {
  private readonly restVolumes: number[];

  constructor(
    private readonly world: PeerWorld,
    private readonly meshes: readonly TriangleMesh[],
  ) {
    this.restVolumes = meshes.map(({ positions, triangles }) => signedVolume(positions, triangles));
  }

  step(): void {
    this.world.step();
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
    return { ...(threads !== undefined && { threads }), height: Math.max(...heights) };
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
    build: async () => new PeerRunner(await peer.build(scene), meshes),
  };
}
