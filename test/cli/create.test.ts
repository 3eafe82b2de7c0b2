// `isochore create`: copies a template into a new folder; test/shipping/stranger runs what it makes.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectOneLine, isochore, Workplace } from './built-cli.js';

const place = new Workplace();

it('makes a page that bears the name of its folder, in an empty folder too', async () => {
  const folder = place.path('Soft Page');
  mkdirSync(folder);
  const { code, stdout, stderr } = await isochore(['create', folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`  cd ${JSON.stringify(folder)}\n  npm install\n  npm run dev\n`);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'soft-page', private: true, scripts: { dev: 'vite' } });
  expect(manifest.dependencies.isochore).toMatch(/^\^\d+\.\d+\.\d+/);
  for (const file of ['.gitignore', 'index.html', 'main.js', 'public/duck.glb'])
    expect(existsSync(join(folder, file)), file).toBe(true);
});

it('leaves what is there alone', async () => {
  const folder = place.path('mine');
  mkdirSync(join(folder, 'work'), { recursive: true });
  expectOneLine(await isochore(['create', folder]), 1, /mine: expected an empty folder, or none of this name/);
  const file = place.write('a-file', 'words');
  expectOneLine(await isochore(['create', file]), 1, /a-file: expected an empty folder/);
  expectOneLine(await isochore(['create', join(file, 'below'), '--react']), 1, /below: /);
  expect(readFileSync(file, 'utf8')).toBe('words');
});
