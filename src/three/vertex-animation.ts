// Plays a vertex animation texture (`isochore bake … -o NAME.vat`, OpenVAT's layout) on a mesh of three.js: positions and normals come
// from the textures in the vertex shader, so that any number of copies cost the processor nothing. For WebGLRenderer.

import { decode } from 'fast-png';
import {
  type BufferGeometry,
  DataTexture,
  type Material,
  type Mesh,
  MeshDepthMaterial,
  type Object3D,
  RGBADepthPacking,
  RGBAIntegerFormat,
  Sphere,
  UnsignedShortType,
  Vector3,
} from 'three';

/** The contents of a body's files, as they are. */
export interface VertexAnimationFiles {
  /** BODY_vat.png and BODY_vnrm.png. */
  readonly positions: ArrayBufferView | ArrayBuffer;
  readonly normals: ArrayBufferView | ArrayBuffer;
  /** BODY-remap_info.json, parsed. */
  readonly info: unknown;
}

interface RemapInfo {
  readonly 'os-remap': {
    readonly Min: readonly [number, number, number];
    readonly Max: readonly [number, number, number];
    readonly Frames: number;
  };
  readonly animations?: Readonly<Record<string, { readonly framerate?: number }>>;
}

/** OpenVAT's own where the file does not say. */
const DEFAULT_RATE = 24;

const DECLARATIONS = `
uniform highp usampler2D vatPositions;
uniform highp usampler2D vatNormals;
uniform vec3 vatLow;
uniform vec3 vatHigh;
uniform vec3 vatFrames;
#ifndef USE_UV1
attribute vec2 uv1;
#endif
// Blender's axes to ours.
vec3 vatAt(highp usampler2D values, float frame, vec3 low, vec3 high) {
  ivec2 place = ivec2(uv1 * vec2(textureSize(values, 0))) + ivec2(0, int(frame));
  vec3 share = vec3(texelFetch(values, place, 0).xyz) / 65535.0;
  vec3 value = low + share * (high - low);
  return vec3(value.x, value.z, -value.y);
}
vec3 vatMixed(highp usampler2D values, vec3 low, vec3 high) {
  return mix(vatAt(values, vatFrames.x, low, high), vatAt(values, vatFrames.y, low, high), vatFrames.z);
}
`;

/** Plays a vertex animation texture that `isochore bake` wrote. */
export class VertexAnimation {
  readonly frameCount: number;
  /** Frames per second. */
  readonly rate: number;
  private readonly uniforms: Record<string, { value: unknown }>;
  private readonly frames = new Vector3();
  private readonly textures: readonly DataTexture[];

  constructor({ positions, normals, info }: VertexAnimationFiles) {
    const { 'os-remap': remap, animations = {} } = info as RemapInfo;
    if (!(remap?.Frames >= 1)) throw new RangeError('info: expected the contents of a -remap_info.json');
    this.frameCount = remap.Frames;
    this.rate = Object.values(animations)[0]?.framerate ?? DEFAULT_RATE;
    this.textures = [toTexture('positions', positions), toTexture('normals', normals)];
    this.uniforms = {
      vatPositions: { value: this.textures[0] },
      vatNormals: { value: this.textures[1] },
      vatLow: { value: new Vector3(...remap.Min) },
      vatHigh: { value: new Vector3(...remap.Max) },
      vatFrames: { value: this.frames },
    };
  }

  /** Fetches a body's files: `load('squeeze.vat/ball')`. */
  static async load(base: string): Promise<VertexAnimation> {
    const get = async (ending: string): Promise<Response> => {
      const response = await fetch(base + ending);
      if (!response.ok) throw new Error(`${base}${ending}: expected a file, got status ${response.status}`);
      return response;
    };
    const [positions, normals, info] = await Promise.all([get('_vat.png'), get('_vnrm.png'), get('-remap_info.json')]);
    return new VertexAnimation({
      positions: await positions.arrayBuffer(),
      normals: await normals.arrayBuffer(),
      info: await info.json(),
    });
  }

  /** From the first frame to the last [s]. */
  get duration(): number {
    return (this.frameCount - 1) / this.rate;
  }

  /** What is shown [s]: between two frames a mixture of them, before and after all of them the first and the last. */
  set time(seconds: number) {
    const at = Math.min(Math.max(seconds * this.rate, 0), this.frameCount - 1);
    const first = Math.min(Math.floor(at), Math.max(0, this.frameCount - 2));
    this.frames.set(first, Math.min(first + 1, this.frameCount - 1), at - first);
  }

  get time(): number {
    return (this.frames.x + this.frames.z) / this.rate;
  }

  /** Makes the meshes of a BODY.glb, as GLTFLoader gives it, or a mesh with its geometry, show this animation. */
  attach(object: Object3D): void {
    object.traverse((child) => {
      const mesh = child as Mesh;
      if (!mesh.isMesh) return;
      if (!mesh.geometry.hasAttribute('uv1'))
        throw new RangeError(`${mesh.name || 'mesh'}: expected a geometry with second texture coordinates (uv1)`);
      this.extendBounds(mesh.geometry);
      for (const material of [mesh.material].flat()) this.patch(material);
      mesh.customDepthMaterial = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
      this.patch(mesh.customDepthMaterial);
    });
  }

  /** The textures; materials and geometries are their owners'. */
  dispose(): void {
    for (const texture of this.textures) texture.dispose();
  }

  /** Wherever a vertex goes. */
  private extendBounds(geometry: BufferGeometry): void {
    geometry.computeBoundingSphere();
    const [low, high] = [this.uniforms.vatLow.value, this.uniforms.vatHigh.value] as [Vector3, Vector3];
    const farthest = Math.max(low.length(), high.length(), low.distanceTo(high));
    const sphere = geometry.boundingSphere ?? new Sphere();
    geometry.boundingSphere = new Sphere(sphere.center.clone(), sphere.radius + farthest);
  }

  private patch(material: Material): void {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = (DECLARATIONS + shader.vertexShader)
        .replace(
          '#include <beginnormal_vertex>',
          `#include <beginnormal_vertex>
          objectNormal = normalize(vatMixed(vatNormals, vec3(-1.0), vec3(1.0)));`,
        )
        .replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>
          transformed += vatMixed(vatPositions, vatLow, vatHigh);`,
        );
    };
    material.customProgramCacheKey = () => 'isochore-vertex-animation';
    material.needsUpdate = true;
  }
}

/** All 16 bits: the browser's own decoder would leave 8 of them. */
function toTexture(name: string, file: ArrayBufferView | ArrayBuffer): DataTexture {
  const { data, width, height, channels, depth } = decode(file);
  if (depth !== 16 || channels !== 4)
    throw new RangeError(`${name}: expected a PNG with 4 channels of 16 bits, got ${channels} of ${depth}`);
  const texture = new DataTexture(
    data as Uint16Array<ArrayBuffer>,
    width,
    height,
    RGBAIntegerFormat,
    UnsignedShortType,
  );
  texture.internalFormat = 'RGBA16UI';
  texture.needsUpdate = true;
  return texture;
}
