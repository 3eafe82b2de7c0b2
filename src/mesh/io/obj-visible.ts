// An OBJ file as a mesh to be looked at: a vertex for every combination of position, texture coordinates and normal that
// a part uses.

import type { MeshPart, VisibleMesh } from '../visible-mesh.js';
import { NO_INDEX, parseObj } from './obj.js';
import { cutFaces } from './polygons.js';

export function readVisibleObj(bytes: Uint8Array): VisibleMesh {
  const { values, faces, uvCorners, normalCorners, groups } = parseObj(bytes, true);
  const places = cutFaces(new Float64Array(values[0]), faces);
  const triangles = new Uint32Array(places.length);
  const sources: number[] = [];
  const parts: MeshPart[] = [];
  const materials = [...new Set(groups.map(({ material }) => material).filter((name) => name !== ''))];
  let at = 0;
  groups.forEach(({ firstFace, name, material }, g) => {
    const [firstVertex, firstTriangle] = [sources.length, at / 3];
    const known = new Map<string, number>();
    let triangleCount = 0;
    for (let face = firstFace; face < (groups[g + 1]?.firstFace ?? faces.sizes.length); face++) {
      triangleCount += faces.sizes[face] - 2;
    }
    for (; at < 3 * (firstTriangle + triangleCount); at++) {
      const place = places[at];
      const key = `${faces.corners[place]}/${uvCorners[place]}/${normalCorners[place]}`;
      let vertex = known.get(key);
      if (vertex === undefined) {
        vertex = sources.push(place) - 1;
        known.set(key, vertex);
      }
      triangles[at] = vertex;
    }
    const materialIndex = material === '' ? null : materials.indexOf(material);
    const vertexCount = sources.length - firstVertex;
    parts.push({ name, material, materialIndex, firstVertex, vertexCount, firstTriangle, triangleCount });
  });

  const gather = (corners: ArrayLike<number>, list: readonly number[], size: number) => {
    const gathered = new Float64Array(size * sources.length);
    sources.forEach((place, v) => {
      if (corners[place] === NO_INDEX) return;
      for (let k = 0; k < size; k++) gathered[size * v + k] = list[size * corners[place] + k];
    });
    return gathered;
  };
  const hasUvs = values[1].length > 0 && uvCorners.some((index) => index !== NO_INDEX);
  const hasNormals = values[2].length > 0 && normalCorners.some((index) => index !== NO_INDEX);
  return {
    positions: gather(faces.corners, values[0], 3),
    triangles,
    normals: hasNormals ? Float32Array.from(gather(normalCorners, values[2], 3)) : null,
    tangents: null,
    uvs: hasUvs ? Float32Array.from(gather(uvCorners, values[1], 2)) : null,
    parts,
  };
}
