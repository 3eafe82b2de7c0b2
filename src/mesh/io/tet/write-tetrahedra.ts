// Writes tetrahedra as Gmsh, TetGen, Medit and VTK files. Numbers of text are the shortest that read back to the same bits.

import { describeKnown } from '../../../math/known-fields.js';
import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { ByteList } from './byte-list.js';

/** What can be written; TetGen's two files one by one. */
export const WRITTEN_TETRA_FORMATS = [
  'msh-4.1',
  'msh-4.1-binary',
  'msh-2.2',
  'msh-2.2-binary',
  'node',
  'ele',
  'mesh',
  'vtk',
  'vtk-binary',
] as const;
export type WrittenTetraFormat = (typeof WRITTEN_TETRA_FORMATS)[number];

/** Gmsh's and VTK's numbers for a linear tetrahedron. */
const GMSH_TETRAHEDRON = 4;
const VTK_TETRAHEDRON = 10;

const WRITERS: Readonly<Record<WrittenTetraFormat, (mesh: TetraMesh) => Uint8Array>> = {
  'msh-4.1': (mesh) => writeGmsh41(mesh, false),
  'msh-4.1-binary': (mesh) => writeGmsh41(mesh, true),
  'msh-2.2': (mesh) => writeGmsh22(mesh, false),
  'msh-2.2-binary': (mesh) => writeGmsh22(mesh, true),
  node: ({ positions }) =>
    new ByteList(false)
      .text(`${positions.length / 3} 3 0 0\n`)
      .rows(positions, 3, (n) => [n])
      .done(),
  ele: ({ tetrahedra }) =>
    new ByteList(false)
      .text(`${tetrahedra.length / 4} 4 0\n`)
      .rows(tetrahedra, 4, (t) => [t])
      .done(),
  mesh: writeMedit,
  vtk: (mesh) => writeVtk(mesh, false),
  'vtk-binary': (mesh) => writeVtk(mesh, true),
};

/**
 * @throws RangeError for a format that is not known.
 * @example
 * ```ts
 * const bytes = writeTetrahedra(tetrahedralise(icosphere(), { count: 300 }), 'vtk');
 * ```
 */
export function writeTetrahedra(mesh: TetraMesh, format: WrittenTetraFormat): Uint8Array {
  if (!Object.hasOwn(WRITERS, format)) {
    throw new RangeError(`format: unknown ${format}, ${describeKnown(String(format), WRITTEN_TETRA_FORMATS)}`);
  }
  return WRITERS[format](mesh);
}

function writeGmsh41({ positions, tetrahedra }: TetraMesh, isBinary: boolean): Uint8Array {
  const [nodeCount, count] = [positions.length / 3, tetrahedra.length / 4];
  const out = new ByteList(isBinary).text(`$MeshFormat\n4.1 ${isBinary ? 1 : 0} 8\n`);
  if (isBinary) out.int(1).text('\n');
  out.text('$EndMeshFormat\n$Nodes\n');
  out.long(1).long(nodeCount).long(1).long(nodeCount).end();
  out.int(3).int(1).int(0).long(nodeCount).end();
  for (let n = 1; n <= nodeCount; n++) out.long(n).end();
  for (let k = 0; k < positions.length; k += 3) {
    out
      .real(positions[k])
      .real(positions[k + 1])
      .real(positions[k + 2])
      .end();
  }
  out.finishBlock().text('$EndNodes\n$Elements\n');
  out.long(1).long(count).long(1).long(count).end();
  out.int(3).int(1).int(GMSH_TETRAHEDRON).long(count).end();
  for (let t = 0; t < count; t++) {
    out.long(t + 1);
    for (let k = 4 * t; k < 4 * t + 4; k++) out.long(tetrahedra[k] + 1);
    out.end();
  }
  return out.finishBlock().text('$EndElements\n').done();
}

function writeGmsh22({ positions, tetrahedra }: TetraMesh, isBinary: boolean): Uint8Array {
  const [nodeCount, count] = [positions.length / 3, tetrahedra.length / 4];
  const out = new ByteList(isBinary).text(`$MeshFormat\n2.2 ${isBinary ? 1 : 0} 8\n`);
  if (isBinary) out.int(1).text('\n');
  out.text(`$EndMeshFormat\n$Nodes\n${nodeCount}\n`);
  for (let n = 0, k = 0; n < nodeCount; n++, k += 3) {
    out
      .int(n + 1)
      .real(positions[k])
      .real(positions[k + 1])
      .real(positions[k + 2])
      .end();
  }
  out.finishBlock().text(`$EndNodes\n$Elements\n${count}\n`);
  if (isBinary && count > 0) out.int(GMSH_TETRAHEDRON).int(count).int(2);
  for (let t = 0; t < count; t++) {
    out.int(t + 1);
    if (!isBinary) out.int(GMSH_TETRAHEDRON).int(2);
    // Physical and elementary entity.
    out.int(1).int(1);
    for (let k = 4 * t; k < 4 * t + 4; k++) out.int(tetrahedra[k] + 1);
    out.end();
  }
  return out.finishBlock().text('$EndElements\n').done();
}

function writeMedit({ positions, tetrahedra }: TetraMesh): Uint8Array {
  const out = new ByteList(false).text(`MeshVersionFormatted 2\nDimension 3\nVertices\n${positions.length / 3}\n`);
  for (let k = 0; k < positions.length; k += 3) {
    out
      .real(positions[k])
      .real(positions[k + 1])
      .real(positions[k + 2])
      .int(0)
      .end();
  }
  out.text(`Tetrahedra\n${tetrahedra.length / 4}\n`);
  for (let k = 0; k < tetrahedra.length; k += 4) {
    for (let c = k; c < k + 4; c++) out.int(tetrahedra[c] + 1);
    out.int(0).end();
  }
  return out.text('End\n').done();
}

function writeVtk({ positions, tetrahedra }: TetraMesh, isBinary: boolean): Uint8Array {
  const count = tetrahedra.length / 4;
  const out = new ByteList(isBinary, false).text(
    `# vtk DataFile Version 3.0\ntetrahedra\n${isBinary ? 'BINARY' : 'ASCII'}\nDATASET UNSTRUCTURED_GRID\n`,
  );
  out.text(`POINTS ${positions.length / 3} double\n`);
  for (let k = 0; k < positions.length; k += 3) {
    out
      .real(positions[k])
      .real(positions[k + 1])
      .real(positions[k + 2])
      .end();
  }
  out.finishBlock().text(`CELLS ${count} ${5 * count}\n`);
  for (let k = 0; k < tetrahedra.length; k += 4) {
    out.int(4);
    for (let c = k; c < k + 4; c++) out.int(tetrahedra[c]);
    out.end();
  }
  out.finishBlock().text(`CELL_TYPES ${count}\n`);
  for (let t = 0; t < count; t++) out.int(VTK_TETRAHEDRON).end();
  return out.finishBlock().done();
}
