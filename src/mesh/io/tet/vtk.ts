// Reads legacy VTK files with an unstructured grid, text or binary, cells as lists (to version 4) or as offsets (5).

import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { MixedReader } from './mixed-reader.js';
import { NodeNumbers } from './node-numbers.js';

const TETRAHEDRON = 10;
/** VTK's cells of up to two dimensions, which are passed over. */
const FLAT_CELLS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23];

export function readVtk(bytes: Uint8Array): TetraMesh {
  const reader: MixedReader = new MixedReader(bytes, '# vtk DataFile Version');
  const version = /^# vtk DataFile Version (\d+)\.\d+$/.exec(reader.line());
  if (!version) reader.fail('# vtk DataFile Version', null);
  // A title of any kind.
  reader.line();
  const kind = reader.word();
  if (kind !== 'ASCII' && kind !== 'BINARY') reader.fail('ASCII or BINARY', kind);
  reader.expectWord('DATASET');
  reader.expectWord('UNSTRUCTURED_GRID');
  reader.littleEndian = false;
  const isBinary = kind === 'BINARY';
  const nodes = new NodeNumbers(reader);
  let cells: number[][] | undefined;
  let types: number[] | undefined;
  for (let keyword = reader.word(); keyword !== null; keyword = reader.word()) {
    if (keyword === 'POINTS') readPoints(reader, nodes, isBinary);
    else if (keyword === 'CELLS') cells = readCells(reader, Number(version[1]), isBinary);
    else if (keyword === 'CELL_TYPES') types = readTypes(reader, isBinary);
    else if (keyword === 'METADATA') while (reader.line() !== '' || reader.peek() === 'INFORMATION');
    // What belongs to cells and points comes last.
    else if (keyword === 'CELL_DATA' || keyword === 'POINT_DATA' || keyword === 'FIELD') break;
    else reader.fail('POINTS, CELLS or CELL_TYPES', keyword);
  }
  if (!cells) reader.fail('CELLS', null);
  if (!types) reader.fail('CELL_TYPES', null);
  if (types.length !== cells.length) reader.fail(`a type for each of ${cells.length} cells`, types.length);
  cells.forEach((corners, i) => {
    const type = types[i];
    if (FLAT_CELLS.includes(type)) return;
    if (type !== TETRAHEDRON) reader.fail(`tetrahedra (type 10) at cell ${i}`, type);
    if (corners.length !== 4) reader.fail(`four points of cell ${i}`, corners.length);
    nodes.addTetrahedron(corners[0], corners[1], corners[2], corners[3]);
  });
  return nodes.finish();
}

function readPoints(reader: MixedReader, nodes: NodeNumbers, isBinary: boolean): void {
  const count = reader.textInteger('the number of points');
  const type = reader.word();
  if (type !== 'float' && type !== 'double') reader.fail('float or double', type);
  const size = type === 'float' ? 4 : 8;
  reader.checkCount(count, 'points', isBinary ? 3 * size : 6);
  reader.line();
  reader.isBinary = isBinary;
  for (let n = 0; n < count; n++)
    nodes.addNode(n, reader.real('x', size), reader.real('y', size), reader.real('z', size));
  reader.isBinary = false;
}

function readCells(reader: MixedReader, version: number, isBinary: boolean): number[][] {
  const count = reader.textInteger('the number of cells');
  const total = reader.textInteger('the length of the cells');
  reader.checkCount(count, 'cells', 2);
  reader.checkCount(total, 'numbers of cells', 2);
  if (version >= 5) return readOffsets(reader, count, total, isBinary);
  reader.line();
  reader.isBinary = isBinary;
  const cells: number[][] = [];
  let left = total;
  for (let i = 0; i < count; i++) {
    const size = reader.int('the number of points of a cell');
    if (size < 0 || size > left - 1) reader.fail(`0 to ${left - 1} points of cell ${i}`, size);
    left -= size + 1;
    cells.push(Array.from({ length: size }, () => reader.int('a point of a cell')));
  }
  reader.isBinary = false;
  return cells;
}

/** Version 5: n + 1 offsets into a list of points. */
function readOffsets(reader: MixedReader, offsetCount: number, pointCount: number, isBinary: boolean): number[][] {
  const readList = (name: string, count: number): number[] => {
    reader.expectWord(name);
    const type = reader.word();
    if (type !== 'vtktypeint64' && type !== 'vtktypeint32') reader.fail('vtktypeint64 or vtktypeint32', type);
    reader.line();
    reader.isBinary = isBinary;
    const one = () => (type === 'vtktypeint64' ? reader.long('a whole number') : reader.int('a whole number'));
    const list = Array.from({ length: count }, one);
    reader.isBinary = false;
    return list;
  };
  const offsets = readList('OFFSETS', offsetCount);
  const points = readList('CONNECTIVITY', pointCount);
  return offsets.slice(0, -1).map((start, i) => {
    const end = offsets[i + 1];
    if (!(start >= 0 && end >= start && end <= pointCount)) reader.fail(`offsets from 0 to ${pointCount}`, end);
    return points.slice(start, end);
  });
}

function readTypes(reader: MixedReader, isBinary: boolean): number[] {
  const count = reader.textInteger('the number of types');
  reader.checkCount(count, 'types', isBinary ? 4 : 2);
  reader.line();
  reader.isBinary = isBinary;
  const types = Array.from({ length: count }, () => reader.int('the type of a cell'));
  reader.isBinary = false;
  return types;
}
