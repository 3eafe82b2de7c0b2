// Reads Gmsh's .msh: versions 2.2 and 4.1, text and binary. Nodes and linear tetrahedra; lines, triangles and other sections
// are passed over, other volume elements refused.

import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { MixedReader } from './mixed-reader.js';
import { NodeNumbers } from './node-numbers.js';

const TETRAHEDRON = 4;
/** Nodes of Gmsh's elements of up to two dimensions, and of the tetrahedron, by type. */
const NODE_COUNTS: Readonly<Record<number, number>> = { 1: 2, 2: 3, 3: 4, 4: 4, 8: 3, 9: 6, 10: 9, 15: 1, 16: 8 };
const OTHER_VOLUMES: Readonly<Record<number, string>> = {
  5: 'hexahedra',
  6: 'prisms',
  7: 'pyramids',
  11: 'tetrahedra of ten nodes',
  12: 'hexahedra of 27 nodes',
  13: 'prisms of 18 nodes',
  14: 'pyramids of 14 nodes',
  17: 'hexahedra of 20 nodes',
  18: 'prisms of 15 nodes',
  19: 'pyramids of 13 nodes',
};

export function readGmsh(bytes: Uint8Array): TetraMesh {
  const reader = new MixedReader(bytes, '$MeshFormat');
  reader.expectWord('$MeshFormat');
  const version = reader.word();
  if (version !== '2.2' && version !== '4.1') reader.fail('version 2.2 or 4.1 of Gmsh’s format', version);
  const kind = reader.textInteger('0 for text or 1 for binary');
  if (kind !== 0 && kind !== 1) reader.fail('0 for text or 1 for binary', kind);
  const size = reader.textInteger('8 bytes per number');
  if (size !== 8) reader.fail('8 bytes per number', size);
  if (kind === 1) readByteOrder(reader);
  reader.expectWord('$EndMeshFormat');
  const nodes = new NodeNumbers(reader);
  let hasElements = false;
  for (let section = reader.word(); section !== null; section = reader.word()) {
    if (!section.startsWith('$')) reader.fail('the name of a section', section);
    if (section === '$Nodes' || section === '$Elements') {
      reader.line();
      reader.isBinary = kind === 1 && version === '4.1';
      if (section === '$Nodes') (version === '4.1' ? readNodes41 : readNodes22)(reader, nodes, kind === 1);
      else (version === '4.1' ? readElements41 : readElements22)(reader, nodes, kind === 1);
      reader.isBinary = false;
      hasElements ||= section === '$Elements';
      reader.expectWord(`$End${section.slice(1)}`);
    } else reader.passText(`$End${section.slice(1)}`);
  }
  if (!hasElements) reader.fail('$Elements', null);
  return nodes.finish();
}

/** A 1 in four bytes tells which way round numbers are. */
function readByteOrder(reader: MixedReader): void {
  reader.line();
  reader.isBinary = true;
  const { at } = reader;
  if (reader.int('the number 1 in binary') !== 1) {
    reader.at = at;
    reader.littleEndian = false;
    const found = reader.int('the number 1 in binary');
    if (found !== 1) reader.fail('the number 1 in binary', found);
  }
  reader.isBinary = false;
}

function readNodes22(reader: MixedReader, nodes: NodeNumbers, isBinary: boolean): void {
  const count = reader.textInteger('the number of nodes');
  reader.checkCount(count, 'nodes', isBinary ? 28 : 8);
  if (isBinary) {
    reader.line();
    reader.isBinary = true;
  }
  for (let n = 0; n < count; n++) {
    const number = reader.int('the number of a node');
    nodes.addNode(number, reader.real('x'), reader.real('y'), reader.real('z'));
  }
}

function readElements22(reader: MixedReader, nodes: NodeNumbers, isBinary: boolean): void {
  const count = reader.textInteger('the number of elements');
  reader.checkCount(count, 'elements', isBinary ? 8 : 6);
  if (isBinary) {
    reader.line();
    reader.isBinary = true;
  }
  for (let done = 0; done < count; ) {
    if (!isBinary) reader.int('the number of an element');
    const type = reader.int('the type of an element');
    const size = sizeOf(reader, type);
    const inBlock = isBinary ? reader.int('the number of elements that follow') : 1;
    const tags = reader.int('the number of tags');
    if (inBlock < 1 || inBlock > count - done) reader.fail(`1 to ${count - done} elements`, inBlock);
    if (tags < 0 || tags > 1000) reader.fail('0 to 1000 tags', tags);
    for (let e = 0; e < inBlock; e++) {
      if (isBinary) reader.int('the number of an element');
      for (let k = 0; k < tags; k++) reader.int('a tag');
      readCorners(nodes, type, size, () => reader.int('a node of an element'));
    }
    done += inBlock;
  }
}

function readNodes41(reader: MixedReader, nodes: NodeNumbers, isBinary: boolean): void {
  const blocks = reader.long('the number of blocks of nodes');
  const count = reader.long('the number of nodes');
  reader.checkCount(count, 'nodes', isBinary ? 32 : 8);
  reader.long('the least number of a node');
  reader.long('the greatest number of a node');
  let left = count;
  for (let block = 0; block < blocks; block++) {
    const dimension = reader.int('the dimension of a block');
    reader.int('the entity of a block');
    const isParametric = reader.int('0, or 1 for parametric nodes') === 1;
    const inBlock = reader.long('the number of nodes of a block');
    if (inBlock < 0 || inBlock > left) reader.fail(`0 to ${left} nodes`, inBlock);
    left -= inBlock;
    const numbers: number[] = [];
    for (let n = 0; n < inBlock; n++) numbers.push(reader.long('the number of a node'));
    for (let n = 0; n < inBlock; n++) {
      nodes.addNode(numbers[n], reader.real('x'), reader.real('y'), reader.real('z'));
      if (isParametric) for (let k = 0; k < dimension; k++) reader.real('a parameter');
    }
  }
  if (left > 0) reader.fail(`${left} more nodes`, 'no more blocks');
}

function readElements41(reader: MixedReader, nodes: NodeNumbers, isBinary: boolean): void {
  const blocks = reader.long('the number of blocks of elements');
  const count = reader.long('the number of elements');
  reader.checkCount(count, 'elements', isBinary ? 16 : 4);
  reader.long('the least number of an element');
  reader.long('the greatest number of an element');
  let left = count;
  for (let block = 0; block < blocks; block++) {
    reader.int('the dimension of a block');
    reader.int('the entity of a block');
    const type = reader.int('the type of elements');
    const inBlock = reader.long('the number of elements of a block');
    if (inBlock < 0 || inBlock > left) reader.fail(`0 to ${left} elements`, inBlock);
    left -= inBlock;
    const size = sizeOf(reader, type);
    for (let e = 0; e < inBlock; e++) {
      reader.long('the number of an element');
      readCorners(nodes, type, size, () => reader.long('a node of an element'));
    }
  }
  if (left > 0) reader.fail(`${left} more elements`, 'no more blocks');
}

function sizeOf(reader: MixedReader, type: number): number {
  if (OTHER_VOLUMES[type]) reader.fail('tetrahedra of four nodes', OTHER_VOLUMES[type]);
  return NODE_COUNTS[type] ?? reader.fail('a known type of element', type);
}

function readCorners(nodes: NodeNumbers, type: number, size: number, next: () => number): void {
  if (type === TETRAHEDRON) nodes.addTetrahedron(next(), next(), next(), next());
  else for (let k = 0; k < size; k++) next();
}
