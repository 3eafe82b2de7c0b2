// Pictures of the documentation as files.

import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { type RenderScene, render } from '../src/picture/render.js';

/** Renders the scene and writes it as a PNG file. */
export function renderPng(scene: RenderScene, file: string): void {
  const { width, height, data } = render(scene);
  const png = new PNG({ width, height });
  png.data.set(data);
  writeFileSync(file, PNG.sync.write(png));
}
