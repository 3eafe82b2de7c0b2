// Engines may give functions such as Math.sin a last bit of their own. Where it would reach a state, we have our own.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
/** What makes meshes and moves bodies. */
const rooms = [
  'math',
  'mesh/generate',
  'mesh/remesh',
  'mesh/repair',
  'contact',
  'deformer',
  'solvers',
  'embedding',
  'backends',
  'world',
  'scenes',
];
/** Additions, products, quotients and square roots are exact to the bit everywhere, and so are these. */
const exact = ['abs', 'ceil', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'];
const constants = ['PI', 'SQRT1_2', 'SQRT2', 'E'];

it('uses no function of the engine that may differ between engines', () => {
  const faults: string[] = [];
  let uses = 0;
  for (const room of rooms) {
    const files = readdirSync(`${src}${room}`, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('generated.ts'))) {
      const text = readFileSync(`${src}${room}/${file}`, 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
      for (const [, name] of text.matchAll(/\bMath\.(\w+)/g)) {
        uses++;
        if (!exact.includes(name) && !constants.includes(name)) faults.push(`${room}/${file}: Math.${name}`);
      }
      // A square is a product; other powers are the engine's.
      for (const [power] of text.matchAll(/[\w)\]] \*\* (?!2\b).+/g)) faults.push(`${room}/${file}: ${power}`);
    }
  }
  expect(uses).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});
