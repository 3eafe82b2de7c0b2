// The shortest program that does what is on the screen: for "copy code".

import type { Scene } from 'isochore/scenes';
import type { SceneSource } from './protocol.js';
import { applySettings, type Settings, settingsFor } from './settings.js';

const json = (value: unknown): string => JSON.stringify(value);

/** The program's lines for any scene: run it, print what happened to the volume. */
const RUN = [
  'for (let step = 0; step < 400; step++) world.step();',
  'for (const body of bodies) {',
  '  const error = 100 * Math.abs(body.volume() / body.restVolume - 1);',
  `  console.log(\`\${body.name}: \${body.particleCount} particles, volume error \${error} %\`);`,
  '}',
  'world.dispose();',
];

export function writeProgram(source: SceneSource, scene: Scene, settings: Settings, isExtra: boolean): string {
  const options = worldOptions(settings);
  if (source.kind === 'built-in' && !isExtra) return builtInProgram(source.name, scene, settings, options);
  const changed = applySettings(scene, settings);
  if (source.kind === 'files' && source.files.some(({ name }) => !name.toLowerCase().endsWith('.json'))) {
    return meshProgram(changed, options, source.files[0].name);
  }
  const lines = [
    "import { buildScene, checkScene } from 'isochore/scenes';",
    '',
    `const scene = checkScene(${JSON.stringify(shorten(changed), null, 2)});`,
    `const { world, bodies } = await buildScene(scene${options ? `, ${options}` : ''});`,
  ];
  return [...lines, ...RUN].join('\n');
}

function worldOptions({ world }: Settings): string {
  const parts = [];
  if (world.backend && world.backend !== 'auto') parts.push(`backend: ${json(world.backend)}`);
  if (world.threads !== undefined) parts.push(`threads: ${world.threads}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '';
}

function builtInProgram(name: string, scene: Scene, settings: Settings, options: string): string {
  const changed = applySettings(scene, settings);
  const lines = [
    "import { buildScene, checkScene, findScene } from 'isochore/scenes';",
    '',
    `const scene = checkScene(findScene(${json(name)}).make());`,
  ];
  const { gravity, timeStep, friction } = settings.world;
  if (gravity !== undefined) lines.push(`scene.gravity = ${json(changed.gravity)};`);
  if (timeStep !== undefined) lines.push(`scene.timeStep = ${timeStep};`);
  if (friction !== undefined) lines.push(`for (const collider of scene.colliders) collider.friction = ${friction};`);
  changed.bodies.forEach((body, index) => {
    const own = settingsFor(settings, body.name ?? `body${index}`);
    if (Object.keys(own).length > 0) lines.push(`scene.bodies[${index}].solver = ${json(body.solver)};`);
  });
  lines.push(`const { world, bodies } = await buildScene(scene${options ? `, ${options}` : ''});`);
  return [...lines, ...RUN].join('\n');
}

/** A mesh of the user's, from the file to the body, step by step. */
function meshProgram(scene: Scene, options: string, file: string): string {
  const [body] = scene.bodies;
  const { type, ...solver } = body.solver;
  const world = [`gravity: ${json(scene.gravity)}`, `timeStep: ${scene.timeStep}`];
  if (options) world.push(options.slice(2, -2));
  const vertices = body.scale === 1 ? '' : `.map((x) => x * ${body.scale})`;
  const lines = [
    "import { readFile } from 'node:fs/promises';",
    `import { createWorld, makeSimulatable, prepare, readMesh, ${type} } from 'isochore';`,
    '',
    `const file = await readFile(${json(file)});`,
    `const { bodies: [{ mesh }], steps } = await makeSimulatable(await readMesh(file, ${json(file)}));`,
    'for (const { message } of steps) console.log(message);',
    `const shape = { positions: mesh.positions${vertices}, triangles: mesh.triangles };`,
    `const world = await createWorld({ ${world.join(', ')} });`,
    ...scene.colliders.map((collider) => `world.addCollider(${json(collider)});`),
    `const rubber = prepare(shape, ${type}(${json(solver)}));`,
    `const bodies = [world.add(rubber, ${json({ name: body.name, position: body.position })})];`,
  ];
  return [...lines, ...RUN].join('\n');
}

/** Without what is the default anyway: a scene that one can read. */
function shorten(scene: Scene): unknown {
  const dull: Readonly<Record<string, string>> = {
    rotation: '[0,0,0,1]',
    velocity: '[0,0,0]',
    spin: '[0,0,0]',
    motion: '[]',
    pins: '[]',
    colliders: '[]',
    scale: '1',
    density: '1000',
    deform: '"none"',
    selfContact: 'false',
    restitution: '0',
    seed: '1',
  };
  return JSON.parse(JSON.stringify(scene), (key, value) => (dull[key] === JSON.stringify(value) ? undefined : value));
}
