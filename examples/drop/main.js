// A plain three.js scene with three soft bodies that fall to the floor and can be dragged.

import { createWorld, duck, icosphere, prepare, surface, torus } from 'isochore';
import { DebugView, Grab, SoftMesh } from 'isochore/three';
import * as THREE from 'three';
import { createStage } from '../stage.js';

const { scene, camera, renderer, run } = createStage();
const world = await createWorld();
world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 });

const soft = (mesh, color, options) => {
  const body = world.add(prepare(mesh, surface({ regionRadius: 0.3, damping: 0.4 })), options);
  const shown = new SoftMesh(body, new THREE.MeshStandardMaterial({ color, roughness: 0.4 }));
  shown.castShadow = true;
  scene.add(shown);
  return shown;
};
const meshes = [
  soft(duck({ vertices: 900 }), 0xf4b400, { position: [-1.7, 1.2, 0], spin: [0, 1, 0] }),
  soft(torus({ majorRadius: 0.6, minorRadius: 0.25, majorSegments: 40, minorSegments: 16 }), 0xd1495b, {
    position: [0, 1.8, 0],
    spin: [2, 0, 1],
  }),
  soft(icosphere({ detail: 3, radius: 0.6 }), 0x2e86ab, { position: [1.7, 1.6, 0] }),
];
const views = meshes.map(({ source }) => new DebugView(source, { paths: true }));
const inside = document.querySelector('#inside');
inside.addEventListener('change', () => {
  for (const view of views) inside.checked ? scene.add(view) : view.removeFromParent();
});
const grab = new Grab(camera, renderer.domElement, scene);

const frame = run((elapsed) => {
  world.advance(elapsed);
  for (const mesh of meshes) mesh.update();
  if (inside.checked) for (const view of views) view.update();
});

// For whoever wants to play with it in the browser's console.
globalThis.example = { world, meshes, grab, camera, renderer, frame };
