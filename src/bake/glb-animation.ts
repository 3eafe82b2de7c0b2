// What moves in a glTF file: where nodes are, how much of each shape a mesh has, and when it is there.

import type { Accessor, Animation, Node } from '@gltf-transform/core';
import type { GltfWriter } from '../mesh/io/gltf/gltf-writer.js';
import type { BakedScene, Track } from './baked-scene.js';
import { frameNumber } from './baked-scene.js';
import type { ShapeModes } from './shape-modes.js';

export class GlbAnimation {
  private readonly animation: Animation;

  constructor(
    private readonly writer: GltfWriter,
    private readonly baked: BakedScene,
    name: string,
  ) {
    this.animation = writer.document.createAnimation(name);
  }

  /** Nothing is left of one that moves nothing. */
  end(): void {
    if (this.animation.listChannels().length === 0) this.animation.dispose();
  }

  /** The times of a track's frames [s]. */
  timesOf({ firstFrame, frameCount }: Track): Float32Array {
    return Float32Array.from(
      { length: frameCount },
      (_, n) => frameNumber(this.baked, firstFrame + n) / this.baked.fps,
    );
  }

  /** The body as a whole: where it is and how it is turned. */
  addMotion(node: Node, { centres, rotations }: Pick<ShapeModes, 'centres' | 'rotations'>, times: Float32Array): void {
    node.setTranslation([centres[0], centres[1], centres[2]]);
    node.setRotation([rotations[0], rotations[1], rotations[2], rotations[3]]);
    if (centres.length <= 3) return;
    this.addChannel(node, 'translation', 'LINEAR', times, this.writer.accessor('VEC3', centres));
    this.addChannel(node, 'rotation', 'LINEAR', times, this.writer.accessor('VEC4', rotations));
  }

  /** How much of each shape there is. A reader that plays no animation shows the first frame. */
  addWeights(node: Node, { shapes, weights }: ShapeModes, times: Float32Array): void {
    if (shapes.length === 0) return;
    node.getMesh()?.setWeights(Array.from(weights.subarray(0, shapes.length)));
    this.addChannel(node, 'weights', 'LINEAR', times, this.writer.accessor('SCALAR', weights));
  }

  /** A body that is not there yet, or no more, has no size: readers know no better way to hide it. */
  addPresence(node: Node, { firstFrame, frameCount }: Track, size: number): void {
    const { baked } = this;
    node.setScale([size, size, size]);
    if (frameCount === baked.frameCount) return;
    const end = firstFrame + frameCount;
    const times: number[] = [];
    const sizes: number[] = [];
    const show = (frame: number, shown: number) => {
      times.push(frameNumber(baked, frame) / baked.fps);
      sizes.push(shown, shown, shown);
    };
    if (firstFrame > 0) show(0, 0);
    show(firstFrame, size);
    if (end < baked.frameCount) show(end, 0);
    const scales = this.writer.accessor('VEC3', Float32Array.from(sizes));
    this.addChannel(node, 'scale', 'STEP', Float32Array.from(times), scales);
  }

  addChannel(
    node: Node,
    path: 'weights' | 'scale' | 'translation' | 'rotation',
    interpolation: 'LINEAR' | 'STEP',
    times: Float32Array,
    output: Accessor,
  ): void {
    const { document } = this.writer;
    const sampler = document
      .createAnimationSampler()
      .setInput(this.writer.accessor('SCALAR', times))
      .setOutput(output)
      .setInterpolation(interpolation);
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
    this.animation.addSampler(sampler).addChannel(channel);
  }
}
