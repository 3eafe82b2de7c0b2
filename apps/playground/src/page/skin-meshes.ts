// Bodies as the files look that they were made of: materials and textures of glTF on meshes that follow in the world's worker.

import type { WorkerSkin } from 'isochore/worker';
import {
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  DoubleSide,
  FrontSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  MirroredRepeatWrapping,
  NoColorSpace,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from 'three';
import type { SkinInfo } from '../protocol.js';
import { BODY_COLOURS } from './palette.js';

/** A body's look, and what follows the body. */
export interface BoundSkin {
  readonly info: SkinInfo;
  readonly skin: WorkerSkin;
  /** Its positions before the first frame that has it: it is nowhere then. */
  readonly unplaced: Float32Array;
}

type SkinMaterial = SkinInfo['materials'][number];
type SkinTexture = NonNullable<SkinMaterial['textures']['baseColor']>;

/** glTF's numbers of how a texture goes on beyond its edges. */
const WRAPS = new Map([
  [33071, ClampToEdgeWrapping],
  [33648, MirroredRepeatWrapping],
] as const);
/** Nothing is there for metal to mirror: more than this would be black. */
const MOST_METALNESS = 0.35;

export class SkinMeshes {
  readonly group = new Group();
  /** Which bodies they show. */
  readonly bodies: readonly number[];
  private readonly meshes: readonly Mesh<BufferGeometry, MeshStandardMaterial[]>[];

  /** @param changed called when a texture has come. */
  constructor(
    private readonly skins: readonly BoundSkin[],
    private readonly changed: () => void,
  ) {
    this.bodies = skins.map(({ info }) => info.body);
    this.meshes = skins.map(({ info }) => this.makeMesh(info));
    if (this.meshes.length > 0) this.group.add(...this.meshes);
  }

  private makeMesh({ body, visible, uvs, parts, materials }: SkinInfo): Mesh<BufferGeometry, MeshStandardMaterial[]> {
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(visible.triangles, 1));
    if (uvs) geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
    for (const { firstTriangle, triangleCount, material } of parts)
      geometry.addGroup(3 * firstTriangle, 3 * triangleCount, material ?? materials.length);
    const plain = new MeshStandardMaterial({ color: BODY_COLOURS[body % BODY_COLOURS.length], roughness: 0.42 });
    const mesh = new Mesh(geometry, [...materials.map((material) => this.makeMaterial(material)), plain]);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  private makeMaterial(look: SkinMaterial): MeshStandardMaterial {
    const [red, green, blue, opacity] = look.baseColor;
    const material = new MeshStandardMaterial({
      color: new Color(red, green, blue),
      opacity: look.alphaMode === 'BLEND' ? opacity : 1,
      transparent: look.alphaMode === 'BLEND',
      alphaTest: look.alphaMode === 'MASK' ? look.alphaCutoff : 0,
      roughness: look.roughness,
      metalness: Math.min(MOST_METALNESS, look.metallic),
      emissive: new Color(...look.emissive),
      side: look.doubleSided ? DoubleSide : FrontSide,
    });
    const { baseColor, metallicRoughness, normal, emissive } = look.textures;
    const load = (texture: SkinTexture | undefined, use: (made: Texture) => void, isColour: boolean) => {
      if (!texture) return;
      void loadTexture(texture, isColour).then((made) => {
        if (!made) return;
        use(made);
        material.needsUpdate = true;
        this.changed();
      });
    };
    load(baseColor, (made) => Object.assign(material, { map: made }), true);
    load(metallicRoughness, (made) => Object.assign(material, { roughnessMap: made, metalnessMap: made }), false);
    load(emissive, (made) => Object.assign(material, { emissiveMap: made }), true);
    load(
      normal,
      (made) => {
        material.normalMap = made;
        material.normalScale.setScalar(normal?.strength ?? 1);
      },
      false,
    );
    return material;
  }

  /** Whether all are where their bodies are. */
  get arePlaced(): boolean {
    return this.skins.every(({ skin, unplaced }) => skin.positions !== unplaced);
  }

  update(): void {
    this.group.visible = this.arePlaced;
    this.skins.forEach(({ skin: { positions, normals } }, n) => {
      const { geometry } = this.meshes[n];
      writeAttribute(geometry, 'position', positions);
      writeAttribute(geometry, 'normal', normals);
    });
  }

  dispose(): void {
    for (const { geometry, material } of this.meshes) {
      geometry.dispose();
      for (const one of material) {
        for (const texture of [one.map, one.roughnessMap, one.emissiveMap, one.normalMap]) texture?.dispose();
        one.dispose();
      }
    }
  }
}

function writeAttribute(geometry: BufferGeometry, name: string, array: Float32Array): void {
  const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
  if (!attribute) {
    geometry.setAttribute(name, new BufferAttribute(array.slice(), 3));
    return;
  }
  attribute.array.set(array);
  attribute.needsUpdate = true;
}

/** Undefined where the browser cannot read the picture: the colour alone is shown. */
async function loadTexture({ image, mimeType, wrap }: SkinTexture, isColour: boolean): Promise<Texture | undefined> {
  try {
    const picture = await createImageBitmap(new Blob([image as Uint8Array<ArrayBuffer>], { type: mimeType }), {
      colorSpaceConversion: 'none',
    });
    const texture = new Texture(picture);
    texture.flipY = false;
    texture.colorSpace = isColour ? SRGBColorSpace : NoColorSpace;
    [texture.wrapS, texture.wrapT] = wrap.map((mode) => WRAPS.get(mode as 33071) ?? RepeatWrapping);
    texture.needsUpdate = true;
    return texture;
  } catch {
    return undefined;
  }
}
