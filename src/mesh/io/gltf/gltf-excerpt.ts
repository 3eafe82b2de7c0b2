// The part of a glTF file that makes triangles, checked and copied out: the library that decodes it trusts what a file
// says about itself, so that it is given only what was looked at. Images, materials, animations, skins and morph targets
// stay behind.

import type { JsonValue } from '../json-value.js';
import { MOST_ELEMENTS } from '../polygons.js';
import type { GltfAttribute } from './gltf-attributes.js';

/** Bytes that a file's vertices and indices may take once unpacked: five million vertices with all attributes. */
const MOST_BYTES = 384 * 2 ** 20;

const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const INDEX_TYPES = [5121, 5123, 5125];
/** The newer name stands for the same bit stream, which one decoder reads. */
const MESHOPT_NAMES = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
const MESHOPT_MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const MESHOPT_FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];
const DRACO = 'KHR_draco_mesh_compression';

/** Most morph targets of a primitive, and most accessors of one kind that an animation may name. */
const MOST_TARGETS = 10_000;

/** What is read of a vertex, and the kind of accessor that holds it. */
export const ATTRIBUTES = { POSITION: 'VEC3', NORMAL: 'VEC3', TANGENT: 'VEC4', TEXCOORD_0: 'VEC2' } as const;

export const TRIANGLES = 4;
export const TRIANGLE_STRIP = 5;
export const TRIANGLE_FAN = 6;

type Fields = Record<string, unknown>;

/** A primitive of triangles, by its numbers in the excerpt. */
export interface ExcerptPrimitive {
  readonly path: string;
  readonly mode: number;
  readonly vertexCount: number;
  /** Indices, or vertices where there are none. */
  readonly cornerCount: number;
  readonly material: string;
  readonly materialIndex: number | null;
  /** How many morph targets were kept of it. */
  readonly targetCount: number;
}

export class GltfExcerpt {
  readonly primitives: ExcerptPrimitive[] = [];
  /** Buffers of the file that are needed, in the excerpt's order. */
  readonly buffers: number[] = [];
  usesDraco = false;
  usesMeshopt = false;
  private readonly meshes: Fields[] = [];
  private readonly accessors: Fields[] = [];
  private readonly bufferViews: Fields[] = [];
  private readonly accessorNumbers = new Map<number, number>();
  private readonly viewNumbers = new Map<number, number>();
  private bytes = 0;

  /**
   * @param extras attributes that are kept beside those that are drawn.
   * @param keepsTargets whether the positions of morph targets are kept.
   */
  constructor(
    private readonly root: JsonValue,
    private readonly extras: readonly Pick<GltfAttribute, 'semantic' | 'types'>[] = [],
    private readonly keepsTargets = false,
  ) {}

  /** Keeps an accessor that belongs to no mesh, such as an animation's; returns its number in the excerpt. */
  addNumbers(reference: JsonValue, types: readonly string[]): number {
    const accessors = this.root.field('accessors');
    const index = reference.index(accessors);
    return this.addAccessor(index, accessors.item(index), types, null);
  }

  /** Every attribute that is kept, and the kinds of accessor that may hold it. */
  get attributes(): ReadonlyMap<string, readonly string[]> {
    const drawn = Object.entries(ATTRIBUTES).map(([name, type]) => [name, [type]] as const);
    return new Map([...drawn, ...this.extras.map(({ semantic, types }) => [semantic, types] as const)]);
  }

  /** glTF JSON with one mesh of one primitive each; buffers are to be found under the names `bufferUri` gives. */
  toJson(bufferLengths: readonly number[]): Fields {
    const used = [...(this.usesDraco ? [DRACO] : []), ...(this.usesMeshopt ? [MESHOPT_NAMES[0]] : [])];
    return {
      asset: { version: '2.0' },
      buffers: bufferLengths.map((byteLength, i) => ({ uri: bufferUri(i), byteLength })),
      bufferViews: this.bufferViews,
      accessors: this.accessors,
      meshes: this.meshes,
      ...(used.length > 0 ? { extensionsUsed: used, extensionsRequired: used } : {}),
    };
  }

  /** Adds the triangles of a mesh; points and lines are passed over. Returns the places of its primitives. */
  addMesh(mesh: JsonValue): number[] {
    const added: number[] = [];
    for (const primitive of mesh.field('primitives').items()) {
      const mode = primitive.field('mode').integer(0, 6, TRIANGLES);
      const position = primitive.field('attributes').field('POSITION');
      // Without positions there is nothing to draw, by the specification.
      if (mode >= TRIANGLES && position.exists) added.push(this.addPrimitive(primitive, mode));
    }
    return added;
  }

  private addPrimitive(primitive: JsonValue, mode: number): number {
    const accessors = this.root.field('accessors');
    const given = primitive.field('attributes');
    const positions = accessors.item(given.field('POSITION').index(accessors));
    const vertexCount = positions.field('count').integer(1, MOST_ELEMENTS);
    const draco = primitive.field('extensions').field(DRACO);
    // Where the file has the same data uncompressed as well, no decoder is needed.
    const compressed = draco.exists && !positions.field('bufferView').exists;
    const attributes: Fields = {};
    const dracoAttributes: Fields = {};
    for (const [name, types] of this.attributes) {
      const reference = given.field(name);
      if (!reference.exists) continue;
      const accessor = accessors.item(reference.index(accessors));
      if (accessor.field('count').value !== vertexCount) accessor.field('count').fail(`${vertexCount}, as of POSITION`);
      attributes[name] = this.addAccessor(reference.index(accessors), accessor, types, null);
      const inDraco = draco.field('attributes').field(name);
      if (compressed && inDraco.exists) dracoAttributes[name] = inDraco.integer(0, 2 ** 31 - 1);
    }
    const fields: Fields = { attributes, mode };
    let cornerCount = vertexCount;
    const indices = primitive.field('indices');
    if (indices.exists) {
      const accessor = accessors.item(indices.index(accessors));
      cornerCount = accessor.field('count').integer(1, 3 * MOST_ELEMENTS);
      fields.indices = this.addAccessor(indices.index(accessors), accessor, ['SCALAR'], INDEX_TYPES);
    }
    const targets = this.keepsTargets ? this.addTargets(primitive.field('targets'), vertexCount) : [];
    if (targets.length > 0) fields.targets = targets;
    if (compressed) {
      if (!('POSITION' in dracoAttributes)) draco.fail('an attribute "POSITION" among the compressed ones');
      const bufferView = this.addView(draco.field('bufferView'), 1);
      fields.extensions = { [DRACO]: { bufferView, attributes: dracoAttributes } };
      this.usesDraco = true;
    }
    this.meshes.push({ primitives: [fields] });
    const materials = this.root.field('materials');
    const material = primitive.field('material');
    const materialIndex = material.exists ? material.index(materials) : null;
    this.primitives.push({
      path: primitive.path,
      mode,
      vertexCount,
      cornerCount,
      material: materialIndex === null ? '' : materials.item(materialIndex).field('name').name(),
      materialIndex,
      targetCount: targets.length,
    });
    return this.primitives.length - 1;
  }

  /** Targets without positions move nothing, but keep their place among the weights. */
  private addTargets(targets: JsonValue, vertexCount: number): Fields[] {
    if (targets.length > MOST_TARGETS) targets.fail(`at most ${MOST_TARGETS} morph targets`);
    const accessors = this.root.field('accessors');
    return targets.items().map((target) => {
      const position = target.field('POSITION');
      if (!position.exists) return {};
      const accessor = accessors.item(position.index(accessors));
      if (accessor.field('count').value !== vertexCount) accessor.field('count').fail(`${vertexCount}, as of POSITION`);
      return { POSITION: this.addNumbers(position, ['VEC3']) };
    });
  }

  private addAccessor(
    index: number,
    accessor: JsonValue,
    types: readonly string[],
    componentTypes: readonly number[] | null,
  ): number {
    const type = accessor.field('type').name();
    if (!types.includes(type)) accessor.field('type').fail(`"${types.join('" or "')}"`);
    const known = this.accessorNumbers.get(index);
    if (known !== undefined) return known;
    const componentType = this.componentType(accessor, componentTypes);
    const count = accessor.field('count').integer(1, 3 * MOST_ELEMENTS);
    const elementBytes = COMPONENTS[type] * COMPONENT_BYTES[componentType];
    this.claim(accessor, count * elementBytes);
    const fields: Fields = { type, componentType, count };
    if (accessor.field('normalized').value === true) fields.normalized = true;
    const view = accessor.field('bufferView');
    if (view.exists) Object.assign(fields, this.addRange(accessor, view, count, elementBytes));
    const sparse = accessor.field('sparse');
    if (sparse.exists) {
      const sparseCount = sparse.field('count').integer(1, count);
      const indices = sparse.field('indices');
      const values = sparse.field('values');
      const indexType = this.componentType(indices, INDEX_TYPES);
      const indexRange = this.addRange(
        indices,
        indices.field('bufferView'),
        sparseCount,
        COMPONENT_BYTES[indexType],
        true,
      );
      fields.sparse = {
        count: sparseCount,
        indices: { ...indexRange, componentType: indexType },
        values: this.addRange(values, values.field('bufferView'), sparseCount, elementBytes, true),
      };
    }
    this.accessors.push(fields);
    this.accessorNumbers.set(index, this.accessors.length - 1);
    return this.accessors.length - 1;
  }

  private componentType(holder: JsonValue, allowed: readonly number[] | null): number {
    const field = holder.field('componentType');
    const types = allowed ?? Object.keys(COMPONENT_BYTES).map(Number);
    if (!types.includes(field.value as number)) field.fail(`one of ${types.join(', ')}`);
    return field.value as number;
  }

  /** Part of a buffer view; its elements must lie inside. */
  private addRange(holder: JsonValue, view: JsonValue, count: number, elementBytes: number, packed = false): Fields {
    const views = this.root.field('bufferViews');
    const definition = views.item(view.index(views));
    const byteOffset = holder.field('byteOffset').integer(0, 2 ** 32, 0);
    const stride = definition.field('byteStride');
    const step = stride.exists && !packed ? stride.integer(elementBytes, 255) : elementBytes;
    const needed = byteOffset + step * (count - 1) + elementBytes;
    return { bufferView: this.addView(view, needed), byteOffset };
  }

  private addView(view: JsonValue, neededBytes: number): number {
    const views = this.root.field('bufferViews');
    const index = view.index(views);
    const definition = views.item(index);
    const length = definition.field('byteLength').integer(1, 2 ** 32);
    if (length < neededBytes) definition.field('byteLength').fail(`at least ${neededBytes} for what is in it`);
    const known = this.viewNumbers.get(index);
    if (known !== undefined) return known;
    const fields: Fields = { byteLength: length };
    if (definition.field('byteStride').exists) fields.byteStride = definition.field('byteStride').integer(1, 255);
    const packed = MESHOPT_NAMES.map((name) => definition.field('extensions').field(name)).find(({ exists }) => exists);
    if (packed) {
      fields.extensions = { [MESHOPT_NAMES[0]]: this.meshoptRange(packed, length) };
      // Never read: its bytes come from the compressed ones.
      fields.buffer = 0;
    } else Object.assign(fields, this.bufferRange(definition, length));
    this.bufferViews.push(fields);
    this.viewNumbers.set(index, this.bufferViews.length - 1);
    return this.bufferViews.length - 1;
  }

  private bufferRange(definition: JsonValue, length: number): Fields {
    const buffers = this.root.field('buffers');
    const index = definition.field('buffer').index(buffers);
    const byteOffset = definition.field('byteOffset').integer(0, 2 ** 32, 0);
    const available = buffers
      .item(index)
      .field('byteLength')
      .integer(1, 2 ** 32);
    if (byteOffset + length > available) definition.fail(`a range within the ${available} bytes of its buffer`);
    let buffer = this.buffers.indexOf(index);
    if (buffer < 0) buffer = this.buffers.push(index) - 1;
    return { buffer, byteOffset };
  }

  private meshoptRange(packed: JsonValue, length: number): Fields {
    this.usesMeshopt = true;
    const mode = packed.field('mode');
    const filter = packed.field('filter');
    if (!MESHOPT_MODES.includes(mode.name())) mode.fail(`one of ${MESHOPT_MODES.join(', ')}`);
    if (filter.exists && !MESHOPT_FILTERS.includes(filter.name())) {
      filter.fail(`one of ${MESHOPT_FILTERS.join(', ')}`);
    }
    const isVertices = mode.name() === 'ATTRIBUTES';
    const byteStride = packed.field('byteStride').integer(isVertices ? 4 : 2, isVertices ? 256 : 4);
    if (byteStride % (isVertices ? 4 : 2) !== 0)
      packed.field('byteStride').fail('a multiple of 4, or 2 or 4 for indices');
    const count = packed.field('count').integer(1, 3 * MOST_ELEMENTS);
    if (count * byteStride !== length) packed.field('count').fail(`${length} bytes over the stride of ${byteStride}`);
    this.claim(packed, length);
    const byteLength = packed.field('byteLength').integer(1, 2 ** 32);
    const range = this.bufferRange(packed, byteLength);
    return { ...range, byteLength, byteStride, count, mode: mode.name(), filter: filter.name() || 'NONE' };
  }

  private claim(place: JsonValue, bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MOST_BYTES)
      place.fail(`at most ${MOST_BYTES} bytes of vertices and indices in all; more with this`);
  }
}

/** Name under which the excerpt's buffers are handed over. */
export const bufferUri = (index: number): string => `buffer${index}.bin`;
