// `isochore prepare IN -o OUT`: makes a mesh that can be simulated from any mesh file.

import {
  checkWritten,
  type MeshUnit,
  makeSimulatable,
  measure,
  RepairError,
  roundForFile,
  type Simulatable,
  type SimulatableBody,
  type UpAxis,
  validate,
  writeMeshes,
} from '../../mesh/index.js';
import { CliError, EXIT, toLine } from '../cli-error.js';
import { checkOutput, writeOutput } from '../files.js';
import { readMeshFile } from '../mesh-file.js';
import { startNotice } from '../progress.js';

export interface PrepareOptions {
  output: string;
  vertices?: number;
  /** About how many to fill it with, for a file of these instead of triangles. */
  tetrahedra?: number;
  parts?: 'joined' | 'separate';
  unit?: MeshUnit;
  up?: UpAxis;
  scale?: number;
  report?: boolean;
  json?: boolean;
  quiet?: boolean;
}

export async function prepareMesh(input: string, options: PrepareOptions): Promise<void> {
  const { output, vertices, parts } = options;
  checkFormat(output, 1);
  await checkOutput(output);
  const mesh = await readMeshFile(input, { unit: options.unit, upAxis: options.up, scale: options.scale });
  const count = mesh.triangles.length / 3;
  const notice = startNotice(`${input}: preparing ${count} triangles …`, Boolean(options.quiet || options.json));
  const made = await makeSimulatable(mesh, { vertices, parts })
    .catch((error: unknown) => {
      if (!(error instanceof RepairError)) throw error;
      const hint = error.reason === 'parts-apart' ? '; --parts separate makes a body of each' : '';
      throw new CliError(`${input}: ${error.reason}: ${error.message}${hint}`, EXIT.notSimulatable);
    })
    .finally(() => notice.stop());
  checkFormat(output, made.bodies.length);
  for (const body of made.bodies) checkRounding(body, output);
  const meshes = made.bodies.map((body, i) => ({ name: `body${i}`, mesh: body.mesh }));
  await writeOutput(output, await writeMeshes(meshes, output));
  if (options.json) process.stdout.write(`${JSON.stringify(describe(made), null, 2)}\n`);
  else if (!options.quiet) process.stdout.write(`${format(made, output, Boolean(options.report))}\n`);
}

function checkFormat(output: string, meshCount: number): void {
  try {
    checkWritten(output, meshCount);
  } catch (error) {
    throw new CliError(`${output}: ${(error as Error).message}`);
  }
}

/** A triangle may be so small that single precision flattens it. */
function checkRounding(body: SimulatableBody, output: string): void {
  const [problem] = validate(roundForFile(body.mesh, output)).problems;
  if (problem === undefined) return;
  const line = `${output}: expected a format with double precision (.obj, .off, .ply), as in this one ${problem.message}`;
  throw new CliError(line, EXIT.notSimulatable);
}

function describe({ bodies, steps }: Simulatable): object {
  return {
    steps,
    bodies: bodies.map(({ mesh, origin, deviation }) => {
      const { vertices, triangles, genus, volume, area, bounds } = measure(mesh);
      return { origin, vertices, triangles, genus, volume, area, bounds, deviation };
    }),
  };
}

const figure = (value: number): string => `${Number(value.toPrecision(3))}`;

function format({ bodies, steps }: Simulatable, output: string, complete: boolean): string {
  const count = bodies.reduce((sum, { mesh }) => sum + mesh.positions.length / 3, 0);
  const what = bodies.length === 1 ? bodies[0].origin : `${bodies.length} bodies`;
  const head = toLine(`${output}: ${what}, ${count} vertices`);
  if (!complete) return head;
  const done = steps.map(({ code, message, body }) =>
    toLine(`${body === undefined ? '' : `body${body}: `}${code}: ${message}`),
  );
  const each = bodies.map(({ mesh, origin, deviation }, i) => {
    const { vertices, triangles, genus, volume } = measure(mesh);
    const about = `body${i}: ${origin}, ${vertices} vertices, ${triangles} triangles, genus ${genus}, ${figure(volume)} m³`;
    if (deviation === null) return about;
    const { outside, apart, mean } = deviation;
    return `${about}; ${figure(mean)} m from the original on average, ${figure(apart)} m at most, which stands out by ${figure(outside)} m at most`;
  });
  return [head, ...done, ...each].join('\n');
}
