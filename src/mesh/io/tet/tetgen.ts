// Reads TetGen's pairs of files: .node has the nodes, .ele the tetrahedra. Numbers begin at 0 or 1.

import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { MeshReadError } from '../mesh-read-error.js';
import { MixedReader } from './mixed-reader.js';
import { NodeNumbers } from './node-numbers.js';

export function readTetgen(nodeBytes: Uint8Array, elementBytes: Uint8Array): TetraMesh {
  const reader = new MixedReader(nodeBytes, 'the number of nodes', '#');
  const nodes = new NodeNumbers(reader);
  inFile('node', () => {
    const count = reader.textInteger('the number of nodes');
    reader.checkCount(count, 'nodes', 8);
    const dimension = reader.textInteger('3 dimensions');
    if (dimension !== 3) reader.fail('3 dimensions', dimension);
    const extra = readExtras(reader, 'attributes') + readExtras(reader, 'boundary markers');
    for (let n = 0; n < count; n++) {
      const number = reader.textInteger('the number of a node');
      nodes.addNode(number, reader.textNumber('x'), reader.textNumber('y'), reader.textNumber('z'));
      for (let k = 0; k < extra; k++) reader.textNumber('an attribute');
    }
    expectEnd(reader, 'nodes');
  });
  inFile('ele', () => {
    const elements = new MixedReader(elementBytes, 'the number of tetrahedra', '#');
    const count = elements.textInteger('the number of tetrahedra');
    elements.checkCount(count, 'tetrahedra', 10);
    const size = elements.textInteger('4 nodes per tetrahedron');
    if (size !== 4) elements.fail('4 nodes per tetrahedron', size);
    const extra = readExtras(elements, 'attributes');
    const corner = () => elements.textInteger('a node of a tetrahedron');
    for (let t = 0; t < count; t++) {
      elements.textInteger('the number of a tetrahedron');
      nodes.addTetrahedron(corner(), corner(), corner(), corner());
      for (let k = 0; k < extra; k++) elements.textNumber('an attribute');
    }
    expectEnd(elements, 'tetrahedra');
  });
  return nodes.finish();
}

function readExtras(reader: MixedReader, what: string): number {
  const count = reader.textInteger(`the number of ${what}`);
  if (count < 0 || count > 1000) reader.fail(`0 to 1000 ${what}`, count);
  return count;
}

function expectEnd(reader: MixedReader, what: string): void {
  const word = reader.word();
  if (word !== null) reader.fail(`no more ${what}`, word);
}

/** Says which of the two files it was. */
function inFile(ending: string, read: () => void): void {
  try {
    read();
  } catch (problem) {
    throw problem instanceof MeshReadError ? new MeshReadError(`.${ending}, ${problem.message}`) : problem;
  }
}
