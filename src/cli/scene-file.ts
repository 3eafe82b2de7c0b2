// What SCENE on the command line means: a built-in's name or a scene file, with its meshes beside it.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { suggestName } from '../math/known-fields.js';
import {
  checkScene,
  findScene,
  type PlaySceneOptions,
  parseScene,
  type Scene,
  SceneError,
  scenes,
} from '../scenes/index.js';
import { isSolidFile } from '../scenes/scene-mesh.js';
import { CliError } from './cli-error.js';
import { MAX_SCENE_BYTES, readInput } from './files.js';
import { readMeshFile, readMovingFile, readSolidFile } from './mesh-file.js';

export interface SceneSource {
  /** As the user wrote it; stands before every error about the scene. */
  readonly label: string;
  /** As the report calls it. */
  readonly name: string;
  readonly scene: Scene;
  /** The scene's own file; undefined for a built-in. */
  readonly file: string | undefined;
  /** The file of a path as it stands in the scene. */
  readonly fileOf: (path: string) => string;
  /** Take paths as they stand in the scene. */
  readonly loadMesh: NonNullable<PlaySceneOptions['loadMesh']>;
  readonly loadMoving: NonNullable<PlaySceneOptions['loadMoving']>;
}

/** Reads what a scene names by paths. @param fps of moving meshes that say none. */
export const sceneLoaders = (fileOf: (path: string) => string, fps?: number) =>
  ({
    loadMesh: (path, options) =>
      isSolidFile(path) ? readSolidFile(fileOf(path)) : readMeshFile(fileOf(path), options),
    loadMoving: (path, { animation }) => readMovingFile(fileOf(path), { animation, fps }),
  }) satisfies Pick<PlaySceneOptions, 'loadMesh' | 'loadMoving'>;

export async function openScene(argument: string): Promise<SceneSource> {
  const builtIn = findScene(argument);
  const folder = builtIn ? '.' : dirname(argument);
  const fileOf = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  return {
    label: argument,
    name: builtIn ? argument : basename(argument, '.json'),
    scene: builtIn ? checkScene(builtIn.make()) : await readSceneFile(argument),
    file: builtIn ? undefined : argument,
    fileOf,
    ...sceneLoaders(fileOf),
  };
}

async function readSceneFile(path: string): Promise<Scene> {
  const bytes = await readInput(path, MAX_SCENE_BYTES).catch((error) => {
    const looksLikeName = /^[\w-]+$/.test(path) && (error as Error).message.endsWith('no such file');
    if (!looksLikeName) throw error;
    const known = scenes.map(({ name }) => name);
    const meant = suggestName(path, known);
    const hint = meant === undefined ? '' : `did you mean ${meant}? `;
    throw new CliError(`${path}: unknown scene, ${hint}expected a scene file or one of ${known.join(', ')}`);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${path}: expected UTF-8 text`);
  }
  try {
    return parseScene(text);
  } catch (error) {
    throw inScene(path, error);
  }
}

/** Fingerprints of every file that a text of the scene is the path of: what is read from another one is another scene. */
export async function fingerprintFiles({ scene, fileOf }: SceneSource): Promise<Record<string, string>> {
  const texts = new Set<string>();
  JSON.stringify(scene, (_, value) => {
    if (typeof value === 'string') texts.add(value);
    return value;
  });
  const found: Record<string, string> = {};
  for (const text of texts) {
    const about = await stat(fileOf(text)).catch(() => undefined);
    if (!about?.isFile()) continue;
    found[text] = createHash('sha256')
      .update(await readFile(fileOf(text)))
      .digest('hex');
  }
  return found;
}

/** Puts the scene's name before an error about it. */
export const inScene = (label: string, error: unknown): unknown =>
  error instanceof SceneError ? new CliError(`${label}: ${error.message}`) : error;
