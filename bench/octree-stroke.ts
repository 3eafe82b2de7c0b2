// The frames of a stroke through the liver, as [SOG08 Fig. 3] has them: each severs the matter that the blade passed since the last one, and
// goes on by a step of the world.

import {
  type Body,
  type CutStroke,
  createWorld,
  liver,
  octree,
  prepare,
  vertexCount,
  type World,
} from '../src/index.js';
import { type Contender, interleave, type Runner } from './interleave.js';
import type { Row } from './rows.js';
import { WorldRunner } from './world-runner.js';

/** Frames of a stroke; the blade is lifted before the next one begins, which is not measured. */
const FRAMES = 20;
const STEPS_BEFORE = 10;
/** The recipe's: 410 nodes before the stroke, 814 after it. */
const SOLVER = octree({ cells: 6, levels: 3 });

export function strokeRows(strokes: number): Promise<readonly Row[]> {
  return interleave([strokeContender()], { steps: FRAMES * strokes, stepsPerTurn: FRAMES });
}

function strokeContender(): Contender {
  const mesh = liver({ vertices: 2000, size: 1 });
  return {
    row: {
      ...{ name: 'stroke-liver', method: 'octree', backend: 'wasm', threads: 1, particles: vertexCount(mesh) },
      regionSize: null,
    },
    build: async () =>
      new StrokeRunner(await createWorld({ backend: 'wasm', threads: 1, gravity: [0, -1, 0] }), prepare(mesh, SOLVER)),
  };
}

class StrokeRunner implements Runner {
  private body: Body | undefined;
  private stroke: CutStroke | undefined;
  private frame = 0;

  constructor(
    private readonly world: World,
    private readonly prepared: ReturnType<typeof prepare>,
  ) {}

  async beginTurn(): Promise<void> {
    if (this.body) this.world.remove(this.body);
    this.body = this.world.add(this.prepared);
    for (let n = 0; n < STEPS_BEFORE; n++) this.world.step();
    this.stroke = this.body.beginCut();
    this.frame = 0;
  }

  /** Across the liver, a little up and down. */
  step(): void {
    const share = ++this.frame / FRAMES;
    this.stroke?.moveTo([-0.7 + 1.4 * share, 0.5 + 0.15 * Math.sin(3 * share), 0], [0, 0.1, 1]);
    this.world.step();
  }

  volumeErrorPercent(): number {
    const { body } = this;
    return body ? 100 * Math.abs(body.volume() / body.restVolume - 1) : 0;
  }

  hash(): string {
    return new WorldRunner({ world: this.world, bodies: this.body ? [this.body] : [] }).hash();
  }

  figures() {
    return { nodes: this.body?.nodeCount, parts: this.body?.parts.length };
  }

  dispose(): void {
    this.world.dispose();
  }
}
