// Makes texts of the WGSL files (src/**/shaders), src/backends/webgpu/shaders.generated.ts: each with the parts that it
// `uses`, without comments. Does nothing while the result is as it was.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './bootstrap.mjs';

const target = join(root, 'src/backends/webgpu/shaders.generated.ts');

/** Every WGSL file by its name. */
function readShaders() {
  const files = readdirSync(join(root, 'src'), { recursive: true }).filter((path) => path.endsWith('.wgsl'));
  const shaders = new Map();
  for (const path of files.sort()) {
    const name = basename(path, '.wgsl');
    if (shaders.has(name)) throw new Error(`two shaders are called ${name}`);
    const text = readFileSync(join(root, 'src', path), 'utf8');
    shaders.set(name, { text, uses: /^\/\/ uses: (.*)$/m.exec(text)?.[1].split(', ') ?? [] });
  }
  return shaders;
}

const strip = (text) =>
  text
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/^\s*\n/gm, '')
    .replace(/^ +/gm, '');

export function buildShaders() {
  const shaders = readShaders();
  const lines = [];
  for (const [name, { text, uses }] of shaders) {
    const missing = uses.find((part) => !shaders.has(part));
    if (missing) throw new Error(`${name}.wgsl uses ${missing}, which is no shader`);
    lines.push(`  ${JSON.stringify(name)}: { uses: ${JSON.stringify(uses)}, text: ${JSON.stringify(strip(text))} },`);
  }
  const type = 'Readonly<Record<string, { readonly uses: readonly string[]; readonly text: string }>>';
  const made = `// Made by scripts/build-shaders.mjs\nexport const SHADERS: ${type} = {\n${lines.join('\n')}\n};\n`;
  if (!existsSync(target) || readFileSync(target, 'utf8') !== made) writeFileSync(target, made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildShaders();
