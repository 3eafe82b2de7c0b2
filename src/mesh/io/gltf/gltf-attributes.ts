// Vertex attributes of a glTF file beside those that are drawn: channels of its colours, and scalars of its own.

import { MeshReadError } from '../mesh-read-error.js';

/** `COLOR_0.r`, or a scalar of the application's own, which begins with an underscore. */
const NAME = /^(?:(COLOR_\d)\.([rgba])|(_\w+))$/;

export interface GltfAttribute {
  /** As it was asked for. */
  readonly name: string;
  /** As the file calls it. */
  readonly semantic: string;
  /** Place in a colour; 0 of a scalar. */
  readonly channel: number;
  /** Kinds of accessor that hold it. */
  readonly types: readonly string[];
}

/** What the names mean; those that a glTF file cannot have are left out. */
export function parseAttributes(names: readonly string[]): GltfAttribute[] {
  return names.flatMap((name) => {
    const [, colour, channel, own] = NAME.exec(name) ?? [];
    if (colour) return [{ name, semantic: colour, channel: 'rgba'.indexOf(channel), types: ['VEC3', 'VEC4'] }];
    return own ? [{ name, semantic: own, channel: 0, types: ['SCALAR'] }] : [];
  });
}

/** One number per vertex out of a primitive's values; colours without alpha are opaque, by the specification. */
export function pickChannel({ channel }: GltfAttribute, values: Float64Array, vertexCount: number): Float64Array {
  const size = values.length / vertexCount;
  return Float64Array.from({ length: vertexCount }, (_, i) => (channel < size ? values[size * i + channel] : 1));
}

/** Throws where one part of a file has an attribute and another has not. */
export function refusePart(path: string, { semantic }: GltfAttribute): never {
  throw new MeshReadError(`${path}.attributes: expected ${semantic}, as other parts have it`);
}
