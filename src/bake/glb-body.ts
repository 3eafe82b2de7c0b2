// A body in a glTF file: a primitive for each of its parts, with texture coordinates, material and the shapes that it is mixed of as
// morph targets. Vertices keep their order.

import type { Accessor, Primitive } from '@gltf-transform/core';
import type { GltfWriter } from '../mesh/io/gltf/gltf-writer.js';
import type { MeshPart } from '../mesh/visible-mesh.js';
import type { Track } from './baked-scene.js';
import { type DrawnMesh, gatherPart, partCorners, slicePart } from './drawn-mesh.js';
import type { GlbAnimation } from './glb-animation.js';
import { keyFrames } from './keyed-frames.js';
import { findNormalModes, type NormalModes } from './normal-modes.js';
import { RigidFrames } from './rigid-frames.js';
import { findShapeModes, type ShapeModes } from './shape-modes.js';

/** Sparse accessors are smaller where fewer of the vertices than this share have moved. */
const SPARSE_BELOW = 0.5;
/** What 1 is as a whole number of sixteen bits. */
const FULL = 0x7fff;

export async function addBody(
  writer: GltfWriter,
  animation: GlbAnimation,
  track: Track,
  drawn: DrawnMesh,
  tolerance: number,
): Promise<void> {
  const { modes, normals } = tolerance === 0 ? await keyFrames(track, drawn) : await mixFrames(track, drawn, tolerance);
  const primitives = drawn.parts.flatMap((part, n) => {
    if (part.triangleCount === 0) return [];
    const primitive = addPart(writer, drawn, part, { ...modes, normals });
    return [primitive.setMaterial(writer.material(drawn.materials[n]))];
  });
  const node = writer.node(track.name, writer.mesh(track.name, primitives));
  const times = animation.timesOf(track);
  animation.addMotion(node, modes, times);
  animation.addWeights(node, modes, times);
  animation.addPresence(node, track, modes.size);
}

async function mixFrames(track: Track, drawn: DrawnMesh, tolerance: number) {
  const frames = new RigidFrames(track);
  const modes = await findShapeModes(frames, tolerance);
  return { modes, normals: await findNormalModes(frames, drawn, modes) };
}

interface Vectors extends Pick<ShapeModes, 'base' | 'shapes'> {
  readonly normals: NormalModes;
}

function addPart(writer: GltfWriter, drawn: DrawnMesh, part: MeshPart, { base, shapes, normals }: Vectors): Primitive {
  const primitive = writer.primitive(gatherPart(drawn, part, base), partCorners(drawn, part));
  primitive.setAttribute('NORMAL', writer.accessor('VEC3', slicePart(normals.base, 3, part)));
  if (drawn.uvs) primitive.setAttribute('TEXCOORD_0', writer.accessor('VEC2', slicePart(drawn.uvs, 2, part)));
  shapes.forEach((shape, k) => {
    // Blender refuses targets without a name.
    const target = writer.document.createPrimitiveTarget(`shape-${k + 1}`);
    const [moves, turns] = [gatherPart(drawn, part, shape), slicePart(normals.shapes[k], 3, part)];
    const isRounded = turns instanceof Int8Array;
    target.setAttribute('POSITION', isRounded ? roundedOffsets(writer, moves) : exactOffsets(writer, moves));
    target.setAttribute(
      'NORMAL',
      isRounded ? writer.accessor('VEC3', turns).setNormalized(true) : exactOffsets(writer, turns),
    );
    primitive.addTarget(target);
  });
  return primitive;
}

/** What a shape adds: sparse where most of it is nothing. */
function exactOffsets(writer: GltfWriter, moves: Float32Array): Accessor {
  let moved = 0;
  for (let k = 0; k < moves.length; k += 3) if (moves[k] !== 0 || moves[k + 1] !== 0 || moves[k + 2] !== 0) moved++;
  return writer.accessor('VEC3', moves).setSparse(moved < (SPARSE_BELOW * moves.length) / 3);
}

/** The same as whole numbers, of which the largest stands for 1, and where it is clamped: half of the bytes. */
function roundedOffsets(writer: GltfWriter, moves: Float32Array): Accessor {
  const numbers = new Int16Array(moves.length);
  for (let k = 0; k < moves.length; k++) numbers[k] = Math.round(FULL * Math.min(1, Math.max(-1, moves[k])));
  return writer.accessor('VEC3', numbers).setNormalized(true);
}
