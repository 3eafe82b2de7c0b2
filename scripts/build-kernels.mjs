// Compiles the AssemblyScript kernels to WebAssembly and inlines them as base64 in src/backends/wasm/kernels.generated.ts,
// once for shared memory (threads) and once without. Does nothing while the sources are as they were.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

const target = join(root, 'src/backends/wasm/kernels.generated.ts');
const VARIANTS = {
  SINGLE: [],
  // 65536 pages are the 4 GiB that a 32-bit memory can have; only what is used is committed.
  THREADED: ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536'],
};

/** Hash of everything that the output depends on. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'assembly'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  for (const name of files.sort()) hash.update(name).update(readFileSync(join(root, 'assembly', name)));
  for (const name of ['src/backends/wasm/layout.ts', 'scripts/build-kernels.mjs'])
    hash.update(readFileSync(join(root, name)));
  hash.update(readFileSync(join(root, 'node_modules/assemblyscript/package.json')));
  return hash.digest('hex');
}

export async function buildKernels() {
  const print = fingerprint();
  if (existsSync(target) && readFileSync(target, 'utf8').includes(print)) return;
  const { main: compile } = await import('assemblyscript/asc');
  const folder = mkdtempSync(join(tmpdir(), 'isochore-kernels-'));
  const lines = [`// Made by scripts/build-kernels.mjs from assembly/, ${print}`];
  try {
    for (const [name, flags] of Object.entries(VARIANTS)) {
      const file = join(folder, `${name}.wasm`);
      const common = [
        '-O3',
        '--enable',
        'simd',
        '--runtime',
        'stub',
        '--importMemory',
        '--noAssert',
        '--disableWarning',
      ];
      const entry = join(root, 'assembly/index.ts');
      const { error, stderr } = await compile([entry, ...common, ...flags, '--baseDir', root, '-o', file]);
      if (error) throw new Error(`the kernels do not compile: ${error.message}\n${stderr.toString()}`);
      lines.push(`export const ${name} =\n  '${readFileSync(file).toString('base64')}';`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(target, `${lines.join('\n')}\n`);
}
