// The playground's lines of settings come from a solver's fields alone: a solver that nobody knows yet gets them, too.

import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../apps/playground/src/page/presets.js';
import { applySettings, bodySettingsOf, NO_SETTINGS, needsRebuild } from '../../apps/playground/src/settings.js';
import {
  limit,
  linesBy,
  linesFor,
  linesOf,
  mergeSettings,
  readLine,
  usable,
  writeLines,
} from '../../apps/playground/src/solver-lines.js';
import { BUILT_IN_SOLVERS, checkScene } from '../../src/scenes/index.js';
import { type Fields, readFields } from '../../src/solvers/fields.js';

const said = { words: 'What it means.', change: 'live' } as const;
const FIELDS: Fields = {
  cells: { ...said, kind: 'integer', label: 'Cells', change: 'prepared', instead: 'grid', low: 1, high: 64 },
  width: {
    ...said,
    kind: 'number',
    label: 'Width',
    instead: 'grid',
    low: 0,
    above: true,
    high: 2,
    default: 0.5,
    step: 0.1,
  },
  law: { ...said, kind: 'choice', label: 'Law', options: ['linear', 'neo-hookean'], default: 'linear' },
  plastic: {
    ...said,
    kind: 'group',
    label: 'Plastic',
    default: false,
    fields: {
      yields: { ...said, kind: 'number', label: 'Yields', low: 0, high: 10, default: 1 },
      width: { ...said, kind: 'number', label: 'Width', low: 0, high: 1, default: 0.25 },
      creep: {
        ...said,
        kind: 'pair',
        label: 'Creep',
        labels: ['slow', 'fast'],
        names: ['creepSlow', 'creepFast'],
        low: 0,
        high: 1,
        default: [0.1, 0.2],
      },
    },
  },
};
const lines = linesOf(FIELDS);
const line = (key: string) => lines.find((one) => one.key === key) as (typeof lines)[number];
const start = () => readFields('toy', FIELDS, {});

describe('the lines of a solver', () => {
  it('are one for each number, switch and choice, and every key is there once', () => {
    expect(lines.map(({ key, kind }) => `${key}: ${kind}`)).toEqual([
      'cells: integer',
      'width: number',
      'law: choice',
      'plastic: switch',
      'yields: number',
      'plastic-width: number',
      'creepSlow: number',
      'creepFast: number',
    ]);
    expect(line('creepFast')).toMatchObject({
      label: 'Creep, fast',
      hint: 'What it means.',
      path: ['plastic', 'creep', 1],
    });
    expect(lines.filter(({ prepared }) => prepared).map(({ key }) => key)).toEqual(['cells']);
  });

  it('have sliders within the range, which leaves out an end that the range does not have', () => {
    expect([line('width').low, line('width').high, line('width').step]).toEqual([0.1, 2, 0.1]);
    expect([line('cells').step, line('yields').step]).toEqual([1, 0.1]);
    expect([limit(line('cells'), 99.4), limit(line('cells'), 2.6), limit(line('width'), -1)]).toEqual([64, 3, 0.1]);
  });

  it('write what the solver itself accepts, and read it again', () => {
    const given = { law: 'neo-hookean', plastic: true, yields: 3, 'plastic-width': 0.75, creepFast: 0.9, cells: 8 };
    const solver = writeLines(start(), lines, given);
    expect(solver).toEqual({
      cells: 8,
      law: 'neo-hookean',
      plastic: { yields: 3, width: 0.75, creep: [0.1, 0.9] },
    });
    expect(readFields('toy', FIELDS, solver)).toEqual(solver);
    for (const [key, value] of Object.entries(given)) expect(readLine(solver, line(key)), key).toBe(value);
    expect(readLine(solver, line('width'))).toBeUndefined();
  });

  it('leave out what belongs to a group that is off', () => {
    const solver = writeLines(start(), lines, { yields: 3, creepSlow: 0.3 });
    expect(solver).toEqual(start());
    expect(readLine(solver, line('yields'))).toBeUndefined();
    expect(writeLines({ ...solver, plastic: { yields: 2 } }, lines, { plastic: false })).toMatchObject({
      plastic: false,
    });
  });

  it('let the last of those that exclude each other stand', () => {
    expect(mergeSettings(lines, { cells: 4 }, { width: 1 }, { yields: 2 })).toEqual({ width: 1, yields: 2 });
    expect(mergeSettings(lines, { width: 1, cells: 4 })).toEqual({ cells: 4 });
  });
});

describe('the solvers that scene files know', () => {
  it('keep the keys of links that are out in the world', () => {
    const old = ['regionSize', 'stiffness', 'damping', 'volume', 'globalShare', 'innerShare', 'innerLow', 'innerHigh'];
    for (const key of old) expect(linesBy(key).length, key).toBeGreaterThan(0);
    expect(linesBy('nothing')).toEqual([]);
  });

  it.each(BUILT_IN_SOLVERS.map(({ type, fields }) => [type, fields] as const))(
    'take settings of each line: %s',
    (type, fields) => {
      const all: Fields = fields;
      const groups = Object.fromEntries(
        Object.keys(all).flatMap((name) => (all[name].kind === 'group' ? [[name, {}]] : [])),
      );
      const scene = checkScene({
        isochore: 1,
        // With every group on: what belongs to one that is off has no effect.
        bodies: [{ mesh: { shape: 'icosphere' }, solver: { type, ...groups } }],
      });
      for (const one of linesOf(fields)) {
        const other = one.unset === one.high ? one.low : one.high;
        const value = one.kind === 'switch' ? false : one.kind === 'choice' ? one.options[1] : other;
        const changed = applySettings(scene, { world: {}, bodies: { '*': { [one.key]: value } } });
        expect(bodySettingsOf(changed.bodies[0])[one.key], one.key).toBe(value);
        expect(checkScene(JSON.parse(JSON.stringify(changed)))).toEqual(JSON.parse(JSON.stringify(changed)));
        expect(needsRebuild(scene, changed, NO_SETTINGS, NO_SETTINGS), one.key).toBe(one.prepared);
      }
    },
  );
});

it('settings by a name are for solvers that mean the same by them', () => {
  const given = { stiffness: 0.3, damping: 0.9 };
  const taken = BUILT_IN_SOLVERS.map((solver) => [solver.type, usable(linesFor(solver), given)]);
  expect(Object.fromEntries(taken)).toEqual({ surface: given, lattice: given, octree: given, tetrahedra: {} });
});

describe('presets', () => {
  it.each([
    ['Balls in a glass (Table 1)', { regionSize: 2, stiffness: 1, damping: 0.9, globalShare: 0.5, innerShare: 0.1 }],
    ['Ducks and tori (Table 1)', { regionSize: 2, stiffness: 1, damping: 0.8, globalShare: 0.2, innerShare: 0.1 }],
    ['Creatures (Table 1)', { regionSize: 3, stiffness: 0.9, damping: 0.8, globalShare: 0.1, innerShare: 0.1 }],
    ['Global volume (Fig. 7)', { volume: true, globalShare: 1, innerShare: 0 }],
    ['Local, inner pairs (Fig. 7)', { volume: true, globalShare: 0.2, innerShare: 0.1 }],
    ['Local (Fig. 7)', { volume: true, globalShare: 0.2, innerShare: 0 }],
    ['No volume constraint (Fig. 7)', { volume: false }],
  ])('have the values of the paper: %s', (name, values) => {
    expect(PRESETS[name]()).toMatchObject(values);
  });

  it('have nothing that stands in the place of something else', () => {
    for (const preset of Object.values(PRESETS)) {
      const settings = preset();
      expect(mergeSettings(linesOf(BUILT_IN_SOLVERS[0].fields), settings)).toEqual(settings);
    }
  });
});
