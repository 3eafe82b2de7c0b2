// The nodes of a glTF file and what moves them: transforms, skins and one animation, at any time.

import { describeKnown } from '../../../math/known-fields.js';
import type { JsonValue } from '../json-value.js';
import { MeshReadError } from '../mesh-read-error.js';
import { MOST_ELEMENTS } from '../polygons.js';
import { AnimationTrack, INTERPOLATIONS } from './animation-track.js';
import type { DecodedExcerpt } from './gltf-decode.js';
import type { GltfExcerpt } from './gltf-excerpt.js';
import { combine, composeTransform, partsOf, type Transform, transformOf } from './gltf-placement.js';

const PATHS = { translation: 3, rotation: 4, scale: 3, weights: 0 } as const;
type Path = keyof typeof PATHS;

interface Channel {
  readonly place: JsonValue;
  readonly node: number;
  readonly path: Path;
  readonly input: number;
  readonly output: number;
  readonly interpolation: (typeof INTERPOLATIONS)[number];
}

interface Skin {
  readonly joints: readonly number[];
  /** Number of the accessor in the excerpt. */
  readonly inverses: number | null;
}

/** Which animation of a file: by its name or its number; the first unless given. */
export type AnimationChoice = string | number | undefined;

function findAnimation(root: JsonValue, choice: AnimationChoice): JsonValue | undefined {
  const animations = root.field('animations').items();
  if (choice === undefined) return animations[0];
  const names = animations.map((animation, i) => animation.field('name').name() || `${i}`);
  const index = typeof choice === 'number' ? choice : names.indexOf(choice);
  if (animations[index]) return animations[index];
  if (names.length === 0) throw new MeshReadError(`animations: expected ${JSON.stringify(choice)}, the file has none`);
  throw new MeshReadError(`animations: ${describeKnown(String(choice), names)}, got ${JSON.stringify(choice)}`);
}

/** First the file's description, which names what the excerpt must keep; `bind` brings the numbers. */
export class GltfRig {
  private readonly parents: Int32Array;
  /** Parents before their children. */
  private readonly order: number[] = [];
  private readonly rest: Transform[];
  private readonly channels: readonly Channel[];
  private readonly skins: readonly Skin[];
  private readonly tracks = new Map<number, Partial<Record<Path, AnimationTrack>>>();
  private readonly inverses: (Float64Array | null)[] = [];
  readonly names: readonly string[];

  constructor(
    private readonly root: JsonValue,
    excerpt: GltfExcerpt,
    animation: AnimationChoice,
  ) {
    const nodes = root.field('nodes');
    this.rest = nodes.items().map(transformOf);
    this.names = nodes.items().map((node) => node.field('name').name());
    this.parents = new Int32Array(nodes.length).fill(-1);
    for (const [parent, node] of nodes.items().entries()) {
      for (const child of node.field('children').items()) {
        const index = child.index(nodes);
        if (this.parents[index] >= 0) child.fail('a node with one parent');
        this.parents[index] = parent;
      }
    }
    this.sortNodes(nodes);
    this.skins = root
      .field('skins')
      .items()
      .map((skin) => {
        const inverses = skin.field('inverseBindMatrices');
        return {
          joints: skin
            .field('joints')
            .items()
            .map((joint) => joint.index(nodes)),
          inverses: inverses.exists ? excerpt.addNumbers(inverses, ['MAT4']) : null,
        };
      });
    this.channels = readChannels(findAnimation(root, animation), nodes, excerpt);
  }

  /** Parents before their children; nodes that none leads to are in a circle. */
  private sortNodes(nodes: JsonValue): void {
    const { parents, order } = this;
    const placed = new Uint8Array(parents.length);
    for (let start = 0; start < parents.length; start++) {
      const way: number[] = [];
      for (let node = start; node >= 0 && !placed[node]; node = parents[node]) {
        if (way.length > parents.length)
          nodes.item(start).fail('a tree of nodes, but this one is below itself; a node');
        way.push(node);
      }
      for (const node of way.reverse()) {
        placed[node] = 1;
        order.push(node);
      }
    }
  }

  bind({ numbers }: DecodedExcerpt): void {
    for (const { place, node, path, input, output, interpolation } of this.channels) {
      const [times, values] = [numbers(input), numbers(output)];
      const size = PATHS[path] || values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
      const wanted = times.length * size * (interpolation === 'CUBICSPLINE' ? 3 : 1);
      if (!Number.isInteger(size) || values.length !== wanted) place.fail(`an output with a value for each keyframe`);
      if (!times.every((time, i) => Number.isFinite(time) && (i === 0 || time > times[i - 1])))
        place.fail('keyframes of finite times that ascend');
      if (!values.every(Number.isFinite)) place.fail('keyframes of finite values');
      const tracks = this.tracks.get(node) ?? {};
      tracks[path] = new AnimationTrack(times, values, size, interpolation, path === 'rotation');
      this.tracks.set(node, tracks);
    }
    for (const [i, { joints, inverses }] of this.skins.entries()) {
      const values = inverses === null ? null : numbers(inverses);
      if (values && (values.length < 16 * joints.length || !values.every(Number.isFinite)))
        this.root.field('skins').item(i).fail('a finite inverse bind matrix for each joint');
      this.inverses.push(values);
    }
  }

  /** End of the last keyframe [s]; 0 where nothing moves. */
  get duration(): number {
    let end = 0;
    for (const tracks of this.tracks.values())
      for (const track of Object.values(tracks)) end = Math.max(end, track.end);
    return end;
  }

  /** Where every node is [m]. */
  transformsAt(time: number): readonly Transform[] {
    const all: Transform[] = new Array(this.parents.length);
    for (const node of this.order) {
      const parent = this.parents[node];
      const own = this.ownTransform(node, time);
      all[node] = parent < 0 ? own : combine(all[parent], own);
    }
    return all;
  }

  private ownTransform(node: number, time: number): Transform {
    const { translation, rotation, scale } = this.tracks.get(node) ?? {};
    if (!translation && !rotation && !scale) return this.rest[node];
    const rest = partsOf(this.root.field('nodes').item(node));
    return composeTransform(
      translation?.at(time) ?? rest.translation,
      rotation?.at(time) ?? rest.rotation,
      scale?.at(time) ?? rest.scale,
    );
  }

  /** Weights of the morph targets of a node at a time, where they are animated. */
  weightsAt(node: number, time: number): readonly number[] | undefined {
    return this.tracks.get(node)?.weights?.at(time);
  }

  /** What a joint does to a vertex at rest, for each joint of a skin. */
  jointsAt(skin: number, transforms: readonly Transform[]): Transform[] {
    const inverses = this.inverses[skin];
    return this.skins[skin].joints.map((node, j) => {
      if (!inverses) return transforms[node];
      const m = inverses.subarray(16 * j, 16 * j + 16);
      return combine(
        transforms[node],
        [0, 1, 2, 3].flatMap((column) => [...m.subarray(4 * column, 4 * column + 3)]),
      );
    });
  }

  jointCount(skin: number): number {
    return this.skins[skin].joints.length;
  }
}

function readChannels(animation: JsonValue | undefined, nodes: JsonValue, excerpt: GltfExcerpt): Channel[] {
  if (!animation) return [];
  const samplers = animation.field('samplers');
  return animation
    .field('channels')
    .items()
    .flatMap((place) => {
      const target = place.field('target');
      const path = target.field('path').name();
      // Without a node, or with a path of an extension, it moves nothing here.
      if (!target.field('node').exists || !Object.hasOwn(PATHS, path)) return [];
      const sampler = samplers.item(place.field('sampler').index(samplers));
      const kind: JsonValue = sampler.field('interpolation');
      const interpolation = kind.exists ? INTERPOLATIONS.find((name) => name === kind.value) : 'LINEAR';
      if (!interpolation) kind.fail(`one of ${INTERPOLATIONS.join(', ')}`);
      const types = { translation: 'VEC3', scale: 'VEC3', rotation: 'VEC4', weights: 'SCALAR' }[path as Path];
      return [
        {
          place,
          node: target.field('node').integer(0, Math.min(nodes.length, MOST_ELEMENTS) - 1),
          path: path as Path,
          input: excerpt.addNumbers(sampler.field('input'), ['SCALAR']),
          output: excerpt.addNumbers(sampler.field('output'), [types]),
          interpolation,
        },
      ];
    });
}
