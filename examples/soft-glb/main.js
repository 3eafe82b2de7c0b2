// Makes a GLB file soft: the sample, or any that you choose.

import { createWorld } from 'isochore';
import { fromObject3D, Grab } from 'isochore/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { createStage } from '../stage.js';
import { sampleModel } from './sample-model.js';

/** Height that any model is brought to [m]. */
const HEIGHT = 1.8;

const { scene, camera, renderer, run } = createStage();
const status = document.querySelector('#status');
const world = await createWorld();
world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 });
const grab = new Grab(camera, renderer.domElement, scene);
// Seen from outside, for whoever wants to play with it in the browser's console.
const example = { world, grab, renderer, soft: undefined, frame: undefined };
globalThis.example = example;

async function show(bytes, name) {
  try {
    const { scene: model } = await new GLTFLoader().parseAsync(bytes, '');
    // Models come in all units: to a known height, over the floor.
    model.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(model, true);
    const scale = HEIGHT / Math.max(1e-9, box.max.y - box.min.y);
    const centre = box.getCenter(new THREE.Vector3());
    model.scale.multiplyScalar(scale);
    model.position.sub(centre.multiplyScalar(scale)).add(new THREE.Vector3(0, 0.3 + HEIGHT / 2, 0));
    const soft = await fromObject3D(model, world, { vertices: 800, name, spin: [0.4, 0, 0.6] });
    for (const mesh of soft.meshes) mesh.castShadow = true;
    example.soft?.dispose();
    example.soft = soft;
    scene.add(soft);
    const shown = soft.meshes.reduce((sum, mesh) => sum + mesh.geometry.attributes.position.count, 0);
    const particles = soft.bodies.reduce((sum, body) => sum + body.particleCount, 0);
    status.textContent = `${name}: ${shown} vertices on ${particles} particles`;
  } catch (error) {
    status.textContent = `${name}: ${error.message}`;
  }
}

document.querySelector('#file').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  if (file) await show(await file.arrayBuffer(), file.name);
});
await show(await sampleModel(), 'sample');

example.frame = run((elapsed) => {
  world.advance(elapsed);
  example.soft?.update();
});
