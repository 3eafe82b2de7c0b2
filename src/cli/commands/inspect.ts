// `isochore inspect FILE`: what a mesh is and whether it can be simulated.

import {
  inspectMesh,
  type MeshInspection,
  type MeshPlace,
  type MeshProblem,
  type TriangleMesh,
} from '../../mesh/index.js';
import { EXIT, toLine } from '../cli-error.js';
import { readMeshFile } from '../mesh-file.js';

export async function inspect(file: string, options: { json?: boolean }): Promise<void> {
  const mesh = await readMeshFile(file);
  const facts = inspectMesh(mesh);
  process.stdout.write(`${options.json ? JSON.stringify(facts, null, 2) : formatFacts(facts, mesh, file)}\n`);
  process.exitCode = facts.simulatable ? EXIT.ok : EXIT.notSimulatable;
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
const figure = (value: number | null, unit = ''): string =>
  value === null ? 'none, as some coordinates are not finite' : `${Number(value.toPrecision(7))}${unit}`;
const point = (values: readonly number[]): string => `(${values.map((value) => figure(value)).join(', ')})`;

/** In words: "edge 3–17, near (0, 1, 0.5)". */
function describePlace(place: MeshPlace, { positions, triangles }: TriangleMesh): string {
  if ('vertex' in place) return `vertex ${place.vertex}${near(positions, [place.vertex])}`;
  if ('edge' in place) return `edge ${place.edge.join('–')}${near(positions, place.edge)}`;
  const first = 'triangle' in place ? place.triangle : place.triangles[0];
  const name = 'triangle' in place ? `triangle ${first}` : `triangles ${place.triangles.join(' and ')}`;
  return `${name}${near(positions, triangles.subarray(3 * first, 3 * first + 3))}`;
}

/** The middle of some vertices, where it can be told. */
function near(positions: Float64Array, vertices: ArrayLike<number>): string {
  const middle = [0, 1, 2].map((c) => {
    let sum = 0;
    for (let n = 0; n < vertices.length; n++) sum += positions[3 * vertices[n] + c];
    return sum / vertices.length;
  });
  return middle.every(Number.isFinite) ? `, near ${point(middle.map((x) => Number(x.toPrecision(4))))} m` : '';
}

function describeProblem({ code, message, places }: MeshProblem, mesh: TriangleMesh): string {
  const first =
    places.length === 0 ? '' : `; ${places.length === 1 ? 'at' : 'first at'} ${describePlace(places[0], mesh)}`;
  return toLine(`${code}: ${message}${first}`);
}

function formatFacts(facts: MeshInspection, mesh: TriangleMesh, file: string): string {
  const rows: [string, string][] = [
    ['vertices', String(facts.vertices)],
    ['triangles', String(facts.triangles)],
    ['closed', yesNo(facts.closed)],
    ['manifold', yesNo(facts.manifold)],
    ['oriented', yesNo(facts.oriented)],
    ['components', String(facts.components)],
    ['genus', facts.genus === null ? 'none, as the surface is not closed and two-sided' : String(facts.genus)],
    ['volume', figure(facts.volume, ' m³')],
    ['area', figure(facts.area, ' m²')],
    ['bounding box', `${point(facts.bounds[0])} to ${point(facts.bounds[1])} m`],
    ['duplicate vertices', String(facts.duplicateVertices)],
    ['degenerate triangles', String(facts.degenerateTriangles)],
    ['simulatable', yesNo(facts.simulatable)],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
  const problems = facts.problems.map((problem) => describeProblem(problem, mesh));
  const hint = toLine(`isochore prepare ${file} -o body.glb makes one that can be simulated`);
  return [...lines, ...problems, ...(facts.simulatable ? [] : [hint])].join('\n');
}
