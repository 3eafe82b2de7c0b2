// The geometry of a visible mesh that was cut: its attributes between those of the geometry that was given, and the faces of cuts as a
// group of their own.

import { BufferAttribute, type BufferGeometry, type Material } from 'three';
import type { EmbeddableMesh, VisibleCut } from '../embedding/embedding.js';
import { writeAttributeValues } from './attribute-values.js';

/** Follows the simulation by themselves. */
const MOVING = ['position', 'normal', 'tangent'];

/**
 * Writes index, groups and the attributes that do not move. Faces are shown by the material after those that the geometry uses, where
 * there is one, else by the first; their texture coordinates are in metres.
 */
export function showCut(
  target: BufferGeometry,
  { triangles }: EmbeddableMesh,
  cut: VisibleCut,
  given: BufferGeometry | undefined,
  material: Material | Material[],
): void {
  const groups = given?.groups.length ? given.groups : [{ start: 0, count: Infinity, materialIndex: 0 }];
  const materialOf = (source: number): number =>
    groups.find(({ start, count }) => 3 * source >= start && 3 * source < start + count)?.materialIndex ?? 0;
  const last = groups.reduce((most, { materialIndex = 0 }) => Math.max(most, materialIndex), 0);
  const faceMaterial = Array.isArray(material) && material.length > last + 1 ? last + 1 : 0;
  const lists = new Map<string, number[]>();
  cut.sources.forEach((source, t) => {
    const key = source < 0 ? 'faces' : `${materialOf(source)}`;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    list.push(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
  });
  const index = new Uint32Array(triangles.length);
  let end = 0;
  // Faces come last.
  for (const [key, list] of [...lists].sort(([a], [b]) => Number(a === 'faces') - Number(b === 'faces'))) {
    index.set(list, end);
    target.addGroup(end, list.length, key === 'faces' ? faceMaterial : Number(key));
    end += list.length;
  }
  target.setIndex(new BufferAttribute(index, 1));
  for (const [name, attribute] of Object.entries(given?.attributes ?? {})) {
    if (MOVING.includes(name)) continue;
    const { itemSize, count } = attribute;
    const values = writeAttributeValues(attribute, new Float64Array(itemSize * count));
    target.setAttribute(name, new BufferAttribute(between(values, itemSize, cut), itemSize));
  }
  if (!given?.getAttribute('uv')) target.setAttribute('uv', new BufferAttribute(Float32Array.from(cut.uvs), 2));
  else addFaceUvs(target.getAttribute('uv').array as Float32Array, cut);
}

function between(values: Float64Array, itemSize: number, { corners, weights }: VisibleCut): Float32Array {
  const out = new Float32Array((itemSize * corners.length) / 3);
  for (let k = 0; k < corners.length; k++) {
    const to = itemSize * Math.trunc(k / 3);
    for (let c = 0; c < itemSize; c++) out[to + c] += weights[k] * values[itemSize * corners[k] + c];
  }
  return out;
}

/** Texture coordinates of what is on faces alone. */
function addFaceUvs(out: Float32Array, { weights, uvs }: VisibleCut): void {
  for (let i = 0; 3 * i < weights.length; i++) {
    if (weights[3 * i] + weights[3 * i + 1] + weights[3 * i + 2] > 0) continue;
    out[2 * i] = uvs[2 * i];
    out[2 * i + 1] = uvs[2 * i + 1];
  }
}
