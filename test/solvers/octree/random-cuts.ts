// Random cuts: sheets along which surfaces are cut, one after the other, and cuts of bodies that lie in a pile. A small part of
// them runs with every test, all of them in the soak.

import type { Body, Skin, TriangleMesh, Vec3, World } from '../../../src/index.js';
import { box, duck, icosphere, octree, prepare } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { boundsOf, diagonalOf, signedVolume } from '../../../src/mesh/measure.js';
import type { SolidModule } from '../../../src/solvers/blade.js';
import type { CutPatch } from '../../../src/solvers/octree/patch.js';
import { chartSheet, sweepSheet } from '../../../src/solvers/octree/sheet.js';
import { createSheetPatch } from '../../../src/solvers/octree/sheet-patch.js';
import { findOpenEdges } from '../../../src/solvers/octree/surface-cut/closedness.js';
import { CutFailure } from '../../../src/solvers/octree/surface-cut/cut-failure.js';
import { cutSurface } from '../../../src/solvers/octree/surface-cut/cut-surface.js';
import { worldOn } from '../../both-backends.js';

/** Most cosine between a blade and its way, 3°: along itself it sweeps a sheet that folds, by 149° in one of these, along which nothing is cut. */
const ALONG_ITSELF = 0.9986;

/** A bent sheet through a point of the mesh: swept by a blade that turns a little, or the same triangles as any patch. */
export function randomSheet(mesh: TriangleMesh, random: () => number, mayFold = false): CutPatch {
  const [low, high] = boundsOf(mesh.positions);
  const size = diagonalOf([low, high]);
  const vector = (scale: number): number[] => [0, 1, 2].map(() => scale * (random() - 0.5));
  const middle = [0, 1, 2].map((c) => low[c] + (0.2 + 0.6 * random()) * (high[c] - low[c]));
  const reach = (0.2 + 1.5 * random()) * size;
  const unit = (v: number[]): number[] => v.map((x) => x / Math.hypot(...v));
  const [along, down] = [unit(vector(1)), unit(vector(1))];
  const bend = vector(0.3 * reach);
  const rows = Array.from({ length: 5 }, (_, i) => {
    const s = i / 4 - 0.5;
    const turn = vector(0.05 * reach);
    return [-0.5, 0, 0.5].map((t) =>
      [0, 1, 2].map((c) => middle[c] + reach * (s * along[c] + t * down[c]) + s * s * bend[c] + t * turn[c]),
    );
  }) as unknown as Vec3[][];
  const sheet = sweepSheet(rows);
  const isSwept = random() < 0.5;
  const cosine = along[0] * down[0] + along[1] * down[1] + along[2] * down[2];
  if (!mayFold && Math.abs(cosine) > ALONG_ITSELF) return randomSheet(mesh, random);
  return createSheetPatch(isSwept ? sheet : chartSheet(sheet.positions, sheet.triangles));
}

/** What a wedge takes of the volume of what the fallback cuts, in sizes cubed. */
const WEDGE = 1e-5;

/**
 * How many of so many cuts along random sheets were refused, or left to the fallback; throws where one leaves a mesh open or of another
 * volume.
 */
export function cutAtRandom(
  mesh: TriangleMesh,
  count: number,
  inSequence: number,
  seed: number,
  fallback?: SolidModule,
): { cuts: number; refused: number; byFallback: number } {
  const random = seededRandom(seed);
  const size = diagonalOf(boundsOf(mesh.positions));
  let [cuts, refused, byFallback] = [0, 0, 0];
  for (let n = 0; n < count; n++) {
    let now = mesh;
    for (let m = 0; m < inSequence; m++) {
      const patch = randomSheet(mesh, random);
      try {
        const { mesh: next, isPaired = true } = cutSurface(now, patch, 0.2 * size, fallback);
        const change = signedVolume(next.positions, next.triangles) - signedVolume(now.positions, now.triangles);
        const open = findOpenEdges(next.triangles, next.positions.length / 3).length;
        if (!isPaired) byFallback++;
        if (open > 0 || !(Math.abs(change) < (isPaired ? 1e-12 : WEDGE) * size ** 3))
          throw new Error(`seed ${seed}: ${open} open, ${change} m³`);
        if (next !== now) cuts++;
        now = next;
      } catch (problem) {
        if (!(problem instanceof CutFailure)) throw problem;
        refused++;
      }
    }
  }
  return { cuts, refused, byFallback };
}

/** A tenth of a voxel of the largest body of the pile [m³]: of thinner slivers single precision does not know as many digits. */
const LEAST_VOLUME = 0.1 * (1.2 / 12) ** 3;

/** What random cuts in a pile came to. */
export interface PileReport {
  readonly bodies: number;
  readonly splits: number;
  /** The most that a part as large as a tenth of a voxel was off its volume after any step, relative. */
  readonly volumeError: number;
  /** Volume of the largest part that was off by 2e-5 [m³]. */
  readonly largestOff: number;
  readonly finite: boolean;
  /** The furthest that a vertex of a visible mesh was from the surface of its body, in its sizes: of the body's own mesh, and of a finer one. */
  readonly skinErrors: readonly [own: number, finer: number];
  /** Of a grip at each body that was cut, how many held a piece of it afterwards. */
  readonly grips: number;
}

/**
 * Cuts bodies at random while they fall on each other, separates some, and goes back to a snapshot in between, also one between asking
 * for a cut and the step that makes it: what follows must have the same bits.
 */
export async function cutInPile(cuts: number, seed: number): Promise<PileReport> {
  const world = await worldOn('wasm');
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const random = seededRandom(seed);
  const solver = octree({ cells: 3, levels: 1 });
  const kinds = [box({ divisions: 4 }), icosphere({ detail: 2, radius: 0.6 }), duck({ vertices: 300 })].map((mesh) =>
    prepare(mesh, solver),
  );
  const skins = kinds.map((kind, n) => {
    // Parts that lie in each other, as nothing keeps them apart, would become bodies deep in each other.
    const body = world.add(kind, { position: [0.15 * n, 0.8 + 1.3 * n, 0.1 * n], selfContact: true });
    return { body, visible: [body.embed(kind.mesh), body.embed(divide(kind.mesh))] };
  });
  let [splits, volumeError, largestOff, grips] = [0, 0, 0, 0];
  const skinErrors: [number, number] = [0, 0];
  const look = (): void => {
    for (const one of world.bodies) {
      for (const part of one.parts) {
        const error = Math.abs(part.volume() / part.restVolume - 1);
        if (!(error < 2e-5)) largestOff = Math.max(largestOff, part.restVolume);
        if (part.restVolume > LEAST_VOLUME) volumeError = Math.max(volumeError, error);
      }
    }
  };
  const step = (count: number): void => {
    for (let n = 0; n < count; n++) {
      world.step();
      splits += world.splitEvents().length;
      look();
    }
  };
  step(40);
  for (let n = 0; n < cuts; n++) {
    const body = world.bodies[Math.floor(random() * world.bodies.length)];
    body.grab(body.centreOfMass());
    cutSomewhere(body, random);
    if (n % 3 === 1) expectSameBits(world);
    step(8);
    for (const { body: one, visible } of skins) {
      if (one.removed) continue;
      visible.forEach((skin, k) => {
        skinErrors[k] = Math.max(skinErrors[k], strayOf(one, skin));
      });
    }
    // What it held is a piece of the body, or gone; going back to before a cut makes another of it.
    for (const grip of [...body.grips]) {
      grips++;
      grip.release();
    }
    if (n % 3 === 2) expectSameBits(world);
    if (n % 4 === 3 && world.bodies.length < 12) body.separate();
    // Cuts add vertices: a body of many has had its turn.
    if (body.particleCount > 1500) world.remove(body);
    if (world.bodies.length === 0) world.add(kinds[n % kinds.length], { position: [0, 1, 0], selfContact: true });
  }
  const finite = world.bodies.every((body) => [...body.positions].every(Number.isFinite));
  return { bodies: world.bodies.length, splits, volumeError, largestOff, finite, skinErrors, grips };
}

/** The same surface with four triangles for each. */
function divide({ positions, triangles }: TriangleMesh): TriangleMesh {
  const points = [...positions];
  const middles = new Map<string, number>();
  const middleOf = (a: number, b: number): number => {
    const name = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const known = middles.get(name);
    if (known !== undefined) return known;
    middles.set(name, points.length / 3);
    for (let c = 0; c < 3; c++) points.push(0.5 * (positions[3 * a + c] + positions[3 * b + c]));
    return points.length / 3 - 1;
  };
  const corners: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.subarray(k, k + 3);
    const [ab, bc, ca] = [middleOf(a, b), middleOf(b, c), middleOf(c, a)];
    corners.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return { positions: Float64Array.from(points), triangles: Uint32Array.from(corners) };
}

/** How far vertices of a body's visible mesh, which was on the body's own, are from its surface, in its sizes. */
function strayOf(body: Body, skin: Skin): number {
  skin.update();
  let most = 0;
  for (let k = 0; k < skin.positions.length; k += 3) {
    const [x, y, z] = skin.positions.subarray(k, k + 3);
    most = Math.max(most, body.closestPoint([x, y, z])?.distance ?? Infinity);
  }
  return most / body.prepared.volume.size;
}

function cutSomewhere(body: Body, random: () => number): void {
  const centre = body.centreOfMass();
  const [normal, shift] = [0, 1].map(() => [0, 1, 2].map(() => random() - 0.5) as unknown as Vec3);
  const point = centre.map((x, c) => x + 0.4 * shift[c]) as unknown as Vec3;
  if (random() < 0.7) {
    body.cut({ plane: { point, normal }, within: random() < 0.5 ? 0.3 : Infinity });
    return;
  }
  const path = [-1, 0, 1].map((s) => [point[0] + s, point[1] + 0.1 * s * s, point[2] + 0.2 * s] as Vec3);
  body.cut({ path: path.map(([x, y, z]) => [x, y - 1, z] as Vec3), blade: [0.2 * shift[0], 2, 0.2 * shift[2]] });
}

/** Steps twice from one state. */
function expectSameBits(world: World): void {
  const snapshot = world.snapshot();
  const run = (): number[] => {
    for (let n = 0; n < 3; n++) world.step();
    return world.bodies.flatMap((body) => [...body.positions]);
  };
  const first = run();
  world.restore(snapshot);
  const second = run();
  if (first.length !== second.length || first.some((x, k) => x !== second[k])) throw new Error('snapshot: other bits');
}
