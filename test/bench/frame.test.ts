// The benchmarks' frame: rows as the interface promises, contenders in turn, failures in their rows and nowhere else.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Contender, interleave } from '../../bench/interleave.js';
import { describeMachine } from '../../bench/machine.js';
import { COLUMNS, formatCsv, formatJson, formatRows, type RowHead } from '../../bench/rows.js';
import { scalingContender } from '../../bench/scaling.js';
import { tetrahedraContender } from '../../bench/tetrahedra.js';

const HEAD: RowHead = { name: 'x', method: 'm', backend: 'b', threads: 1, particles: 2, regionSize: null };

/** Writes its name into `log` at every step; `volume` gives the error after the given number of steps. */
function mock(name: string, log: string[], volume: (step: number) => number = () => 0): Contender {
  let steps = 0;
  return {
    row: { ...HEAD, name },
    build: () => ({
      step() {
        log.push(name);
        steps++;
      },
      volumeErrorPercent: () => volume(steps),
      hash: () => `${name}-${steps}`,
      dispose: () => log.push(`-${name}`),
    }),
  };
}

describe('interleave', () => {
  it('takes a few steps of each in turn, as many of all, and disposes of all', async () => {
    const log: string[] = [];
    const rows = await interleave([mock('a', log), mock('b', log)], { steps: 3, stepsPerTurn: 2 });
    expect(log).toEqual(['a', 'a', 'b', 'b', 'a', 'b', '-a', '-b']);
    expect(rows.map(({ hash }) => hash)).toEqual(['a-3', 'b-3']);
  });

  it('reports the largest volume error of all steps', async () => {
    const [row] = await interleave([mock('a', [], (step) => (step === 2 ? 7 : 1))], { steps: 4 });
    expect(row.maxVolumeErrorPercent).toBe(7);
  });

  it('lets a contender fail in its own row only', async () => {
    const log: string[] = [];
    const unable: Contender = {
      row: { ...HEAD, name: 'unable' },
      build() {
        throw new Error('no memory');
      },
    };
    const throwing = mock('throws', log, () => {
      throw new Error('gone');
    });
    const broken = mock('nan', log, (step) => (step === 2 ? Number.NaN : 0));
    const exploding = mock('explodes', log, (step) => 10 ** step);
    const rows = await interleave([unable, throwing, broken, exploding, mock('fine', log)], { steps: 5 });
    expect(rows.map(({ note }) => note)).toEqual([
      'could not be set up: no memory',
      'failed in step 1: gone',
      'not finite after step 2',
      'exploded in step 4: volume error above 1000 %',
      undefined,
    ]);
    expect(rows.map(({ msPerStep }) => msPerStep === null)).toEqual([true, true, true, true, false]);
    expect(log.filter((name) => name === 'fine').length).toBe(5);
    expect(log.filter((name) => name === 'nan').length).toBe(2);
  });
});

describe('a small run of the real thing', () => {
  it('gives rows with the columns of the interface, first and in order', async () => {
    const rows = await interleave([scalingContender({ divisions: 7 }), scalingContender({ divisions: 8 })], {
      steps: 8,
    });
    const result = { bench: 'scaling', command: 'npm run bench -- scaling', machine: describeMachine(), rows };
    const { machine, rows: read } = JSON.parse(formatJson(result));
    expect(Object.keys(machine)).toEqual(['cpu', 'cores', 'node']);
    expect(read.length).toBe(2);
    for (const [index, row] of read.entries()) {
      expect(Object.keys(row).slice(0, COLUMNS.length)).toEqual([...COLUMNS]);
      expect(row).toMatchObject({ method: 'fast', backend: 'wasm', threads: 1, regionSize: 3 });
      expect(row.particles).toBe(6 * (7 + index) ** 2 + 2);
      expect(row.minMsPerStep).toBeGreaterThan(0);
      expect(row.msPerStep).toBeGreaterThanOrEqual(row.minMsPerStep);
      // The bound that single precision is held to in every scene.
      expect(row.maxVolumeErrorPercent).toBeLessThan(0.002);
      expect(row.hash).toMatch(/^[0-9a-f]{16}$/);
    }
    const lines = formatCsv(result).trim().split('\n');
    expect(lines[0].split(',').slice(0, COLUMNS.length)).toEqual([...COLUMNS]);
    expect(lines.length).toBe(3);
    expect(formatRows(result)).toContain('one-296');
  });

  it('puts quotes round what would break a CSV file', () => {
    const machine = { cpu: 'Any, 3 GHz', cores: 2, node: 'v20' };
    const row = { ...HEAD, msPerStep: 1, minMsPerStep: null, maxVolumeErrorPercent: 0, hash: 'h', note: 'a "b"' };
    const [, line] = formatCsv({ bench: 'x', command: 'c', machine, rows: [row] }).split('\n');
    expect(line).toBe('x,m,b,1,2,,1,,0,h,"a ""b""","Any, 3 GHz",2,v20,c');
  });
});

describe('npm run bench', () => {
  it.each([['nonsense'], ['scaling', '--jason', 'x'], []])('says in one line what it expects: %s', async (...args) => {
    const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
    const [code, stderr] = await new Promise<[unknown, string]>((resolve) => {
      execFile(process.execPath, ['--import', 'tsx', main, ...args], (error, _, text) => resolve([error?.code, text]));
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bench: expected NAME .* one of .*, got ".*"\n$/);
  });
});

it('rows of elements have the figures of their solves', async () => {
  const [row] = await interleave([tetrahedraContender({ cell: 0.35 })], { steps: 2 });
  expect(row.note).toBeUndefined();
  expect(row.newtonSteps).toBeGreaterThan(0);
  expect(row.maxOneRingErrorPercent).toBeLessThan(0.11);
});
