// Whether tetrahedra of a file can be a body: refused by name where not.

import { showInput } from '../../../math/expect.js';
import { boundaryOf, findFaceOfThree, sixVolume, type TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { findProblems } from '../../validate.js';
import { MeshReadError } from '../mesh-read-error.js';

/** What a boundary has to be, of the problems that a surface can have. */
const NON_MANIFOLD = ['non-manifold-edge', 'non-manifold-vertex'];

/** @throws MeshReadError that names the first tetrahedron that is wrong, or what is wrong with all. */
export function checkTetrahedra(mesh: TetraMesh): void {
  const { positions, tetrahedra } = mesh;
  if (tetrahedra.length === 0) throw new MeshReadError('expected tetrahedra, found none');
  const seen = new Map<string, number>();
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    const corners = Array.from(tetrahedra.subarray(4 * t, 4 * t + 4)).sort((a, b) => a - b);
    if (new Set(corners).size < 4) {
      throw new MeshReadError(`tetrahedron ${t}: expected four nodes, found one of them twice`);
    }
    const key = corners.join();
    const other = seen.get(key);
    if (other !== undefined) {
      throw new MeshReadError(`tetrahedron ${t}: expected each once, found a duplicate of tetrahedron ${other}`);
    }
    seen.set(key, t);
    const volume = sixVolume(positions, tetrahedra, t) / 6;
    if (!(volume > 0)) {
      throw new MeshReadError(`tetrahedron ${t}: expected a positive volume, found ${showInput(volume)}`);
    }
  }
  const crowded = findFaceOfThree(tetrahedra);
  if (crowded >= 0) {
    throw new MeshReadError(`tetrahedron ${crowded}: expected two tetrahedra at a face, found three (non-manifold)`);
  }
  const problem = findProblems(boundaryOf(mesh).mesh).find(({ code }) => NON_MANIFOLD.includes(code));
  if (problem) throw new MeshReadError(`boundary: expected a manifold, found ${problem.code} (${problem.message})`);
}
