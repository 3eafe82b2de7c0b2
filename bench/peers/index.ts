// Soft bodies of today's engines and ours side by side: the same meshes, the same Δt, each engine at its best. The settings and
// how they were found are in the README beside this file.

import type { Progress } from '../../src/cli/progress.js';
import type { Benchmark } from '../benchmark.js';
import { interleave } from '../interleave.js';
import type { Row } from '../rows.js';
import { ammo } from './ammo.js';
import { isochore } from './isochore.js';
import { jolt } from './jolt.js';
import { type Peer, peerContender } from './peer.js';
import { rapier } from './rapier.js';
import { cubeScene, type PeerScene, pileScene, squeezeScene } from './scene.js';

const TUNED_RAPIER = { volumeFrequency: 4000, particleRadius: 0.01 };

const DEFAULT = rapier({}, 'volume on, else defaults');
const TUNED = rapier(TUNED_RAPIER, 'volume 4000 Hz, particle radius 0.01, 3 extra PGS');
const RAPIER: readonly Peer[] = [
  DEFAULT,
  rapier({ ...TUNED_RAPIER, additionalPgsIterations: 0 }, 'volume 4000 Hz, particle radius 0.01, no extra PGS'),
  TUNED,
];

/** Jolt's compliances and pressures are absolute, so each scene has its own. */
const CUBE_PEERS: readonly Peer[] = [
  isochore({ threads: 1, regionSize: 3 }),
  isochore({ threads: 2, regionSize: 3 }),
  isochore({ threads: 1, regionSize: 5 }),
  jolt({ pressure: 1000, compliance: 1e-4 }, 'pressure 1e3, edges 1e-4, 5 iterations'),
  jolt({ tetrahedra: { compliance: 0, centreMass: 100 }, compliance: 1e-7 }, 'tets 0, edges 1e-7, 5 iterations'),
  jolt(
    { tetrahedra: { compliance: 0, centreMass: 100 }, compliance: 1e-5, iterations: 20 },
    'tets 0, edges 1e-5, 20 iterations',
  ),
  ...RAPIER,
  ammo({ pressure: 1000, iterations: 1, stiffness: 0.9 }, 'pressure 1e3, kLST 0.9, 1 iteration'),
];

const SQUEEZE_PEERS: readonly Peer[] = [
  isochore({ threads: 1, regionSize: 3 }),
  isochore({ threads: 2, regionSize: 3 }),
  jolt({ pressure: 5e5, compliance: 3e-6 }, 'pressure 5e5, edges 3e-6, 5 iterations'),
  jolt(
    { tetrahedra: { compliance: 1.5e-8, centreMass: 100 }, compliance: 1e-3 },
    'tets 1.5e-8, edges 1e-3, 5 iterations',
  ),
  jolt(
    { tetrahedra: { compliance: 3e-9, centreMass: 100 }, compliance: 1e-3, iterations: 20 },
    'tets 3e-9, edges 1e-3, 20 iterations',
  ),
  ...RAPIER,
  ammo({ pressure: 1e5, iterations: 1, stiffness: 0.9 }, 'pressure 1e5, kLST 0.9, 1 iteration'),
];

/** Jolt has no contact between soft bodies; Bullet's were not tried. Rapier's defaults, which come to rest in no pile, have one of them. */
const PILE_PEERS: readonly Peer[] = [isochore({ threads: 1, regionSize: 3 }), TUNED];
const PILE_SEEDS = [1, 2, 3, 4];

/** Runs the peers of each scene against each other, one scene after the other. */
export async function comparePeers(
  scenes: readonly (readonly [PeerScene, readonly Peer[]])[],
  progress: Progress,
): Promise<Row[]> {
  const total = scenes.reduce((sum, [{ steps }]) => sum + steps, 0);
  const rows: Row[] = [];
  let before = 0;
  for (const [scene, peers] of scenes) {
    const onStep = (done: number) => progress.update(before + done, total);
    const contenders = peers.map((peer) => peerContender(peer, scene));
    rows.push(...(await interleave(contenders, { steps: scene.steps, onStep })));
    before += scene.steps;
  }
  return rows;
}

export const peers: Benchmark = (progress) =>
  comparePeers(
    [
      [cubeScene(), CUBE_PEERS],
      [squeezeScene(), SQUEEZE_PEERS],
      ...PILE_SEEDS.map((seed) => [pileScene(seed), seed === 1 ? [...PILE_PEERS, DEFAULT] : PILE_PEERS] as const),
    ],
    progress,
  );
