// OpenUSD as text (.usda): one mesh per track, points and normals as time samples, texture coordinates. Frames are numbered from 1, as time codes.

import { boundsOf } from '../mesh/measure.js';
import { type BakedScene, frameNumber, type OutputFile, type Track } from './baked-scene.js';
import { type DrawnMesh, drawnNormals, plainDrawn } from './drawn-mesh.js';

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
    endTimeCode = ${frameNumber(baked, frameCount - 1) + 1}
    framesPerSecond = ${fps}
    metersPerUnit = 1
    startTimeCode = ${frameNumber(baked, 0) + 1}
    timeCodesPerSecond = ${fps}
    upAxis = "Y"
)

def Xform "World"
{
`);
  const names = usdNames(tracks);
  for (const [n, track] of tracks.entries()) yield* writeTrack(baked, track, names[n], n);
  yield encoder.encode('}\n');
}

/** Names of prims are identifiers. */
function usdNames(tracks: readonly Track[]): string[] {
  const plain = tracks.map(({ name }) => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_'));
  return plain.map((name, n) => (plain.indexOf(name) === n ? name : `${name}_${n}`));
}

async function* writeTrack(baked: BakedScene, track: Track, name: string, index: number): AsyncGenerator<Uint8Array> {
  const { frameCount } = baked;
  const { triangles } = track.mesh;
  const drawn = track.drawn ?? plainDrawn(track.mesh, track.name, index);
  yield encoder.encode(`    def Mesh "${name}"
    {
        uniform token orientation = "rightHanded"
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = [${new Array(triangles.length / 3).fill(3).join(', ')}]
        int[] faceVertexIndices = [${triangles.join(', ')}]
`);
  if (drawn.uvs) yield encoder.encode(writeUvs(drawn, drawn.uvs));
  yield* samples(baked, track, 'float3[] extent', (points) => boundsOf(points).map((point) => tuple(point, 0)));
  yield* samples(baked, track, 'point3f[] points', (points) => tuples(points));
  const corners = normalCorners(drawn, track.mesh);
  yield* samples(
    ...([baked, track, 'normal3f[] normals'] as const),
    (points) => {
      const normals = drawnNormals(drawn, points);
      return Array.from(corners.vertices, (v) => tuple(normals, 3 * v));
    },
    interpolated(corners.interpolation),
  );
  const end = track.firstFrame + track.frameCount;
  if (track.frameCount < frameCount) {
    const at = (n: number, what: string) => `            ${frameNumber(baked, n) + 1}: "${what}",\n`;
    const shown = [
      ...(track.firstFrame > 0 ? [at(0, 'invisible')] : []),
      at(track.firstFrame, 'inherited'),
      ...(end < frameCount ? [at(end, 'invisible')] : []),
    ];
    yield encoder.encode(`        token visibility.timeSamples = {\n${shown.join('')}        }\n`);
  }
  yield encoder.encode('    }\n');
}

/** Per corner; v goes upwards here. */
function writeUvs({ triangles }: DrawnMesh, uvs: Float32Array): string {
  const pairs = Array.from(triangles, (v) => `(${show(uvs[2 * v])}, ${show(1 - uvs[2 * v + 1])})`);
  return `        texCoord2f[] primvars:st = [${pairs.join(', ')}]${interpolated('faceVarying')}\n`;
}

/** Which of the drawn vertices have the normals, and of what they are: of vertices, or of corners where a vertex has several. */
function normalCorners({ triangles, sources, smooth }: DrawnMesh, mesh: Track['mesh']) {
  const vertices = new Int32Array(mesh.positions.length / 3).fill(-1);
  for (const v of triangles) {
    const known = vertices[sources[v]];
    if (known >= 0 && smooth[known] !== smooth[v]) return { vertices: triangles, interpolation: 'faceVarying' };
    vertices[sources[v]] = v;
  }
  return { vertices: vertices.map((v) => Math.max(0, v)), interpolation: 'vertex' };
}

const interpolated = (how: string): string => ` (\n            interpolation = "${how}"\n        )`;

async function* samples(
  baked: BakedScene,
  track: Track,
  what: string,
  valuesOf: (points: Float32Array) => readonly string[],
  about = '',
): AsyncGenerator<Uint8Array> {
  if (about !== '') yield encoder.encode(`        ${what}${about}\n`);
  yield encoder.encode(`        ${what}.timeSamples = {\n`);
  for (let n = 0; n < track.frameCount; n++) {
    const values = valuesOf(await track.frame(n));
    yield encoder.encode(`            ${frameNumber(baked, track.firstFrame + n) + 1}: [${values.join(', ')}],\n`);
  }
  yield encoder.encode('        }\n');
}

const tuples = (numbers: ArrayLike<number>): string[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => tuple(numbers, 3 * i));

const tuple = (numbers: ArrayLike<number>, k: number): string =>
  `(${show(numbers[k])}, ${show(numbers[k + 1])}, ${show(numbers[k + 2])})`;

/** As short as it says the same in single precision. */
const show = (value: number): string => String(Number(value.toPrecision(DIGITS)));
