// Seeded damage to meshes themselves: triangles gone, turned, doubled and rewired, vertices moved, merged and split.

import { seededRandom } from '../../../src/math/random.js';
import { icosphere } from '../../../src/mesh/generate/index.js';
import { makeSimulatable } from '../../../src/mesh/repair/make-simulatable.js';
import { RepairError } from '../../../src/mesh/repair/repair-report.js';
import { findSelfIntersections } from '../../../src/mesh/self-intersections.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { combine, cube, gridTorus, moved, randomTriangles, soup } from '../sample-meshes.js';
import { Watchdog } from './watchdog.js';

const SOURCES: TriangleMesh[] = [
  icosphere({ detail: 2 }),
  gridTorus(20, 10),
  combine(cube(), moved(icosphere({ detail: 1, radius: 0.7 }), [0.8, 0.5, 0.5])),
  randomTriangles(40, 0.8, 2),
];

/** One in so many is given as many vertices as users get. */
const FULL = 20;

export function damageMesh(seed: number): TriangleMesh {
  const random = seededRandom(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const source = SOURCES[pick(SOURCES.length)];
  const { positions: p, triangles } = random() < 0.3 ? soup(source) : source;
  const positions = p.slice();
  const count = positions.length / 3;
  const share = 0.3 * random() ** 2;
  const jitter = random() < 0.5 ? 0 : 0.2 * random() ** 3;
  const squash = random() < 0.2 ? 10 ** (-4 * random()) : 1;
  for (let i = 0; i < positions.length; i++) {
    positions[i] = (positions[i] + jitter * (random() - 0.5)) * (i % 3 === 1 ? squash : 1);
    if (random() < 0.001) positions[i] = [Number.NaN, Infinity, 50, 0][pick(4)];
  }
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    let [a, b, c] = triangles.subarray(t, t + 3);
    if (random() < share) {
      const kind = pick(5);
      if (kind === 0) continue;
      if (kind === 1) [b, c] = [c, b];
      if (kind === 2) kept.push(a, c, b);
      if (kind === 3) c = pick(count);
      if (kind === 4) a = b;
    }
    kept.push(a, b, c);
  }
  return { positions, triangles: Uint32Array.from(kept) };
}

export interface DamageOutcome {
  bodies: number;
  cages: number;
  /** By their reasons. */
  refusals: Record<string, number>;
  /** Longest time for one body [ms]. */
  slowest: number;
  slowestSeed: number;
}

/** Repairs `count` damaged meshes; every body is sound, and every cage crosses itself nowhere. */
export async function repairDamaged(count: number, seed: number): Promise<DamageOutcome> {
  const outcome: DamageOutcome = { bodies: 0, cages: 0, refusals: {}, slowest: 0, slowestSeed: 0 };
  const watch = new Watchdog();
  for (let i = 0; i < count; i++) {
    let parts = 1;
    watch.start(`damaged mesh ${seed + i}`);
    try {
      const { bodies } = await makeSimulatable(damageMesh(seed + i), {
        vertices: i % FULL === FULL - 1 ? undefined : 80,
        parts: i % 5 === 0 ? 'separate' : 'joined',
      });
      parts = bodies.length;
      for (const { mesh, origin } of bodies) {
        const { problems } = validate(mesh);
        if (problems.length > 0) throw new Error(problems[0].message);
        if (origin === 'cage') {
          outcome.cages++;
          const { count: crossings } = findSelfIntersections(mesh.positions, mesh.triangles);
          if (crossings > 0) throw new Error(`the cage crosses itself ${crossings} times`);
        }
      }
      outcome.bodies++;
    } catch (problem) {
      if (!(problem instanceof RepairError)) {
        throw new Error(`damaged mesh ${seed + i}: ${(problem as Error).message}`, { cause: problem });
      }
      outcome.refusals[problem.reason] = (outcome.refusals[problem.reason] ?? 0) + 1;
    }
    const took = watch.stop() / parts;
    if (took > outcome.slowest) [outcome.slowest, outcome.slowestSeed] = [took, seed + i];
  }
  await watch.end();
  return outcome;
}
