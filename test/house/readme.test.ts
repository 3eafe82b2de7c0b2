// The README's examples are true: the program compiles against the built package and runs, the scene is a valid scene.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkScene } from '../../src/scenes/index.js';
import { VOLUME_TOLERANCE } from '../both-backends.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const folder = `${root}out/readme/`;

/** What a page with three.js has before it knows of soft bodies. */
const THREE_JS_SCENE = `
  import type { Body, World } from 'isochore';
  import type { Group, Material, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
  declare const body: Body, world: World, material: Material, scene: Scene, gltf: { scene: Group };
  declare const camera: PerspectiveCamera, renderer: WebGLRenderer;
`;

function codeBlocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]);
}

describe('README', () => {
  const [example, loop, handles, threejs] = codeBlocks('ts');
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
  });

  it('shows an example of ten lines', () => {
    expect(example.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  });

  it('shows code that type-checks against the package', () => {
    writeFileSync(`${folder}three.ts`, `${THREE_JS_SCENE}\n${threejs}`);
    writeFileSync(`${folder}example.ts`, `${example}\n${loop}\n${handles}`);
    const options = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      noEmit: true,
      types: [],
      lib: ['es2023', 'dom'],
    };
    writeFileSync(
      `${folder}tsconfig.json`,
      JSON.stringify({ compilerOptions: options, files: ['example.ts', 'three.ts'] }),
    );
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    expect(execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).toBe('');
  });

  it('shows an example that runs and does what it says', () => {
    writeFileSync(`${folder}example.mjs`, transformSync(example, { loader: 'ts' }).code);
    const output = execFileSync(process.execPath, [`${folder}example.mjs`], { encoding: 'utf8' });
    const error = Number(/volume error (\S+)/.exec(output)?.[1]);
    // Single precision, see both-backends.ts.
    expect(error).toBeLessThan(VOLUME_TOLERANCE.wasm);
  });

  it('shows a valid scene', () => {
    const [scene] = codeBlocks('json');
    expect(checkScene(JSON.parse(scene)).bodies[0].name).toBe('ball');
  });
});
