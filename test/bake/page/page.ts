// Bakes a body, plays it from its textures, and shows the same frame from the baked positions for comparison.

import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { bakedFiles, bakeScene } from '../../../src/bake/index.js';
import { checkScene } from '../../../src/scenes/index.js';
import { VertexAnimation } from '../../../src/three/index.js';
import { writeSmoothNormals } from '../../../src/three/smooth-normals.js';

const scene = checkScene({
  isochore: 1,
  steps: 60,
  bodies: [
    {
      ...{ name: 'ball', mesh: { shape: 'icosphere', detail: 3, radius: 0.5 }, position: [-0.4, 0.8, 0] },
      ...{ velocity: [1, -4, 0.5], spin: [3, 0, 1] },
    },
  ],
  colliders: [{ shape: 'plane' }],
});
const baked = await bakeScene(scene, { fps: 20, threads: 1 });
const files = new Map<string, Uint8Array>();
for (const file of bakedFiles(baked, 'x.vat')) {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.pieces()) pieces.push(piece);
  files.set(file.name, pieces[0]);
}
const fileOf = (ending: string) => files.get(`x.vat/ball${ending}`) as Uint8Array;
const animation = new VertexAnimation({
  positions: fileOf('_vat.png'),
  normals: fileOf('_vnrm.png'),
  info: JSON.parse(new TextDecoder().decode(fileOf('-remap_info.json'))),
});

const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(innerWidth, innerHeight);
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const stage = new THREE.Scene();
stage.background = new THREE.Color(0xffffff);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(1, 3, 2);
sun.castShadow = true;
const floor = new THREE.Mesh(new THREE.PlaneGeometry(6, 6), new THREE.MeshStandardMaterial({ color: 0xdddddd }));
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
stage.add(sun, new THREE.AmbientLight(0xffffff, 1), floor);
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.1, 50);
camera.position.set(0, 1.2, 4);
camera.lookAt(0, 0.5, 0);

const { scene: played } = await new GLTFLoader().parseAsync(fileOf('.glb').slice().buffer, '');
const shown = played.children[0] as THREE.Mesh;
(shown.material as THREE.MeshStandardMaterial).color.set(0xd1495b);
shown.castShadow = true;
animation.attach(played);
const plain = new THREE.Mesh(
  new THREE.BufferGeometry(),
  new THREE.MeshStandardMaterial({ color: 0xd1495b, roughness: 0.6 }),
);
plain.castShadow = true;
plain.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(baked.tracks[0].mesh.triangles), 1));
stage.add(played, plain);

/** Draws a time in frames from the textures, or from positions mixed of those of its two neighbours. */
async function show(frame: number, fromTextures: boolean): Promise<number> {
  animation.time = frame / animation.rate;
  const [a, b] = await Promise.all([Math.floor(frame), Math.ceil(frame)].map((n) => baked.tracks[0].frame(n)));
  const positions = a.map((x, k) => x + (frame - Math.floor(frame)) * (b[k] - x));
  plain.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  const normals = new Float32Array(positions.length);
  writeSmoothNormals(positions, baked.tracks[0].mesh.triangles, normals);
  plain.geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  plain.geometry.computeBoundingSphere();
  [played.visible, plain.visible] = [fromTextures, !fromTextures];
  renderer.render(stage, camera);
  return baked.frameCount;
}
Object.assign(globalThis, { show });
