import { colliderFrom, fromObject3D, Grab } from 'isochore/three';
import { createWorkerWorld } from 'isochore/worker';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.1, 100);
camera.position.set(7, 6, 9);
camera.lookAt(0, 1, 0);
const scene = new THREE.Scene();
const [shape, stone] = [new THREE.BoxGeometry(6, 0.4, 1.2), new THREE.MeshStandardMaterial({ color: '#7f8c9a' })];
const stairs = new THREE.Group();
for (let n = 0; n < 8; n++) stairs.add(new THREE.Mesh(shape, stone).translateY(0.4 * n).translateZ(3 - n));
stairs.children[0].scale.set(3, 1, 6);

const world = await createWorkerWorld();
colliderFrom(stairs, world);
const { scene: model } = await new GLTFLoader().loadAsync('duck.glb');
const duck = await fromObject3D(model, world, { vertices: 300 });
const ducks = [duck, ...Array.from({ length: 19 }, () => duck.clone())];
for (const [n, { bodies }] of ducks.entries()) bodies[0].reset({ position: [(n % 4) - 1.5, 5 + (n >> 2), -3] });
scene.add(new THREE.HemisphereLight('#ffffff', '#667788', 3), stairs, ...ducks);
new Grab(camera, renderer.domElement, scene);
const timer = new THREE.Timer();
renderer.setAnimationLoop((now) => {
  world.advance(timer.update(now).getDelta());
  for (const one of ducks) one.update();
  renderer.render(scene, camera);
});
