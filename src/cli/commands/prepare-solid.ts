// `isochore prepare IN --tetrahedra N -o OUT`: fills what a mesh file holds with tetrahedra, for simulation as a solid.

import { makeSimulatable, type Tetrahedralised, tetrahedralise, writeTetrahedra } from '../../mesh/index.js';
import { CliError, EXIT, toLine } from '../cli-error.js';
import { checkOutput, writeOutput } from '../files.js';
import { readMeshFile } from '../mesh-file.js';
import { startNotice } from '../progress.js';
import type { PrepareOptions } from './prepare.js';

/** What a file's ending asks for; TetGen's two files go together. */
const FORMATS = { msh: 'msh-4.1', mesh: 'mesh', vtk: 'vtk', ele: 'ele' } as const;
export const SOLID_ENDINGS = Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[];

export async function prepareSolid(input: string, count: number, options: PrepareOptions): Promise<void> {
  const { output } = options;
  const ending = /\.([^./\\]+)$/.exec(output)?.[1].toLowerCase() ?? '';
  const known = SOLID_ENDINGS.find((one) => one === ending);
  if (!known) {
    throw new CliError(`${output}: expected one of .${SOLID_ENDINGS.join(', .')} for tetrahedra, got .${ending}`);
  }
  await checkOutput(output);
  const mesh = await readMeshFile(input, { unit: options.unit, upAxis: options.up, scale: options.scale });
  const notice = startNotice(`${input}: filling with tetrahedra …`, Boolean(options.quiet || options.json));
  const made = await fill(mesh, count, options)
    .catch((error: Error) => {
      throw new CliError(`${input}: ${error.message}`, EXIT.notSimulatable);
    })
    .finally(() => notice.stop());
  await writeOutput(output, writeTetrahedra(made, FORMATS[known]));
  if (known === 'ele') await writeOutput(output.replace(/\.ele$/i, '.node'), writeTetrahedra(made, 'node'));
  if (options.json) process.stdout.write(`${JSON.stringify(describe(made), null, 2)}\n`);
  else if (!options.quiet) process.stdout.write(`${format(made, output, Boolean(options.report))}\n`);
}

/** The first body of the file, as it is where it is closed, mended where not. */
async function fill(
  mesh: Awaited<ReturnType<typeof readMeshFile>>,
  count: number,
  { vertices, parts }: PrepareOptions,
): Promise<Tetrahedralised> {
  const { bodies } = await makeSimulatable(mesh, { vertices, parts });
  if (bodies.length > 1) throw new Error(`expected one body, got ${bodies.length}: a file of tetrahedra holds one`);
  return tetrahedralise(bodies[0].mesh, { count });
}

const describe = ({ measures, deviation, cell, lostCount }: Tetrahedralised): object => ({
  ...{ ...measures, cell, deviation, lostCount },
});

const figure = (value: number): string => `${Number(value.toPrecision(3))}`;

function format({ measures, deviation, cell }: Tetrahedralised, output: string, complete: boolean): string {
  const { nodes, tetrahedra, volume, smallestAngle, largestAngle } = measures;
  const head = toLine(`${output}: ${tetrahedra} tetrahedra, ${nodes} nodes`);
  if (!complete) return head;
  return [
    head,
    `angles between faces from ${figure(smallestAngle)}° to ${figure(largestAngle)}°, ${figure(volume)} m³, cells of ${figure(cell)} m`,
    `${figure(deviation.mean)} m from the surface on average, ${figure(deviation.apart)} m at most`,
  ].join('\n');
}
