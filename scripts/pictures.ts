// Renders the pictures of the documentation from the simulations themselves: `npm run pictures`.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Body,
  box,
  createWorld,
  creature,
  DEFORMATIONS,
  duck,
  icosphere,
  octree,
  prepare,
  surface,
} from '../src/index.js';
import type { RenderObject } from '../src/picture/render.js';
import { checkScene, findScene, playScene, type Scene } from '../src/scenes/index.js';
import * as posed from './posed-pictures.js';
import { renderPng } from './render-png.js';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const COLOURS = ['#d9534f', '#e8a33d', '#4fa36b', '#4f7fc9', '#8e6bb8', '#c95f8f', '#3f9aa8', '#d9534f'];

const objectOf = (body: Body, colour: string, shift = 0): RenderObject => ({
  positions: body.positions.map((x, k) => (k % 3 === 0 ? x + shift : x)),
  triangles: body.mesh.triangles,
  colour,
});

function boxObject(
  size: readonly [number, number, number],
  centre: readonly number[],
  more: Partial<RenderObject>,
): RenderObject {
  const { positions, triangles } = box({ size, divisions: 1 });
  return { positions: positions.map((x, k) => x + centre[k % 3]), triangles, ...more };
}

/** An upright tube without ends. */
function tubeObject(radius: number, height: number, shift: number, more: Partial<RenderObject>): RenderObject {
  const segments = 72;
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let n = 0; n < segments; n++) {
    const angle = (2 * Math.PI * n) / segments;
    const [x, z] = [shift + radius * Math.cos(angle), radius * Math.sin(angle)];
    positions.push(x, 0, z, x, height, z);
    const [a, b] = [2 * n, 2 * ((n + 1) % segments)];
    triangles.push(a, a + 1, b, b, a + 1, b + 1);
  }
  return { positions, triangles, ...more };
}

function sceneOf(name: string): Scene {
  const entry = findScene(name);
  if (!entry) throw new Error(`no scene ${name}`);
  return checkScene(entry.make());
}

/** The four spheres of [DBB11] Fig. 7 at half their height; the plate is drawn see-through. */
async function squeeze(): Promise<void> {
  const objects: RenderObject[] = [];
  for await (const { last, bodies } of playScene(sceneOf('squeeze'), { backend: 'reference' })) {
    if (last) objects.push(...bodies.map((body, index) => objectOf(body, COLOURS[index])));
  }
  objects.push(boxObject([12.6, 0.12, 3], [0, 1.065, 0], { colour: '#9fb4c4', opacity: 0.35 }));
  renderPng(
    { objects, eye: [0, 2.6, 11.5], target: [0, 0.5, 0], fov: 22, width: 1280, height: 400, ground: 0 },
    `${folder}squeeze.png`,
  );
}

/** One ring on its way down, as if photographed with a flash. */
async function stairs(): Promise<void> {
  const scene = sceneOf('stairs');
  const objects: RenderObject[] = [];
  for (const collider of scene.colliders) {
    if (collider.shape === 'box') objects.push(boxObject(collider.size, collider.position, { colour: '#c9c4ba' }));
  }
  for await (const { step, steps, bodies } of playScene(scene, { backend: 'reference' })) {
    if (step % 100 === 0 && step < steps) objects.push(objectOf(bodies[0], COLOURS[(step / 100) % COLOURS.length]));
  }
  renderPng(
    { objects, eye: [5.5, 4.5, 13], target: [5.2, 1.3, 0], fov: 36, width: 1280, height: 560, ground: 0 },
    `${folder}stairs.png`,
  );
}

/** The scene `twist` after a whole turn: the bar that keeps its volume in front, behind it the other, which has let go. */
async function twist(): Promise<void> {
  const objects: RenderObject[] = [];
  for await (const { last, bodies } of playScene(sceneOf('twist'))) {
    if (!last) continue;
    for (const [index, body] of bodies.entries()) {
      const { positions, ...rest } = objectOf(body, index === 0 ? '#e8a33d' : '#4f7fc9');
      // The scene has them three metres apart, the second in front.
      const z = index === 0 ? 1 : -4.4;
      objects.push({ ...rest, positions: Float64Array.from(positions, (x, k) => (k % 3 === 2 ? x + z : x)) });
    }
  }
  renderPng(
    { objects, eye: [1.5, 3.6, 9.5], target: [0, -0.1, -0.3], fov: 27, width: 1280, height: 480, ground: -0.75 },
    `${folder}twist.png`,
  );
}

/** A duck scattered at random finds itself again, from left to right; with this seed it ends upright. */
async function recover(): Promise<void> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const body = world.add(prepare(duck({ vertices: 2500 }), surface({ regionSize: 8 })));
  body.deform('random', 2);
  const objects: RenderObject[] = [];
  const moments = [0, 2, 5, 9, 60];
  for (let step = 0; step <= 60; step++) {
    const place = moments.indexOf(step);
    if (place >= 0) objects.push(objectOf(body, '#e8b53d', (place - 2) * 1.25));
    world.step();
  }
  renderPng(
    { objects, eye: [0, 1.5, 6.4], target: [0, 0.4, 0], fov: 26, width: 1280, height: 420, ground: -0.15 },
    `${folder}recover.png`,
  );
}

/** After [DBB11] Fig. 3: one figure from every broken state, from above: as it was put, after some steps, whole again. */
async function broken(): Promise<void> {
  const states = DEFORMATIONS.filter((state) => state !== 'none');
  const figure = prepare(creature({ vertices: 3000 }), surface({ regionSize: 5 }));
  const objects: RenderObject[] = [];
  for (const [column, state] of states.entries()) {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const body = world.add(figure);
    body.deform(state, 1);
    const moments = [0, 4, 60];
    for (let step = 0; step <= 60; step++) {
      const row = moments.indexOf(step);
      if (row >= 0) {
        const shift = [1.7 * (column - 2), 1.5 * (1 - row), 0];
        objects.push({ ...objectOf(body, COLOURS[column]), positions: body.positions.map((x, k) => x + shift[k % 3]) });
      }
      world.step();
    }
    world.dispose();
  }
  renderPng(
    { objects, eye: [0, 1, 22], target: [0, 0.5, 0], fov: 11.6, width: 1280, height: 640, ground: null },
    `${folder}broken.png`,
  );
}

/** The paper's crowds after four seconds: twenty balls in a glass, twenty ducks and twenty rings in a tub. */
async function crowds(): Promise<void> {
  const [glassAt, tubAt] = [-3.1, 1.6];
  const glass = { colour: '#9fb4c4', opacity: 0.2 };
  const objects: RenderObject[] = [];
  for (const [name, shift] of [
    ['balls-in-glass', glassAt],
    ['ducks-and-tori', tubAt],
  ] as const) {
    const scene = sceneOf(name);
    for await (const { last, bodies } of playScene(scene, { backend: 'wasm', steps: 800 })) {
      if (last) objects.push(...bodies.map((body, index) => objectOf(body, COLOURS[index % 7], shift)));
    }
    for (const collider of scene.colliders) {
      if (collider.shape === 'glass') objects.push(tubeObject(collider.radius, collider.height, shift, glass));
      if (collider.shape !== 'box') continue;
      const [x, y, z] = collider.position;
      objects.push(boxObject(collider.size, [x + shift, y, z], glass));
    }
  }
  renderPng(
    { objects, eye: [-0.6, 6.6, 13], target: [-0.6, 1.75, 0], fov: 26, width: 1280, height: 600, ground: 0 },
    `${folder}crowds.png`,
  );
}

/** A bar that is held in the middle, a tenth as stiff on its right half; and a duck that was cut in two. */
async function solvers(): Promise<void> {
  const objects: RenderObject[] = [];
  const world = await createWorld();
  const mesh = box({ size: [4, 0.6, 0.6], divisions: [32, 5, 5] });
  const along = Array.from({ length: mesh.positions.length / 3 }, (_, i) => mesh.positions[3 * i]);
  const maps = { stiffness: along.map((x) => (x > 0 ? 0.1 : 1)) };
  const bar = world.add(prepare(mesh, surface({ regionSize: 3 }), { maps }), { position: [-1.9, 1.3, 0] });
  bar.pin(along.flatMap((x, vertex) => (Math.abs(x) < 0.15 ? [vertex] : [])));
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const whole = world.add(prepare(duck({ vertices: 1500 }), octree()), { position: [1.5, 0.1, 0] });
  for (let step = 0; step < 400; step++) {
    if (step === 200) whole.cut({ plane: { point: [1.5, 0.5, 0], normal: [1, 0.15, -0.35] } });
    // The halves fall over to both sides.
    if (step === 202) {
      push(whole, whole.parts[0].vertices, 0.5);
      push(whole, whole.parts[1].vertices, -0.5);
    }
    world.step();
  }
  objects.push(objectOf(bar, '#4fa36b'), objectOf(whole, '#e8b53d'));
  renderPng(
    { objects, eye: [-0.4, 2.6, 8.4], target: [-0.4, 0.72, 0], fov: 25, width: 1280, height: 440, ground: 0 },
    `${folder}solvers.png`,
  );
}

/** The recipes of the documentation's page on tuning: what each makes of the same fall. */
async function recipes(): Promise<void> {
  const materials = [
    surface({ stiffness: 0.25, damping: 0.02 }),
    surface({ stiffness: 0.9, damping: 0.2 }),
    surface({ stiffness: 0.3, damping: 0.9 }),
    surface({ stiffness: 0.45, damping: 0.5 }),
  ];
  const world = await createWorld();
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
  const ball = icosphere({ detail: 4, radius: 0.5 });
  const bodies = materials.map((material, n) =>
    world.add(prepare(ball, material), { position: [1.6 * (n - 1.5), 1.5, 0] }),
  );
  while (bodies.every(({ contactCount }) => contactCount === 0)) world.step();
  const start = world.time;
  while (world.time < start + 0.2) world.step();
  const colours = ['#d9534f', '#4f7fc9', '#e2cfa4', '#e0a08c'];
  renderPng(
    {
      objects: bodies.map((body, n) => objectOf(body, colours[n])),
      ...{ eye: [0, 1.5, 8.2], target: [0, 0.36, 0], fov: 14, width: 1280, height: 300, ground: 0 },
    },
    `${folder}recipes.png`,
  );
}

/** Gives some vertices of a body a velocity along x [m/s]. */
function push(body: Body, vertices: ArrayLike<number>, speed: number): void {
  for (let n = 0; n < vertices.length; n++) body.velocities[3 * vertices[n]] += speed;
  body.changed();
}

mkdirSync(folder, { recursive: true });
const makers = {
  ...{ squeeze, stairs, twist, recover, broken, crowds, solvers, recipes },
  imprint: () => posed.imprint(`${folder}imprint.png`),
  swallow: () => posed.swallow(`${folder}swallow.png`),
  'ball-in-hand': () => posed.ballInHand(`${folder}ball-in-hand.png`),
};
for (const [name, make] of Object.entries(makers)) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue;
  await make();
  console.log(`docs/pictures/${name}.png`);
}
