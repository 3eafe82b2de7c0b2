// What frames of the deformer cost, converged at the default tolerance: against the size of the helper mesh up to 16 000 vertices, in five
// scenes at the two sizes that artists use, and over worker threads. Colliders move on from frame to frame, as columns of the inverse are
// kept (`inverse-columns`): no frame is asked for twice in a row. Beside it a step of the paper's own iteration.

import {
  createDeformer,
  createDeformerPool,
  type DeformedFrame,
  type Deformer,
  type DeformerCollider,
  type DeformerPool,
  type DeformerSettings,
} from '../src/deformer/index.js';
import { capsule, icosphere, type TriangleMesh } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import type { Benchmark } from './benchmark.js';
import { type Contender, interleave, type Runner } from './interleave.js';

/**
 * Frames of each contender, and of each in turn: the largest take some tenths of a second. Small bodies have more, as the engine compiles while
 * the first are computed.
 */
const FRAMES = 12;
const FRAMES_OF_SMALL = 48;
const FRAMES_PER_TURN = 4;
/** Steps of the paper's iteration in one frame. */
const ITERATIONS = 20;
/**
 * Frames that a pool is given at once, and how often: workers compile what they run by themselves, and two of them, on two processors that also do
 * the compiling, are only as fast as one for their first hundred frames each.
 */
const FRAMES_AT_ONCE = 48;
const POOL_TURNS = 8;
/** By how much colliders move from frame to frame [half sizes], and after how many they turn back. */
const STEP = 0.01;
const TURN = 6;

/** Half sizes of bodies about 1; the ball presses from above, the planes from below and both sides, the large ball swallows. */
const SCENES: Readonly<Record<string, readonly DeformerCollider[]>> = {
  ball: [{ shape: 'sphere', radius: 0.5, position: [0, 1.15, 0] }],
  edge: [
    {
      shape: 'box',
      size: [2, 2, 2],
      rotation: [0, 0, 0.3826834323650898, 0.9238795325112867],
      position: [0, 2.0642, 0],
    },
  ],
  plane: [{ shape: 'plane', normal: [0, 1, 0], offset: -1 / 3 }],
  squeeze: [
    { shape: 'plane', normal: [1, 0, 0], offset: -0.5 },
    { shape: 'plane', normal: [-1, 0, 0], offset: -0.5 },
  ],
  swallow: [{ shape: 'sphere', radius: 0.9, position: [0, 0.9, 0] }],
};

/** A scene's colliders at a frame: planes go back, others sideways, there and back again. */
function collidersAt(scene: string, frame: number): DeformerCollider[] {
  const phase = frame % (2 * TURN);
  const by = STEP * (phase < TURN ? phase : 2 * TURN - phase);
  return SCENES[scene].map((collider) => {
    if (collider.shape === 'plane') return { ...collider, offset: (collider.offset ?? 0) - by };
    const [x, y, z] = collider.position ?? [0, 0, 0];
    return { ...collider, position: [x + by, y, z] };
  });
}

interface BenchBody {
  readonly mesh: () => TriangleMesh;
  readonly depth: number;
  readonly scenes: readonly string[];
  /** Whether it has more frames. */
  readonly isSmall?: boolean;
}

/** A capsule of height 2. */
const tall = (radius: number): TriangleMesh => capsule({ radius, height: 2, segments: 64 });

/** Helper meshes of some hundred to 16 000 vertices; each row names its own. */
const BODIES: readonly BenchBody[] = [
  { mesh: () => icosphere({ detail: 2 }), depth: 2, scenes: ['ball'], isSmall: true },
  { mesh: () => icosphere({ detail: 3 }), depth: 3, scenes: Object.keys(SCENES), isSmall: true },
  { mesh: () => tall(0.75), depth: 4, scenes: Object.keys(SCENES) },
  { mesh: () => icosphere({ detail: 4 }), depth: 4, scenes: ['ball'] },
  { mesh: () => tall(0.8), depth: 5, scenes: ['ball'] },
];
const [, ARTISTS] = BODIES;

const hashOf = (frame: DeformedFrame | undefined): string =>
  new StateHash().update(frame?.positions ?? new Float64Array(0)).digest();

const volumeErrorOf = (frame: DeformedFrame | undefined): number => {
  const { volumeAfter = 1, volumeTarget = 1 } = frame?.report ?? {};
  return 100 * Math.abs(volumeAfter / volumeTarget - 1);
};

/** Processor time of this process so far [ms]. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** One frame per step. */
class FrameRunner implements Runner {
  private readonly deformer: Deformer;
  private readonly mesh: TriangleMesh;
  private result: DeformedFrame | undefined;
  private frame = 0;
  private iterations = 0;
  private notConverged = 0;
  private leastTime = Infinity;

  constructor(
    body: BenchBody,
    private readonly scene: string,
    private readonly settings: Partial<DeformerSettings>,
  ) {
    this.mesh = body.mesh();
    this.deformer = createDeformer(this.mesh, settings);
  }

  step(): void {
    const start = processorTime();
    this.result = this.deformer.at({ colliders: collidersAt(this.scene, this.frame++) });
    this.leastTime = Math.min(this.leastTime, processorTime() - start);
    const { iterations, flags } = this.result.report;
    this.iterations += iterations;
    if (flags.includes('not-converged')) this.notConverged++;
  }

  volumeErrorPercent(): number {
    return volumeErrorOf(this.result);
  }

  hash(): string {
    return hashOf(this.result);
  }

  figures() {
    const { structure } = this.deformer;
    // A frame that comes alone factors the matrix and finds its columns first; the engine is warm by now.
    const alone = createDeformer(this.mesh, this.settings);
    const start = processorTime();
    alone.at({ colliders: collidersAt(this.scene, 0) });
    return {
      particles: structure.vertices,
      processorMs: this.leastTime,
      processorMsAlone: processorTime() - start,
      iterations: this.iterations / this.frame,
      converged: `${this.frame - this.notConverged} of ${this.frame}`,
      deepestBetween: this.result?.report.depthBetween,
      tetrahedra: structure.tetrahedra,
      factorNumbers: structure.factorNumbers,
    };
  }

  dispose(): void {
    this.result = undefined;
  }
}

/** Some frames per step, over workers. */
class PoolRunner implements Runner {
  private results: readonly DeformedFrame[] = [];
  private least = Infinity;

  constructor(
    private readonly pool: DeformerPool,
    private readonly scene: string,
  ) {}

  async step(): Promise<void> {
    const start = performance.now();
    const frames = Array.from({ length: FRAMES_AT_ONCE }, (_, frame) => frame);
    this.results = await Promise.all(
      frames.map((frame) => this.pool.at({ colliders: collidersAt(this.scene, frame) })),
    );
    this.least = Math.min(this.least, performance.now() - start);
  }

  volumeErrorPercent(): number {
    return Math.max(...this.results.map(volumeErrorOf));
  }

  /** Of the last frame, which is that of a row without workers. */
  hash(): string {
    return hashOf(this.results.at(-1));
  }

  figures() {
    return { framesPerSecond: (1000 * FRAMES_AT_ONCE) / this.least };
  }

  dispose(): void {
    this.pool.dispose();
  }
}

const headOf = (name: string, method: string, threads: number, particles = 0) =>
  ({ name, method, backend: 'wasm', threads, particles, regionSize: null }) as const;

export function deformerContender(body: BenchBody, scene: string, mode: 'minimise' | 'iterate'): Contender {
  const settings = { depth: body.depth, mode, iterations: ITERATIONS };
  return { row: headOf(scene, mode, 1), build: () => new FrameRunner(body, scene, settings) };
}

function poolContender(body: BenchBody, scene: string, workers: number): Contender {
  return {
    row: headOf(scene, `${FRAMES_AT_ONCE} frames by workers`, workers, 1203),
    build: async () => {
      const tasks = [{ mesh: body.mesh(), settings: { depth: body.depth } }];
      return new PoolRunner(await createDeformerPool(tasks, { workers }), scene);
    },
  };
}

export const deformer: Benchmark = async (progress) => {
  const contendersOf = (bodies: readonly BenchBody[]) =>
    bodies.flatMap((body) => [
      ...body.scenes.map((scene) => deformerContender(body, scene, 'minimise')),
      deformerContender(body, 'ball', 'iterate'),
    ]);
  const [small, large] = [true, false].map((isSmall) =>
    contendersOf(BODIES.filter((body) => (body.isSmall ?? false) === isSmall)),
  );
  const turns = { stepsPerTurn: FRAMES_PER_TURN, onStep: progress.update };
  const rows = [
    ...(await interleave(small, { ...turns, steps: FRAMES_OF_SMALL })),
    ...(await interleave(large, { ...turns, steps: FRAMES })),
  ];
  const pools = await interleave(
    [1, 2].map((workers) => poolContender(ARTISTS, 'ball', workers)),
    { steps: POOL_TURNS, stepsPerTurn: 1 },
  );
  return [
    ...rows.map((row) => ({
      ...row,
      msPerIteration: typeof row.processorMs === 'number' ? row.processorMs / Number(row.iterations) : null,
    })),
    ...pools,
  ];
};
