// OpenUSD as text (.usda): one mesh per track, points and normals as time samples. Frames are numbered from 1, as time codes.

import { boundsOf, vertexNormals } from '../mesh/measure.js';
import type { BakedScene, OutputFile, Track } from './baked-scene.js';

export const usdaFiles = (baked: BakedScene, base: string): OutputFile[] => [
  { name: `${base}.usda`, pieces: () => writeUsda(baked) },
];

const encoder = new TextEncoder();
/** Digits of single precision. */
const DIGITS = 9;

async function* writeUsda(baked: BakedScene): AsyncGenerator<Uint8Array> {
  const { fps, frameCount, tracks } = baked;
  yield encoder.encode(`#usda 1.0
(
    defaultPrim = "World"
    doc = "Isochore"
    endTimeCode = ${frameCount}
    framesPerSecond = ${fps}
    metersPerUnit = 1
    startTimeCode = 1
    timeCodesPerSecond = ${fps}
    upAxis = "Y"
)

def Xform "World"
{
`);
  const names = usdNames(tracks);
  for (const [n, track] of tracks.entries()) yield* writeTrack(track, names[n], frameCount);
  yield encoder.encode('}\n');
}

/** Names of prims are identifiers. */
function usdNames(tracks: readonly Track[]): string[] {
  const plain = tracks.map(({ name }) => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_'));
  return plain.map((name, n) => (plain.indexOf(name) === n ? name : `${name}_${n}`));
}

async function* writeTrack(track: Track, name: string, frameCount: number): AsyncGenerator<Uint8Array> {
  const { triangles } = track.mesh;
  yield encoder.encode(`    def Mesh "${name}"
    {
        uniform token orientation = "rightHanded"
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = [${new Array(triangles.length / 3).fill(3).join(', ')}]
        int[] faceVertexIndices = [${triangles.join(', ')}]
`);
  yield* samples(track, 'float3[] extent', (points) => boundsOf(points).map((point) => tuple(point, 0)));
  yield* samples(track, 'point3f[] points', (points) => tuples(points));
  yield* samples(
    track,
    'normal3f[] normals',
    (points) => tuples(vertexNormals(points, triangles)),
    ' (\n            interpolation = "vertex"\n        )',
  );
  const end = track.firstFrame + track.frameCount;
  if (track.frameCount < frameCount) {
    const shown = [
      ...(track.firstFrame > 0 ? [`            1: "invisible",\n`] : []),
      `            ${track.firstFrame + 1}: "inherited",\n`,
      ...(end < frameCount ? [`            ${end + 1}: "invisible",\n`] : []),
    ];
    yield encoder.encode(`        token visibility.timeSamples = {\n${shown.join('')}        }\n`);
  }
  yield encoder.encode('    }\n');
}

async function* samples(
  track: Track,
  what: string,
  valuesOf: (points: Float32Array) => readonly string[],
  about = '',
): AsyncGenerator<Uint8Array> {
  if (about !== '') yield encoder.encode(`        ${what}${about}\n`);
  yield encoder.encode(`        ${what}.timeSamples = {\n`);
  for (let n = 0; n < track.frameCount; n++) {
    const values = valuesOf(await track.frame(n));
    yield encoder.encode(`            ${track.firstFrame + n + 1}: [${values.join(', ')}],\n`);
  }
  yield encoder.encode('        }\n');
}

const tuples = (numbers: ArrayLike<number>): string[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => tuple(numbers, 3 * i));

const tuple = (numbers: ArrayLike<number>, k: number): string =>
  `(${show(numbers[k])}, ${show(numbers[k + 1])}, ${show(numbers[k + 2])})`;

/** As short as it says the same in single precision. */
const show = (value: number): string => String(Number(value.toPrecision(DIGITS)));
