// A body with seams, whose vertices were welded to simulate it, is written with the vertices of its file, their texture coordinates and
// materials, in every format; judged by the Khronos validator and by three's loaders.

import { validateBytes } from 'gltf-validator';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { PNG } from 'pngjs';
import {
  AnimationMixer,
  type BufferAttribute,
  type InterleavedBufferAttribute,
  type Mesh,
  type MeshStandardMaterial,
  Vector3,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { followLook } from '../../src/bake/body-look.js';
import { type BakedScene, bakedFiles, bakeScene, type GlbOptions } from '../../src/bake/index.js';
import { generateShape, readLook, readMesh } from '../../src/mesh/index.js';
import { checkScene } from '../../src/scenes/index.js';
import { type SeamedBall, seamedBall } from './seamed-ball.js';
import { withoutImages } from './without-images.js';

const FPS = 40;
const scene = checkScene({
  isochore: 1,
  steps: 40,
  bodies: [
    { name: 'ball', mesh: 'ball.glb', scale: 1.5, position: [0.3, 0.7, 0], velocity: [0, -3, 0], spin: [2, 1, 0] },
  ],
  colliders: [{ name: 'floor', shape: 'plane' }],
});
let ball: SeamedBall;
let baked: BakedScene;

beforeAll(async () => {
  ball = await seamedBall();
  baked = await bakeScene(scene, {
    fps: FPS,
    loadMesh: () => readMesh(ball.bytes, 'ball.glb'),
    loadLook: () => readLook(ball.bytes, 'ball.glb'),
  });
});

async function filesOf(name: string, options: GlbOptions = {}): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const file of bakedFiles(baked, name, options)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces()) pieces.push(piece);
    files[file.name] = new Uint8Array(Buffer.concat(pieces));
  }
  return files;
}

/** In their order, however they lie in memory. */
const numbersOf = (values: BufferAttribute | InterleavedBufferAttribute): number[] =>
  Array.from({ length: values.itemSize * values.count }, (_, k) =>
    values.getComponent(Math.floor(k / values.itemSize), k % values.itemSize),
  );

it('is simulated without its seams and shown with them', async () => {
  const [track] = baked.tracks;
  expect(ball.placeCount).toBeLessThan(ball.vertexCount);
  expect(track.mesh.positions.length / 3).toBe(ball.vertexCount);
  const rest = await readMesh(ball.bytes, 'ball.glb');
  const last = await track.frame(baked.frameCount - 1);
  // What is in one place at rest stays in one place, to the bit.
  const places = new Map<string, string>();
  for (let v = 0; v < ball.vertexCount; v++) {
    const [at, now] = [rest.positions, last].map((p) =>
      Array.from(p.subarray(3 * v, 3 * v + 3), (x) => x + 0).join(' '),
    );
    expect(places.get(at) ?? now).toBe(now);
    places.set(at, now);
  }
  expect(places.size).toBe(ball.placeCount);
});

it('follows a cage that is another surface, rigidly where that moves rigidly', async () => {
  const look = await readLook(ball.bytes, 'ball.glb');
  const cage = generateShape({ shape: 'icosphere', detail: 3, radius: 0.45 });
  const show = followLook(cage, look);
  const [cos, sin] = [Math.cos(1.2), Math.sin(1.2)];
  const move = (p: Float64Array) =>
    Float32Array.from(p, (x, k) => {
      if (k % 3 === 1) return x + 2;
      return k % 3 === 0 ? cos * x - sin * p[k + 2] : sin * p[k - 2] + cos * x;
    });
  const [shown, wanted] = [show(move(cage.positions)), move(look.mesh.positions)];
  // Single precision of coordinates of two metres.
  shown.forEach((x, k) => {
    expect(Math.abs(x - wanted[k])).toBeLessThan(1e-6);
  });
});

describe('glTF', () => {
  async function loadMeshes(bytes: Uint8Array<ArrayBuffer>) {
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const gltf = await withoutImages(() => loader.parseAsync(bytes.buffer, ''));
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    const group = gltf.scene.getObjectByName('ball');
    return { gltf, mixer, meshes: group?.children as Mesh[] };
  }

  it.each([
    [{ tolerance: 0 }, 5e-6],
    [{ tolerance: 0.001 }, 0.0012],
    [{ tolerance: 0.001, compress: true }, 0.0012],
  ] as const)('with %j has parts, texture coordinates and materials of the file', async (options, allowed) => {
    const { 'x.glb': bytes } = await filesOf('x.glb', options);
    const { issues } = await validateBytes(bytes);
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const { gltf, mixer, meshes } = await loadMeshes(bytes);
    expect(meshes).toHaveLength(2);
    const all = (name: string) => meshes.flatMap(({ geometry }) => numbersOf(geometry.getAttribute(name)));
    expect(all('uv')).toEqual(ball.uvs.map(Math.fround));
    expect(meshes.reduce((sum, { geometry }) => sum + (geometry.index?.count ?? 0), 0)).toBe(3 * ball.triangleCount);
    const [skin, belly] = meshes.map(({ material }) => material as MeshStandardMaterial);
    expect([skin.name, belly.name]).toEqual(['skin', 'belly']);
    expect(skin.map).not.toBeNull();
    expect(Math.abs(skin.roughness - 0.7)).toBeLessThan(1e-6);
    expect(belly).toMatchObject({ transparent: true, opacity: 0.5 });
    for (const n of [0, 3, baked.frameCount - 1]) {
      mixer.setTime(Math.min(n / FPS, gltf.animations[0].duration - 1e-7));
      gltf.scene.updateMatrixWorld(true);
      const wanted = await baked.tracks[0].frame(n);
      const point = new Vector3();
      let [v, off] = [0, 0];
      for (const mesh of meshes) {
        for (let i = 0; i < mesh.geometry.getAttribute('position').count; i++, v++) {
          mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
          off = Math.max(off, point.distanceTo(new Vector3(...wanted.subarray(3 * v, 3 * v + 3))));
        }
      }
      expect(v).toBe(ball.vertexCount);
      // Times of the last frame are a little before it, where the ball moves at some metres a second.
      expect(off, `frame ${n}`).toBeLessThan(allowed + 1e-6);
    }
    if (options.tolerance === 0) return;
    // Seen from its middle the ball is round and smooth: its normals point away from there, over all seams.
    const [normals, points] = [all('normal'), all('position')];
    for (let k = 0; k < normals.length; k += 3) {
      const length = Math.sqrt(points[k] ** 2 + points[k + 1] ** 2 + points[k + 2] ** 2);
      const cosine =
        (normals[k] * points[k] + normals[k + 1] * points[k + 1] + normals[k + 2] * points[k + 2]) / length;
      expect(cosine).toBeGreaterThan(0.9);
    }
  });

  it('keeps the bytes of images, and is smaller where it is compressed', async () => {
    const { 'x.glb': plain } = await filesOf('x.glb');
    const { 'x.glb': small } = await filesOf('x.glb', { compress: true });
    expect(Buffer.from(plain).includes(Buffer.from(ball.image))).toBe(true);
    expect(small.length).toBeLessThan(plain.length);
  });

  it('is written as text with its numbers beside it', async () => {
    const files = await filesOf('some where/x y.gltf', { tolerance: 0 });
    const text = files['some where/x y.gltf'];
    expect(JSON.parse(new TextDecoder().decode(text)).buffers[0].uri).toBe('x%20y.bin');
    const { issues } = await validateBytes(text, {
      externalResourceFunction: async (uri) => files[`some where/${decodeURIComponent(uri)}`],
    });
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const again = await readLook(text, 'x.gltf', { resolve: async (path) => files[`some where/${path}`] });
    // The floor comes after it.
    expect(Array.from(again.visible.uvs ?? []).slice(0, -8)).toEqual(ball.uvs.map(Math.fround));
    expect(again.materials.map(({ name }) => name)).toEqual(['skin', 'belly', 'colliders']);
    expect(again.materials[0].textures.baseColor).toMatchObject({ wrap: [33071, 10497], magFilter: 9728 });
    expect(again.materials[0].textures.baseColor?.image).toEqual(ball.image);
  });
});

it('is read by three as USD, points per time sample', async () => {
  const { 'x.usda': bytes } = await filesOf('x.usda');
  const { specsByPath } = new USDAParser().parseData(new TextDecoder().decode(bytes));
  const { times, values } = specsByPath['/World/ball.points'].fields.timeSamples;
  expect(times).toEqual(Array.from({ length: baked.frameCount }, (_, n) => n + 1));
  for (const n of [0, 3, baked.frameCount - 1])
    expect(Float32Array.from(values[n].flat())).toEqual(await baked.tracks[0].frame(n));
  expect(specsByPath['/World/ball.normals'].fields.timeSamples.values[2]).toHaveLength(3 * ball.vertexCount);
  const st = specsByPath['/World/ball.primvars:st'].fields.default.flat();
  const { triangles } = baked.tracks[0].mesh;
  expect(st.length).toBe(2 * triangles.length);
  triangles.forEach((v, corner) => {
    expect(Math.abs(st[2 * corner] - ball.uvs[2 * v])).toBeLessThan(1e-7);
    expect(Math.abs(1 - st[2 * corner + 1] - ball.uvs[2 * v + 1])).toBeLessThan(1e-7);
  });
});

it('is read by three as OBJ, corner by corner', async () => {
  const files = await filesOf('x.obj');
  const group = new OBJLoader().parse(new TextDecoder().decode(files['x.0004.obj']));
  const { geometry } = group.children[0] as Mesh;
  const [points, uvs, normals] = ['position', 'uv', 'normal'].map((name) => geometry.getAttribute(name).array);
  const { triangles } = baked.tracks[0].mesh;
  const wanted = await baked.tracks[0].frame(3);
  expect(points.length).toBe(3 * triangles.length);
  triangles.forEach((v, corner) => {
    for (let k = 0; k < 3; k++) expect(points[3 * corner + k]).toBe(wanted[3 * v + k]);
    expect(Math.abs(uvs[2 * corner] - ball.uvs[2 * v])).toBeLessThan(1e-6);
    expect(Math.abs(1 - uvs[2 * corner + 1] - ball.uvs[2 * v + 1])).toBeLessThan(1e-6);
    const length = Math.sqrt(normals[3 * corner] ** 2 + normals[3 * corner + 1] ** 2 + normals[3 * corner + 2] ** 2);
    expect(Math.abs(length - 1)).toBeLessThan(1e-6);
  });
});

it('keeps texture coordinates and materials beside those of its animation textures', async () => {
  const files = await filesOf('x.vat');
  const { issues } = await validateBytes(files['x.vat/ball.glb']);
  expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  const { scene: shown } = await withoutImages(() => new GLTFLoader().parseAsync(files['x.vat/ball.glb'].buffer, ''));
  const meshes = shown.getObjectByName('ball')?.children as Mesh[];
  expect(meshes.map(({ material }) => (material as MeshStandardMaterial).name)).toEqual(['skin', 'belly']);
  expect((meshes[0].material as MeshStandardMaterial).map).not.toBeNull();
  const all = (name: string) => meshes.flatMap(({ geometry }) => numbersOf(geometry.getAttribute(name)));
  expect(all('uv')).toEqual(ball.uvs.map(Math.fround));
  // Read back by another reader of PNG, at the second texture coordinates.
  const { width, height, data } = PNG.sync.read(Buffer.from(files['x.vat/ball_vat.png']), { skipRescale: true });
  const info = JSON.parse(new TextDecoder().decode(files['x.vat/ball-remap_info.json']))['os-remap'];
  const [places, rest, last] = [all('uv1'), all('position'), baked.frameCount - 1];
  const wanted = await baked.tracks[0].frame(last);
  expect(places).toHaveLength(2 * ball.vertexCount);
  for (let v = 0; v < ball.vertexCount; v++) {
    const [x, y] = [Math.floor(places[2 * v] * width), Math.floor(places[2 * v + 1] * height) + last];
    const [a, b, c] = [0, 1, 2].map(
      (k) => info.Min[k] + (data[4 * (y * width + x) + k] / 65535) * (info.Max[k] - info.Min[k]),
    );
    // Blender's axes.
    [a, c, -b].forEach((offset, k) => {
      expect(Math.abs(rest[3 * v + k] + offset - wanted[3 * v + k])).toBeLessThan(1e-5);
    });
  }
});
