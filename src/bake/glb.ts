// An animated GLB: a body is a mesh that moves as a whole and is mixed of a few shapes, its morph targets. Colliders are meshes that
// move by their keyframes.

import type { Accessor, Animation, Document, Node, TypedArray } from '@gltf-transform/core';
import { poseAt } from '../math/motion.js';
import type { BakedScene, ObstacleTrack, OutputFile, Track } from './baked-scene.js';
import { findNormalModes } from './normal-modes.js';
import { findShapeModes, type ShapeModes } from './shape-modes.js';

export interface GlbOptions {
  /** How far a vertex may be from where it was simulated, in sizes of its body: 0.001 unless given; 0 keeps every frame. */
  tolerance?: number;
}

/** Sparse accessors are smaller where fewer of the vertices than this share have moved. */
const SPARSE_BELOW = 0.5;
/** Hues of the bodies go round the circle by the golden angle, which keeps neighbours apart. */
const HUE_STEP = 0.381966;

export const glbFiles = (baked: BakedScene, base: string, options: GlbOptions = {}): OutputFile[] => [
  { name: `${base}.glb`, pieces: () => writeGlb(baked, options.tolerance ?? 0.001) },
];

async function* writeGlb(baked: BakedScene, tolerance: number): AsyncGenerator<Uint8Array> {
  const { Document, Logger, WebIO } = await import('@gltf-transform/core');
  const { KHRMeshQuantization } = await import('@gltf-transform/extensions');
  const logger = new Logger(Logger.Verbosity.SILENT);
  const document = new Document().setLogger(logger);
  document.getRoot().getAsset().generator = 'isochore';
  document.createBuffer();
  if (tolerance > 0) document.createExtension(KHRMeshQuantization).setRequired(true);
  const scene = document.createScene();
  document.getRoot().setDefaultScene(scene);
  const animation = document.createAnimation('simulation');
  for (const [n, track] of baked.tracks.entries())
    scene.addChild(await addTrack(document, animation, baked, track, n, tolerance));
  for (const obstacle of baked.obstacles) scene.addChild(addObstacle(document, animation, obstacle, baked));
  if (animation.listChannels().length === 0) animation.dispose();
  yield await new WebIO().registerExtensions([KHRMeshQuantization]).setLogger(logger).writeBinary(document);
}

function accessor(document: Document, type: 'VEC3' | 'VEC4' | 'SCALAR', array: TypedArray): Accessor {
  return document.createAccessor().setType(type).setArray(array).setBuffer(document.getRoot().listBuffers()[0]);
}

async function addTrack(
  document: Document,
  animation: Animation,
  baked: BakedScene,
  track: Track,
  index: number,
  tolerance: number,
): Promise<Node> {
  const { triangles } = track.mesh;
  const modes = await findShapeModes(track, tolerance);
  const normals = await findNormalModes(track, modes);
  const corners = modes.base.length / 3 <= 0xffff ? Uint16Array.from(triangles) : triangles.slice();
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(document, 'VEC3', modes.base))
    .setAttribute('NORMAL', accessor(document, 'VEC3', normals.base))
    .setIndices(accessor(document, 'SCALAR', corners))
    .setMaterial(bodyMaterial(document, track.name, index));
  modes.shapes.forEach((shape, k) => {
    // Blender refuses targets without a name.
    const target = document.createPrimitiveTarget(`shape-${k + 1}`);
    const [moves, turns] = [shape, normals.shapes[k]];
    const isExact = tolerance === 0;
    target.setAttribute(
      'POSITION',
      isExact ? exactOffsets(document, moves) : roundedOffsets(document, moves, Int16Array),
    );
    target.setAttribute('NORMAL', isExact ? exactOffsets(document, turns) : roundedOffsets(document, turns, Int8Array));
    primitive.addTarget(target);
  });
  const mesh = document.createMesh(track.name).addPrimitive(primitive);
  const node = document.createNode(track.name).setMesh(mesh);
  const times = Float32Array.from({ length: track.frameCount }, (_, n) => (track.firstFrame + n) / baked.fps);
  addMotion(document, animation, node, modes, times);
  addWeights(document, animation, node, modes, times);
  const scales = [modes.size, modes.size, modes.size] as [number, number, number];
  addPresence(document, animation, node.setScale(scales), baked, track, modes.size);
  return node;
}

/** What a shape adds: sparse where most of it is nothing. */
function exactOffsets(document: Document, moves: Float32Array): Accessor {
  let moved = 0;
  for (let k = 0; k < moves.length; k += 3) if (moves[k] !== 0 || moves[k + 1] !== 0 || moves[k + 2] !== 0) moved++;
  return accessor(document, 'VEC3', moves).setSparse(moved < (SPARSE_BELOW * moves.length) / 3);
}

/** The same as whole numbers of the type's largest, which stands for 1, and where it is clamped: a quarter to a half of the bytes. */
function roundedOffsets(document: Document, moves: Float32Array, type: typeof Int16Array | typeof Int8Array): Accessor {
  const most = type === Int16Array ? 0x7fff : 0x7f;
  const numbers = new type(moves.length);
  for (let k = 0; k < moves.length; k++) numbers[k] = Math.round(most * Math.min(1, Math.max(-1, moves[k])));
  return accessor(document, 'VEC3', numbers).setNormalized(true);
}

/** The body as a whole: where it is and how it is turned. */
function addMotion(
  document: Document,
  animation: Animation,
  node: Node,
  { centres, rotations }: ShapeModes,
  times: Float32Array,
): void {
  node.setTranslation([centres[0], centres[1], centres[2]]);
  node.setRotation([rotations[0], rotations[1], rotations[2], rotations[3]]);
  if (times.length < 2) return;
  addChannel(document, animation, node, 'translation', 'LINEAR', times, accessor(document, 'VEC3', centres));
  addChannel(document, animation, node, 'rotation', 'LINEAR', times, accessor(document, 'VEC4', rotations));
}

/** How much of each shape there is. A reader that plays no animation shows the first frame. */
function addWeights(
  document: Document,
  animation: Animation,
  node: Node,
  { shapes, weights }: ShapeModes,
  times: Float32Array,
): void {
  if (shapes.length === 0) return;
  node.getMesh()?.setWeights(Array.from(weights.subarray(0, shapes.length)));
  addChannel(document, animation, node, 'weights', 'LINEAR', times, accessor(document, 'SCALAR', weights));
}

/** A body that is not there yet, or no more, has no size: readers know no better way to hide it. */
function addPresence(
  document: Document,
  animation: Animation,
  node: Node,
  baked: BakedScene,
  track: Track,
  size: number,
): void {
  if (track.frameCount === baked.frameCount) return;
  const end = track.firstFrame + track.frameCount;
  const times: number[] = [];
  const sizes: number[] = [];
  const show = (frame: number, shown: number) => {
    times.push(frame / baked.fps);
    sizes.push(shown, shown, shown);
  };
  if (track.firstFrame > 0) show(0, 0);
  show(track.firstFrame, size);
  if (end < baked.frameCount) show(end, 0);
  const scales = accessor(document, 'VEC3', Float32Array.from(sizes));
  addChannel(document, animation, node, 'scale', 'STEP', Float32Array.from(times), scales);
}

function addObstacle(
  document: Document,
  animation: Animation,
  { name, mesh, rest, motion }: ObstacleTrack,
  baked: BakedScene,
): Node {
  const positions = Float32Array.from(mesh.positions);
  const corners = positions.length / 3 <= 0xffff ? Uint16Array.from(mesh.triangles) : mesh.triangles.slice();
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(document, 'VEC3', positions))
    .setIndices(accessor(document, 'SCALAR', corners))
    .setMaterial(obstacleMaterial(document));
  const node = document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive));
  const start = poseAt(motion, baked.start, rest);
  node.setTranslation([...start.position]).setRotation([...start.rotation]);
  if (motion.length === 0) return node;
  const keys = [{ time: baked.start, ...poseAt(motion, baked.start, start) }];
  for (const { time } of motion) if (time > baked.start) keys.push({ time, ...poseAt(motion, time, start) });
  const times = Float32Array.from(keys, ({ time }) => time - baked.start);
  const places = Float32Array.from(keys.flatMap(({ position }) => [...position]));
  const turns = Float32Array.from(keys.flatMap(({ rotation }) => [...rotation]));
  addChannel(document, animation, node, 'translation', 'LINEAR', times, accessor(document, 'VEC3', places));
  addChannel(document, animation, node, 'rotation', 'LINEAR', times, accessor(document, 'VEC4', turns));
  return node;
}

function addChannel(
  document: Document,
  animation: Animation,
  node: Node,
  path: 'weights' | 'scale' | 'translation' | 'rotation',
  interpolation: 'LINEAR' | 'STEP',
  times: Float32Array,
  output: Accessor,
): void {
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor(document, 'SCALAR', times))
    .setOutput(output)
    .setInterpolation(interpolation);
  const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
  animation.addSampler(sampler).addChannel(channel);
}

function bodyMaterial(document: Document, name: string, index: number) {
  const hue = (0.55 + index * HUE_STEP) % 1;
  const channel = (shift: number) => 0.25 + 0.6 * Math.min(1, Math.max(0, Math.abs(((hue + shift) % 1) * 6 - 3) - 1));
  const colour: [number, number, number, number] = [channel(0), channel(2 / 3), channel(1 / 3), 1];
  return document.createMaterial(name).setBaseColorFactor(colour).setRoughnessFactor(0.45).setMetallicFactor(0);
}

function obstacleMaterial(document: Document) {
  const known = document
    .getRoot()
    .listMaterials()
    .find((material) => material.getName() === 'colliders');
  if (known) return known;
  const material = document.createMaterial('colliders').setBaseColorFactor([0.6, 0.62, 0.65, 1]);
  return material.setRoughnessFactor(0.9).setMetallicFactor(0).setDoubleSided(true);
}
