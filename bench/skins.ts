// What the visible mesh of a body costs: positions and normals of its vertices on those of a coarse body that shakes, on both backends.

import { createWorld, creature, icosphere, prepare, type Skin, surface, type TriangleMesh } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave, type Runner } from './interleave.js';
import type { RowHead } from './rows.js';

const STEPS = 200;

interface Pair {
  readonly name: string;
  readonly body: () => TriangleMesh;
  readonly visible: () => TriangleMesh;
}

const PAIRS: readonly Pair[] = [
  { name: 'creature', body: () => creature({ vertices: 1000 }), visible: () => creature({ vertices: 20_000 }) },
  { name: 'sphere', body: () => icosphere({ detail: 3 }), visible: () => icosphere({ detail: 6 }) },
];

class SkinRunner implements Runner {
  constructor(
    private readonly skin: Skin,
    private readonly further: Readonly<Record<string, number>>,
    readonly dispose: () => void,
  ) {}

  step(): void {
    this.skin.update();
  }

  /** A skin has no volume of its own to keep. */
  volumeErrorPercent(): number {
    return 0;
  }

  hash(): string {
    return new StateHash().update(this.skin.positions).update(this.skin.normals).digest();
  }

  figures(): Partial<RowHead> {
    return this.further;
  }
}

function skinContender({ name, body, visible }: Pair, backend: 'wasm' | 'reference'): Contender {
  const [cage, seen] = [body(), visible()];
  const [particles, skinVertices] = [cage, seen].map(({ positions }) => positions.length / 3);
  return {
    row: { name, method: 'skin', backend, threads: 1, particles, regionSize: null, skinVertices },
    async build() {
      const world = await createWorld({ backend, threads: 1 });
      const held = world.add(prepare(cage, surface()));
      const start = performance.now();
      const skin = held.embed(seen);
      const bindSeconds = (performance.now() - start) / 1000;
      for (let step = 0; step < 5; step++) world.step();
      return new SkinRunner(skin, { bindSeconds }, () => world.dispose());
    },
  };
}

export const skins: Benchmark = (progress) =>
  interleave(
    PAIRS.flatMap((pair) => (['wasm', 'reference'] as const).map((backend) => skinContender(pair, backend))),
    { steps: STEPS, onStep: progress.update },
  );
