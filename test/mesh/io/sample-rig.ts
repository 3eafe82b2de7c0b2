// A small rig of our own: a capsule on a chain of three joints, with a morph target that swells it, and a box on a node.

import { Document, Logger, WebIO } from '@gltf-transform/core';
import { generateShape } from '../../../src/mesh/index.js';

export const RIG_DURATION = 2;

export async function sampleRig(interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE' = 'LINEAR'): Promise<Uint8Array> {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC3' | 'VEC4' | 'MAT4' | 'SCALAR', array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const { positions, triangles } = generateShape({ shape: 'capsule', radius: 0.4, height: 3, segments: 12 });
  const count = positions.length / 3;
  const joints = new Uint16Array(4 * count);
  const weights = new Float32Array(4 * count);
  for (let v = 0; v < count; v++) {
    const place = Math.min(1.999, Math.max(0, positions[3 * v + 1] + 1));
    const first = Math.floor(place);
    joints.set([first, first + 1], 4 * v);
    weights.set([1 - (place - first), place - first], 4 * v);
  }
  const swelling = Float32Array.from(positions, (x, i) => (i % 3 === 1 ? 0 : 0.5 * x));
  const target = document.createPrimitiveTarget().setAttribute('POSITION', accessor('VEC3', swelling));
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
    .setAttribute('JOINTS_0', accessor('VEC4', joints))
    .setAttribute('WEIGHTS_0', accessor('VEC4', weights))
    .setIndices(accessor('SCALAR', Uint16Array.from(triangles)))
    .addTarget(target);
  const mesh = document.createMesh('arm').addPrimitive(primitive).setWeights([0.25]);
  const chain = [0, 1, 2].map((i) => document.createNode(`joint${i}`).setTranslation([0, i === 0 ? -1 : 1, 0]));
  chain[0].addChild(chain[1]);
  chain[1].addChild(chain[2]);
  const inverses = new Float32Array(48);
  for (let j = 0; j < 3; j++) inverses.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1 - j, 0, 1], 16 * j);
  const skin = document.createSkin().setInverseBindMatrices(accessor('MAT4', inverses));
  for (const joint of chain) skin.addJoint(joint);
  const arm = document.createNode('arm').setMesh(mesh).setSkin(skin);
  const box = generateShape({ shape: 'box', size: 0.5, divisions: 1 });
  const boxPrimitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(box.positions)))
    .setIndices(accessor('SCALAR', Uint16Array.from(box.triangles)));
  const held = document
    .createNode('held')
    .setMesh(document.createMesh('box').addPrimitive(boxPrimitive))
    .setTranslation([0.6, 0, 0]);
  chain[2].addChild(held);
  const scene = document.createScene().addChild(arm).addChild(chain[0]);
  document.getRoot().setDefaultScene(scene);

  const animation = document.createAnimation('bend');
  const times = accessor('SCALAR', Float32Array.of(0, 0.5, 1.25, RIG_DURATION));
  const channel = (node: typeof arm, path: 'rotation' | 'translation' | 'scale' | 'weights', keys: number[][]) => {
    // Splines have tangents before and after each value.
    const around = (key: number[], n: number) => key.map((value) => 0.3 * value * (n - 1));
    const values = keys.flatMap((key, n) =>
      interpolation === 'CUBICSPLINE' ? [...around(key, n), ...key, ...around(key, 3 - n)] : key,
    );
    const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
    const sampler = document
      .createAnimationSampler()
      .setInput(times)
      .setOutput(accessor(type, Float32Array.from(values)))
      .setInterpolation(interpolation);
    animation.addSampler(sampler);
    animation.addChannel(document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler));
  };
  const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  channel(chain[1], 'rotation', [turn(0), turn(0.8), turn(-0.4), turn(1.2)]);
  channel(chain[2], 'scale', [
    [1, 1, 1],
    [1.2, 1, 1],
    [1, 0.8, 1.1],
    [1, 1, 1],
  ]);
  channel(chain[0], 'translation', [
    [0, -1, 0],
    [0.5, -1, 0],
    [0.5, -1, 0.5],
    [0, -0.5, 0],
  ]);
  channel(arm, 'weights', [[0], [1], [0.3], [0.6]]);
  return new WebIO().writeBinary(document);
}
