// Reads the import lines of TypeScript files and finds what breaks the order of the layers.

import { posix } from 'node:path';

/** From the bottom up; a layer may import from itself and from those before it. */
export const LAYERS = [
  'math',
  'kernels',
  'picture',
  'mesh',
  'contact',
  'deformer',
  'solvers',
  'embedding',
  'handles',
  'backends',
  'world',
  'worker',
  'three',
  'react',
  'scenes',
  'report',
  'bake',
  'farm',
  'index',
  'cli',
] as const;

/** The same of the kernels; `testing` is what the tests compile beside them. */
export const KERNEL_LAYERS = [
  'layout',
  'simd',
  'threads',
  'mesh',
  'contact',
  'deformer',
  'solvers',
  'embedding',
  'backends',
  'world',
  'index',
  'testing',
] as const;

/** Packages by the folder that may import them. */
export const PACKAGES: Record<string, readonly string[]> = {
  'mesh/io': ['@gltf-transform/core', '@gltf-transform/extensions', 'meshoptimizer'],
  'mesh/repair': ['meshoptimizer'],
  three: ['fast-png', 'three'],
  react: ['@react-three/fiber', 'react', 'three'],
  scenes: ['zod'],
  bake: ['@gltf-transform/core', '@gltf-transform/extensions', 'fast-png'],
  cli: ['bullmq', 'commander', 'cli-progress', 'draco3dgltf', 'ioredis', 'playwright-core', 'webgpu', 'three'],
};

/** Text of each file by its path in src or assembly, such as `mesh/weld.ts`. */
export type Sources = Readonly<Record<string, string>>;

const IMPORT = /\b(?:import|export)\b[^;'"`]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

/** Import specifiers of a text, types and lazy imports included, those in comments not. */
export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2]);
}

const layerOf = (path: string): string => path.split('/')[0].replace(/\.ts$/, '');

/** Kernels import without an ending. */
const resolveImport = (from: string, specifier: string): string =>
  `${posix.join(posix.dirname(from), specifier).replace(/\.js$/, '')}.ts`;

/** Every fault as a line; none where the order holds. */
export function findLayerFaults(sources: Sources, layers: readonly string[] = LAYERS): string[] {
  const faults: string[] = [];
  const rank = (path: string): number => layers.indexOf(layerOf(path));
  for (const [path, text] of Object.entries(sources)) {
    if (rank(path) < 0) faults.push(`${path}: not in a known layer`);
    for (const specifier of importsOf(text)) {
      if (specifier.startsWith('.')) {
        const target = resolveImport(path, specifier);
        if (!(target in sources)) faults.push(`${path}: imports ${specifier}, which is no file`);
        else if (rank(target) > rank(path)) faults.push(`${path}: imports upwards from ${target}`);
      } else if (specifier.startsWith('node:')) {
        if (layerOf(path) !== 'cli') faults.push(`${path}: imports ${specifier} below cli`);
      } else {
        const allowed = Object.entries(PACKAGES).some(
          ([folder, names]) => path.startsWith(`${folder}/`) && names.some((n) => `${specifier}/`.startsWith(`${n}/`)),
        );
        if (!allowed) faults.push(`${path}: imports the package ${specifier}`);
      }
    }
  }
  return faults;
}

/** The files of one import cycle in order, or undefined where there is none. */
export function findCycle(sources: Sources): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): string[] | undefined => {
    const seenAt = way.indexOf(path);
    if (seenAt >= 0) return [...way.slice(seenAt), path];
    if (done.has(path)) return undefined;
    way.push(path);
    for (const specifier of importsOf(sources[path] ?? '')) {
      const cycle = specifier.startsWith('.') ? visit(resolveImport(path, specifier)) : undefined;
      if (cycle) return cycle;
    }
    way.pop();
    done.add(path);
    return undefined;
  };
  for (const path of Object.keys(sources)) {
    const cycle = visit(path);
    if (cycle) return cycle;
  }
  return undefined;
}
