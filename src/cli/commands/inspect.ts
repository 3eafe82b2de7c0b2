// `isochore inspect FILE`: what a mesh is and whether it can be simulated.

import { inspectMesh, type MeshInspection } from '../../mesh/index.js';
import { EXIT, toLine } from '../cli-error.js';
import { readMeshFile } from '../mesh-file.js';

export async function inspect(file: string, options: { json?: boolean }): Promise<void> {
  const facts = inspectMesh(await readMeshFile(file));
  process.stdout.write(`${options.json ? JSON.stringify(facts, null, 2) : formatFacts(facts)}\n`);
  process.exitCode = facts.simulatable ? EXIT.ok : EXIT.notSimulatable;
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
const figure = (value: number | null, unit = ''): string =>
  value === null ? 'undefined' : `${Number(value.toPrecision(7))}${unit}`;
const point = (values: readonly number[]): string => `(${values.map((value) => figure(value)).join(', ')})`;

function formatFacts(facts: MeshInspection): string {
  const rows: [string, string][] = [
    ['vertices', String(facts.vertices)],
    ['triangles', String(facts.triangles)],
    ['closed', yesNo(facts.closed)],
    ['manifold', yesNo(facts.manifold)],
    ['oriented', yesNo(facts.oriented)],
    ['components', String(facts.components)],
    ['genus', figure(facts.genus)],
    ['volume', figure(facts.volume, ' m³')],
    ['area', figure(facts.area, ' m²')],
    ['bounding box', `${point(facts.bounds[0])} to ${point(facts.bounds[1])} m`],
    ['duplicate vertices', String(facts.duplicateVertices)],
    ['degenerate triangles', String(facts.degenerateTriangles)],
    ['simulatable', yesNo(facts.simulatable)],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
  return [...lines, ...facts.problems.map(({ code, message }) => toLine(`${code}: ${message}`))].join('\n');
}
