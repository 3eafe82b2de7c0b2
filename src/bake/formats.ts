// What a bake can be written as, by the ending of the file's name.

import { describeKnown } from '../math/known-fields.js';
import type { BakedScene, BodySize, OutputFile } from './baked-scene.js';
import { type GlbOptions, glbFiles, gltfFiles } from './glb.js';
import { checkKeyed } from './keyed-frames.js';
import { sequenceFiles } from './mesh-sequence.js';
import { pointCacheFiles } from './point-caches.js';
import { usdaFiles } from './usda.js';
import { vatFiles } from './vat.js';
import { vatLayout } from './vat-layout.js';

type Format = (baked: BakedScene, base: string, options: GlbOptions) => OutputFile[];

const FORMATS: Readonly<Record<string, Format>> = {
  glb: glbFiles,
  gltf: gltfFiles,
  pc2: (baked, base) => pointCacheFiles(baked, base, 'pc2'),
  mdd: (baked, base) => pointCacheFiles(baked, base, 'mdd'),
  usda: usdaFiles,
  obj: (baked, base) => sequenceFiles(baked, base, 'obj'),
  ply: (baked, base) => sequenceFiles(baked, base, 'ply'),
  vat: vatFiles,
};

/** Endings that `bakedFiles` knows. */
export const BAKED_FORMATS: readonly string[] = Object.keys(FORMATS);

/** @throws RangeError for an ending that is not known. */
export function checkBaked(fileName: string): void {
  splitName(fileName);
}

/** What is written beside a file of this name, where there is one body: the rest mesh of a cache, the numbers of a glTF. */
export function filesBeside(fileName: string): string[] {
  const { base, ending } = splitName(fileName);
  const beside: Readonly<Record<string, string>> = { pc2: 'obj', mdd: 'obj', gltf: 'bin' };
  return Object.hasOwn(beside, ending) ? [`${base}.${beside[ending]}`] : [];
}

/** Whether a name is that of a folder, all of whose files are those of the bake. */
export const isFolder = (fileName: string): boolean => splitName(fileName).ending === 'vat';

/** Throws where a format does not hold a body, so that it shows before a long bake and not after it. */
export function checkRoom(fileName: string, body: BodySize, options: GlbOptions = {}): void {
  const { ending } = splitName(fileName);
  if (ending === 'vat') vatLayout(body.name, body.vertexCount, body.frameCount);
  if ((ending === 'glb' || ending === 'gltf') && options.tolerance === 0) checkKeyed(body);
}

/**
 * The files that a bake becomes under a name: one, or several whose names begin like it.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 20 });
 * for (const { name, pieces } of bakedFiles(await bakeScene(scene), 'ball.pc2')) {
 *   for await (const piece of pieces()) console.log(name, piece.length);
 * }
 * ```
 */
export function bakedFiles(baked: BakedScene, fileName: string, options: GlbOptions = {}): OutputFile[] {
  const { base, ending } = splitName(fileName);
  return FORMATS[ending](baked, base, options);
}

function splitName(fileName: string): { base: string; ending: string } {
  const [, base, ending] = /^(.*)\.([^./\\]+)$/.exec(fileName) ?? [undefined, fileName, ''];
  if (Object.hasOwn(FORMATS, ending.toLowerCase())) return { base, ending: ending.toLowerCase() };
  const known = BAKED_FORMATS.map((name) => `.${name}`);
  throw new RangeError(`expected a name with another ending: ${describeKnown(`.${ending}`, known)}`);
}
