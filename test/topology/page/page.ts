// A bar in three.js, seen from the front, that the test takes apart and makes one again.

import { MeshBasicMaterial, OrthographicCamera, Scene, WebGLRenderer } from 'three';
import { type BodyChanges, createWorld, prepare } from '../../../src/index.js';
import { SoftMesh } from '../../../src/three/index.js';
import { whole } from '../bar-meshes.js';
import { bar } from '../halves.js';

const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(300, 200);
renderer.setClearColor(0xffffff);
document.body.append(renderer.domElement);
const camera = new OrthographicCamera(-1.5, 1.5, 1, -1, 0.1, 10);
camera.position.z = 5;

const world = await createWorld({ backend: 'wasm', gravity: [0, 0, 0] });
const body = world.add(prepare(whole(), bar()));
const mesh = new SoftMesh(body, new MeshBasicMaterial({ color: 0xff0000 }));
const scene = new Scene();
scene.add(mesh);

/** Lets the bar be one or two, its sides move apart at this speed [m/s], and shows it after so many steps; how many vertices that are. */
function show(split: number, speed: number, steps: number): number {
  body.set({ split } as BodyChanges);
  world.step();
  for (let k = 0; k < body.velocities.length; k += 3) body.velocities[k] = speed * Math.sign(body.mesh.positions[k]);
  for (const { vertices } of body.parts.length > 1 ? body.parts : []) {
    // A part has one velocity, the vertices of the cut too.
    const side = Math.sign(vertices.reduce((sum, vertex) => sum + body.mesh.positions[3 * vertex], 0));
    for (const vertex of vertices) body.velocities[3 * vertex] = speed * side;
  }
  body.changed();
  for (let n = 0; n < steps; n++) world.step();
  mesh.update();
  renderer.render(scene, camera);
  return mesh.geometry.getAttribute('position').count;
}

Object.assign(globalThis, { show, memory: () => ({ ...renderer.info.memory }) });
