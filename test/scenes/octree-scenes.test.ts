// The scenes with hands, a liver, blocks and flowers do what they are there to show; with coarser surfaces than their own, and no longer
// than it takes to see.

import { expect, it } from 'vitest';
import type { Body } from '../../src/index.js';
import { checkScene, findScene, playScene, type Scene, SceneError } from '../../src/scenes/index.js';

const sceneOf = (name: string): Scene => checkScene(findScene(name)?.make());

/** The scene with surfaces of so many vertices. */
const withVertices = (scene: Scene, vertices: number): Scene => ({
  ...scene,
  bodies: scene.bodies.map((body) => ({
    ...body,
    mesh: { ...(body.mesh as { shape: 'hand'; size: number }), vertices },
  })),
});

/** The bodies after so many steps; `look` sees each of them. */
async function run(scene: Scene, steps: number, look: (bodies: readonly Body[], step: number) => void): Promise<void> {
  for await (const { bodies, step, nonFinite } of playScene(scene, { backend: 'wasm', threads: 1, steps })) {
    expect(nonFinite).toBe(0);
    look(bodies, step);
  }
}

/** The vertex nearest to a point of the mesh at rest [m]. */
function nearest({ mesh }: Body, point: readonly number[]): number {
  const away = (v: number) => point.reduce((sum, x, c) => sum + (mesh.positions[3 * v + c] - x) ** 2, 0);
  return Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).reduce((a, b) => (away(b) < away(a) ? b : a));
}

/** How far a vertex is from where it was at the start [m]. */
const moved = ({ positions }: Body, start: ArrayLike<number>, v: number): number =>
  Math.sqrt([0, 1, 2].reduce((sum, c) => sum + (positions[3 * v + c] - start[3 * v + c]) ** 2, 0));

/** Finger tips, from the index to the little one and the thumb, in a hand of 2 m. */
const TIPS = [
  [-0.48, 1.72, 0.1],
  [-0.14, 1.9, 0.1],
  [0.24, 1.8, 0.1],
  [0.52, 1.48, 0.1],
  [-0.69, 1.06, 0.16],
];

it('hand: the finger moves ten times as far as any other for as long as it is pushed', async () => {
  const scene = withVertices(sceneOf('hand'), 800);
  let start: Float64Array | undefined;
  let tips: number[] = [];
  let farthest = 0;
  let touched = 0;
  await run(scene, 180, ([hand], step) => {
    expect(hand.nodeCount).toBeLessThanOrEqual(700);
    start ??= Float64Array.from(hand.positions);
    if (step === 0) tips = TIPS.map((tip) => nearest(hand, tip));
    if (hand.contactCount === 0) return;
    touched++;
    const [pushed, ...others] = tips.map((tip) => moved(hand, start as Float64Array, tip));
    farthest = Math.max(farthest, pushed);
    // From the first touch to the last; at rest single precision moves tips of a hand of 2 m by some 1e-6.
    expect(Math.max(...others)).toBeLessThan(0.1 * pushed + 1e-5);
  });
  expect(farthest).toBeGreaterThan(0.3);
  expect(touched).toBeGreaterThan(80);
});

it('hand-stiffness: the soft little finger droops further than that of the even hand, the hard thumb less', async () => {
  const scene = withVertices(sceneOf('hand-stiffness'), 700);
  let starts: Float64Array[] = [];
  await run(scene, 110, (hands, step) => {
    if (step === 0) starts = hands.map(({ positions }) => Float64Array.from(positions));
    if (step < 110) return;
    const droop = (tip: readonly number[]) => hands.map((hand, n) => moved(hand, starts[n], nearest(hand, tip)));
    // After half a second, when the even finger has come to its end and the soft one falls on.
    const [even, soft] = droop(TIPS[3]);
    expect(soft).toBeGreaterThan(1.1 * even);
    const [plain, hard] = droop(TIPS[4]);
    expect(hard).toBeLessThan(0.9 * plain);
  });
});

it('cut-liver: is cut at its times, into parts with volumes of their own', async () => {
  const scene = withVertices(sceneOf('cut-liver'), 300);
  const counts = new Set<string>();
  await run(scene, 380, ([liver], step) => {
    counts.add(`${liver.parts.length} from ${Math.floor(step / 160.5)}`);
    if (step < 380) return;
    expect(liver.parts.length).toBe(3);
    for (const part of liver.parts) expect(Math.abs(part.volume() / part.restVolume - 1)).toBeLessThan(2e-5);
  });
  // Before the first cut (step 160) one, two until the second (step 360).
  expect([...counts]).toEqual(['1 from 0', '2 from 1', '2 from 2', '3 from 2']);
});

it('plastic-block: the elastic block springs back, the plastic one keeps its dent', async () => {
  const scene = sceneOf('plastic-block');
  const divisions: [number, number, number] = [8, 4, 8];
  const bodies = scene.bodies.map((body) => ({ ...body, mesh: { ...(body.mesh as { shape: 'box' }), divisions } }));
  await run({ ...scene, bodies } as Scene, 360, (blocks, step) => {
    if (step < 360) return;
    const [elastic, plastic] = blocks.map((block) => block.positions[3 * nearest(block, [0, 0.4, 0]) + 1]);
    expect(elastic).toBeGreaterThan(0.75);
    expect(plastic).toBeLessThan(0.68);
    // The rim stays up: it is a dent, and not a block that gave way.
    const rim = blocks[1].positions[3 * nearest(blocks[1], [0.8, 0.4, 0.8]) + 1];
    expect(rim - plastic).toBeGreaterThan(0.1);
  });
});

it('flowers: stand, and sway in the wind', async () => {
  const scene = sceneOf('flowers');
  expect(scene.bodies.length).toBe(40);
  const few = { ...scene, bodies: scene.bodies.slice(0, 2), pins: scene.pins.slice(0, 2) };
  let starts: Float64Array[] = [];
  await run(few, 120, (flowers, step) => {
    if (step === 0) starts = flowers.map(({ positions }) => Float64Array.from(positions));
    if (step < 120) return;
    flowers.forEach((flower, n) => {
      const tip = nearest(flower, [0, 1.6, 0.2]);
      expect(flower.positions[3 * tip] - starts[n][3 * tip]).toBeGreaterThan(0.02);
      expect(flower.positions[3 * tip + 1]).toBeGreaterThan(1.1);
    });
  });
});

it('cuts name bodies that are there and can be cut', async () => {
  const plane = { point: [0, 0, 0], normal: [0, 1, 0] };
  const file = (body: string) => ({
    isochore: 1,
    bodies: [{ name: 'box', mesh: { shape: 'box', divisions: 2 } }],
    cuts: [{ body, time: 0, plane }],
  });
  expect(() => checkScene(file('bux'))).toThrow('cuts[0].body: expected the name of a body (box; did you mean box?)');
  const play = async () => {
    for await (const _ of playScene(checkScene(file('box')), { backend: 'reference', steps: 1 }));
  };
  await expect(play()).rejects.toThrow(SceneError);
});
