// `isochore scenes`: the built-in scenes, one line each.

import { scenes } from '../../scenes/index.js';

export function listScenes(options: { json?: boolean }): void {
  const entries = scenes.map(({ name, summary }) => ({ name, summary }));
  const width = Math.max(...entries.map(({ name }) => name.length));
  const lines = entries.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`);
  process.stdout.write(`${options.json ? JSON.stringify(entries, null, 2) : lines.join('\n')}\n`);
}
