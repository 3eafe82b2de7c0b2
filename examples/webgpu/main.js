// Soft bodies that are simulated and drawn by the same graphics card: their positions never come to the page.

import { createWorld, icosphere, prepare, surface, torus } from 'isochore';
import { GpuSoftMesh } from 'isochore/three';
import * as THREE from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { createStage } from '../stage.js';

const status = document.querySelector('#status');

async function start() {
  const renderer = new WebGPURenderer({ antialias: true });
  await renderer.init();
  if (!renderer.backend.device) throw new Error('this browser has no WebGPU');
  const { scene, camera, run } = createStage(renderer);
  // The world steps on the device that the renderer draws with.
  const world = await createWorld({ backend: 'webgpu', gpu: renderer.backend.device });
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 });

  const soft = (mesh, color, options, geometry) => {
    const body = world.add(prepare(mesh, surface({ regionRadius: 0.3, damping: 0.4 })), options);
    const material = new THREE.MeshStandardMaterial({ color, roughness: 0.4 });
    const shown = new GpuSoftMesh(renderer, body, material, geometry && { geometry });
    shown.castShadow = true;
    scene.add(shown);
    return shown;
  };
  const ring = torus({ majorRadius: 0.6, minorRadius: 0.25, majorSegments: 24, minorSegments: 10 });
  const meshes = [
    soft(ring, 0xd1495b, { position: [-1.3, 1.8, 0], spin: [2, 0, 1] }),
    // A fine mesh that follows a ball of 162 particles.
    soft(icosphere({ detail: 2, radius: 0.6 }), 0xf4b400, { position: [1.3, 1.6, 0], spin: [0, 0, 2] }, knobbly()),
    soft(icosphere({ detail: 2, radius: 0.5 }), 0x2e86ab, { position: [0.1, 3, 0.2] }),
  ];

  const frame = run((elapsed) => {
    world.advance(elapsed);
    for (const mesh of meshes) mesh.update();
  });
  status.textContent = `simulated and drawn on ${world.capabilities.adapter || 'the GPU'}`;

  // For whoever wants to play with it in the browser's console.
  globalThis.example = { world, meshes, camera, renderer, frame, createWorld, prepare, surface, icosphere };
}

/** A ball with knobs, of some five thousand vertices. */
function knobbly() {
  const geometry = new THREE.SphereGeometry(0.6, 96, 54);
  const { position } = geometry.attributes;
  const point = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i);
    const knob = 1 + 0.06 * Math.sin(14 * point.x) * Math.sin(14 * point.y) * Math.sin(14 * point.z);
    position.setXYZ(i, knob * point.x, knob * point.y, knob * point.z);
  }
  geometry.computeVertexNormals();
  return geometry;
}

start().catch((error) => {
  status.textContent = error.message;
});
