// Feeds damaged files through reading, inspecting and repairing, and keeps count of how they end.

import draco3d from 'draco3dgltf';
import { expect } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { inspectMesh } from '../../../src/mesh/inspect.js';
import { MeshReadError, readVisibleMesh } from '../../../src/mesh/io/read-mesh.js';
import { makeSimulatable } from '../../../src/mesh/repair/make-simulatable.js';
import { RepairError } from '../../../src/mesh/repair/repair-report.js';
import { validate } from '../../../src/mesh/validate.js';
import { mutate } from './mutations.js';
import { makeSeedFiles } from './seed-files.js';
import { Watchdog } from './watchdog.js';

export interface FuzzOutcome {
  /** Files that became bodies, were refused as bodies, and could not be read. */
  bodies: number;
  refused: number;
  unreadable: number;
  /** Longest time for one file [ms], and the file. */
  slowest: number;
  slowestFile: string;
}

/** Vertices of cages: few, as thousands are built; of one in fifty as many as users get. */
const VERTICES = 60;
const FULL = 50;

async function tryFile(
  bytes: Uint8Array,
  name: string,
  vertices?: number,
): Promise<'bodies' | 'refused' | 'unreadable'> {
  const read = await readVisibleMesh(bytes, name, {
    resolve: async () => new Uint8Array(100),
    draco: () => draco3d.createDecoderModule(),
  }).catch((problem: unknown) => {
    // One line that names the place; never an error of the machine passed on.
    expect(problem).toBeInstanceOf(MeshReadError);
    expect((problem as Error).message).toMatch(/^[\w.]+: [^\n]*expected [^\n]+$/);
    return null;
  });
  if (read === null) return 'unreadable';
  inspectMesh(read);
  try {
    const { bodies, bodyOfVertex } = await makeSimulatable(read, { vertices });
    for (const { mesh } of bodies) expect(validate(mesh).problems).toEqual([]);
    expect(bodyOfVertex.length).toBe(read.positions.length / 3);
    return 'bodies';
  } catch (problem) {
    if (!(problem instanceof RepairError)) throw problem;
    return 'refused';
  }
}

/** Tries `count` mutations; what goes wrong names the seed and the file. */
export async function fuzzFiles(count: number, seed: number): Promise<FuzzOutcome> {
  const files = await makeSeedFiles();
  const outcome: FuzzOutcome = { bodies: 0, refused: 0, unreadable: 0, slowest: 0, slowestFile: '' };
  const watch = new Watchdog();
  for (let i = 0; i < count; i++) {
    const { name, bytes } = files[i % files.length];
    const random = seededRandom(seed + i);
    const label = `mutation ${seed + i} of ${name}`;
    watch.start(label);
    try {
      outcome[await tryFile(mutate(name, bytes, random), name, i % FULL === FULL - 1 ? undefined : VERTICES)]++;
    } catch (problem) {
      throw new Error(`${label}: ${(problem as Error).message}`, { cause: problem });
    }
    const took = watch.stop();
    if (took > outcome.slowest) [outcome.slowest, outcome.slowestFile] = [took, label];
  }
  await watch.end();
  return outcome;
}
