// What the tarball holds, and that TypeScript finds its way through it.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importsOf } from '../house/import-graph.js';
import { installConsumer, listTarball, packPackage } from './packed-package.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
let project: string;
let files: string[];
beforeAll(() => {
  project = installConsumer();
  files = listTarball(packPackage());
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(project, 'node_modules', 'isochore', path), 'utf8');
const manifest = () => JSON.parse(read('package.json'));
const isCode = (path: string): boolean => /\.(js|d\.ts)$/.test(path) && !path.startsWith('dist/templates/');

/** The entries that are there for an optional package. */
const ENTRIES_FOR: Readonly<Record<string, readonly string[]>> = {
  three: ['three', 'react'],
  react: ['react'],
  '@react-three/fiber': ['react'],
};

/** For each file of code the entries from which imports lead to it. */
function entriesByFile(): Map<string, Set<string>> {
  const reached = new Map<string, Set<string>>();
  const { exports, bin } = manifest();
  const targets = Object.values<string | { default: string }>(exports).map((one) =>
    typeof one === 'object' ? one.default : one,
  );
  for (const entry of [...targets, ...Object.values<string>(bin)].map((path) => posix.normalize(path)).filter(isCode)) {
    const left = [entry];
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (reached.get(path)?.has(entry)) continue;
      reached.set(path, (reached.get(path) ?? new Set()).add(entry));
      for (const one of importsOf(read(path))) if (one.startsWith('.')) left.push(posix.join(posix.dirname(path), one));
    }
  }
  return reached;
}

describe('the tarball', () => {
  it('holds the documents, the built code, its declarations, the kernels, the schema and templates, and nothing else', () => {
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'REFERENCES.md', 'package.json'];
    const data = ['dist/kernels.wasm', 'dist/licences-of-others.txt', 'dist/scene.schema.json'];
    const isTemplate = (path: string) => path.startsWith('dist/templates/');
    const rest = files.filter((path) => !isTemplate(path) && !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(path)).sort();
    expect(rest).toEqual([...documents, ...data].sort());
    const page = ['README.md', 'index.html', 'package.json', 'public/duck.glb', 'vite.config.js'];
    const pages = [['three', 'main.js'] as const, ['react', 'main.jsx'] as const].flatMap(([name, main]) =>
      [main, ...page].map((file) => `dist/templates/${name}/${file}`),
    );
    expect(files.filter(isTemplate).sort()).toEqual(pages.sort());
    expect(files.length).toBeGreaterThan(rest.length + 50);
  });

  it('holds every entry that package.json names, types first', () => {
    const { exports, bin } = manifest();
    expect(Object.keys(exports)).toEqual(
      expect.arrayContaining(['.', './mesh', './scenes', './three', './kernels.wasm']),
    );
    for (const [name, target] of Object.entries<string | Record<string, string>>(exports)) {
      if (typeof target === 'object') expect(Object.keys(target), name).toEqual(['types', 'default']);
      const targets = typeof target === 'object' ? Object.values(target) : [target];
      for (const path of targets) expect(files, name).toContain(posix.normalize(path));
    }
    for (const path of Object.values<string>(bin)) expect(files).toContain(path);
  });

  it('imports nothing but its own files and its declared dependencies', () => {
    const { dependencies, peerDependencies } = manifest();
    const packageOf = (specifier: string) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
    // What is optional only the command line and the entries that are for it may ask for, and what no other entry reaches: bundlers
    // would look for it.
    const reachedBy = entriesByFile();
    const mayAsk = (path: string, name: string) => {
      const entries = [...(reachedBy.get(path) ?? [path])].map((entry) => entry.split('/')[1]);
      return entries.every((entry) => entry === 'cli' || (ENTRIES_FOR[name] ?? []).includes(entry));
    };
    const missing: string[] = [];
    let count = 0;
    for (const path of files.filter(isCode)) {
      for (const specifier of importsOf(read(path))) {
        count++;
        const target = posix.join(posix.dirname(path), specifier);
        const file = path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
        const isNode = specifier.startsWith('node:') && path.startsWith('dist/cli/');
        const isOptional = packageOf(specifier) in peerDependencies && mayAsk(path, packageOf(specifier));
        const isDeclared = isNode || isOptional || packageOf(specifier) in dependencies;
        if (specifier.startsWith('.') ? !files.includes(file) : !isDeclared) missing.push(`${path}: ${specifier}`);
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it('leaves no asset for bundlers to lose, and no path of the machine that built it', () => {
    for (const path of files.filter(isCode)) {
      expect(read(path), path).not.toContain(root);
      expect(read(path), path).not.toContain('sourceMappingURL');
      // In the command line, which is never bundled, it would do no harm.
      if (!path.startsWith('dist/cli/')) expect(read(path), path).not.toContain('import.meta');
    }
  });
});

describe('types', () => {
  const CONSUMER = `
    import { type Capabilities, createWorld, icosphere, prepare, surface } from 'isochore';
    import { weld } from 'isochore/mesh';
    import { findScene } from 'isochore/scenes';
    const bytes: Uint8Array = new Uint8Array(8);
    for (const kernels of [bytes, new ArrayBuffer(8), '/kernels.wasm', new URL('https://example.org/kernels.wasm')])
      await createWorld({ kernels });
    const world = await createWorld({ backend: 'wasm', threads: 2 });
    const body = world.add(prepare(weld(icosphere({ detail: 1 })).mesh, surface({ regionSize: 1 })));
    const x: number = body.positions[0];
    const capabilities: Capabilities = world.capabilities;
    console.log(x, capabilities.threads.toFixed(), findScene('squeeze')?.name);
    // @ts-expect-error: backends are named
    await createWorld({ backend: 'fast' });
    // @ts-expect-error: the types are there, and are not any
    world.stepp();
  `;

  const THREE_CONSUMER = `
    import { createWorld } from 'isochore';
    import { DebugView, fromObject3D, Grab, SoftMesh } from 'isochore/three';
    import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene } from 'three';
    const world = await createWorld();
    const toy = await fromObject3D(new Mesh(new BoxGeometry()), world, { vertices: 100, density: 300 });
    const soft = new SoftMesh(toy.bodies[0], new MeshBasicMaterial());
    const scene = new Scene().add(toy, soft, new DebugView(toy.bodies[0], { paths: true }));
    new Grab(new PerspectiveCamera(), document.body, scene, { radius: 0.1 }).addEventListener('grab', ({ point }) => point.x);
    // @ts-expect-error: the types are there, and are not any
    soft.updated();
  `;

  beforeAll(() => {
    writeFileSync(join(project, 'consumer.ts'), CONSUMER);
    writeFileSync(join(project, 'three-consumer.ts'), THREE_CONSUMER);
    symlinkSync(join(root, 'node_modules', '@types'), join(project, 'node_modules', '@types'));
  });

  /** What the compiler says of a file. */
  const compile = (name: string, file: string, options: object): string => {
    const path = join(project, `${name.replaceAll(/\W/g, '-')}.json`);
    const compilerOptions = { ...options, target: 'es2022', strict: true, noEmit: true };
    writeFileSync(path, JSON.stringify({ compilerOptions, files: [file] }));
    try {
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      return execFileSync(process.execPath, [tsc, '-p', path], { encoding: 'utf8' });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };

  // Declarations are checked too (skipLibCheck is off): what they name must exist for the consumer.
  it.each([
    ['a bundler and the DOM', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }],
    ['Node 16 and the DOM', { module: 'node16', moduleResolution: 'node16', lib: ['es2022', 'dom'], types: [] }],
    ["Node's types alone", { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] }],
  ])('resolve with %s', (name, options) => {
    expect(compile(name, 'consumer.ts', { ...options, skipLibCheck: false })).toBe('');
  });

  // Those of three.js itself are not for us to check.
  it('resolve beside those of three.js', () => {
    const options = {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
      skipLibCheck: true,
    };
    expect(compile('three.js', 'three-consumer.ts', options)).toBe('');
  });
});
