// Materials of an OBJ file (.mtl): colour, opacity, glow and the textures of colour and bumps that are images beside it.

import { type MaterialTexture, type MeshMaterial, plainMaterial } from '../mesh-material.js';
import { imageType } from './gltf/gltf-materials.js';
import type { ReadMeshOptions } from './read-options.js';

const REPEAT = 10497;

interface Draft {
  baseColor: [number, number, number, number];
  emissive: [number, number, number];
  roughness: number;
  colourMap?: string;
}

/** The materials of these names, in their order; one that no library has is grey. What cannot be had is left out, and told of. */
export async function readObjMaterials(
  text: string,
  names: readonly string[],
  resolve: ReadMeshOptions['resolve'],
  onMissing: (reason: string) => void,
): Promise<MeshMaterial[]> {
  const drafts = new Map<string, Draft>();
  for (const [, library] of text.matchAll(/^\s*mtllib[ \t]+(.+?)\s*$/gm)) {
    const bytes = await fileBeside(library, resolve);
    if (bytes) parseMtl(new TextDecoder().decode(bytes), drafts);
    else onMissing(`mtllib ${library}: expected a file that can be read beside this one`);
  }
  return Promise.all(
    names.map(async (name): Promise<MeshMaterial> => {
      const draft = drafts.get(name);
      if (!draft) return plainMaterial(name, [0.8, 0.8, 0.8, 1]);
      const { baseColor, emissive, roughness, colourMap } = draft;
      const texture = colourMap === undefined ? undefined : await readTexture(colourMap, resolve);
      if (colourMap !== undefined && !texture)
        onMissing(`map_Kd ${colourMap}: expected a PNG or JPEG beside this file`);
      return {
        ...plainMaterial(name, texture ? [1, 1, 1, baseColor[3]] : baseColor, roughness),
        ...{ emissive, alphaMode: baseColor[3] < 1 ? 'BLEND' : 'OPAQUE' },
        textures: texture ? { baseColor: texture } : {},
      };
    }),
  );
}

function parseMtl(text: string, drafts: Map<string, Draft>): void {
  let draft: Draft | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [key, ...words] = line.trim().split(/\s+/);
    const numbers = words.map((word) => share(Number(word)));
    if (key === 'newmtl') {
      draft = { baseColor: [0.8, 0.8, 0.8, 1], emissive: [0, 0, 0], roughness: 0.45 };
      drafts.set(words.join(' '), draft);
    } else if (!draft) continue;
    else if (key === 'Kd' && words.length >= 3)
      draft.baseColor = [numbers[0], numbers[1], numbers[2], draft.baseColor[3]];
    else if (key === 'Ke' && words.length >= 3) draft.emissive = [numbers[0], numbers[1], numbers[2]];
    else if (key === 'd' && words.length > 0) draft.baseColor[3] = numbers[0];
    else if (key === 'Tr' && words.length > 0) draft.baseColor[3] = 1 - numbers[0];
    else if (key === 'Pr' && words.length > 0) draft.roughness = numbers[0];
    // Options stand before the name of the file.
    else if (key === 'map_Kd' && words.length > 0) draft.colourMap = words[words.length - 1];
  }
}

const share = (value: number): number => (value >= 0 ? Math.min(1, value) : 0);

async function readTexture(path: string, resolve: ReadMeshOptions['resolve']): Promise<MaterialTexture | undefined> {
  const image = await fileBeside(path, resolve);
  const mimeType = image && imageType(image);
  if (!image || mimeType === undefined) return undefined;
  return { image, mimeType, wrap: [REPEAT, REPEAT], magFilter: null, minFilter: null, strength: 1 };
}

/** Undefined where there is none, or it would lie outside of the folder. */
async function fileBeside(path: string, resolve: ReadMeshOptions['resolve']): Promise<Uint8Array | undefined> {
  const inner = path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  if (!resolve || /^([a-z]:)?\/|(^|\/)\.\.(\/|$)/i.test(inner)) return undefined;
  return resolve(inner).catch(() => undefined);
}
