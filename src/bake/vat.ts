// Vertex animation textures for game engines, a folder NAME.vat in the layout of OpenVAT (openvat.org): for each body
//   BODY_vat.png           offsets from the mesh below, 16 bits a channel, between Min and Max of the JSON
//   BODY_vnrm.png          unit normals, −1 to 1
//   BODY-remap_info.json   Min, Max, number of frames, frame rate
//   BODY.glb               the mesh in its first frame, with its own materials and texture coordinates; the second ones are where its
//                          vertices are in the textures
// Vertices are those that are drawn: one for each side of a seam or a hard edge. Offsets and normals have Blender's axes (x, −z, y of ours), as the engines' shaders expect.

import { encode } from 'fast-png';
import { GltfWriter } from '../mesh/io/gltf/gltf-writer.js';
import type { BakedScene, OutputFile, Track } from './baked-scene.js';
import { type DrawnMesh, drawnNormals, gatherDrawn, partCorners, plainDrawn, slicePart } from './drawn-mesh.js';
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

/** A track as it is drawn, and where its vertices are in the textures. */
interface Played {
  readonly track: Track;
  readonly drawn: DrawnMesh;
  readonly layout: VatLayout;
}

/** @throws RangeError where a body has more vertices and frames than a texture holds. */
export function vatFiles(baked: BakedScene, base: string): OutputFile[] {
  return baked.tracks.flatMap((track, n) => {
    const drawn = track.drawn ?? plainDrawn(track.mesh, track.name, n);
    const played = { track, drawn, layout: vatLayout(track.name, drawn.sources.length, track.frameCount) };
    const place = `${base}.vat/${track.name}`;
    // Asked for by two files; the frames are read once for it.
    let found: Promise<Range> | undefined;
    const range = () => {
      found ??= offsetRange(track);
      return found;
    };
    return [
      { name: `${place}_vat.png`, pieces: () => writeOffsets(played, range) },
      { name: `${place}_vnrm.png`, pieces: () => writeNormals(played) },
      { name: `${place}-remap_info.json`, pieces: () => writeInfo(baked, track, range) },
      { name: `${place}.glb`, pieces: () => writeProxy(played) },
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

/** Four channels of 16 bits, the last one full; `read` gives what the others show of a frame, by vertex and coordinate. */
async function* writePicture(
  { track, layout }: Played,
  read: (positions: Float32Array) => (vertex: number, coordinate: number) => number,
  range: Range,
): AsyncGenerator<Uint8Array> {
  const { width, height, vertexCount } = layout;
  const factor = range.low.map((least, channel) => {
    const most = range.high[channel];
    return most > least ? FULL / (most - least) : 0;
  });
  const data = new Uint16Array(4 * width * height);
  for (let n = 0; n < track.frameCount; n++) {
    const numberOf = read(await track.frame(n));
    for (let i = 0; i < vertexCount; i++) {
      const place = 4 * vatPixel(layout, i, n);
      for (let channel = 0; channel < 3; channel++) {
        const [from, sign] = AXES[channel];
        data[place + channel] = Math.round((sign * numberOf(i, from) - range.low[channel]) * factor[channel]);
      }
    }
  }
  for (let k = 3; k < data.length; k += 4) data[k] = FULL;
  yield encode({ width, height, data, channels: 4, depth: 16 });
}

async function* writeOffsets(played: Played, range: () => Promise<Range>): AsyncGenerator<Uint8Array> {
  const { sources } = played.drawn;
  const rest = await played.track.frame(0);
  const read = (positions: Float32Array) => (vertex: number, coordinate: number) => {
    const k = 3 * sources[vertex] + coordinate;
    return positions[k] - rest[k];
  };
  yield* writePicture(played, read, await range());
}

const UNIT: Range = { low: [-1, -1, -1], high: [1, 1, 1] };

async function* writeNormals(played: Played): AsyncGenerator<Uint8Array> {
  const read = (positions: Float32Array) => {
    const normals = drawnNormals(played.drawn, positions);
    return (vertex: number, coordinate: number) => normals[3 * vertex + coordinate];
  };
  yield* writePicture(played, read, UNIT);
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
async function* writeProxy({ track, drawn, layout }: Played): AsyncGenerator<Uint8Array> {
  const { uvs, parts, materials } = drawn;
  const writer = await GltfWriter.open();
  const positions = await track.frame(0);
  const coordinates = vatCoordinates(layout);
  const vectors = { points: gatherDrawn(drawn, positions), normals: drawnNormals(drawn, positions) };
  const primitives = parts.flatMap((part, n) => {
    if (part.triangleCount === 0) return [];
    const places = writer.accessor('VEC2', slicePart(coordinates, 2, part));
    return (
      writer
        .primitive(slicePart(vectors.points, 3, part), partCorners(drawn, part))
        .setAttribute('NORMAL', writer.accessor('VEC3', slicePart(vectors.normals, 3, part)))
        // There is no second set without a first.
        .setAttribute('TEXCOORD_0', uvs ? writer.accessor('VEC2', slicePart(uvs, 2, part)) : places)
        .setAttribute('TEXCOORD_1', places)
        .setMaterial(writer.material(materials[n]))
    );
  });
  writer.node(track.name, writer.mesh(track.name, primitives));
  yield await writer.write();
}
