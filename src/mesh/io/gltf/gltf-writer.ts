// The one writer of glTF: a document of glTF-Transform with what all our files share (accessors, primitives, materials, nodes), written
// as GLB. The library is loaded when a file is written, not before.

import type { Accessor, Document, Material, Mesh, Node, Primitive, Scene, TypedArray } from '@gltf-transform/core';
import { type MaterialTexture, type MeshMaterial, TEXTURE_SLOTS, type TextureSlot } from '../../mesh-material.js';

export interface GltfWriterOptions {
  /** Whether attributes may be whole numbers (KHR_mesh_quantization). */
  readonly quantized?: boolean;
  /** Whether buffers are compressed (EXT_meshopt_compression): smaller files, for readers that know it. */
  readonly compress?: boolean;
}

/** The largest index of a type may not be used. */
const MOST_SHORT = 0xffff;

export class GltfWriter {
  readonly document: Document;
  private readonly scene: Scene;
  private readonly materials = new Map<MeshMaterial, Material>();

  private constructor(
    private readonly core: Pick<typeof import('@gltf-transform/core'), 'Document' | 'Logger' | 'WebIO'>,
    private readonly options: GltfWriterOptions,
  ) {
    this.document = new core.Document().setLogger(this.silence());
    this.document.getRoot().getAsset().generator = 'isochore';
    this.document.createBuffer();
    this.scene = this.document.createScene();
    this.document.getRoot().setDefaultScene(this.scene);
  }

  static async open(options: GltfWriterOptions = {}): Promise<GltfWriter> {
    // By their names, so that bundlers leave out the rest.
    const { Document, Logger, WebIO } = await import('@gltf-transform/core');
    return new GltfWriter({ Document, Logger, WebIO }, options);
  }

  accessor(type: 'VEC2' | 'VEC3' | 'VEC4' | 'SCALAR', array: TypedArray): Accessor {
    const [buffer] = this.document.getRoot().listBuffers();
    return this.document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  }

  /** @param positions x, y, z per vertex; a mesh may be nearer to the origin than it is, by the place of its node. */
  primitive(positions: Float32Array, triangles: Uint32Array): Primitive {
    const corners = positions.length / 3 <= MOST_SHORT ? Uint16Array.from(triangles) : triangles.slice();
    return this.document
      .createPrimitive()
      .setAttribute('POSITION', this.accessor('VEC3', positions))
      .setIndices(this.accessor('SCALAR', corners));
  }

  mesh(name: string, primitives: readonly Primitive[]): Mesh {
    const mesh = this.document.createMesh(name);
    for (const primitive of primitives) mesh.addPrimitive(primitive);
    return mesh;
  }

  /** A node of the scene. */
  node(name: string, mesh: Mesh): Node {
    const node = this.document.createNode(name).setMesh(mesh);
    this.scene.addChild(node);
    return node;
  }

  /** One for each that is given, whoever uses it. */
  material(given: MeshMaterial): Material {
    const known = this.materials.get(given);
    if (known) return known;
    const material = this.document
      .createMaterial(given.name)
      .setBaseColorFactor([...given.baseColor])
      .setMetallicFactor(given.metallic)
      .setRoughnessFactor(given.roughness)
      .setEmissiveFactor([...given.emissive])
      .setAlphaMode(given.alphaMode)
      .setAlphaCutoff(given.alphaCutoff)
      .setDoubleSided(given.doubleSided);
    for (const slot of TEXTURE_SLOTS) {
      const texture = given.textures[slot];
      if (texture) this.setTexture(material, slot, texture);
    }
    this.materials.set(given, material);
    return material;
  }

  private setTexture(material: Material, slot: TextureSlot, { image, mimeType, ...how }: MaterialTexture): void {
    const known = this.document
      .getRoot()
      .listTextures()
      .find((one) => one.getImage() === image);
    const texture =
      known ??
      this.document
        .createTexture()
        .setImage(image as Uint8Array<ArrayBuffer>)
        .setMimeType(mimeType);
    const name = `${slot[0].toUpperCase()}${slot.slice(1)}` as Capitalize<TextureSlot>;
    material[`set${name}Texture`](texture);
    const info = material[`get${name}TextureInfo`]();
    type Info = NonNullable<typeof info>;
    info
      ?.setWrapS(how.wrap[0] as ReturnType<Info['getWrapS']>)
      .setWrapT(how.wrap[1] as ReturnType<Info['getWrapT']>)
      .setMagFilter(how.magFilter as ReturnType<Info['getMagFilter']>)
      .setMinFilter(how.minFilter as ReturnType<Info['getMinFilter']>);
    if (slot === 'normal') material.setNormalScale(how.strength);
    if (slot === 'occlusion') material.setOcclusionStrength(how.strength);
  }

  /** All of it as GLB. */
  async write(): Promise<Uint8Array<ArrayBuffer>> {
    const io = new this.core.WebIO().setLogger(this.silence());
    const { quantized, compress } = this.options;
    if (quantized || compress) {
      const { EXTMeshoptCompression, KHRMeshQuantization } = await import('@gltf-transform/extensions');
      io.registerExtensions([KHRMeshQuantization, EXTMeshoptCompression]);
      if (quantized) this.document.createExtension(KHRMeshQuantization).setRequired(true);
      if (compress) {
        const { MeshoptEncoder } = await import('meshoptimizer/encoder');
        await MeshoptEncoder.ready;
        io.registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
        this.document
          .createExtension(EXTMeshoptCompression)
          .setRequired(true)
          .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE });
      }
    }
    return (await io.writeBinary(this.document)) as Uint8Array<ArrayBuffer>;
  }

  private silence() {
    return new this.core.Logger(this.core.Logger.Verbosity.SILENT);
  }
}
