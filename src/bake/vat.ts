// Vertex animation textures for game engines, a folder NAME.vat in the layout of OpenVAT (openvat.org): for each body
//   BODY_vat.png           offsets from the mesh below, 16 bits a channel, between Min and Max of the JSON
//   BODY_vnrm.png          unit normals, −1 to 1
//   BODY-remap_info.json   Min, Max, number of frames, frame rate
//   BODY.glb               the mesh in its first frame; its second texture coordinates are where its vertices are in the textures
// Offsets and normals have Blender's axes (x, −z, y of ours), as the engines' shaders expect.

import { encode } from 'fast-png';
import { unitVertexNormals } from '../mesh/measure.js';
import type { BakedScene, OutputFile, Track } from './baked-scene.js';
import { type VatLayout, vatCoordinates, vatLayout, vatPixel } from './vat-layout.js';

const FULL = 65535;

/** Ours to Blender's: which coordinate, with which sign. */
const AXES = [
  [0, 1],
  [2, -1],
  [1, 1],
] as const;

interface Range {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** @throws RangeError where a body has more vertices and frames than a texture holds. */
export function vatFiles(baked: BakedScene, base: string): OutputFile[] {
  return baked.tracks.flatMap((track) => {
    const layout = vatLayout(track.name, track.mesh.positions.length / 3, track.frameCount);
    const place = `${base}.vat/${track.name}`;
    // Asked for by two files; the frames are read once for it.
    let found: Promise<Range> | undefined;
    const range = () => {
      found ??= offsetRange(track);
      return found;
    };
    return [
      { name: `${place}_vat.png`, pieces: () => writeOffsets(track, layout, range) },
      { name: `${place}_vnrm.png`, pieces: () => writeNormals(track, layout) },
      { name: `${place}-remap_info.json`, pieces: () => writeInfo(baked, track, range) },
      { name: `${place}.glb`, pieces: () => writeProxy(track, layout) },
    ];
  });
}

/** Of the offsets from the first frame, along Blender's axes [m]. */
async function offsetRange(track: Track): Promise<Range> {
  const [low, high] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  const rest = await track.frame(0);
  for (let n = 0; n < track.frameCount; n++) {
    const positions = await track.frame(n);
    AXES.forEach(([from, sign], channel) => {
      for (let k = from; k < positions.length; k += 3) {
        const offset = sign * (positions[k] - rest[k]);
        if (offset < low[channel]) low[channel] = offset;
        if (offset > high[channel]) high[channel] = offset;
      }
    });
  }
  return { low, high };
}

/** Four channels of 16 bits, the last one full; `write` puts three of them into each pixel of a frame. */
async function* writePicture(
  track: Track,
  { width, height }: VatLayout,
  write: (data: Uint16Array, frame: number, positions: Float32Array) => void,
): AsyncGenerator<Uint8Array> {
  const data = new Uint16Array(4 * width * height);
  for (let n = 0; n < track.frameCount; n++) write(data, n, await track.frame(n));
  for (let k = 3; k < data.length; k += 4) data[k] = FULL;
  yield encode({ width, height, data, channels: 4, depth: 16 });
}

async function* writeOffsets(track: Track, layout: VatLayout, range: () => Promise<Range>): AsyncGenerator<Uint8Array> {
  const { low, high } = await range();
  const rest = await track.frame(0);
  const factor = low.map((least, channel) => (high[channel] > least ? FULL / (high[channel] - least) : 0));
  yield* writePicture(track, layout, (data, frame, positions) => {
    for (let i = 0; i < layout.vertexCount; i++) {
      const place = 4 * vatPixel(layout, i, frame);
      for (let channel = 0; channel < 3; channel++) {
        const [from, sign] = AXES[channel];
        const offset = sign * (positions[3 * i + from] - rest[3 * i + from]);
        data[place + channel] = Math.round((offset - low[channel]) * factor[channel]);
      }
    }
  });
}

async function* writeNormals(track: Track, layout: VatLayout): AsyncGenerator<Uint8Array> {
  const normals = new Float32Array(3 * layout.vertexCount);
  yield* writePicture(track, layout, (data, frame, positions) => {
    unitVertexNormals(positions, track.mesh.triangles, normals);
    for (let i = 0; i < layout.vertexCount; i++) {
      const place = 4 * vatPixel(layout, i, frame);
      for (let channel = 0; channel < 3; channel++) {
        const [from, sign] = AXES[channel];
        data[place + channel] = Math.round((FULL * (1 + sign * normals[3 * i + from])) / 2);
      }
    }
  });
}

async function* writeInfo(
  baked: BakedScene,
  { name, frameCount, firstFrame }: Track,
  range: () => Promise<Range>,
): AsyncGenerator<Uint8Array> {
  const { low, high } = await range();
  const info = {
    'os-remap': { Min: low, Max: high, Frames: frameCount },
    animations: { [name]: { startFrame: 1, endFrame: frameCount, framerate: baked.fps, looping: false } },
    // A body that was cut is there from then on only [s].
    start: baked.start + firstFrame / baked.fps,
  };
  yield new TextEncoder().encode(`${JSON.stringify(info, null, 2)}\n`);
}

/** The mesh that the offsets are of. */
async function* writeProxy(track: Track, layout: VatLayout): AsyncGenerator<Uint8Array> {
  const { Document, Logger, WebIO } = await import('@gltf-transform/core');
  const logger = new Logger(Logger.Verbosity.SILENT);
  const document = new Document().setLogger(logger);
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC2' | 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const positions = await track.frame(0);
  const normals = unitVertexNormals(positions, track.mesh.triangles, new Float32Array(positions.length));
  const coordinates = accessor('VEC2', vatCoordinates(layout));
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('SCALAR', Uint32Array.from(track.mesh.triangles)))
    .setAttribute('POSITION', accessor('VEC3', positions))
    .setAttribute('NORMAL', accessor('VEC3', normals))
    // There is no second set without a first.
    .setAttribute('TEXCOORD_0', coordinates)
    .setAttribute('TEXCOORD_1', coordinates)
    .setMaterial(document.createMaterial(track.name).setRoughnessFactor(0.6).setMetallicFactor(0));
  const node = document.createNode(track.name).setMesh(document.createMesh(track.name).addPrimitive(primitive));
  document.createScene().addChild(node);
  yield await new WebIO().setLogger(logger).writeBinary(document);
}
