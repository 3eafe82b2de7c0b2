// One start in a process of its own, from the built package as a program loads it: prints the milliseconds that it took, and what came of it.

import { createHash } from 'node:crypto';

const dist = (path) => new URL(`../dist/${path}`, import.meta.url).href;
const before = performance.now();
const { box, createWorld, icosphere, prepare, surface } = await import(dist('index.js'));
const { duck, makeSimulatable, vertexCount } = await import(dist('mesh/index.js'));
const loaded = performance.now();

/** Loose triangles: no two share a vertex; some are left out and some turned around, as the seeded numbers fall. */
function looseTriangles({ positions, triangles }, dropped, turned) {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const corners = [];
  for (let first = 0; first < triangles.length; first += 3) {
    if (random() < dropped) continue;
    const own = [0, 1, 2].map((k) => triangles[first + k]);
    corners.push(...(random() < turned ? own.toReversed() : own));
  }
  const loose = new Float64Array(3 * corners.length);
  corners.forEach((vertex, corner) => {
    loose.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
  });
  return { positions: loose, triangles: Uint32Array.from(corners, (_, corner) => corner) };
}

const hashOf = (positions) => createHash('sha256').update(Float64Array.from(positions)).digest('hex').slice(0, 16);

async function timed(work) {
  const start = performance.now();
  const mesh = await work();
  return { ms: performance.now() - start, particles: vertexCount(mesh), hash: hashOf(mesh.positions) };
}

const bodyOf = async (input, options) => (await makeSimulatable(input, options)).bodies[0].mesh;

/** Repairs the triangles of a model of 50 000, loose. */
async function repair(dropped, turned, options) {
  const model = await bodyOf(duck({ vertices: 20_000 }), { vertices: 25_002 });
  const input = looseTriangles(model, dropped, turned);
  return timed(() => bodyOf(input, options));
}

const CASES = {
  import: async () => ({ ms: loaded - before, particles: 0, hash: '' }),
  async 'create-world'() {
    const mesh = icosphere({ detail: 3 });
    const prepared = prepare(mesh, surface());
    return timed(async () => {
      const world = await createWorld();
      const body = world.add(prepared);
      world.step();
      return { positions: Float64Array.from(body.positions), triangles: mesh.triangles };
    });
  },
  ...Object.fromEntries(
    [41, 129].map((divisions) => {
      const mesh = () => box({ size: [1, 1, 1], divisions });
      return [
        `prepare-${6 * divisions ** 2 + 2}`,
        () => {
          const given = mesh();
          return timed(() => prepare(given, surface()) && given);
        },
      ];
    }),
  ),
  'soup-mend': () => repair(0, 0),
  'soup-cage': () => repair(0.01, 0.1),
  'cage-3000': () => repair(0.01, 0.1, { vertices: 3000 }),
};

console.log(JSON.stringify(await CASES[process.argv[2]]()));
process.exit(0);
