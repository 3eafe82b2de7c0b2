// Baked frames against the simulation itself, and every format against a reader that is not ours: three's GLTFLoader and animation
// mixer, the Khronos validator, and the formats' own definitions.

import { validateBytes } from 'gltf-validator';
import { AnimationMixer, type Mesh, type Object3D, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BakedScene, bakedFiles, bakeScene, type Track } from '../../src/bake/index.js';
import { checkScene, playScene } from '../../src/scenes/index.js';

const scene = checkScene({
  isochore: 1,
  steps: 60,
  bodies: [
    {
      name: 'ball',
      mesh: { shape: 'icosphere', detail: 2, radius: 0.4 },
      position: [0, 0.5, 0],
      spin: [3, 0, 1],
      velocity: [0, -3, 0],
    },
    {
      name: 'box',
      mesh: { shape: 'box', size: [0.5, 0.5, 0.5], divisions: 3 },
      position: [1.5, 0.6, 0],
      velocity: [0, -4, 0],
    },
  ],
  colliders: [
    { shape: 'plane', normal: [0, 1, 0] },
    {
      name: 'paddle',
      shape: 'box',
      size: [1, 0.1, 1],
      position: [0, 2, 0],
      motion: [{ time: 0 }, { time: 0.2, position: [0, 1.5, 0] }],
    },
  ],
});
const FPS = 40;
let baked: BakedScene;

beforeAll(async () => {
  baked = await bakeScene(scene, { fps: FPS });
});

/** All bytes of the file with an ending. */
async function bytesOf(name: string, tolerance?: number, ending = name): Promise<Uint8Array> {
  const file = bakedFiles(baked, name, { tolerance }).find((one) => one.name.endsWith(ending));
  const pieces: Uint8Array[] = [];
  for await (const piece of file?.pieces() ?? []) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

it('has the positions of the steps, and between them what lies between', async () => {
  // A frame is five steps long, so every frame is a step; at three quarters of that rate most are not.
  const steps: Float64Array[] = [];
  for await (const { bodies } of playScene(scene)) steps.push(Float64Array.from(bodies[0].positions));
  expect(baked.frameCount).toBe(13);
  for (let n = 0; n < baked.frameCount; n++) {
    expect(await baked.tracks[0].frame(n)).toEqual(Float32Array.from(steps[5 * n]));
  }
  const between = await bakeScene(scene, { fps: 30, from: 0.1, to: 0.2, bodies: ['ball'] });
  expect(between.tracks.map(({ name }) => name)).toEqual(['ball']);
  expect(between.frameCount).toBe(4);
  const time = (0.1 + 1 / 30) / scene.timeStep;
  const [low, high] = [steps[Math.floor(time)], steps[Math.ceil(time)]];
  const share = time - Math.floor(time);
  const frame = await between.tracks[0].frame(1);
  expect(frame).toEqual(Float32Array.from(high, (x, k) => low[k] + share * (x - low[k])));
});

describe('GLB', () => {
  /** Positions of a mesh in the world as three shows it at a time. */
  async function shownBy(bytes: Uint8Array, name: string, time: number): Promise<Float64Array> {
    const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    const mesh = gltf.scene.getObjectByName(name) as Mesh | Object3D;
    const shown = (mesh as Mesh).isMesh ? (mesh as Mesh) : (mesh.children[0] as Mesh);
    const point = new Vector3();
    const count = shown.geometry.getAttribute('position').count;
    const out = new Float64Array(3 * count);
    for (let i = 0; i < count; i++)
      point.fromArray(
        shown
          .getVertexPosition(i, point)
          .applyMatrix4(shown.matrixWorld)
          .toArray(out, 3 * i),
      );
    return out;
  }

  const furthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    Array.from(a).reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);

  /** Single precision of coordinates up to 2 m, through matrices and sums of a dozen shapes. */
  const ROUNDING = 5e-6;

  it.each([
    [0, ROUNDING],
    [0.001, 0.001],
    [0.01, 0.01],
  ])('shows every vertex within %s of the body', async (tolerance, allowed) => {
    const bytes = await bytesOf('x.glb', tolerance);
    const { issues } = await validateBytes(bytes);
    expect(issues.messages).toEqual([]);
    for (const [track, n] of [
      ...baked.tracks.flatMap((one) => [0, 4, 7, 12].map((k) => [one, k] as [Track, number])),
    ]) {
      const shown = await shownBy(bytes, track.name, n / FPS);
      // Bodies are less than a metre across.
      expect(furthest(shown, await track.frame(n))).toBeLessThan(allowed);
    }
  });

  it('is smaller the more it may be off', async () => {
    const sizes = await Promise.all(
      [0, 0.001, 0.01].map(async (tolerance) => (await bytesOf('x.glb', tolerance)).length),
    );
    expect(sizes[1]).toBeLessThan(0.6 * sizes[0]);
    expect(sizes[2]).toBeLessThan(sizes[1]);
  });

  it('shows obstacles where they are', async () => {
    const shown = await shownBy(await bytesOf('x.glb'), 'paddle', 0.1);
    const heights = Array.from({ length: shown.length / 3 }, (_, i) => shown[3 * i + 1]);
    expect(Math.abs(Math.max(...heights) - 1.8)).toBeLessThan(1e-6);
    expect(Math.abs(Math.min(...heights) - 1.7)).toBeLessThan(1e-6);
  });
});

it('writes point caches as they are defined, with the mesh beside them', async () => {
  const frames = await Promise.all(Array.from({ length: 13 }, (_, n) => baked.tracks[0].frame(n)));
  const pc2 = new DataView((await bytesOf('x.pc2', undefined, 'ball.pc2')).buffer);
  const mdd = new DataView((await bytesOf('x.mdd', undefined, 'ball.mdd')).buffer);
  expect(new TextDecoder().decode(new Uint8Array(pc2.buffer, 0, 12))).toBe('POINTCACHE2\0');
  expect([
    pc2.getInt32(12, true),
    pc2.getInt32(16, true),
    pc2.getFloat32(20, true),
    pc2.getFloat32(24, true),
    pc2.getInt32(28, true),
  ]).toEqual([...[1, 162, 1, 1, 13]]);
  expect([mdd.getInt32(0), mdd.getInt32(4), mdd.getFloat32(8 + 4 * 12)]).toEqual([13, 162, Math.fround(12 / FPS)]);
  for (const n of [0, 6, 12]) {
    const place = 4 * (3 * 162 * n + 100);
    expect(pc2.getFloat32(32 + place, true)).toBe(frames[n][100]);
    expect(mdd.getFloat32(8 + 4 * 13 + place)).toBe(frames[n][100]);
  }
  expect(pc2.byteLength).toBe(32 + 13 * 162 * 12);
  const rest = new TextDecoder().decode(await bytesOf('x.pc2', undefined, 'ball.obj'));
  expect(rest.match(/^v /gm)).toHaveLength(162);
  expect(rest.match(/^f /gm)).toHaveLength(320);
});

it('writes USD time samples, one per frame', async () => {
  const text = new TextDecoder().decode(await bytesOf('x.usda'));
  expect(text).toMatch(/^#usda 1\.0/);
  expect(text).toMatch(/upAxis = "Y"/);
  expect(text).toMatch(/metersPerUnit = 1\n/);
  const samples = [...text.matchAll(/point3f\[\] points\.timeSamples = \{\n([\s\S]*?)\n {8}\}/g)];
  expect(samples).toHaveLength(2);
  const lines = samples[0][1].split('\n');
  expect(lines).toHaveLength(13);
  const numbers =
    lines[6]
      .replace(/^\s*7: /, '')
      .match(/-?[\d.]+(e-?\d+)?/g)
      ?.map(Number) ?? [];
  expect(Float32Array.from(numbers)).toEqual(await baked.tracks[0].frame(6));
});

it('writes a mesh per frame, and refuses what it does not know', async () => {
  const names = bakedFiles(baked, 'out/x.obj').map(({ name }) => name);
  expect(names).toHaveLength(13);
  expect(names[12]).toBe('out/x.0013.obj');
  expect(bakedFiles(baked, 'x.ply')[1].name).toBe('x-box.0001.ply');
  expect(() => bakedFiles(baked, 'x.gbl')).toThrow('did you mean .glb?');
});

it('refuses frames that there cannot be, and bodies that are not there', async () => {
  await expect(bakeScene(scene, { fps: 0 })).rejects.toThrow('fps: expected a number above 0');
  await expect(bakeScene(scene, { from: 2, to: 1 })).rejects.toThrow('to: expected seconds from 2, got 1');
  await expect(bakeScene(scene, { bodies: ['bal'] })).rejects.toThrow('body: expected one of ball, box, got "bal"');
});
