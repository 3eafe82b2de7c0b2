// The pictures of posed bodies: a frame of `imprint`, three of `swallow`, one of `walk`, and a soft ball in a hand that was dented.

import { createDeformer } from '../src/deformer/index.js';
import { rotate } from '../src/math/quaternion.js';
import { add, pointAt } from '../src/math/vec3.js';
import { generateShape } from '../src/mesh/index.js';
import type { RenderObject } from '../src/picture/render.js';
import { buildScene, checkScene, findScene, poseScene } from '../src/scenes/index.js';
import { renderPng } from './render-png.js';

/** Colliders are seen through. */
const GLASS = { colour: '#7f94a8', opacity: 0.28 };

/** The posed bodies of a scene at a frame, and its round colliders. */
async function posedObjects(name: string, frame: number, colours: readonly string[]): Promise<RenderObject[]> {
  const entry = findScene(name);
  if (!entry) throw new Error(`no scene ${name}`);
  const bodies = await poseScene(checkScene(entry.make()));
  const seen = new Set<string>();
  const objects: RenderObject[] = [];
  bodies.forEach(({ mesh, settings, frameAt }, index) => {
    const input = frameAt((frame - 1) / 24);
    const { positions } = createDeformer(mesh, settings).at(input);
    objects.push({ positions, triangles: mesh.triangles, colour: colours[index] });
    for (const collider of input.colliders) {
      if (seen.has(collider.name ?? '')) continue;
      seen.add(collider.name ?? '');
      const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = collider;
      const shape =
        collider.shape === 'mesh'
          ? collider.mesh
          : collider.shape === 'sphere'
            ? generateShape({ shape: 'icosphere', detail: 4, radius: collider.radius })
            : undefined;
      if (!shape) continue;
      const placed = new Float64Array(shape.positions.length);
      for (let v = 0; v < placed.length / 3; v++)
        placed.set(add(position, rotate(rotation, pointAt(shape.positions, v))), 3 * v);
      objects.push({ positions: placed, triangles: shape.triangles, ...GLASS });
    }
  });
  return objects;
}

/** A ring pressed into three bodies: soft, between, stiff. */
export async function imprint(file: string): Promise<void> {
  const objects = await posedObjects('imprint', 49, ['#d9534f', '#e8a33d', '#4fa36b']);
  renderPng(
    { objects, eye: [0, 5.6, 9], target: [0, 0.02, 0], fov: 15.5, width: 1280, height: 420, ground: -1.05 },
    file,
  );
}

/** A ball on its way down a throat, at three moments. */
export async function swallow(file: string): Promise<void> {
  const objects: RenderObject[] = [];
  for (const [place, frame] of [15, 49, 82].entries()) {
    // Lying down, one behind the other.
    for (const object of await posedObjects('swallow', frame, ['#c95f8f']))
      objects.push({
        ...object,
        positions: Float64Array.from(object.positions, (_, k) => {
          const [x, y, z] = [0, 1, 2].map((c) => object.positions[k - (k % 3) + c]);
          return [y, x, z + 1.75 * (place - 1)][k % 3];
        }),
        triangles: Uint32Array.from(object.triangles, (_, k) => object.triangles[k - (k % 3) + [0, 2, 1][k % 3]]),
      });
  }
  renderPng(
    { objects, eye: [0, 6.5, 8.5], target: [0, -0.15, 0.1], fov: 22, width: 1280, height: 480, ground: -0.75 },
    file,
  );
}

/** The walker on soft ground, as one of its balls dents it. */
export async function walk(file: string): Promise<void> {
  const objects = await posedObjects('walk', 61, ['#e8b53d', '#a98d6b']);
  renderPng(
    { objects, eye: [1.5, 0.95, 2.3], target: [0, 0.4, 0.7], fov: 34, width: 1280, height: 640, ground: -0.35 },
    file,
  );
}

/** A soft ball that rests where a fist has dented a hand. */
export async function ballInHand(file: string): Promise<void> {
  const meshes = [
    { shape: 'hand', vertices: 4000 },
    { shape: 'icosphere', detail: 3, radius: 0.09 },
  ] as const;
  const [hand, ball] = meshes;
  const scene = checkScene({
    isochore: 1,
    timeStep: 1 / 120,
    bodies: [
      {
        mesh: hand,
        position: [0, 0, 0.3],
        rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        solver: { type: 'deformer', cells: 16, reach: 0.2 },
      },
      { mesh: ball, position: [0, 0.2, 0], group: 2, collidesWith: 1 },
    ],
    colliders: [{ shape: 'sphere', radius: 0.13, position: [0, 0.14, 0], group: 4, collidesWith: 1 }],
  });
  const { world, bodies } = await buildScene(scene);
  for (let n = 0; n < 240; n++) world.step();
  const colours = ['#d9a066', '#4f7fd9'];
  const objects = meshes.map((mesh, n) => ({
    positions: Float64Array.from(bodies[n].positions),
    triangles: generateShape(mesh).triangles,
    colour: colours[n],
  }));
  world.dispose();
  renderPng(
    { objects, eye: [0.45, 0.8, 1.2], target: [0, -0.02, -0.12], fov: 30, width: 1280, height: 560, ground: -0.2 },
    file,
  );
}
