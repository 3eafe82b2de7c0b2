// A simulation as vertex animation textures: baked once, then played by the graphics card on sixty-four copies at once. The files are
// those of `isochore bake SCENE -o NAME.vat`; here they are made in the page.

import { bakedFiles, bakeScene } from 'isochore/bake';
import { checkScene } from 'isochore/scenes';
import { VertexAnimation } from 'isochore/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { createStage } from '../stage.js';

const { scene, camera, controls, renderer, run } = createStage();
camera.position.set(0, 7, 14);
controls.target.set(0, 0.5, 0);

const drop = checkScene({
  isochore: 1,
  steps: 300,
  bodies: [
    {
      ...{ name: 'torus', mesh: { shape: 'torus', majorRadius: 0.5, minorRadius: 0.22 }, position: [0, 1.4, 0] },
      ...{ spin: [1.2, 0, 0.6], solver: { damping: 0.3 } },
    },
  ],
  colliders: [{ shape: 'plane' }],
});
const baked = await bakeScene(drop, { fps: 30 });
const files = {};
for (const file of bakedFiles(baked, 'drop.vat')) {
  const pieces = [];
  for await (const piece of file.pieces()) pieces.push(piece);
  files[file.name.replace('drop.vat/torus', '')] = new Uint8Array(await new Blob(pieces).arrayBuffer());
}

// From files on a server this is `await VertexAnimation.load('drop.vat/torus')`.
const animation = new VertexAnimation({
  positions: files['_vat.png'],
  normals: files['_vnrm.png'],
  info: JSON.parse(new TextDecoder().decode(files['-remap_info.json'])),
});
const { scene: model } = await new GLTFLoader().parseAsync(files['.glb'].buffer, '');
animation.attach(model);
const [mesh] = model.children;

const SIDE = 8;
const copies = new THREE.InstancedMesh(mesh.geometry, mesh.material, SIDE * SIDE);
copies.castShadow = true;
copies.customDepthMaterial = mesh.customDepthMaterial;
for (let n = 0; n < copies.count; n++) {
  const place = [1.9 * ((n % SIDE) - (SIDE - 1) / 2), 0, 1.9 * (Math.floor(n / SIDE) - (SIDE - 1) / 2)];
  copies.setMatrixAt(n, new THREE.Matrix4().makeRotationY(n).setPosition(...place));
  copies.setColorAt(n, new THREE.Color().setHSL((n * 0.618) % 1, 0.6, 0.5));
}
// Of all copies, wherever they go.
copies.computeBoundingSphere();
scene.add(copies);
document.querySelector('#panel').textContent =
  `${copies.count} copies of ${baked.frameCount} frames in ${Math.round(files['_vat.png'].length / 1024)} KiB of texture`;

const frame = run((elapsed) => {
  const next = animation.time + elapsed;
  animation.time = next < animation.duration ? next : 0;
});

// For whoever wants to play with it in the browser's console.
globalThis.example = { animation, copies, baked, camera, renderer, frame };
