// The flowers of [SOG08 Fig. 6]: forty in the wind as the scene has them, on one and on two threads, and one that is refined three levels
// near a petal, as the paper's took 121 ms for.

import { type Body, createWorld, flower, octree, prepare, vertexCount, type World } from '../src/index.js';
import { flowers } from '../src/scenes/flowers.js';
import { buildScene, checkScene } from '../src/scenes/index.js';
import type { Contender, Runner } from './interleave.js';
import { WorldRunner } from './world-runner.js';

/** Coarse where it may be, so that there are three levels to go: 136 nodes. */
const COARSE = octree({ cells: 10, levels: 3, refine: 'topology', width: 1 });
/** Around the tip of a petal [m], of a flower of 1.6 m. */
const RADIUS = 0.1;
const SIZE = 1.6;
const VERTICES = 700;

export function flowersContender(count: number, threads: number): Contender {
  const scene = flowers();
  const bodies = scene.bodies.slice(0, count);
  const pins = (scene.pins ?? []).slice(0, count);
  return {
    row: {
      ...{ name: 'flowers', method: 'octree', backend: 'wasm', threads, particles: count * VERTICES, regionSize: null },
    },
    async build() {
      const built = await buildScene(checkScene({ ...scene, bodies, pins }), { backend: 'wasm', threads });
      const nodes = built.bodies.reduce((sum, body) => sum + body.nodeCount, 0);
      return new WorldRunner(built, { nodes });
    },
  };
}

export function petalContender(): Contender {
  const mesh = flower({ vertices: VERTICES, size: SIZE });
  return {
    row: {
      ...{ name: 'refine-petal', method: 'octree', backend: 'wasm', threads: 1, particles: vertexCount(mesh) },
      regionSize: null,
    },
    build: async () => new PetalRunner(await createWorld({ backend: 'wasm', threads: 1, gravity: [0, 0, 0] })),
  };
}

/** A step refines three levels near the outermost vertex of a flower that was not yet, and goes on by a step of the world. */
class PetalRunner implements Runner {
  private readonly prepared = prepare(flower({ vertices: VERTICES, size: SIZE }), COARSE);
  private readonly tip: number;
  private body: Body | undefined;
  private newNodes = 0;

  constructor(private readonly world: World) {
    const { positions } = this.prepared.mesh;
    let tip = 0;
    for (let k = 0; k < positions.length; k += 3) if (positions[k] > positions[3 * tip]) tip = k / 3;
    this.tip = tip;
  }

  async beginTurn(): Promise<void> {
    if (this.body) this.world.remove(this.body);
    this.body = this.world.add(this.prepared);
    this.world.step();
  }

  step(): void {
    const { body, tip, world } = this;
    if (!body) return;
    const [x, y, z] = body.positions.subarray(3 * tip, 3 * tip + 3);
    this.newNodes = body.refine({ sphere: { centre: [x, y, z], radius: RADIUS } }, 3);
    world.step();
  }

  volumeErrorPercent(): number {
    const { body } = this;
    return body ? 100 * Math.abs(body.volume() / body.restVolume - 1) : 0;
  }

  hash(): string {
    return new WorldRunner({ world: this.world, bodies: this.body ? [this.body] : [] }).hash();
  }

  figures() {
    return { nodes: this.prepared.innerCount, newNodes: this.newNodes };
  }

  dispose(): void {
    this.world.dispose();
  }
}
