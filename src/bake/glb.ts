// An animated glTF file, binary (.glb) or as text with its numbers beside it (.gltf, .bin): bodies are meshes that move as a whole and are
// mixed of a few shapes, colliders are meshes that move by their keyframes.

import { poseAt } from '../math/motion.js';
import { openGltf } from '../mesh/io/gltf/gltf-container.js';
import { GltfWriter } from '../mesh/io/gltf/gltf-writer.js';
import { type MeshMaterial, plainMaterial } from '../mesh/mesh-material.js';
import type { BakedScene, ObstacleTrack, OutputFile } from './baked-scene.js';
import { plainDrawn } from './drawn-mesh.js';
import { GlbAnimation } from './glb-animation.js';
import { addBody } from './glb-body.js';

/** How exact a GLB is, and whether it is compressed. */
export interface GlbOptions {
  /** How far a vertex may be from where it was simulated, in sizes of its body: 0.001 unless given; 0 keeps every frame. */
  tolerance?: number;
  /** Whether the file is compressed (EXT_meshopt_compression), for readers that know it: three.js, Babylon.js, not Blender 3.4. */
  compress?: boolean;
}

const COLLIDERS: MeshMaterial = { ...plainMaterial('colliders', [0.6, 0.62, 0.65, 1], 0.9), doubleSided: true };

export const glbFiles = (baked: BakedScene, base: string, options: GlbOptions = {}): OutputFile[] => [
  { name: `${base}.glb`, pieces: () => once(() => writeGlb(baked, options)) },
];

/** Both files are parts of one, which is made for the first of them. */
export function gltfFiles(baked: BakedScene, base: string, options: GlbOptions = {}): OutputFile[] {
  const binaryName = `${base.split(/[/\\]/).pop()}.bin`;
  let made: Promise<{ text: Uint8Array; binary: Uint8Array }> | undefined;
  const parts = () => {
    made ??= writeGlb(baked, options).then((bytes) => splitGlb(bytes, binaryName));
    return made;
  };
  return [
    { name: `${base}.gltf`, pieces: () => once(async () => (await parts()).text) },
    { name: `${base}.bin`, pieces: () => once(async () => (await parts()).binary) },
  ];
}

async function* once(make: () => Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await make();
}

function splitGlb(bytes: Uint8Array, binaryName: string): { text: Uint8Array; binary: Uint8Array } {
  const { json, binary } = openGltf(bytes);
  const { buffers, ...others } = json as { buffers: { uri?: string; byteLength: number }[] };
  buffers[0].uri = encodeURIComponent(binaryName);
  const text = new TextEncoder().encode(`${JSON.stringify({ ...others, buffers }, null, 1)}\n`);
  return { text, binary: (binary ?? new Uint8Array()).slice(0, buffers[0].byteLength) };
}

/**
 * All of a bake as GLB.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 20 });
 * const bytes = await writeGlb(await bakeScene(scene), { tolerance: 0.001 });
 * ```
 */
export async function writeGlb(
  baked: BakedScene,
  { tolerance = 0.001, compress = false }: GlbOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  if (!(tolerance >= 0 && tolerance < 1))
    throw new RangeError(`tolerance: expected a share from 0 to 1, got ${tolerance}`);
  const writer = await GltfWriter.open({ quantized: tolerance > 0, compress });
  const animation = new GlbAnimation(writer, baked, 'simulation');
  for (const [n, track] of baked.tracks.entries())
    await addBody(writer, animation, track, track.drawn ?? plainDrawn(track.mesh, track.name, n), tolerance);
  for (const obstacle of baked.obstacles) addObstacle(writer, animation, obstacle, baked.start);
  animation.end();
  return writer.write();
}

function addObstacle(
  writer: GltfWriter,
  animation: GlbAnimation,
  { name, mesh, rest, motion }: ObstacleTrack,
  begin: number,
): void {
  const primitive = writer.primitive(Float32Array.from(mesh.positions), mesh.triangles);
  const node = writer.node(name, writer.mesh(name, [primitive.setMaterial(writer.material(COLLIDERS))]));
  const start = poseAt(motion, begin, rest);
  node.setTranslation([...start.position]).setRotation([...start.rotation]);
  if (motion.length === 0) return;
  const keys = [{ time: begin, ...poseAt(motion, begin, start) }];
  for (const { time } of motion) if (time > begin) keys.push({ time, ...poseAt(motion, time, start) });
  const times = Float32Array.from(keys, ({ time }) => time - begin);
  const centres = Float32Array.from(keys.flatMap(({ position }) => [...position]));
  const rotations = Float32Array.from(keys.flatMap(({ rotation }) => [...rotation]));
  if (times.length > 1) animation.addMotion(node, { centres, rotations }, times);
}
