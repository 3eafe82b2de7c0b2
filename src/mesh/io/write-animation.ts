// Writes meshes that move as a GLB file: every frame but the first is a morph target of its mesh, fully on at its moment and mixed with
// its neighbours between.

import { farOrigin } from './write-mesh.js';

export interface AnimatedMesh {
  readonly name: string;
  readonly triangles: Uint32Array;
  /** x, y, z per vertex, frame by frame [m]. */
  readonly frames: readonly ArrayLike<number>[];
  /** Unit normals of the same frames; readers show flat triangles where there are none. */
  readonly normals?: readonly ArrayLike<number>[];
}

/** Weights are a number per frame and target: beyond this they alone would be 64 MB. */
const MOST_FRAMES = 4096;

/**
 * @param times of the frames, ascending [s].
 * @param name of the animation.
 */
export async function writeAnimation(
  meshes: readonly AnimatedMesh[],
  times: readonly number[],
  name = 'frames',
): Promise<Uint8Array<ArrayBuffer>> {
  if (times.length > MOST_FRAMES) throw new RangeError(`expected at most ${MOST_FRAMES} frames, got ${times.length}`);
  const { Document, Logger, WebIO } = await import('@gltf-transform/core');
  const logger = new Logger(Logger.Verbosity.SILENT);
  const document = new Document().setLogger(logger);
  document.getRoot().getAsset().generator = 'isochore';
  const buffer = document.createBuffer();
  const scene = document.createScene();
  document.getRoot().setDefaultScene(scene);
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint16Array | Uint32Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  // The first frame is the mesh itself.
  const targets = times.length - 1;
  const isMoving = targets > 0;
  const animation = isMoving ? document.createAnimation(name) : null;
  const input = isMoving ? accessor('SCALAR', Float32Array.from(times)) : null;
  const weights = new Float32Array(times.length * targets);
  for (let frame = 1; frame < times.length; frame++) weights[frame * targets + frame - 1] = 1;
  const output = isMoving ? accessor('SCALAR', weights) : null;
  for (const { name: meshName, triangles, frames, normals } of meshes) {
    const origin = farOrigin({ positions: Float64Array.from(frames[0]) });
    const first = Float32Array.from(frames[0], (x, i) => x - origin[i % 3]);
    // The largest index of a type may not be used.
    const corners = first.length / 3 <= 0xffff ? Uint16Array.from(triangles) : triangles.slice();
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', first))
      .setIndices(accessor('SCALAR', corners));
    const firstNormals = normals && Float32Array.from(normals[0]);
    if (firstNormals) primitive.setAttribute('NORMAL', accessor('VEC3', firstNormals));
    for (let frame = 1; frame < times.length; frame++) {
      const offsets = Float32Array.from(frames[frame], (x, i) => x - origin[i % 3] - first[i]);
      // Blender refuses targets without a name.
      const target = document
        .createPrimitiveTarget(`frame-${frame + 1}`)
        .setAttribute('POSITION', accessor('VEC3', offsets));
      if (firstNormals && normals)
        target.setAttribute(
          'NORMAL',
          accessor(
            'VEC3',
            Float32Array.from(normals[frame], (x, i) => x - firstNormals[i]),
          ),
        );
      primitive.addTarget(target);
    }
    const mesh = document.createMesh(meshName).addPrimitive(primitive);
    const node = document.createNode(meshName).setMesh(mesh).setTranslation([origin[0], origin[1], origin[2]]);
    scene.addChild(node);
    if (!animation) continue;
    mesh.setWeights(new Array(targets).fill(0));
    const sampler = document.createAnimationSampler().setInput(input).setOutput(output).setInterpolation('LINEAR');
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('weights').setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  }
  return (await new WebIO().setLogger(logger).writeBinary(document)) as Uint8Array<ArrayBuffer>;
}
