// Decodes an excerpt with glTF-Transform: interleaved, sparse, quantised and compressed accessors into plain arrays.
// The library and its decoders are imported only when a file needs them.

import type { Accessor, Document, JSONDocument } from '@gltf-transform/core';
import type { JsonValue } from '../json-value.js';
import { MeshReadError } from '../mesh-read-error.js';
import type { ReadMeshOptions } from '../read-options.js';
import { loadBuffer } from './gltf-buffers.js';
import { bufferUri, type GltfExcerpt } from './gltf-excerpt.js';

export interface DecodedPrimitive {
  /** Those that it has, by the file's names. */
  readonly attributes: Readonly<Record<string, Float64Array | undefined>>;
  /** Null where vertices are used in their order. */
  readonly indices: Uint32Array | null;
  /** What each morph target adds to the positions; null where it adds nothing. */
  readonly targets: readonly (Float64Array | null)[];
}

export interface DecodedExcerpt {
  /** In the excerpt's order. */
  readonly primitives: readonly DecodedPrimitive[];
  /** The values of an accessor by its number in the excerpt. */
  readonly numbers: (accessor: number) => Float64Array;
}

/** Values as numbers, normalised integers between −1 and 1. */
function unpack(accessor: Accessor): Float64Array {
  const size = accessor.getElementSize();
  const values = new Float64Array(accessor.getCount() * size);
  const element: number[] = new Array(size).fill(0);
  for (let i = 0; i < accessor.getCount(); i++) values.set(accessor.getElement(i, element), size * i);
  return values;
}

async function decodeDocument(
  excerpt: GltfExcerpt,
  json: object,
  resources: Record<string, Uint8Array>,
  options: ReadMeshOptions,
): Promise<Document> {
  const { Logger, WebIO } = await import('@gltf-transform/core');
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  if (excerpt.usesDraco || excerpt.usesMeshopt) {
    const { EXTMeshoptCompression, KHRDracoMeshCompression } = await import('@gltf-transform/extensions');
    if (excerpt.usesMeshopt) {
      const { MeshoptDecoder } = await import('meshoptimizer/decoder');
      await MeshoptDecoder.ready;
      io.registerExtensions([EXTMeshoptCompression]).registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
    }
    if (excerpt.usesDraco) {
      if (options.draco === undefined) {
        throw new MeshReadError(
          'extensionsUsed: expected no Draco compression, as no decoder was given (the package draco3dgltf has one)',
        );
      }
      const decoder = await options.draco();
      io.registerExtensions([KHRDracoMeshCompression]).registerDependencies({ 'draco3d.decoder': decoder });
    }
  }
  try {
    return await io.readJSON({ json, resources } as unknown as JSONDocument);
  } catch (problem) {
    if (!(excerpt.usesDraco || excerpt.usesMeshopt)) throw problem;
    throw new MeshReadError('bufferViews: expected compressed data that can be decoded, found something else');
  }
}

export async function decodeExcerpt(
  excerpt: GltfExcerpt,
  buffers: JsonValue,
  binary: Uint8Array | null,
  options: ReadMeshOptions,
): Promise<DecodedExcerpt> {
  const resources: Record<string, Uint8Array> = {};
  const lengths: number[] = [];
  for (const [i, index] of excerpt.buffers.entries()) {
    // The binary chunk is the first buffer and no other.
    const bytes = await loadBuffer(buffers.item(index), index === 0 ? binary : null, options.resolve);
    resources[bufferUri(i)] = bytes;
    lengths.push(bytes.length);
  }
  const document = await decodeDocument(excerpt, excerpt.toJson(lengths), resources, options);
  const meshes = document.getRoot().listMeshes();
  const accessors = document.getRoot().listAccessors();
  const primitives = excerpt.primitives.map(({ path, vertexCount, cornerCount }, i) => {
    const primitive = meshes[i].listPrimitives()[0];
    const attributes: Record<string, Float64Array> = {};
    for (const name of excerpt.attributes.keys()) {
      const accessor = primitive.getAttribute(name);
      if (accessor === null) continue;
      if (accessor.getCount() !== vertexCount) {
        throw new MeshReadError(
          `${path}: expected ${vertexCount} vertices, found ${accessor.getCount()} compressed ones`,
        );
      }
      attributes[name] = unpack(accessor);
    }
    const accessor = primitive.getIndices();
    if (accessor !== null && accessor.getCount() !== cornerCount) {
      throw new MeshReadError(`${path}: expected ${cornerCount} indices, found ${accessor.getCount()} compressed ones`);
    }
    const targets = primitive.listTargets().map((target) => {
      const offsets = target.getAttribute('POSITION');
      return offsets && unpack(offsets);
    });
    return { attributes, indices: accessor === null ? null : Uint32Array.from(accessor.getArray() ?? []), targets };
  });
  return { primitives, numbers: (accessor) => unpack(accessors[accessor]) };
}
