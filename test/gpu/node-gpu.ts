// WebGPU in Node for the tests: Dawn on whatever Vulkan driver there is, else on SwiftShader, which comes with the tests' Chromium. In
// continuous integration a machine without an adapter fails.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * SwiftShader fills workgroup memory by one instruction for each number of it, which takes a second to compile for each kernel; Dawn's
 * own loop does the same in a hundredth. Timestamps are rounded to 0.1 ms unless Dawn is told not to, and a stage may take less.
 */
const OPTIONS = ['disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension,timestamp_quantization'];

/** Once collected it would take the process down. */
const kept: GPU[] = [];

function useDriver(library: string): void {
  const file = join(mkdtempSync(join(tmpdir(), 'isochore-icd-')), 'icd.json');
  const ICD = { library_path: library, api_version: '1.3.0' };
  writeFileSync(file, JSON.stringify({ file_format_version: '1.0.0', ICD }));
  process.env.VK_DRIVER_FILES = file;
  process.env.VK_ICD_FILENAMES = file;
}

/** The folder of SwiftShader, unpacked from the package of the tests' Chromium. */
function unpackSwiftShader(): string {
  let folder = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  while (!existsSync(join(folder, 'bin/swiftshader.tar.br'))) folder = dirname(folder);
  const target = join(tmpdir(), 'isochore-swiftshader');
  if (!existsSync(join(target, 'libvk_swiftshader.so'))) {
    mkdirSync(target, { recursive: true });
    const archive = join(target, `swiftshader.${process.pid}.tar`);
    writeFileSync(archive, brotliDecompressSync(readFileSync(join(folder, 'bin/swiftshader.tar.br'))));
    execFileSync('tar', ['xf', archive, '-C', target, '--no-same-owner']);
  }
  return target;
}

function useSwiftShader(): void {
  const folder = unpackSwiftShader();
  useDriver(join(folder, 'libvk_swiftshader.so'));
  // Dawn looks for the loader by its name, which is known once it is loaded; that it is no module of Node's is what it says.
  try {
    const flags = constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_GLOBAL | 0x1000;
    process.dlopen({ exports: {} }, join(folder, 'libvulkan.so.1'), flags);
  } catch {}
}

let found: Promise<GPU> | undefined;

/** The GPU of this process. @throws where there is none. */
export function nodeGpu(): Promise<GPU> {
  found ??= findGpu();
  return found;
}

async function findGpu(): Promise<GPU> {
  const { create } = await import('webgpu');
  for (const prepare of [() => {}, useSwiftShader]) {
    prepare();
    const gpu = create(OPTIONS) as GPU;
    if (!(await gpu.requestAdapter())) continue;
    kept.push(gpu);
    return gpu;
  }
  throw new Error('no WebGPU adapter: neither a Vulkan driver nor SwiftShader works here');
}
