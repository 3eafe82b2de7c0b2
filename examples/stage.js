// What all examples show their bodies on: a floor, lights, a camera that can be turned.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

export function createStage(renderer = new THREE.WebGLRenderer({ antialias: true })) {
  renderer.shadowMap.enabled = true;
  document.body.append(renderer.domElement);

  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xdfe7ec);
  const sun = new THREE.DirectionalLight(0xffffff, 2.5);
  sun.position.set(2, 5, 3);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -4, right: 4, top: 4, bottom: -4 });
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0xb8a890, 1.5));
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(30, 30), new THREE.MeshStandardMaterial({ color: 0xc9d1d6 }));
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  scene.add(floor);

  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
  camera.position.set(0, 2.6, 6);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.target.set(0, 0.7, 0);
  const fitWindow = () => {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
  };
  addEventListener('resize', fitWindow);
  fitWindow();

  /** Calls back before every picture with the time that has passed [s]; returns what makes one picture. */
  const run = (advance) => {
    const frame = (elapsed) => {
      advance(elapsed);
      controls.update();
      renderer.render(scene, camera);
    };
    let last = performance.now();
    renderer.setAnimationLoop((now) => {
      frame(Math.max(0, now - last) / 1000);
      last = now;
    });
    return frame;
  };
  return { renderer, scene, camera, controls, run };
}
