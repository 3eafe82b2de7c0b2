// How a part of a visible mesh looks, in the words of glTF: metallic-roughness with textures, whose images stay as they are in the file.

export const TEXTURE_SLOTS = ['baseColor', 'metallicRoughness', 'normal', 'occlusion', 'emissive'] as const;
/** What a picture of a material is for. */
export type TextureSlot = (typeof TEXTURE_SLOTS)[number];

/** A picture of a material. */
export interface MaterialTexture {
  /** The bytes of the image's file. */
  readonly image: Uint8Array;
  readonly mimeType: string;
  /** How it goes on beyond its edges, along u and v, and how it is sampled: numbers of glTF; null where the file says nothing. */
  readonly wrap: readonly [number, number];
  readonly magFilter: number | null;
  readonly minFilter: number | null;
  /** Of a normal map its scale, of occlusion its strength. */
  readonly strength: number;
}

/** How a surface looks, in the terms of glTF. */
export interface MeshMaterial {
  readonly name: string;
  /** Red, green, blue (linear) and opacity, 0 to 1. */
  readonly baseColor: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: readonly [number, number, number];
  readonly alphaMode: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  readonly textures: Readonly<Partial<Record<TextureSlot, MaterialTexture>>>;
}

/** A dull surface of one colour. */
export const plainMaterial = (name: string, baseColor: MeshMaterial['baseColor'], roughness = 0.45): MeshMaterial => ({
  ...{ name, baseColor, roughness, metallic: 0, emissive: [0, 0, 0] },
  ...{ alphaMode: 'OPAQUE', alphaCutoff: 0.5, doubleSided: false, textures: {} },
});
