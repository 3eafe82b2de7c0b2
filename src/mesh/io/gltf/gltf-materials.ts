// The materials of a glTF file with the images of their textures. Textures over a second set of coordinates, transforms of textures and
// what extensions add are left out: a mesh here has one set, and other writers would not show them.

import { type MaterialTexture, type MeshMaterial, TEXTURE_SLOTS, type TextureSlot } from '../../mesh-material.js';
import { JsonValue } from '../json-value.js';
import type { ReadMeshOptions } from '../read-options.js';
import { loadBuffer, loadUri } from './gltf-buffers.js';
import { openGltf } from './gltf-container.js';

const REPEAT = 10497;
/** What may be written into a file as it is. */
const IMAGE_TYPES = ['image/png', 'image/jpeg'];
/** In which object of a material each slot stands, and what its strength is called. */
const PLACES: Readonly<Record<TextureSlot, { readonly path: readonly string[]; readonly strength?: string }>> = {
  baseColor: { path: ['pbrMetallicRoughness', 'baseColorTexture'] },
  metallicRoughness: { path: ['pbrMetallicRoughness', 'metallicRoughnessTexture'] },
  normal: { path: ['normalTexture'], strength: 'scale' },
  occlusion: { path: ['occlusionTexture'], strength: 'strength' },
  emissive: { path: ['emissiveTexture'] },
};

/** In the file's order. An image that cannot be had is left out, and told of. */
export async function readGltfMaterials(
  bytes: Uint8Array,
  options: ReadMeshOptions,
  onMissing: (reason: string) => void,
): Promise<MeshMaterial[]> {
  const { json, binary } = openGltf(bytes);
  const root = new JsonValue(json, '');
  const images = new ImageReader(root, binary, options.resolve, onMissing);
  return Promise.all(
    root
      .field('materials')
      .items()
      .map((one) => readMaterial(one, images)),
  );
}

async function readMaterial(material: JsonValue, images: ImageReader): Promise<MeshMaterial> {
  const surface = material.field('pbrMetallicRoughness');
  const textures: Partial<Record<TextureSlot, MaterialTexture>> = {};
  for (const slot of TEXTURE_SLOTS) {
    const { path, strength } = PLACES[slot];
    const info = path.reduce((value, name) => value.field(name), material);
    if (!info.exists || info.field('texCoord').integer(0, 99, 0) !== 0) continue;
    const found = await images.texture(info, strength === undefined ? 1 : numberOf(info.field(strength), 1));
    if (found) textures[slot] = found;
  }
  const mode = material.field('alphaMode').value;
  return {
    name: material.field('name').name(),
    baseColor: surface
      .field('baseColorFactor')
      .numbers([1, 1, 1, 1])
      .map(share) as unknown as MeshMaterial['baseColor'],
    metallic: share(numberOf(surface.field('metallicFactor'), 1)),
    roughness: share(numberOf(surface.field('roughnessFactor'), 1)),
    emissive: material.field('emissiveFactor').numbers([0, 0, 0]).map(share) as unknown as MeshMaterial['emissive'],
    alphaMode: mode === 'MASK' || mode === 'BLEND' ? mode : 'OPAQUE',
    alphaCutoff: Math.max(0, numberOf(material.field('alphaCutoff'), 0.5)),
    doubleSided: material.field('doubleSided').value === true,
    textures,
  };
}

const share = (value: number): number => Math.min(1, Math.max(0, value));

function numberOf(value: JsonValue, absent: number): number {
  if (!value.exists) return absent;
  return typeof value.value === 'number' && Number.isFinite(value.value) ? value.value : value.fail('a number');
}

class ImageReader {
  private readonly known = new Map<number, Promise<Uint8Array | undefined>>();

  constructor(
    private readonly root: JsonValue,
    private readonly binary: Uint8Array | null,
    private readonly resolve: ReadMeshOptions['resolve'],
    private readonly onMissing: (reason: string) => void,
  ) {}

  /** Undefined where the image is of a kind that is not known here. */
  async texture(info: JsonValue, strength: number): Promise<MaterialTexture | undefined> {
    const list = this.root.field('textures');
    const texture = list.item(info.field('index').index(list));
    const source = texture.field('source');
    if (!source.exists) return undefined;
    const images = this.root.field('images');
    const index = source.index(images);
    const image = images.item(index);
    let bytes = this.known.get(index);
    if (!bytes) {
      bytes = this.imageBytes(image).catch((error: Error) => {
        this.onMissing(error.message.split('\n', 1)[0]);
        return undefined;
      });
      this.known.set(index, bytes);
    }
    const content = await bytes;
    const mimeType = content && imageType(content);
    if (!content || mimeType === undefined) return undefined;
    const samplers = this.root.field('samplers');
    const chosen = texture.field('sampler');
    const sampler = chosen.exists ? samplers.item(chosen.index(samplers)) : new JsonValue({}, 'sampler');
    const numberOrNull = (name: string) => (sampler.field(name).exists ? sampler.field(name).integer(0, 65535) : null);
    return {
      ...{ image: content, mimeType, strength },
      wrap: [sampler.field('wrapS').integer(0, 65535, REPEAT), sampler.field('wrapT').integer(0, 65535, REPEAT)],
      magFilter: numberOrNull('magFilter'),
      minFilter: numberOrNull('minFilter'),
    };
  }

  private async imageBytes(image: JsonValue): Promise<Uint8Array> {
    if (image.field('uri').exists) return loadUri(image.field('uri'), this.resolve);
    const views = this.root.field('bufferViews');
    const view = views.item(image.field('bufferView').index(views));
    const buffers = this.root.field('buffers');
    const buffer = view.field('buffer').index(buffers);
    const bytes = await loadBuffer(buffers.item(buffer), buffer === 0 ? this.binary : null, this.resolve);
    const first = view.field('byteOffset').integer(0, bytes.length, 0);
    const length = view.field('byteLength').integer(1, bytes.length - first);
    // A copy, so that the file need not stay.
    return new Uint8Array(bytes.subarray(first, first + length));
  }
}

/** Told by its first bytes, as files lie about it. */
export function imageType(bytes: Uint8Array): string | undefined {
  const begins = (...head: number[]) => head.every((byte, k) => bytes[k] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47)) return IMAGE_TYPES[0];
  return begins(0xff, 0xd8, 0xff) ? IMAGE_TYPES[1] : undefined;
}
