// Reads Medit's .mesh (INRIA): vertices and tetrahedra; other keywords are passed over, hexahedra and prisms refused.

import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { MixedReader } from './mixed-reader.js';
import { NodeNumbers } from './node-numbers.js';

const OTHER_VOLUMES = ['Hexahedra', 'Prisms', 'Pyramids', 'TetrahedraP2'];

export function readMedit(bytes: Uint8Array): TetraMesh {
  const reader = new MixedReader(bytes, 'MeshVersionFormatted', '#');
  reader.expectWord('MeshVersionFormatted');
  reader.textInteger('a version');
  const nodes = new NodeNumbers(reader);
  let [hasVertices, hasTetrahedra] = [false, false];
  for (let keyword = reader.word(); keyword !== null && keyword !== 'End'; keyword = reader.word()) {
    if (keyword === 'Dimension') {
      const dimension = reader.textInteger('3 dimensions');
      if (dimension !== 3) reader.fail('3 dimensions', dimension);
    } else if (keyword === 'Vertices' && !hasVertices) {
      hasVertices = true;
      const count = readCount(reader, 'vertices', 8);
      for (let n = 1; n <= count; n++) {
        nodes.addNode(n, reader.textNumber('x'), reader.textNumber('y'), reader.textNumber('z'));
        reader.textInteger('the reference of a vertex');
      }
    } else if (keyword === 'Tetrahedra' && !hasTetrahedra) {
      hasTetrahedra = true;
      const count = readCount(reader, 'tetrahedra', 10);
      const corner = () => reader.textInteger('a vertex of a tetrahedron');
      for (let t = 0; t < count; t++) {
        nodes.addTetrahedron(corner(), corner(), corner(), corner());
        reader.textInteger('the reference of a tetrahedron');
      }
    } else if (!/^[A-Z][A-Za-z0-9]*$/.test(keyword) || keyword === 'Vertices' || keyword === 'Tetrahedra') {
      reader.fail('a keyword', keyword);
    } else {
      if (OTHER_VOLUMES.includes(keyword) && reader.peek() !== '0') reader.fail('tetrahedra of four nodes', keyword);
      while (isNumber(reader.peek())) reader.word();
    }
  }
  if (!hasVertices) reader.fail('Vertices', null);
  if (!hasTetrahedra) reader.fail('Tetrahedra', null);
  return nodes.finish();
}

const isNumber = (word: string | null): boolean => word !== null && Number.isFinite(Number(word));

function readCount(reader: MixedReader, what: string, bytesEach: number): number {
  const count = reader.textInteger(`the number of ${what}`);
  reader.checkCount(count, what, bytesEach);
  return count;
}
