// Meshes that move: our evaluator of glTF animations against three's AnimationMixer, and point caches against what was written.

import { AnimationMixer, type Mesh, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { MeshReadError, readMesh, readMovingMesh, writePointCache } from '../../../src/mesh/index.js';
import { RIG_DURATION, sampleRig } from './sample-rig.js';

/** Positions of every mesh of the scene, in the order of a walk down its nodes, as three would draw them. */
function shownBy(root: Object3D): number[] {
  root.updateMatrixWorld(true);
  const all: number[] = [];
  const point = new Vector3();
  root.traverse((object) => {
    const mesh = object as Mesh & Partial<SkinnedMesh>;
    if (!mesh.isMesh) return;
    mesh.skeleton?.update();
    for (let v = 0; v < mesh.geometry.attributes.position.count; v++)
      all.push(...mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld).toArray());
  });
  return all;
}

describe('a glTF animation', () => {
  it.each(['LINEAR', 'STEP', 'CUBICSPLINE'] as const)('moves as three moves it, %s', async (interpolation) => {
    const bytes = await sampleRig(interpolation);
    const { scene, animations } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animations[0]).play();
    const moving = await readMovingMesh(bytes, 'rig.glb');
    expect(moving.duration).toBe(RIG_DURATION);
    for (const time of [0, 0.1, 0.4999, 0.5, 0.77, 1.25, 1.6, 1.99]) {
      mixer.setTime(time);
      const expected = shownBy(scene);
      const got = moving.positionsAt(time);
      expect(got.length).toBe(expected.length);
      // Matrices of joints are in single precision there, of numbers up to 3.
      for (let i = 0; i < got.length; i++) expect(Math.abs(got[i] - expected[i])).toBeLessThan(3e-6);
    }
  });

  it('is held before its start and after its end, and has the vertices of the mesh file', async () => {
    const bytes = await sampleRig();
    const moving = await readMovingMesh(bytes, 'rig.glb');
    expect(moving.positionsAt(-1)).toEqual(moving.positionsAt(0));
    expect(moving.positionsAt(99)).toEqual(moving.positionsAt(RIG_DURATION));
    expect(moving.mesh).toEqual(await readMesh(bytes, 'rig.glb'));
  });

  it('tells where nodes are', async () => {
    const moving = await readMovingMesh(await sampleRig(), 'rig.glb');
    // The chain's root at its keyframe.
    expect(moving.nodeAt('joint0', 1.25).slice(9)).toEqual([0.5, -1, 0.5]);
    expect(() => moving.nodeAt('joint', 0)).toThrow('node: did you mean joint0? expected one of');
  });

  it('refuses what it has not in one line', async () => {
    const bytes = await sampleRig();
    await expect(readMovingMesh(bytes, 'rig.glb', { animation: 'bent' })).rejects.toThrow(
      new MeshReadError('rig.glb: animations: did you mean bend? expected bend, got "bent"'),
    );
    await expect(readMovingMesh(bytes, 'rig.fbx')).rejects.toThrow(
      'rig.fbx: unknown kind of moving mesh, expected one of .glb, .gltf, .pc2',
    );
  });

  it('refuses keyframes that are no numbers', async () => {
    const bytes = (await sampleRig()).slice();
    // The translation (0.5, −1, 0.5) of the second keyframe but one.
    const wanted = new Uint8Array(Float32Array.of(0.5, -1, 0.5).buffer);
    const at = Buffer.from(bytes).indexOf(wanted);
    bytes.set(new Uint8Array(Float32Array.of(Number.NaN).buffer), at);
    await expect(readMovingMesh(bytes, 'rig.glb')).rejects.toThrow(
      /^rig.glb: animations\[0\].channels\[2\]: expected keyframes of finite values/,
    );
  });
});

describe('a point cache', () => {
  const samples = [
    [0, 0, 0, 1, 2, 3],
    [1, 0, 0, 1, 2, 4],
    [2, 0, 0, 1, 2, 8],
  ];

  it('gives its samples at their frames, and what lies between', async () => {
    const moving = await readMovingMesh(writePointCache(samples, 1), 'a.pc2', { fps: 25 });
    expect(moving).toMatchObject({ vertexCount: 2, duration: 2 / 25 });
    samples.forEach((sample, n) => {
      expect([...moving.positionsAt(n / 25)]).toEqual(sample);
    });
    expect([...moving.positionsAt(1.5 / 25)]).toEqual([1.5, 0, 0, 1, 2, 6]);
    expect([...moving.positionsAt(9)]).toEqual(samples[2]);
  });

  it.each([
    [(bytes: Uint8Array) => bytes.subarray(0, 40), 'a.pc2: byte 40: expected 104 bytes for 3 samples'],
    [(bytes: Uint8Array) => bytes.subarray(0, 4), 'a.pc2: byte 0: expected "POINTCACHE2"'],
  ])('is refused where it is cut off', async (cut, line) => {
    await expect(readMovingMesh(cut(writePointCache(samples, 1)), 'a.pc2')).rejects.toThrow(new MeshReadError(line));
  });
});
