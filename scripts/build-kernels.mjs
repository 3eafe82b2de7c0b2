// Compiles the AssemblyScript kernels to WebAssembly and inlines them, compressed, as base64 in src/backends/wasm/kernels.generated.ts;
// the kernels that solvers bring along in their folders; and for the tests a module of single kernels, in out/. Does nothing while
// the sources are as they were.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from './bootstrap.mjs';
import { buildWorker } from './build-worker.mjs';

const target = join(root, 'src/backends/wasm/kernels.generated.ts');
/** Files of src that kernels read: where things are in memory, and the numbers that are tuned. */
const SHARED = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\/(tuning|kernel-layout|partial-sums)\.ts$|^src\/backends\/wasm\/layout\/.*\.ts$/.test(name))
  .sort();
/** For threads. 65536 pages are the 4 GiB that a 32-bit memory can have; only what is used is committed. */
const THREADED = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536'];

/** Modules of their own, most with a memory that is not shared: see src/kernels/inlined-kernels.ts. */
const OWN = [
  { entry: 'assembly/backends/hosting.ts', made: 'src/backends/wasm/hosting/kernels.generated.ts' },
  { entry: 'assembly/solvers/octree/index.ts', made: 'src/solvers/octree/kernels.generated.ts' },
  {
    entry: 'assembly/solvers/tetrahedra/index.ts',
    made: 'src/solvers/tetrahedra/kernels.generated.ts',
    isShared: true,
  },
  { entry: 'assembly/deformer/index.ts', made: 'src/deformer/kernels.generated.ts' },
];

/** Hash of everything that the output depends on. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'assembly'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  for (const name of files.sort()) hash.update(name).update(readFileSync(join(root, 'assembly', name)));
  for (const name of [...SHARED, 'scripts/build-kernels.mjs']) hash.update(readFileSync(join(root, name)));
  for (const name of ['assemblyscript', 'binaryen'])
    hash.update(readFileSync(join(root, 'node_modules', name, 'package.json')));
  return hash.digest('hex');
}

const COMMON = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--importMemory', '--noAssert', '--disableWarning'];

async function compile(entry, flags, file, base = root) {
  const { main } = await import('assemblyscript/asc');
  const { error, stderr } = await main([join(base, entry), ...COMMON, ...flags, '--baseDir', base, '-o', file]);
  if (error) throw new Error(`the kernels do not compile: ${error.message}\n${stderr.toString()}`);
  await inlineCalls(file);
}

/**
 * Sizes of functions up to which calls of them are replaced by their bodies: always, if they do not make the module larger by
 * much, and if it is their only call. Engines inline no calls between kernels; the compiler's own limits (12, 70, 200) leave
 * 4 % of a step with contact to them. Beyond these the module only grows.
 */
const INLINED = { always: 150, flexible: 400, oneCaller: 5000 };

async function inlineCalls(file) {
  const { default: binaryen } = await import('binaryen');
  const module = binaryen.readBinary(readFileSync(file));
  const used = ['Atomics', 'BulkMemory', 'BulkMemoryOpt', 'MutableGlobals', 'NontrappingFPToInt', 'SignExt', 'SIMD128'];
  module.setFeatures(used.reduce((all, name) => all | binaryen.Features[name], 0));
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(INLINED.always);
  binaryen.setFlexibleInlineMaxSize(INLINED.flexible);
  binaryen.setOneCallerInlineMaxSize(INLINED.oneCaller);
  module.optimize();
  writeFileSync(file, module.emitBinary());
  module.dispose();
}

/** Calls back with a folder that is gone afterwards. */
async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'isochore-kernels-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All that is generated: the kernels, and the worker that may hold some of them. */
export async function buildKernels() {
  await compileKernels();
  await buildWorker();
}

async function compileKernels() {
  const print = fingerprint();
  const isMade = (path) => existsSync(path) && readFileSync(path, 'utf8').includes(print);
  for (const own of OWN) if (!isMade(join(root, own.made))) await buildOwn(own, print);
  if (isMade(target)) return;
  await withFolder(async (folder) => {
    const file = join(folder, 'kernels.wasm');
    await compile('assembly/index.ts', THREADED, file);
    const bytes = readFileSync(file);
    // Compressed, as a third of a page's script would be kernels else. Typed, or the declarations would repeat every byte.
    const lines = [
      `// Made by scripts/build-kernels.mjs from assembly/, ${print}`,
      '/** The module, for a memory that threads share. */',
      `export const KERNELS: string =\n  '${gzipSync(bytes, { level: 9 }).toString('base64')}';`,
      '/** Place of the byte that says whether the memory is shared. */',
      `export const SHARED_AT = ${sharedAt(bytes)};`,
      '/** What tells these kernels from others: their memory is not that of another version. */',
      `export const FINGERPRINT = '${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}';`,
    ];
    writeFileSync(target, `${lines.join('\n')}\n`);
  });
}

/** Not compressed: they are small, and models that need them at once cannot wait for an unpacking that takes its time. */
function buildOwn({ entry, made, isShared }, print) {
  return withFolder(async (folder) => {
    const file = join(folder, 'own.wasm');
    await compile(entry, isShared ? THREADED : [], file);
    const bytes = readFileSync(file);
    const lines = [
      `// Made by scripts/build-kernels.mjs from ${entry}, ${print}`,
      `export const KERNELS: string =\n  '${bytes.toString('base64')}';`,
    ];
    if (isShared) lines.push(`export const SHARED_AT = ${sharedAt(bytes)};`);
    writeFileSync(join(root, made), `${lines.join('\n')}\n`);
  });
}

/** Place of the import's limits: kind 2, a memory, then 3 for a maximum and shared, 1 for a maximum alone. */
function sharedAt(bytes) {
  const name = Buffer.from('\x03env\x06memory\x02\x03', 'latin1');
  const at = bytes.indexOf(name);
  if (at < 0) throw new Error('the kernels import no shared memory');
  return at + name.length - 1;
}

/** The bytes of a module that exports single kernels, see assembly/testing.ts. */
export async function buildTestingKernels() {
  const print = fingerprint();
  const folder = join(root, 'out', 'kernels');
  const file = join(folder, `${print}.wasm`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (!name.startsWith(print)) rmSync(join(folder, name), { force: true });
    await withFolder(async (made) => {
      await compile('assembly/testing.ts', [], join(made, 'testing.wasm'));
      // Under another name first: a second test process must not read half of it.
      const beside = `${file}.${process.pid}`;
      copyFileSync(join(made, 'testing.wasm'), beside);
      renameSync(beside, file);
    });
  }
  return readFileSync(file);
}

/** The bytes of the module without shared memory, for those who load it themselves. */
export function singleKernels() {
  const bytes = gunzipSync(
    Buffer.from(/KERNELS: string =\s+'([^']+)'/.exec(readFileSync(target, 'utf8'))[1], 'base64'),
  );
  bytes[sharedAt(bytes)] = 1;
  return bytes;
}

/** The bytes of the kernels with sums over regions member by member, for the benchmarks; one thread. */
export function buildNaiveKernels() {
  return withFolder(async (folder) => {
    const sums = 'assembly/solvers/surface/region-sums';
    for (const name of ['assembly', ...SHARED]) cpSync(join(root, name), join(folder, name), { recursive: true });
    copyFileSync(join(root, `${sums}.naive.ts`), join(folder, `${sums}.ts`));
    const file = join(folder, 'naive.wasm');
    await compile('assembly/index.ts', [], file, folder);
    return readFileSync(file);
  });
}
