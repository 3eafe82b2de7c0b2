// The shortest program that does what is on the screen: for "copy code".

import { BUILT_IN_SOLVERS, type Scene } from 'isochore/scenes';
import { applyPaint, type Paint, paintedMaps } from './paint.js';
import type { SceneSource } from './protocol.js';
import { ALL_BODIES, applySettings, type Settings } from './settings.js';
import {
  type BodySettings,
  hasKeys,
  limit,
  linesFor,
  mergeSettings,
  type SettingLine,
  type SettingValue,
} from './solver-lines.js';

const json = (value: unknown): string => JSON.stringify(value);

/** What is to be called before a step: for cuts, and for settings by keyframes. */
const duesOf = ({ cuts, bodies }: Scene): string[] => [
  ...(cuts.length > 0 ? ['cutDue'] : []),
  ...(bodies.some(({ solver }) => hasKeys(solver)) ? ['setDue'] : []),
];

/** The program's lines for any scene: run it with its cuts, print what happened to the volume. */
const runOf = (scene: Scene): string[] => [
  ...(duesOf(scene).length === 0
    ? ['for (let step = 0; step < 400; step++) world.step();']
    : [
        'for (let step = 0; step < 400; step++) {',
        ...duesOf(scene).map((due) => `  ${due}(scene, world, bodies);`),
        '  world.step();',
        '}',
      ]),
  'for (const body of bodies) {',
  '  const error = 100 * Math.abs(body.volume() / body.targetVolume - 1);',
  `  console.log(\`\${body.name}: \${body.particleCount} particles, volume error \${error} %\`);`,
  '}',
  'world.dispose();',
];

const imports = (scene: Scene, ...others: string[]): string =>
  ['buildScene', 'checkScene', ...others, ...duesOf(scene)].sort().join(', ');

/** What is on the screen beside the scene. */
export interface Changes {
  readonly settings: Settings;
  readonly paint: Paint;
}

export function writeProgram(
  source: SceneSource,
  scene: Scene,
  { settings, paint }: Changes,
  isExtra: boolean,
): string {
  const options = worldOptions(settings);
  if (source.kind === 'built-in' && !isExtra) return builtInProgram(source.name, scene, { settings, paint }, options);
  const changed = applyPaint(applySettings(scene, settings), paint);
  if (source.kind === 'files' && source.files.some(({ name }) => !name.toLowerCase().endsWith('.json'))) {
    return meshProgram(changed, options, source.files[0].name, paint);
  }
  const lines = [
    `import { ${imports(scene)} } from 'isochore/scenes';`,
    '',
    `const scene = checkScene(${JSON.stringify(shorten(changed), null, 2)});`,
    `const { world, bodies } = await buildScene(scene${options ? `, ${options}` : ''});`,
  ];
  return [...lines, ...runOf(scene)].join('\n');
}

function worldOptions({ world }: Settings): string {
  const parts = [];
  if (world.backend && world.backend !== 'auto') parts.push(`backend: ${json(world.backend)}`);
  if (world.threads !== undefined) parts.push(`threads: ${world.threads}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '';
}

function builtInProgram(name: string, scene: Scene, { settings, paint }: Changes, options: string): string {
  const changed = applySettings(scene, settings);
  const lines = [
    `import { ${imports(scene, 'findScene')} } from 'isochore/scenes';`,
    '',
    `const scene = checkScene(findScene(${json(name)}).make());`,
  ];
  const { gravity, timeStep, friction } = settings.world;
  if (gravity !== undefined) lines.push(`scene.gravity = ${json(changed.gravity)};`);
  if (timeStep !== undefined) lines.push(`scene.timeStep = ${timeStep};`);
  if (friction !== undefined) {
    lines.push(`for (const part of [...scene.bodies, ...scene.colliders]) part.friction = ${friction};`);
  }
  const forAll = settings.bodies[ALL_BODIES] ?? {};
  const mixed = new Set(scene.bodies.map(({ solver }) => solver.type)).size > 1;
  if (!mixed && scene.bodies.length > 0) lines.push(...linesForAll(linesFor(scene.bodies[0].solver), forAll));
  changed.bodies.forEach((body, index) => {
    const own = { ...(mixed ? forAll : {}), ...settings.bodies[body.name ?? `body${index}`] };
    if (Object.keys(own).length > 0) lines.push(`scene.bodies[${index}].solver = ${json(body.solver)};`);
    const maps = paintedMaps(paint, index);
    if (maps) lines.push(`scene.bodies[${index}].maps = { ...scene.bodies[${index}].maps, ...${json(maps)} };`);
  });
  lines.push(`const { world, bodies } = await buildScene(scene${options ? `, ${options}` : ''});`);
  return [...lines, ...runOf(scene)].join('\n');
}

/** What is set for all bodies, in as few words as it takes; for bodies of several solvers it is said body by body. */
function linesForAll(lines: readonly SettingLine[], given: BodySettings): string[] {
  const inside: string[] = [];
  const set = mergeSettings(lines, given);
  const chosen = lines.filter(({ key }) => Object.hasOwn(set, key));
  const plain = chosen.filter(({ depth, kind, path }) => depth === 0 && kind !== 'switch' && path.length === 1);
  for (const { excludes } of plain) inside.push(...excludes.map((name) => `delete ${accessor([name])};`));
  if (plain.length > 0) {
    const values = Object.fromEntries(plain.map((line) => [line.key, limit(line, set[line.key])]));
    inside.push(`Object.assign(solver, ${json(values)});`);
  }
  let open = '';
  for (const line of chosen) {
    if (plain.includes(line)) continue;
    const group = line.depth > 0 ? accessor(line.path.slice(0, line.depth)) : '';
    if (open && group !== open) inside.push('}');
    if (group && group !== open) inside.push(`if (${group}) {`);
    open = group;
    inside.push(`${group ? '  ' : ''}${statement(line, set[line.key])}`);
  }
  if (open) inside.push('}');
  if (inside.length === 0) return [];
  return ['for (const { solver } of scene.bodies) {', ...inside.map((line) => `  ${line}`), '}'];
}

const accessor = (path: SettingLine['path']): string =>
  path.reduce<string>((text, name) => text + (typeof name === 'number' ? `[${name}]` : `.${name}`), 'solver');

function statement(line: SettingLine, value: SettingValue): string {
  const place = accessor(line.path);
  if (line.kind !== 'switch') return `${place} = ${json(limit(line, value))};`;
  return value === true ? `${place} ||= ${json(line.on)};` : `${place} = false;`;
}

/** A mesh of the user's, from the file to the body, step by step. */
function meshProgram(scene: Scene, options: string, file: string, paint: Paint): string {
  const [body] = scene.bodies;
  const { type, ...solver } = body.solver;
  const painted = Object.entries(paint[0] ?? {}).map(([map, factors]) => [map, Array.from(factors)]);
  const maps = painted.length > 0 ? `, { maps: ${json(Object.fromEntries(painted))} }` : '';
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
    `const rubber = prepare(shape, ${type}(${json(solver)})${maps});`,
    `const bodies = [world.add(rubber, ${json({ name: body.name, position: body.position })})];`,
  ];
  return [...lines, ...runOf(scene)].join('\n');
}

/** Values that the scene file has anyway. */
const DULL: Readonly<Record<string, string>> = {
  rotation: '[0,0,0,1]',
  velocity: '[0,0,0]',
  spin: '[0,0,0]',
  motion: '[]',
  pins: '[]',
  attachments: '[]',
  fields: '[]',
  cuts: '[]',
  colliders: '[]',
  scale: '1',
  density: '1000',
  deform: '"none"',
  selfContact: 'false',
  restitution: '0',
  seed: '1',
  type: json(BUILT_IN_SOLVERS[0].type),
};

/** Without what is the default anyway: a scene that one can read. In keyframes there are no defaults. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null || 'time' in value) return value;
  const kept = Object.entries(value).filter(([key, inner]) => DULL[key] !== json(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, shorten(inner)]));
}
