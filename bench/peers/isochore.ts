// Our own bodies in the same scenes.

import { createWorld, type Prepared, prepare, surface, type TriangleMesh } from '../../src/index.js';
import type { Peer, PeerWorld } from './peer.js';
import { PEER_WORLD, type PeerScene, wallsOf } from './scene.js';

export interface IsochoreSettings {
  readonly threads: number;
  readonly regionSize: number;
}

/** Everything but the threads and ω as it is by default. */
export function isochore({ threads, regionSize }: IsochoreSettings): Peer {
  return {
    method: 'isochore',
    settings: `defaults, ω = ${regionSize}`,
    threads,
    regionSize,
    build: (scene) => buildWorld(scene, threads, regionSize),
  };
}

async function buildWorld(scene: PeerScene, threads: number, regionSize: number): Promise<PeerWorld> {
  const { gravity, timeStep, density, friction } = PEER_WORLD;
  const world = await createWorld({ gravity, timeStep, backend: 'wasm', threads });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction });
  const { plate, room } = scene;
  for (const { size, position } of room === undefined ? [] : wallsOf(room)) {
    world.addCollider({ shape: 'box', size, position, friction });
  }
  if (plate) world.addCollider({ shape: 'box', size: plate.size, motion: plate.motion, friction });
  const prepared = new Map<TriangleMesh, Prepared>();
  const bodies = scene.bodies.map(({ mesh, position }) => {
    const rest = prepared.get(mesh) ?? prepare(mesh, surface({ regionSize }));
    prepared.set(mesh, rest);
    return world.add(rest, { position, density });
  });
  return {
    threads: world.capabilities.threads,
    step: () => world.step(),
    positions: (body) => bodies[body].positions,
    dispose: () => world.dispose(),
  };
}
