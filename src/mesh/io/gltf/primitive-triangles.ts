// Triangles of a primitive: lists, strips and fans, by the glTF specification's section 3.7.2.1.

import { MeshReadError } from '../mesh-read-error.js';
import { type ExcerptPrimitive, TRIANGLE_FAN, TRIANGLES } from './gltf-excerpt.js';

/** Most triangles that the primitive can have. */
export function mostTriangles({ mode, cornerCount }: ExcerptPrimitive): number {
  return mode === TRIANGLES ? Math.floor(cornerCount / 3) : Math.max(0, cornerCount - 2);
}

/** Three vertices of the primitive per triangle; repeated vertices only join the pieces of a strip and are left out. */
export function listTriangles(primitive: ExcerptPrimitive, indices: Uint32Array | null): Uint32Array {
  const { path, mode, vertexCount } = primitive;
  const count = mostTriangles(primitive);
  const triangles = new Uint32Array(3 * count);
  const vertex = (corner: number): number => {
    const index = indices === null ? corner : indices[corner];
    if (index >= vertexCount) {
      throw new MeshReadError(`${path}.indices: expected vertices below ${vertexCount}, found ${index}`);
    }
    return index;
  };
  let length = 0;
  for (let i = 0; i < count; i++) {
    let [a, b, c] = [3 * i, 3 * i + 1, 3 * i + 2];
    if (mode === TRIANGLE_FAN) [a, b, c] = [i + 1, i + 2, 0];
    else if (mode !== TRIANGLES) [a, b, c] = [i, i + 1 + (i % 2), i + 2 - (i % 2)];
    [a, b, c] = [vertex(a), vertex(b), vertex(c)];
    if (mode !== TRIANGLES && (a === b || b === c || c === a)) continue;
    triangles[length++] = a;
    triangles[length++] = b;
    triangles[length++] = c;
  }
  return triangles.slice(0, length);
}
