// "Copy code": the program builds the very scene that the settings make.

import { describe, expect, it } from 'vitest';
import { writeProgram } from '../../apps/playground/src/program-text.js';
import { applySettings, NO_SETTINGS, type Settings } from '../../apps/playground/src/settings.js';
import * as scenesEntry from '../../src/scenes/index.js';
import { BUILT_IN_SOLVERS, checkScene, findScene, type Scene } from '../../src/scenes/index.js';

const cases: readonly [string, Settings][] = [
  ['nothing', NO_SETTINGS],
  ['the world', { world: { gravity: 2, friction: 0.1, timeStep: 0.002 }, bodies: {} }],
  ['all bodies', { world: {}, bodies: { '*': { regionSize: 4, stiffness: 0.3, globalShare: 0.7, innerLow: 0.05 } } }],
  ['no volume', { world: {}, bodies: { '*': { volume: false, damping: 0.9 } } }],
  ['volume for all', { world: {}, bodies: { '*': { volume: true, innerShare: 0.4, innerHigh: 0.2 } } }],
  ['the region another way', { world: {}, bodies: { '*': { regionRadius: 0.25, target: 1.5, damping: 2 } } }],
  ['one body', { world: {}, bodies: { '*': { stiffness: 0.6 }, none: { volume: true, damping: 0.05 } } }],
];

/** Runs a program up to the scene it hands to buildScene. */
async function sceneOf(program: string): Promise<Scene> {
  let built: Scene | undefined;
  const stopHere = (scene: Scene) => {
    built = scene;
    return { world: { step: () => {}, dispose: () => {} }, bodies: [] };
  };
  const body = program.replace(/^import .*$/gm, '').replace('await buildScene', 'stopHere');
  new Function('checkScene', 'findScene', 'stopHere', body)(scenesEntry.checkScene, scenesEntry.findScene, stopHere);
  if (!built) throw new Error('the program builds no scene');
  return built;
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

it('the program for bodies of several solvers says what is set for all of them body by body', async () => {
  const scene = checkScene({
    isochore: 1,
    bodies: BUILT_IN_SOLVERS.map(({ type }) => ({ mesh: { shape: 'icosphere' }, solver: { type } })),
  });
  const settings = { world: {}, bodies: { '*': { regionSize: 4, cells: 100 } } };
  const program = writeProgram({ kind: 'built-in', name: 'squeeze' }, scene, { settings, paint: {} }, false);
  const changed = applySettings(scene, settings);
  changed.bodies.forEach(({ solver }, index) => {
    expect(program).toContain(`scene.bodies[${index}].solver = ${JSON.stringify(solver)};`);
  });
  // Only those that have it, each within its own range.
  expect(changed.bodies.map(({ solver }) => solver.cells).filter((one) => one !== undefined)).toEqual([64, 64]);
});

it.each(['built-in', 'scene'] as const)('the program for a painted %s scene holds the paint', async (kind) => {
  const scene = checkScene(findScene('squeeze')?.make());
  const paint = { 0: { stiffness: Float64Array.of(1, 0.1, 3.1623), friction: Float64Array.of(1.5, 0, 1) } };
  const source = kind === 'built-in' ? { kind, name: 'squeeze' } : { kind, name: 'a', scene: plain(scene) };
  const program = writeProgram(source, scene, { settings: NO_SETTINGS, paint }, false);
  const { maps } = plain(await sceneOf(program)).bodies[0];
  expect(maps.stiffness).toEqual([{ values: [1, 0.1, 3.1623] }]);
  expect(maps.friction).toEqual([{ values: [1.5, 0, 1] }]);
});

it('a program leaves the default solver unnamed', () => {
  const scene = checkScene(findScene('squeeze')?.make());
  const program = writeProgram(
    { kind: 'scene', name: 'a', scene: plain(scene) },
    scene,
    { settings: NO_SETTINGS, paint: {} },
    false,
  );
  expect(program).not.toContain('"type"');
});

describe.each(['squeeze', 'twist', 'balls-in-glass'])('the program for %s', (name) => {
  it.each(cases)('with %s changed makes the same scene', async (_, settings) => {
    const scene = checkScene(findScene(name)?.make());
    const program = writeProgram({ kind: 'built-in', name }, scene, { settings, paint: {} }, false);
    expect(plain(await sceneOf(program))).toEqual(plain(applySettings(scene, settings)));
    expect(program.split('\n').length).toBeLessThan(30);
  });

  it.each(cases)('as a scene of its own with %s changed, too', async (_, settings) => {
    const scene = checkScene(findScene(name)?.make());
    const program = writeProgram({ kind: 'scene', name, scene: plain(scene) }, scene, { settings, paint: {} }, false);
    expect(plain(await sceneOf(program))).toEqual(plain(applySettings(scene, settings)));
  });
});
