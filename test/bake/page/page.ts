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
/** Each vertex is a pixel whose colour is where the shader has it. */
const probe = new THREE.Mesh(
  shown.geometry,
  new THREE.ShaderMaterial({
    uniforms: { count: { value: shown.geometry.getAttribute('position').count } },
    vertexShader: `uniform float count; varying vec3 place;
      void main() {
        #include <begin_vertex>
        place = transformed;
        gl_Position = vec4((2.0 * float(gl_VertexID) + 1.0) / count - 1.0, 0.0, 0.0, 1.0);
        gl_PointSize = 1.0;
      }`,
    fragmentShader: 'varying vec3 place; void main() { gl_FragColor = vec4(place, 1.0); }',
  }),
);
animation.attach(probe);

/** How far any vertex is from the baked positions on the graphics card [m]. */
async function measure(frame: number): Promise<number> {
  const { count } = shown.geometry.getAttribute('position');
  const target = new THREE.WebGLRenderTarget(count, 1, { type: THREE.FloatType, depthBuffer: false });
  const points = new THREE.BufferGeometry();
  for (const name of ['position', 'uv1']) points.setAttribute(name, shown.geometry.getAttribute(name));
  const dots = new THREE.Points(points, probe.material);
  dots.frustumCulled = false;
  animation.time = frame / animation.rate;
  renderer.setRenderTarget(target);
  renderer.render(new THREE.Scene().add(dots), camera);
  renderer.setRenderTarget(null);
  const seen = new Float32Array(4 * count);
  renderer.readRenderTargetPixels(target, 0, 0, count, 1, seen);
  target.dispose();
  const wanted = await baked.tracks[0].frame(frame);
  let off = 0;
  for (let v = 0; v < count; v++)
    for (let k = 0; k < 3; k++) off = Math.max(off, Math.abs(seen[4 * v + k] - wanted[3 * v + k]));
  return off;
}
Object.assign(globalThis, { show, measure });
