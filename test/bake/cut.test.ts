// A body with seams that is cut goes on as another mesh, with the texture coordinates and materials that its file has there, and a
// material for the faces of the cut; in every format. What is conserved is known: areas, on the body and in the texture.

import { validateBytes } from 'gltf-validator';
import { type Mesh, type MeshStandardMaterial, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js';
import { beforeAll, expect, it } from 'vitest';
import { type BakedScene, bakedFiles, bakeScene, type DrawnMesh, type Track } from '../../src/bake/index.js';
import { readLook, readMesh } from '../../src/mesh/index.js';
import { checkScene } from '../../src/scenes/index.js';
import { type SeamedBall, seamedBall } from './seamed-ball.js';
import { withoutImages } from './without-images.js';

const FPS = 40;
let ball: SeamedBall;
let baked: BakedScene;
let [whole, halves, box]: (Track & { drawn: DrawnMesh })[] = [];

beforeAll(async () => {
  ball = await seamedBall();
  const scene = checkScene({
    isochore: 1,
    steps: 40,
    gravity: [0, 0, 0],
    bodies: [
      { name: 'ball', mesh: 'ball.glb', position: [0, 1, 0], solver: { type: 'octree', cells: 4, levels: 1 } },
      {
        ...{ name: 'box', mesh: { shape: 'box', divisions: 4 }, position: [2, 1, 0] },
        solver: { type: 'octree', cells: 2, levels: 1 },
      },
    ],
    cuts: [
      { body: 'ball', time: 0.1, plane: { normal: [1, 0.3, 0.2], point: [0.05, 1, 0] } },
      { body: 'box', time: 0.1, plane: { normal: [1, 0, 0], point: [2.1, 0, 0] } },
    ],
  });
  baked = await bakeScene(scene, {
    fps: FPS,
    loadMesh: () => readMesh(ball.bytes, 'ball.glb'),
    loadLook: () => readLook(ball.bytes, 'ball.glb'),
  });
  const [first, , second, third] = baked.tracks as (Track & { drawn: DrawnMesh })[];
  [whole, halves, box] = [first, second, third];
});

/** By part: its triangles' area at rest [m²], and that in the texture. */
function areas({ mesh, drawn }: Track & { drawn: DrawnMesh }): [number, number][] {
  const point = (v: number) => new Vector3(...mesh.positions.subarray(3 * drawn.sources[v], 3 * drawn.sources[v] + 3));
  return drawn.parts.map(({ firstTriangle, triangleCount }) => {
    const sum: [number, number] = [0, 0];
    for (let t = 3 * firstTriangle; t < 3 * (firstTriangle + triangleCount); t += 3) {
      const [a, b, c] = drawn.triangles.subarray(t, t + 3);
      sum[0] +=
        point(b)
          .sub(point(a))
          .cross(point(c).sub(point(a)))
          .length() / 2;
      const [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map((v) => drawn.uvs?.subarray(2 * v, 2 * v + 2) ?? [0, 0]);
      sum[1] += ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
    }
    return sum;
  });
}

it('has a mesh for each topology, one after the other', () => {
  expect(baked.tracks.map(({ name }) => name)).toEqual(['ball', 'box', 'ball-2', 'box-2']);
  expect(whole.firstFrame).toBe(0);
  expect(halves.firstFrame).toBe(whole.frameCount);
  expect(whole.frameCount + halves.frameCount).toBe(baked.frameCount);
  // The frame of its time is of before the cut.
  expect(Math.abs(halves.firstFrame / FPS - 0.1)).toBeLessThan(1.5 / FPS);
});

it('keeps the area of every material, on the body and in its texture, and adds the faces of the cut', () => {
  const [before, after] = [areas(whole), areas(halves)];
  expect(halves.drawn.materials.map(({ name }) => name)).toEqual(['skin', 'belly', 'ball-cut']);
  expect(halves.drawn.materials[0]).toEqual(whole.drawn.materials[0]);
  before.forEach(([area, inTexture], n) => {
    // Rest positions of new vertices are rounded, and texture coordinates are in single precision.
    expect(Math.abs(after[n][0] / area - 1)).toBeLessThan(1e-9);
    expect(Math.abs(after[n][1] / inTexture - 1)).toBeLessThan(1e-6);
  });
  // A disc on both sides: of a ball with radius 0.4, cut 0.047 off its middle; its triangles lie a little inside.
  const disc = Math.PI * (0.4 ** 2 - 0.047 ** 2);
  expect(after[2][0]).toBeGreaterThan(2 * 0.9 * disc);
  expect(after[2][0]).toBeLessThan(2 * disc);
  // Charts of faces are in metres.
  expect(Math.abs(Math.abs(after[2][1]) / after[2][0])).toBeLessThan(1.01);
});

it('has texture coordinates of the file where its vertices are those of the file', () => {
  const file = new Map<string, number[][]>();
  const keyOf = (p: ArrayLike<number>, v: number) => [0, 1, 2].map((k) => p[3 * v + k].toFixed(9)).join(' ');
  for (let v = 0; v < ball.vertexCount; v++) {
    const key = keyOf(whole.mesh.positions, v);
    file.set(key, [...(file.get(key) ?? []), [ball.uvs[2 * v], ball.uvs[2 * v + 1]]]);
  }
  const { sources, uvs, parts } = halves.drawn;
  let known = 0;
  for (let d = 0; d < parts[2].firstVertex; d++) {
    const at = file.get(keyOf(halves.mesh.positions, sources[d]));
    if (!at) continue;
    known++;
    const [u, v] = (uvs as Float32Array).subarray(2 * d, 2 * d + 2);
    expect(at.some(([a, b]) => Math.abs(a - u) < 1e-6 && Math.abs(b - v) < 1e-6)).toBe(true);
  }
  expect(known).toBeGreaterThanOrEqual(ball.placeCount);
});

it('gives bodies without a file a part for the faces as well, and the colour that they had', () => {
  expect(box.drawn.materials.map(({ name }) => name)).toEqual(['box', 'box-cut']);
  const [[outside], [faces]] = areas(box);
  expect(Math.abs(outside - 6)).toBeLessThan(1e-9);
  expect(Math.abs(faces - 2)).toBeLessThan(1e-9);
});

async function filesOf(name: string): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const file of bakedFiles(baked, name, { tolerance: 0 })) {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces()) pieces.push(piece);
    files[file.name] = new Uint8Array(Buffer.concat(pieces));
  }
  return files;
}

it('is read from glTF with its materials', async () => {
  const { 'x.glb': bytes } = await filesOf('x.glb');
  expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  const { scene } = await withoutImages(() => new GLTFLoader().parseAsync(bytes.buffer, ''));
  const meshes = scene.getObjectByName('ball-2')?.children as Mesh[];
  const materials = meshes.map(({ material }) => material as MeshStandardMaterial);
  expect(materials.map(({ name }) => name)).toEqual(['skin', 'belly', 'ball-cut']);
  expect(materials[0].map).not.toBeNull();
  expect(meshes.every(({ geometry }) => geometry.hasAttribute('uv'))).toBe(true);
  const corners = meshes.reduce((sum, { geometry }) => sum + (geometry.index?.count ?? 0), 0);
  expect(corners).toBe(halves.mesh.triangles.length);
});

it('is read from a mesh file of a frame after the cut', async () => {
  const files = await filesOf('x.obj');
  const group = new OBJLoader().parse(
    new TextDecoder().decode(files[`x.${String(baked.frameCount).padStart(4, '0')}.obj`]),
  );
  const half = group.children.find(({ name }) => name === 'ball-2') as Mesh;
  const last = await halves.frame(halves.frameCount - 1);
  const [points, uvs] = ['position', 'uv'].map((name) => half.geometry.getAttribute(name).array);
  halves.drawn.triangles.forEach((d, corner) => {
    for (let k = 0; k < 3; k++) expect(points[3 * corner + k]).toBe(last[3 * halves.drawn.sources[d] + k]);
    expect(Math.abs(uvs[2 * corner] - (halves.drawn.uvs as Float32Array)[2 * d])).toBeLessThan(1e-6);
  });
});

it('is read from USD, hidden before it is there', async () => {
  const { 'x.usda': bytes } = await filesOf('x.usda');
  const { specsByPath } = new USDAParser().parseData(new TextDecoder().decode(bytes));
  const { times, values } = specsByPath['/World/ball_2.points'].fields.timeSamples;
  expect(times[0]).toBe(halves.firstFrame + 1);
  expect(Float32Array.from(values[values.length - 1].flat())).toEqual(await halves.frame(halves.frameCount - 1));
  // The parser leaves commas and quotes at words.
  const shown = specsByPath['/World/ball_2.visibility'].fields.timeSamples;
  expect(shown.values.map((word: unknown) => String(word).replace(/[",]/g, ''))).toEqual(['invisible', 'inherited']);
  expect(shown.times).toEqual([1, halves.firstFrame + 1]);
  expect(specsByPath['/World/ball_2.primvars:st'].fields.default.flat()).toHaveLength(2 * halves.mesh.triangles.length);
});
