// The numbers of an attribute of three.js, one vertex after the other, whether it has an array of its own or shares one.

import type { BufferAttribute, InterleavedBufferAttribute } from 'three';

const GETTERS = ['getX', 'getY', 'getZ', 'getW'] as const;

/** Fills `values`, of itemSize numbers per vertex; those of a normalised attribute come as what they stand for. */
export function writeAttributeValues<Values extends Float32Array | Float64Array>(
  attribute: BufferAttribute | InterleavedBufferAttribute,
  values: Values,
): Values {
  const { itemSize } = attribute;
  // three.js 0.160 has getComponent for arrays of their own alone, which may have more than four numbers per vertex.
  const componentOf =
    'isInterleavedBufferAttribute' in attribute
      ? (vertex: number, component: number) => attribute[GETTERS[component]](vertex)
      : (vertex: number, component: number) => attribute.getComponent(vertex, component);
  for (let k = 0; k < values.length; k++) values[k] = componentOf(Math.trunc(k / itemSize), k % itemSize);
  return values;
}
